"""Routing: the truth against DeepSeek-V3's own words, what is drawn, ties, what must hold, what ships."""

import dataclasses
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from torch import Tensor

from eagerdiff import Relation, Status, Workload
from eagerdiff.compiled.moe_routing import eager
from eagerdiff.harness.judge.judge import judge
from eagerdiff.harness.judge.truth import tell_truth
from eagerdiff.harness.mutation.faults import Fault, plant
from eagerdiff.harness.processes import Task, Worker, WorkerPool
from eagerdiff.reference.moe_routing import choose, moe_routing
from eagerdiff.strategies.cases.moe_routing import MoeRoutingCase
from eagerdiff.strategies.moe_routing import cases, inputs
from eagerdiff.suites.moe_routing import OPERATOR, RELATIONS
from eagerdiff.suites.tests.examples import CHOOSY
from eagerdiff.suites.tests.generated import draw_edge, judge_generated, two_calls

FEW = settings(CHOOSY, max_examples=100)


def deepseek(logits: Tensor, bias: Tensor, groups: int, kept: int, top_k: int) -> tuple[Tensor, Tensor]:
    """Route as the Gate of DeepSeek-V3's published inference code does, with its renormalisation."""
    scores = logits.sigmoid()
    grouped = (scores + bias).view(len(logits), groups, -1)
    best = grouped.topk(2, dim=-1)[0].sum(dim=-1).topk(kept, dim=-1)[1]
    outside = torch.ones_like(grouped[..., 0], dtype=torch.bool).scatter_(1, best, False)
    ids = grouped.masked_fill(outside[..., None], -torch.inf).flatten(1).topk(top_k, dim=-1)[1]
    weights = scores.gather(1, ids)
    return weights / weights.sum(dim=-1, keepdim=True) * 2.5, ids


def test_deepseek_v3_routes_as_its_authors_wrote() -> None:
    generator = torch.Generator().manual_seed(0)
    logits = torch.randn(50, 256, generator=generator, dtype=torch.float64)
    bias = torch.randn(256, generator=generator, dtype=torch.float64) / 4
    weights, ids, counts = moe_routing(
        logits, top_k=8, scoring="sigmoid", scaling=2.5, selection_bias=bias, num_groups=8, kept_groups=4
    )
    wanted, wanted_ids = deepseek(logits, bias, 8, 4, 8)
    assert torch.equal(ids, wanted_ids)
    torch.testing.assert_close(weights, wanted)
    assert counts.sum() == 50 * 8


@given(cases())
@FEW
def test_routes_are_distinct_experts_and_counted(case: MoeRoutingCase) -> None:
    given = inputs(case, "cpu")
    weights, ids, counts = moe_routing(*given.args, **given.options)
    num_local = case.local_experts if case.local else case.num_experts
    assert ids.shape == weights.shape == (case.tokens, case.top_k)
    for row in ids.tolist():
        there = [expert for expert in row if expert >= 0]
        assert len(set(there)) == len(there)
        assert all(expert < num_local for expert in there)
    assert torch.equal(counts, torch.stack([(ids == expert).sum() for expert in range(num_local)]))
    assert bool((weights[ids < 0] == 0).all())
    assert not bool(weights.isnan().any())
    if case.limited:
        assert int(counts.max()) <= case.capacity


@given(cases())
@FEW
def test_float32_and_float64_choose_the_same(case: MoeRoutingCase) -> None:
    given = inputs(case, "cpu")
    (logits,) = given.args
    assert torch.equal(moe_routing(logits, **given.options)[1], moe_routing(logits.double(), **given.options)[1])


@given(cases())
@FEW
def test_torch_operations_agree_where_there_are_no_ties(case: MoeRoutingCase) -> None:
    assume(case.way != "expert_choice")
    given = inputs(case, "cpu")
    truth = tell_truth(OPERATOR, given)
    assert judge(truth, eager.moe_routing(*given.args, **given.options)).status is Status.PASSED


