"""Mixtures of experts: the truth against a second formula, what is drawn, what must hold, what ships."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from torch import Tensor
from torch.nn.functional import one_hot

from eagerdiff import Inputs, Relation, Status, Workload
from eagerdiff.compiled.moe import worklist
from eagerdiff.compiled.moe.align import align_blocks, group_routes
from eagerdiff.harness.judge.widening import Widening
from eagerdiff.harness.memory.copies import upcast
from eagerdiff.harness.mutation.faults import Fault, faults_of, plant
from eagerdiff.harness.processes import Task, Worker, WorkerPool
from eagerdiff.reference.moe import magnitude, moe, route
from eagerdiff.strategies.cases.layouts import is_far
from eagerdiff.strategies.cases.moe import MoeCase
from eagerdiff.strategies.moe import BLOCK_M, apportion, cases, inputs, router_logits, routing
from eagerdiff.suites.moe import OPERATOR, RELATIONS, cost
from eagerdiff.suites.tests.examples import CHOOSY, FEW
from eagerdiff.suites.tests.generated import draw_edge, judge_generated, two_calls

FAULTS = faults_of(OPERATOR)
SMALL_WORKLOADS = [name for name in OPERATOR.workloads if not name.startswith("serving")]


def in_float64(given: Inputs) -> Inputs:
    """Widen tensors, and the dtype that the output is to have."""
    wide = upcast(given)
    named = {"output_dtype": torch.float64} if "output_dtype" in wide.options else {}
    return Inputs(wide.args, {**wide.options, **named})


def mix(given: Inputs) -> Tensor:
    with Widening():
        return moe(*given.args, **given.options)


def mix_densely(given: Inputs) -> Tensor:
    """Send every token through every expert and weigh by a matrix [T, E] that is 0 off the chosen experts."""
    x, logits, w_gate_up, w_down = given.args
    of: Any = given.options.get
    x, w_gate_up, w_down = (
        spread(x, of("x_scale"), 1, of("scale_block")),
        spread(w_gate_up, of("gate_up_scale"), None, of("scale_block"), x.shape[1]),
        spread(w_down, of("down_scale"), None, of("scale_block"), w_gate_up.shape[1] // (1 if plain(given) else 2)),
    )
    named: dict[str, Any] = {name: of(name) for name in ROUTING if of(name) is not None}
    topk_weights, topk_ids = route(logits, **named)
    chosen = one_hot(topk_ids.clamp_min(0), len(w_down)) * (topk_ids >= 0)[..., None]
    weights = (chosen * topk_weights[..., None]).sum(1)
    into = torch.einsum("th,te->teh", x, weights) if of("weight_first") else x[:, None].expand(-1, len(w_down), -1)
    gate_up = torch.einsum("teh,ejh->tej", into, w_gate_up)
    gate_up = gate_up if of("gate_up_bias") is None else gate_up + of("gate_up_bias")
    outputs = torch.einsum("tei,ehi->teh", activated(gate_up, given), w_down)
    outputs = outputs if of("down_bias") is None else outputs + of("down_bias")
    outputs = outputs if of("weight_first") else outputs * weights[..., None]
    output = torch.where(chosen.sum(1)[..., None] > 0, outputs, 0.0).sum(1)
    if of("shared_down") is not None:
        output = output + activated(x @ of("shared_gate_up").T, given) @ of("shared_down").T
    return output


ROUTING = ("top_k", "renormalize", "scoring", "scaling", "selection_bias", "num_groups", "kept_groups", "expert_map")


def plain(given: Inputs) -> bool:
    return given.options.get("activation") == "relu2"


def activated(gate_up: Tensor, given: Inputs) -> Tensor:
    if plain(given):
        return gate_up.clamp_min(0.0) ** 2  # NaN stays
    gate, up = gate_up.tensor_split(2, dim=-1)
    if given.options.get("activation") == "geglu":
        return gate * (1 + torch.erf(gate / 2**0.5)) / 2 * up
    return gate * gate.sigmoid() * up


def spread(values: Tensor, scale: Tensor | None, rows: int | None, block: int, width: int = 0) -> Tensor:
    """Multiply by scales, element by element; int4 is unpacked first."""
    if scale is None:
        return values
    if values.dtype == torch.uint8:
        column = torch.arange(width)
        values = ((values[..., column // 2] >> (column % 2 * 4).to(torch.uint8)) & 15).double() - 8
        rows = 1
    row, column = torch.arange(values.shape[-2]) // (rows or block), torch.arange(values.shape[-1]) // block
    return values * scale[..., row, :][..., column]


def counts(case: MoeCase) -> tuple[int, ...]:
    options: dict[str, Any] = routing(case) | {"expert_map": None}
    _, topk_ids = route(router_logits(case), **options)
    return tuple(torch.bincount(topk_ids[topk_ids >= 0], minlength=case.num_experts).tolist())


@given(cases())
@FEW
def test_the_reference_agrees_with_a_dense_formula(case: MoeCase) -> None:
    exact = in_float64(inputs(case, "cpu"))
    torch.testing.assert_close(mix(exact), mix_densely(exact), rtol=1e-9, atol=1e-9, equal_nan=True)


@given(cases())
@FEW
def test_the_worklist_agrees_with_the_reference(case: MoeCase) -> None:
    assume(case.weight_dtype == "as_x")
    exact = in_float64(inputs(case, "cpu"))
    found = worklist.moe(*exact.args, **exact.options)
    torch.testing.assert_close(found, mix(exact), rtol=1e-9, atol=1e-9, equal_nan=True)


@given(cases())
@FEW
def test_eager_and_float64_choose_the_same_experts(case: MoeCase) -> None:
    logits = router_logits(case)
    _, ids = route(logits, **routing(case))
    _, exact_ids = route(logits.double(), **routing(case))
    assert torch.equal(ids, exact_ids)


@given(cases())
@FEW
def test_the_terms_bound_the_output(case: MoeCase) -> None:
    exact = in_float64(inputs(case.model_copy(update={"nan_tokens": False}), "cpu"))
    assert bool((mix(exact).abs() <= magnitude(*exact.args, **exact.options) * (1 + 1e-9) + 1e-12).all())


@given(cases())
@FEW
def test_the_data_give_the_counts_wanted(case: MoeCase) -> None:
    untied = case.model_copy(update={"tie_group": 1, "num_groups": 1, "kept_groups": 1})
    assert counts(untied) == case.expert_tokens


@given(cases())
@FEW
def test_no_choice_among_tied_experts_changes_the_output(case: MoeCase) -> None:
    """Choose by the last of equal experts instead of whichever topk takes."""
    exact = in_float64(inputs(case, "cpu"))
    assume(case.num_groups == 1 and not case.experts_elsewhere)
    args = (tensor.flip(d) for tensor, d in zip(exact.args, ([], [1], [0], [0]), strict=True))
    experts = ("gate_up_bias", "down_bias", "gate_up_scale", "down_scale", "selection_bias")
    options = {name: value.flip(0) if name in experts else value for name, value in exact.options.items()}
    torch.testing.assert_close(mix(Inputs(tuple(args), options)), mix(exact), rtol=1e-9, atol=1e-9, equal_nan=True)


@given(cases())
@FEW
def test_poison_stands_in_every_row_that_is_routed_nowhere(case: MoeCase) -> None:
    poisoned = {"poison": True, "shared_intermediate": 0, "quantised_x": False, "nan_tokens": False}
    x, logits, *_ = inputs(case.model_copy(update=poisoned), "cpu").args
    assert torch.equal(x.isnan().all(1), logits.isneginf().all(1) | logits.isnan().any(1))
    assert torch.equal(x.isnan().any(1), x.isnan().all(1))


@given(st.data())
@FEW
def test_further_cases_share_the_static_key(data: st.DataObject) -> None:
    two_calls(OPERATOR, data)


@given(st.lists(st.floats(0, 8, width=16), min_size=1, max_size=9), st.integers(0, 40), st.integers(0, 60))
@FEW
def test_apportioning_hands_out_all_that_fits(shares: list[float], limit: int, total: int) -> None:
    handed = apportion(shares, total=total, limit=limit)
    assert sum(handed) == min(total, limit * sum(share > 0 for share in shares))
    assert all(count <= (limit if share > 0 else 0) for share, count in zip(shares, handed, strict=True))


def busy(case: MoeCase) -> bool:
    return case.num_experts >= 3 and case.tokens >= 3 and case.tie_group == 1


EDGES: dict[str, Callable[[MoeCase], bool]] = {
    "no tokens": lambda case: case.tokens == 0,
    "one token": lambda case: case.tokens == 1 and sum(case.expert_tokens) > 0,
    "first expert empty": lambda case: busy(case) and case.expert_tokens[0] == 0 < min(case.expert_tokens[1:]),
    "last expert empty": lambda case: busy(case) and case.expert_tokens[-1] == 0 < min(case.expert_tokens[:-1]),
    "middle expert empty": lambda case: busy(case) and 0 in case.expert_tokens[1:-1] and case.expert_tokens[0] > 0,
    "alternating experts empty": lambda case: busy(case) and not any(case.expert_tokens[::2]) and counts(case)[1] > 0,
    "all experts empty": lambda case: case.tokens > 1 and not any(case.expert_tokens),
    "all tokens on one expert": lambda case: busy(case) and 0 < case.tokens == sum(case.expert_tokens),
    "two blocks and one over": lambda case: 2 * BLOCK_M + 1 in case.expert_tokens,
    "a full block": lambda case: BLOCK_M in case.expert_tokens,
    "skew": lambda case: busy(case) and max(case.expert_tokens) > 4 * min(case.expert_tokens) > 0,
    "balanced": lambda case: busy(case) and max(case.expert_tokens) - min(case.expert_tokens) <= 1,
    "partly dropped routes": lambda case: (
        0 < sum(case.expert_tokens) < (case.tokens - case.padding_tokens) * case.top_k
    ),
    "padding": lambda case: 0 < case.padding_tokens < case.tokens and case.poison,
    "ties": lambda case: case.tie_group > 1 and case.tie_group > case.top_k and case.tokens > 0,
    "experts not a power of two": lambda case: case.num_experts in (3, 5, 6, 7),
    "every expert for every token": lambda case: case.top_k == case.num_experts > 2,
    "dims off the tiles": lambda case: case.hidden % 16 != 0 and case.intermediate % 16 != 0,
    "plain experts with biases": lambda case: case.activation == "relu2" and case.expert_bias and case.tokens > 1,
    "a shared expert": lambda case: case.shared_intermediate > 0 and case.tokens > 1,
    "fp8 of x and weights over two blocks": lambda case: case.quantised_x and case.hidden > case.scale_block,
    "int4 of odd width": lambda case: case.weight_dtype == "int4" and case.hidden % 2 == 1,
    "groups that are left out": lambda case: case.kept_groups < case.num_groups and case.tokens > 1,
    "experts elsewhere": lambda case: 0 < case.experts_elsewhere < case.num_experts - 1 and case.tokens > 1,
    "a row of NaN logits": lambda case: case.nan_logits and case.padding_tokens > 0,
    "512 experts": lambda case: case.num_experts >= 512 and case.tokens > 0,
    "32 experts a token": lambda case: case.top_k == 32,
    "more tiles of routes than are added up at once": lambda case: sum(case.expert_tokens) > 16 * 128,
    "three blocks of 128 columns": lambda case: case.hidden > 256 and sum(case.expert_tokens) > 0,
    "larger blocks of columns": lambda case: case.intermediate >= 256 and sum(case.expert_tokens) > 0,
    "every bias and shared weight far apart": lambda case: (
        sum(layout == "far" for _, layout in case.layouts) > 3 and case.expert_bias and case.shared_intermediate > 0
    ),
    "experts far apart": lambda case: case.weight_layout == "far" and counts(case)[-1] > 0 < case.local_experts - 2,
    "transposed weights": lambda case: case.weight_layout == "transposed" and case.x_layout == "row_padded",
}


@pytest.mark.parametrize("edge", EDGES)
def test_edges_are_drawn(edge: str) -> None:
    draw_edge(OPERATOR, EDGES[edge])


@given(OPERATOR.cases())
@settings(FEW, max_examples=200)
def test_the_expert_that_lies_far_behind_the_others_is_read(case: MoeCase) -> None:
    if case.weight_layout == "far" or is_far(case.layouts):
        assert case.expert_tokens[-1] > 0 or case.expert_tokens[0] == 0


def test_a_case_that_cannot_be_built_is_refused() -> None:
    for wrong, message in (
        ({"expert_tokens": (3, 0)}, "each of expert_tokens"),
        ({"expert_tokens": (2, 2)}, "sum to more"),
        ({"expert_tokens": (2,)}, "entries for 2 experts"),
        ({"expert_tokens": (0, 0), "padding_tokens": 3}, "above tokens"),
        ({"expert_tokens": (0, 0), "top_k": 3}, "above num_experts"),
    ):
        fields = {"num_experts": 2, "top_k": 1, "hidden": 4, "intermediate": 4, "tokens": 2, **wrong}
        with pytest.raises(ValueError, match=message):
            MoeCase.model_validate(fields)


@given(st.lists(st.lists(st.integers(-1, 4), min_size=2, max_size=2), max_size=40), st.sampled_from((1, 3, 16)))
@FEW
def test_blocks_cover_each_route_once_and_hold_one_expert(ids: list[list[int]], block_m: int) -> None:
    topk_ids = torch.tensor(ids, dtype=torch.int64).view(-1, 2)
    groups = group_routes(topk_ids, 5)
    blocks = align_blocks(groups.expert_offsets, topk_ids.numel(), block_m)
    covered: list[int] = []
    for expert, start in zip(blocks.block_expert.tolist(), blocks.block_start.tolist(), strict=True):
        if expert < 5:
            end = min(start + block_m, int(groups.expert_offsets[expert + 1]))
            routes = groups.sorted_routes[start:end]
            assert topk_ids.flatten()[routes].unique().tolist() == [expert]
            covered += routes.tolist()
    assert sorted(covered) == (topk_ids.flatten() >= 0).nonzero().flatten().tolist()


@pytest.mark.parametrize("relation", RELATIONS, ids=[relation.name for relation in RELATIONS])
def test_relations_hold_for_the_reference(relation: Relation) -> None:
    @given(cases())
    @FEW
    def holds(case: MoeCase) -> None:
        exact = in_float64(inputs(case, "cpu"))
        changed, expected = relation.transform(exact, torch.Generator().manual_seed(case.seed))
        torch.testing.assert_close(mix(changed), expected(mix(exact)), rtol=1e-7, atol=1e-9, equal_nan=True)

    holds()


@pytest.mark.parametrize("tokens", [0, 3])
def test_relations_leave_rows_as_far_apart_as_they_are(tokens: int) -> None:
    case = MoeCase(
        num_experts=2, top_k=1, hidden=15, intermediate=8, tokens=tokens, expert_tokens=(tokens, 0),
        x_layout="row_padded",
    )  # fmt: skip
    given = inputs(case, "cpu")
    changed = [one.transform(given, torch.Generator().manual_seed(0))[0].args[0] for one in RELATIONS]
    assert {x.stride() for x in changed} == {given.args[0].stride()} != {(15, 1)}


@given(cases(), st.integers(1, 3))
@CHOOSY
def test_experts_that_no_token_may_choose_change_nothing(case: MoeCase, added: int) -> None:
    assume(case.num_groups == 1 and not case.experts_elsewhere and not case.nan_logits)
    assume(case.weight_dtype == "as_x" and not case.expert_bias and not case.selection_bias)
    exact = in_float64(inputs(case, "cpu"))
    x, logits, *weights = exact.args
    masked = torch.cat((logits, logits.new_full((len(logits), added), -torch.inf)), dim=1)
    more = [torch.cat((weight, weight.new_full((added, *weight.shape[1:]), torch.nan))) for weight in weights]
    torch.testing.assert_close(mix(Inputs((x, masked, *more), exact.options)), mix(exact), equal_nan=True)


def test_cost_counts_active_experts_alone() -> None:
    case = MoeCase(
        num_experts=4, top_k=2, hidden=8, intermediate=16, tokens=3, expert_tokens=(3, 0, 3, 0), dtype="float16"
    )
    counted = cost(case)
    assert counted.flops == 6 * (3 * 2) * 8 * 16
    assert counted.bytes == 2 * (3 * 8 * 16) * 2 + 3 * (2 * 8) * 2 + 3 * 4 * 4  # weights, x and output, logits


@pytest.mark.parametrize(
    ("implementation", "device"),
    [
        pytest.param("triton.grouped_gemm", "interpreted", marks=pytest.mark.slow),
        ("triton.scatter_add", "interpreted"),
        ("torch.grouped_mm", "cpu"),
        ("torch.padded_bmm", "cpu"),
        ("torch.dispatch", "cpu"),
        ("worklist.dynamo.unbacked", "cpu"),
    ],
)
def test_implementations_pass_generated_cases(workers: dict[str, Worker], implementation: str, device: str) -> None:
    judged = judge_generated(workers[device], OPERATOR, implementation, 8)
    assert judged.count(Status.PASSED) >= 3


@pytest.mark.parametrize("name", SMALL_WORKLOADS)
def test_kernels_pass_the_fixed_workloads(workers: dict[str, Worker], name: str) -> None:
    workload = OPERATOR.workloads[name].to_data()
    task = Task(operator="moe", implementation="triton.grouped_gemm", workload=workload)
    outcome = workers["interpreted"].run(task)
    assert [verdict.status for verdict in outcome.verdicts] == [Status.PASSED] * len(workload)
    assert outcome.launches >= len(workload)


def test_the_worklist_compiles_once_for_sizes_that_are_not_known(workers: dict[str, Worker]) -> None:
    workload = OPERATOR.workloads["ragged"].to_data()
    task = Task(operator="moe", implementation="worklist.aot_eager.unbacked", workload=workload, relations=False)
    outcome = workers["cpu"].run(task)
    assert outcome.first_failure is None
    assert outcome.compile_count == 1


def test_faults_are_many_and_distinct() -> None:
    assert len(FAULTS) >= 10
    assert len({(fault.text, fault.replacement) for fault in FAULTS}) == len(FAULTS)


@pytest.mark.parametrize("name", ["moe.partial_block_lost", "moe.dropped_routes_read", "moe.n_tail_store_unmasked"])
def test_a_planted_fault_is_found_by_a_generated_case(worker_pool: WorkerPool, tmp_path: Path, name: str) -> None:
    """Three stand for all here: `eagerdiff selfcheck` searches for every one of them."""
    fault: Fault = next(fault for fault in FAULTS if fault.id == name)
    found: list[str] = []
    root = str(plant(fault, tmp_path))
    task = Task(operator="moe", implementation=fault.implementation, workload=[], source_root=root)

    @given(cases())
    @settings(FEW, max_examples=60)
    def search(case: MoeCase) -> None:
        if not found and (failure := worker.run(task.with_cases(Workload.of(case))).first_failure):
            found.append(failure.decided_by)

    with Worker("interpreted", worker_pool=worker_pool) as worker:
        search()
    assert found


def test_a_script_exports_the_worklist_with_its_options_bound() -> None:
    case = MoeCase(num_experts=2, top_k=1, hidden=4, intermediate=3, scaling=2.5, tokens=3, expert_tokens=(2, 1))
    given, tested = inputs(case, "cpu"), dict[str, Any]()
    implementation = next(one for one in OPERATOR.implementations if one.name == "worklist.export.named")
    assert implementation.source is not None
    exec("import torch\n" + implementation.source(case), tested)
    wanted = moe(*given.args, **given.options)
    for name in ("eager", "implementation"):
        torch.testing.assert_close(tested[name](*given.args, **given.options), wanted, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("seed", range(8))
def test_of_tokens_that_are_nan_an_expert_gets_one(seed: int) -> None:
    case = MoeCase(
        hidden=4,
        intermediate=4,
        num_experts=4,
        top_k=1,
        tokens=9,
        expert_tokens=(1, 0, 0, 0),
        nan_tokens=True,
        seed=seed,
    )
    output = mix(inputs(case, "cpu"))
    assert int(output.isnan().any(1).sum()) == 1
