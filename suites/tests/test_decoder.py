"""The stack together: the truth against DeepSeek's own words, what is drawn, ties, what must hold, what ships."""

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import assume, find, given, settings
from hypothesis import strategies as st
from torch import Tensor

from eagerdiff import Implementation, Inputs, Outcome, Relation, Status, Workload
from eagerdiff.harness.judge.judge import judge
from eagerdiff.harness.judge.truth import tell_truth
from eagerdiff.harness.mutation.faults import faults_of, plant
from eagerdiff.harness.processes import Task, Worker
from eagerdiff.reference.decoder import decoder
from eagerdiff.reference.decoder.model import rms_norm, rotate
from eagerdiff.strategies.cases.decoder import DecoderCase
from eagerdiff.strategies.decoder import cases, cases_like, inputs, passes
from eagerdiff.suites.decoder import OPERATOR, RELATIONS, SLACK, WORKLOADS
from eagerdiff.suites.tests.examples import CHOOSY

FEW = settings(CHOOSY, max_examples=10)


def traces(name: str) -> list[DecoderCase]:
    return [case for case in WORKLOADS[name].cases if isinstance(case, DecoderCase)]


SPECULATIVE, CONTINUOUS = traces("speculative")
SHORT = ((5, 16, 3, 0), (3, 16, 3, 0), (0, 16, 1, 2))
EXITING = traces("early_exit")[0].model_copy(update={"steps": SHORT})
UNSURE = EXITING.model_copy(update={"certainty": 1.0})
"""Its drafts are wrong now and then."""


def serve(case: DecoderCase, **changes: Any) -> tuple[Tensor, list[tuple[Tensor, Tensor, Tensor]]]:
    given = inputs(case.model_copy(update=changes), "cpu")
    return decoder(*given.args, **given.options)


def run(worker: Worker, implementation: str, *cases: DecoderCase, source_root: Path | None = None) -> Outcome:
    root = "" if source_root is None else str(source_root)
    data = Workload(cases).to_data()
    return worker.run(Task(operator="decoder", implementation=implementation, workload=data, source_root=root))


def whole(weights: Any, tokens: list[int], *, top_k: int, kept_groups: int, num_groups: int, scaling: float) -> Tensor:
    """Return logits of a whole sequence at once, as DeepSeek-V3's inference code has it: no cache, nothing absorbed."""
    x = weights["embed"][torch.tensor(tokens)]
    angles = weights["rope"][: len(tokens)]
    later = torch.ones(len(tokens), len(tokens), dtype=torch.bool).triu(1)
    for layer in weights["layers"]:
        y = rms_norm(x, layer["attention_norm"])
        heads, nope, latent = layer["key_up"].shape
        queries = (y @ layer["query"].T).view(len(tokens), heads, -1)
        compressed = rms_norm((y @ layer["kv"].T)[:, :latent], layer["kv_norm"])
        rotated = rotate((y @ layer["kv"].T)[:, latent:], angles)
        keys = torch.einsum("tl,anl->tan", compressed, layer["key_up"])
        values = torch.einsum("tl,avl->tav", compressed, layer["value_up"])
        scores = torch.einsum("qan,kan->aqk", queries[..., :nope], keys)
        scores = scores + torch.einsum("qar,kr->aqk", rotate(queries[..., nope:], angles[:, None]), rotated)
        shares = (scores / queries.shape[-1] ** 0.5).masked_fill(later, -torch.inf).softmax(dim=-1)
        x = x + torch.einsum("aqk,kav->qav", shares, values).flatten(1) @ layer["output"].T
        y = rms_norm(x, layer["mlp_norm"])
        if "router" not in layer:
            x = x + mlp(y, layer["gate_up"], layer["down"])
            continue
        scores = (y @ layer["router"].T).sigmoid()
        grouped = (scores + layer["bias"]).view(len(tokens), num_groups, -1)
        best = grouped.topk(2, dim=-1)[0].sum(dim=-1) if grouped.shape[2] > 1 else grouped[..., 0]
        outside = torch.ones_like(best, dtype=torch.bool).scatter_(1, best.topk(kept_groups)[1], False)
        ids = grouped.masked_fill(outside[..., None], -torch.inf).flatten(1).topk(top_k)[1]
        shares = scores.gather(1, ids) / scores.gather(1, ids).sum(dim=1, keepdim=True) * scaling
        mixed = [
            sum(share * mlp(row, layer["gate_up"][one], layer["down"][one]) for share, one in zip(*pair, strict=True))
            for row, *pair in zip(y, shares, ids, strict=True)
        ]
        x = x + torch.stack(mixed) + mlp(y, layer["shared_gate_up"], layer["shared_down"])  # pyright: ignore
    return rms_norm(x, weights["norm"]) @ weights["head"].T