@pytest.mark.parametrize("relation", RELATIONS, ids=[relation.name for relation in RELATIONS])
def test_relations_hold_for_the_reference(relation: Relation) -> None:
    @given(cases())
    @FEW
    def holds(case: MoeRoutingCase) -> None:
        given = inputs(case, "cpu")
        changed, expected = relation.transform(given, torch.Generator().manual_seed(case.seed))
        wanted = expected(moe_routing(*given.args, **given.options))
        assert judge(tell_truth(OPERATOR, changed), wanted).status is Status.PASSED

    holds()


TIED = MoeRoutingCase(num_experts=4, top_k=2, tokens=1)


def verdict(*rows: list[float], ids: list[list[int]], **options: object) -> Status:
    """Judge the reference's answer with the ids replaced; the weights are those of the ids."""
    logits = torch.tensor(rows)
    given = dataclasses.replace(inputs(TIED, "cpu"), args=(logits,), options={"top_k": len(ids[0]), **options})
    chosen = torch.tensor(ids)
    counts = torch.bincount(chosen.flatten(), minlength=logits.shape[1])
    scores = logits.sigmoid() if options.get("scoring") == "sigmoid" else logits.softmax(dim=1)
    weights = scores.gather(1, chosen)
    return judge(tell_truth(OPERATOR, given), (weights / weights.sum(dim=1, keepdim=True), chosen, counts)).status


def test_each_choice_among_tied_experts_is_right() -> None:
    row = [1.0, 0.5, 0.5, 0.25]
    assert verdict(row, ids=[[0, 1]]) is Status.PASSED
    assert verdict(row, ids=[[0, 2]]) is Status.PASSED
    assert verdict([0.5, 0.5, 0.5, 0.25], ids=[[2, 1]]) is Status.PASSED


def test_no_other_choice_is() -> None:
    row = [1.0, 0.5, 0.5, 0.25]
    for ids in ([0, 3], [1, 2], [1, 0], [0, 0], [2, 2]):
        assert verdict(row, ids=[ids]) is Status.WRONG_VALUE


def test_an_expert_that_rounding_alone_tells_apart_is_right_and_a_little_less_is_not() -> None:
    row = [40.0, 41.0, 0.0, 42.0]
    assert verdict(row, ids=[[0, 1]], scoring="sigmoid") is Status.PASSED
    assert verdict([1.0, 1.001, 0.0, 0.5], ids=[[0, 2]], scoring="sigmoid") is Status.WRONG_VALUE
    assert verdict([1.0, 1.001, 0.0, 0.5], ids=[[0, 1]], scoring="sigmoid") is Status.WRONG_VALUE


def test_many_experts_that_a_bias_rounds_to_one_score_come_in_any_order() -> None:
    row = [0.0, 1.5e-6] * 32  # scores plus 8 are one float32, and differ by a third of a rounding
    bias = torch.full((64,), 8.0)
    first = list(range(32))
    for ids in (first, first[::-1], list(range(63, 31, -1))):
        assert verdict(row, ids=[ids], scoring="sigmoid", selection_bias=bias) is Status.PASSED
    row = [0.0, 1e-3] * 32
    assert verdict(row, ids=[first], scoring="sigmoid", selection_bias=bias) is Status.WRONG_VALUE


def test_each_choice_among_tied_groups_is_right() -> None:
    row = [1.0, 0.0, 0.0, 1.0, 0.5, 0.5]
    options = {"num_groups": 3, "kept_groups": 1, "scoring": "sigmoid"}
    assert verdict(row, ids=[[0, 1]], **options) is Status.PASSED
    assert verdict(row, ids=[[3, 2]], **options) is Status.PASSED
    assert verdict(row, ids=[[0, 3]], **options) is Status.WRONG_VALUE
    assert verdict(row, ids=[[4, 5]], **options) is Status.WRONG_VALUE