def mlp(x: Tensor, gate_up: Tensor, down: Tensor) -> Tensor:
    gate, up = (x @ gate_up.T).chunk(2, dim=-1)
    return (torch.nn.functional.silu(gate) * up) @ down.T


@pytest.mark.parametrize("case", [SPECULATIVE, CONTINUOUS], ids=["speculative", "continuous"])
def test_every_answer_is_the_best_token_after_the_whole_sequence(case: DecoderCase) -> None:
    weights, _, prompts, _, _ = inputs(case, "cpu").args
    options = {name: getattr(case, name) for name in ("top_k", "kept_groups", "num_groups", "scaling")}
    tokens, _ = serve(case)
    for prompt, row in zip(prompts, tokens.tolist(), strict=True):
        sequence = [token for token in row if token >= 0]
        assert len(sequence) > len(prompt)
        best = whole(weights, sequence, **options).argmax(dim=1).tolist()
        assert sequence[len(prompt) :] == best[len(prompt) - 1 : -1]


def test_drafts_change_how_many_tokens_there_are_and_not_which() -> None:
    drafted, _ = serve(SPECULATIVE)
    plain, _ = serve(SPECULATIVE, steps=tuple((*step[:2], 0, step[3]) for step in SPECULATIVE.steps))
    lengths = [int((tokens >= 0).sum()) for tokens in (drafted, plain)]
    assert lengths[0] > lengths[1] + 3
    for one, other in zip(drafted.tolist(), plain.tolist(), strict=True):
        both = [pair for pair in zip(one, other, strict=False) if min(pair) >= 0]
        assert all(mine == theirs for mine, theirs in both)


def test_tokens_leave_early_and_others_go_on() -> None:
    exits = torch.cat([one for _, _, one in serve(EXITING)[1]])
    assert 0 < int((exits == 1).sum()) < len(exits)


EDGES: dict[str, Callable[[DecoderCase], bool]] = {
    "a prompt in chunks beside a decode": lambda case: any(
        len(one.counts) > 1 and min(one.counts) == 1 and max(one.counts) > 2 for one in passes(case)
    ),
    "four requests at once": lambda case: any(len(one.requests) == 4 for one in passes(case)),
    "preempted and resumed": lambda case: any(one.preempted for one in passes(case)),
    "a block that had another owner": lambda case: (
        len({row for one in passes(case) for row in owned(one)})
        > len({block for one in passes(case) for row in one.blocks for block in row})
    ),
    "drafts and early exit": lambda case: case.exit_margin is not None and any(step[2] for step in case.steps),
    "three layers": lambda case: case.layers == 3,
    "one token": lambda case: any(one.counts == (1,) for one in passes(case)),
}


def owned(one: Any) -> list[tuple[int, int]]:
    return [(name, block) for name, row in zip(one.requests, one.blocks, strict=True) for block in row]


@pytest.mark.parametrize("edge", EDGES)
def test_edges_are_drawn(edge: str) -> None:
    find(cases(), EDGES[edge], settings=settings(FEW, max_examples=2000))


@given(st.data())
@settings(FEW, max_examples=50)
def test_passes_keep_to_their_blocks(data: st.DataObject) -> None:
    case = data.draw(cases())
    assert data.draw(cases_like(case)).static_key == case.static_key
    assert DecoderCase.from_yaml(case.to_yaml()) == case
    for one in passes(case):
        blocks = [block for row in one.blocks for block in row]
        assert len(set(blocks)) == len(blocks)
        assert max(map(len, one.blocks)) <= one.columns
        assert min(one.counts) > 0


def test_a_model_that_cannot_be_built_is_refused() -> None:
    for wrong, message in (({"num_groups": 3}, "3 groups"), ({"top_k": 3}, "top_k 3"), ({"dense_layers": 3}, "of 2")):
        with pytest.raises(ValueError, match=message):
            DecoderCase.model_validate(wrong)


@pytest.mark.parametrize("relation", RELATIONS, ids=[relation.name for relation in RELATIONS])
def test_relations_hold_for_the_reference(relation: Relation) -> None:
    changed, follow = relation.transform(inputs(UNSURE, "cpu"), torch.Generator().manual_seed(1))
    assert str(changed.args[3]) != str(inputs(UNSURE, "cpu").args[3])
    assert judge(tell_truth(OPERATOR, changed), follow(serve(UNSURE)), after(changed)).status is Status.PASSED


def after(given: Inputs) -> Inputs:
    """Return the arguments as the reference leaves them."""
    cache = [one.clone() for one in given.args[1]]
    decoder(given.args[0], cache, *given.args[2:], **given.options)
    return dataclasses.replace(given, args=(given.args[0], cache, *given.args[2:]))


@pytest.mark.parametrize(("gap", "right"), [(SLACK / 2, True), (4 * SLACK, False)])
def test_a_token_that_rounding_may_choose_is_right_and_another_is_not(gap: float, right: bool) -> None:
    given = inputs(CONTINUOUS.model_copy(update={"steps": ((3, 16, 0, 0),)}), "cpu")
    _, passed = decoder(*after(given).args, **given.options)
    first, second = passed[0][0][-1].topk(2).indices.tolist()
    # Bring the best logit near to the next, by changing the head.
    head = given.args[0]["head"].clone()
    head[first] *= (passed[0][0][-1, second] + gap) / passed[0][0][-1, first]
    tied = dataclasses.replace(given, args=({**given.args[0], "head": head}, *given.args[1:]))
    tokens, passed = decoder(*after(tied).args, **given.options)
    assert tokens[0, 3] == first
    tokens[0, 3] = second
    assert (judge(tell_truth(OPERATOR, tied), (tokens, passed), after(tied)).status is Status.PASSED) is right


def test_an_expert_that_is_no_better_is_refused() -> None:
    given = inputs(CONTINUOUS.model_copy(update={"steps": ((3, 16, 0, 0),)}), "cpu")
    tokens, passed = decoder(*after(given).args, **given.options)
    routes = passed[0][1].clone()
    routes[0, 0] = (routes[0, 0] + 1) % CONTINUOUS.experts
    output = (tokens, [(passed[0][0], routes.sort(dim=2).values, passed[0][2])])
    verdict = judge(tell_truth(OPERATOR, given), output, after(given))
    assert (verdict.status, verdict.output) == (Status.WRONG_VALUE, "[1][0][1]")


IMPLEMENTATIONS: dict[str, Implementation] = {one.name: one for one in OPERATOR.implementations}


@pytest.mark.parametrize("name", ["triton.pieces", "torch.pieces"])
def test_pieces_serve_drawn_traces(workers: dict[str, Worker], name: str) -> None:
    worker = workers[IMPLEMENTATIONS[name].devices[0]]

    @given(cases())
    @settings(FEW, max_examples=4)
    def passes_all(case: DecoderCase) -> None:
        assume(len(case.steps) <= 3)
        assert run(worker, name, case).first_failure is None

    passes_all()


@pytest.mark.parametrize(("mode", "compiles"), [("unbacked", 1), pytest.param("automatic", 2, marks=pytest.mark.slow)])
def test_a_trace_compiles_as_often_as_the_model_says(workers: dict[str, Worker], mode: str, compiles: int) -> None:
    outcome = run(workers["cpu"], f"dynamo.{mode}", UNSURE)
    assert outcome.first_failure is None
    assert outcome.compile_count == compiles == outcome.compile_allowed


@pytest.mark.slow
def test_a_graph_for_each_number_of_tokens_is_over_the_budget(workers: dict[str, Worker], tmp_path: Path) -> None:
    fault = next(fault for fault in faults_of(OPERATOR) if fault.id == "decoder.size_of_first_pass")
    steps = ((3, 16, 0, 0), (4, 16, 1, 0), (5, 16, 0, 0), (6, 16, 3, 0))
    dense = DecoderCase(layers=1, dense_layers=1, table="wide", steps=steps)
    outcome = run(workers["cpu"], "dynamo.automatic", dense, source_root=plant(fault, tmp_path))
    assert outcome.workload.status is Status.OVER_BUDGET


@pytest.mark.parametrize("planted", ["decoder.draft_accepted_one_too_many", "decoder.left_rows_not_written"])
def test_planted_faults_are_caught(workers: dict[str, Worker], planted: str, tmp_path: Path) -> None:
    fault = next(fault for fault in faults_of(OPERATOR) if fault.id == planted)
    assert run(workers["cpu"], "torch.pieces", UNSURE).first_failure is None
    spoilt = run(workers["cpu"], "torch.pieces", UNSURE, source_root=plant(fault, tmp_path))
    assert spoilt.first_failure is not None
    assert spoilt.first_failure.status in (Status.WRONG_VALUE, Status.WRONG_MUTATION)


def test_a_script_serves_as_the_operator_does() -> None:
    given, tested = inputs(EXITING, "cpu"), dict[str, Any]()
    implementation = next(one for one in OPERATOR.implementations if one.name == "dynamo.unbacked")
    assert implementation.source is not None
    exec(implementation.source(EXITING), tested)
    wanted, passes_wanted = serve(EXITING)
    for name in ("eager", "implementation"):
        weights, cache, *rest = given.args
        found, passes_found = tested[name](weights, [kept.clone() for kept in cache], *rest, **given.options)
        assert torch.equal(found, wanted)
        assert [exits.tolist() for *_, exits in passes_found] == [exits.tolist() for *_, exits in passes_wanted]