def test_a_tied_group_that_was_not_kept_is_told_by_what_is_missing() -> None:
    """Met in a night: sigmoid(-1) + sigmoid(1) is 2 sigmoid(0), and a bias rounds each group's sum on its own."""
    row = [1.0, 1.0, -1.0, 1.0, 0.0, 0.0, 0.0, 0.0, -1.0, 1.0, 0.0, 1.0, -1.0, 2.0, -1.0, 1.0]
    bias = torch.full((16,), 12.5156087875)
    options = {"num_groups": 8, "kept_groups": 7, "scoring": "sigmoid", "selection_bias": bias}
    first = [13, 1, 15, 11, 9, 0]
    for ids in ([*first, 3], [*first, 4], [13, 3, 1, 0, 11, 9, 4], [13, 3, 1, 0, 11, 15, 7]):
        assert verdict(row, ids=[ids], **options) is Status.PASSED, ids
    for ids in ([*first, 2], [13, 3, 1, 0, 11, 4, 5], [1, 13, 15, 11, 9, 0, 3], [13, 1, 15, 11, 9, 4, 5]):
        assert verdict(row, ids=[ids], **options) is Status.WRONG_VALUE, ids


@given(st.data())
def test_whichever_of_tied_groups_are_kept_and_tied_experts_come_first_is_right(data: st.DataObject) -> None:
    groups, size = data.draw(st.integers(2, 6)), data.draw(st.integers(2, 4))
    kept, levels = data.draw(st.integers(1, groups)), (0.0, 0.5, 1.0)
    score = data.draw(st.lists(st.sampled_from(levels), min_size=groups * size, max_size=groups * size))
    top_k = data.draw(st.integers(1, kept * size))
    order = data.draw(st.permutations(range(groups * size)))
    of_group = [sum(sorted(score[size * at : size * (at + 1)])[-2:]) for at in range(groups)]
    turn = {group: place for place, group in enumerate(data.draw(st.permutations(range(groups))))}
    allowed = sorted(range(groups), key=lambda at: (-of_group[at], turn[at]))[:kept]
    experts = [one for one in order if one // size in allowed]
    ids = sorted(experts, key=lambda one: -score[one])[:top_k]
    chosen = choose(torch.tensor([score], dtype=torch.float64) + 12, top_k, groups, kept, True, torch.tensor([ids]))
    assert chosen.tolist() == [ids]


def test_wrong_weights_of_a_right_choice_are_refused() -> None:
    given = dataclasses.replace(inputs(TIED, "cpu"), args=(torch.tensor([[1.0, 0.5, 0.5, 0.25]]),))
    _, _, counts = moe_routing(*given.args, **given.options)
    output = (torch.tensor([[0.7, 0.3]]), torch.tensor([[0, 2]]), counts[[0, 2, 1, 3]])
    assert judge(tell_truth(OPERATOR, given), output).status is Status.WRONG_VALUE


EDGES: dict[str, Callable[[MoeRoutingCase], bool]] = {
    "no tokens": lambda case: case.tokens == 0,
    "DeepSeek-V3's shape": lambda case: case.biased and case.num_groups > 2 and case.kept_groups > 1 and case.top_k > 4,
    "a bias above every score": lambda case: case.biased and case.large_bias and case.scoring == "sigmoid",
    "experts not a power of two": lambda case: case.num_experts in (31, 33, 96, 160),
    "512 experts": lambda case: case.num_experts == 512 and case.tokens > 1,
    "every expert for every token": lambda case: case.top_k == case.num_experts > 8,
    "32 experts a token": lambda case: case.top_k == 32 and case.tokens > 1,
    "a capacity that drops": lambda case: case.limited and case.way == "best" and 0 < case.capacity < case.tokens // 4,
    "experts elsewhere": lambda case: case.local and case.local_experts < case.num_experts // 2,
    "hash routing": lambda case: case.way == "hashed" and case.tokens > 4,
    "expert choice": lambda case: case.way == "expert_choice" and case.tokens > case.capacity > 0,
    "NaN rows": lambda case: 0 < case.nan_tokens < case.tokens,
    "all logits very negative": lambda case: case.data == "very_negative" and case.scoring == "sigmoid",
    "ties": lambda case: case.data == "tied" and case.num_experts > case.top_k,
}


@pytest.mark.parametrize("edge", EDGES)
def test_edges_are_drawn(edge: str) -> None:
    draw_edge(OPERATOR, EDGES[edge])


@given(st.data())
@FEW
def test_further_cases_share_the_static_key(data: st.DataObject) -> None:
    two_calls(OPERATOR, data)


def test_a_case_that_cannot_be_built_is_refused() -> None:
    for wrong, message in (
        ({"top_k": 5}, "above num_experts"),
        ({"num_groups": 3}, "3 groups"),
        ({"way": "expert_choice"}, "expert choice"),
        ({"way": "hashed", "biased": True}, "best experts alone"),
        ({"local": True, "limited": True}, "not both"),
        ({"local": True, "data": "tied"}, "no one answer"),
        ({"nan_tokens": 2}, "than there are"),
    ):
        fields = {"num_experts": 4, "top_k": 2, **wrong}
        with pytest.raises(ValueError, match=message):
            MoeRoutingCase.model_validate(fields)


@pytest.mark.parametrize(
    ("implementation", "device"),
    [("triton.routing", "interpreted"), pytest.param("torch.aot_eager.unbacked", "cpu", marks=pytest.mark.slow)],
)
def test_implementations_pass_generated_cases(workers: dict[str, Worker], implementation: str, device: str) -> None:
    judged = judge_generated(workers[device], OPERATOR, implementation, 12)
    assert judged.count(Status.PASSED) >= 3


LAST_OF_EQUALS = Fault(
    id="last_of_equals",
    operator="moe_routing",
    implementation="triton.routing",
    file="compiled/moe_routing/kernel.py",
    text="tl.min(tl.where(is_best_TE, column_E[None, :], TILE_E), 1)",
    replacement="tl.max(tl.where(is_best_TE, column_E[None, :], -1), 1)",
    seen="torch.topk on CUDA",
    what="of equal experts the last is taken, which is as right as the first",
)


def test_a_growing_batch_whose_logits_lie_expert_after_expert_compiles_once(workers: dict[str, Worker]) -> None:
    """Their stride is the number of tokens: 1, a multiple of 16 and others would be three compilations."""
    cases = [MoeRoutingCase(num_experts=8, top_k=3, layout="transposed", tokens=n, seed=n) for n in (5, 16, 1)]
    task = Task(operator="moe_routing", implementation="triton.routing", workload=Workload(tuple(cases)).to_data())
    outcome = workers["interpreted"].run(task)
    assert outcome.first_failure is None
    assert outcome.compile_count == 1


def test_a_kernel_that_breaks_ties_otherwise_passes(tmp_path: Path) -> None:
    root = str(plant(LAST_OF_EQUALS, tmp_path))
    otherwise: list[bool] = []

    @given(cases())
    @settings(FEW, max_examples=40)
    def passes(case: MoeRoutingCase) -> None:
        assume(case.data == "tied" and case.way == "best" and case.tokens > 0)
        workload = Workload.of(case).to_data()
        task = Task(operator="moe_routing", implementation="triton.routing", workload=workload, source_root=root)
        assert worker.run(task).first_failure is None
        given = inputs(case, "cpu")
        ids = moe_routing(*given.args, **given.options)[1]
        flipped = moe_routing(given.args[0].flip(1), **given.options)[1] if case.num_groups == 1 else ids
        otherwise.append(not case.biased and not torch.equal(case.num_experts - 1 - flipped, ids))

    with WorkerPool() as worker_pool, Worker("interpreted", worker_pool=worker_pool) as worker:
        passes()
    assert any(otherwise)
