"""Permutation: the reference against first principles, what is drawn, what must hold, what ships."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from eagerdiff import Relation, Status
from eagerdiff.compiled.moe_permute import eager
from eagerdiff.harness.judge.judge import judge
from eagerdiff.harness.judge.truth import tell_truth
from eagerdiff.harness.processes import Worker
from eagerdiff.reference.moe_permute import moe_permute
from eagerdiff.strategies.cases.moe_permute import MoePermuteCase
from eagerdiff.strategies.moe_permute import cases, inputs
from eagerdiff.suites.moe_permute import OPERATOR, RELATIONS
from eagerdiff.suites.tests import examples
from eagerdiff.suites.tests.generated import draw_edge, judge_generated, two_calls
from eagerdiff.suites.tests.targets import SHARED, TARGETS
from eagerdiff.suites.tests.test_tuning import run_offline

FEW = settings(examples.FEW, max_examples=30)


@given(cases())
@FEW
def test_routes_are_sorted_by_expert_and_keep_their_order(case: MoePermuteCase) -> None:
    given = inputs(case, "cpu")
    topk_ids = given.args[1].flatten().tolist()
    sorted_routes, offsets, *_ = moe_permute(*given.args, **given.options)
    keys = [
        (chosen if 0 <= chosen < case.num_experts else case.num_experts, route) for route, chosen in enumerate(topk_ids)
    ]
    assert [(keys[route][0], route) for route in sorted_routes.tolist()] == sorted(keys)
    assert offsets.diff().tolist() == list(case.expert_tokens)
    assert offsets[0] == 0


@given(cases())
@FEW
def test_each_route_that_is_here_is_in_one_block_of_its_expert(case: MoePermuteCase) -> None:
    given = inputs(case, "cpu")
    _, offsets, block_expert, block_start, *_ = moe_permute(*given.args, **given.options)
    covered: list[tuple[int, int]] = []
    for expert, start in zip(block_expert.tolist(), block_start.tolist(), strict=True):
        if expert < case.num_experts:
            assert start < offsets[expert + 1]
            covered += [(expert, place) for place in range(start, min(start + case.block_m, int(offsets[expert + 1])))]
        else:
            assert (expert, start) == (case.num_experts, offsets[-1])
    runs = [range(*offsets[expert : expert + 2].tolist()) for expert in range(case.num_experts)]
    assert covered == [(expert, place) for expert, run in enumerate(runs) for place in run]


@given(cases())
@FEW
def test_rows_go_there_and_come_back_weighted(case: MoePermuteCase) -> None:
    given = inputs(case, "cpu")
    x, topk_ids, topk_weights = given.args
    sorted_routes, offsets, _, _, permuted, combined = moe_permute(*given.args, **given.options)
    for place, route in enumerate(sorted_routes.tolist()):
        row = x[route // case.top_k] if place < offsets[-1] else torch.zeros_like(permuted[0])
        torch.testing.assert_close(permuted[place], row, rtol=0, atol=0, equal_nan=True)
    here = (topk_ids >= 0) & (topk_ids < case.num_experts)
    total = topk_weights.double().where(here, 0.0).sum(dim=1, keepdim=True)
    wanted = total * x.double().where(here.any(dim=1, keepdim=True), 0.0)
    rtol = 4 * torch.finfo(x.dtype).eps * case.top_k
    torch.testing.assert_close(combined.double(), wanted, rtol=rtol, atol=0.0, equal_nan=True)


@given(cases())
@FEW
def test_torch_operations_agree(case: MoePermuteCase) -> None:
    given = inputs(case, "cpu")
    assert judge(tell_truth(OPERATOR, given), eager.moe_permute(*given.args, **given.options)).status is Status.PASSED


@pytest.mark.parametrize("relation", RELATIONS, ids=[relation.name for relation in RELATIONS])
def test_relations_hold_for_the_reference(relation: Relation) -> None:
    @given(cases())
    @FEW
    def holds(case: MoePermuteCase) -> None:
        given = inputs(case, "cpu")
        changed, expected = relation.transform(given, torch.Generator().manual_seed(case.seed))
        wanted = expected(moe_permute(*given.args, **given.options))
        assert judge(tell_truth(OPERATOR, changed), wanted).status is Status.PASSED

    holds()


def lose_last_route(output: Any) -> Any:
    return output[0].roll(1), *output[1:]


def lose_weight(output: Any) -> Any:
    return *output[:5], output[5] * torch.linspace(1, 2, len(output[5]))[:, None]


@pytest.mark.parametrize(
    ("name", "spoil"),
    [
        ("permute_tokens", lose_weight),
        ("relabel_experts", lose_last_route),
        ("append_padding", lambda output: (*output[:4], output[4] + 1, output[5])),
        ("change_blocks", lambda output: (output[0], output[1] + 1, *output[2:])),
    ],
)
def test_relations_refuse_what_does_not_hold(name: str, spoil: Callable[[Any], Any]) -> None:
    case = MoePermuteCase(num_experts=3, top_k=2, hidden=5, tokens=40, expert_tokens=(40, 7, 20))
    given = inputs(case, "cpu")
    (relation,) = (one for one in RELATIONS if one.name == name)
    changed, expected = relation.transform(given, torch.Generator().manual_seed(0))
    wanted = expected(spoil(moe_permute(*given.args, **given.options)))
    assert judge(tell_truth(OPERATOR, changed), wanted).status is Status.WRONG_VALUE


def absent(case: MoePermuteCase) -> int:
    return case.tokens * case.top_k - sum(case.expert_tokens)


EDGES: dict[str, Callable[[MoePermuteCase], bool]] = {
    "no tokens": lambda case: case.tokens == 0,
    "one token": lambda case: case.tokens == 1,
    "two tokens": lambda case: case.tokens == 2,
    "all on one expert": lambda case: max(case.expert_tokens) == sum(case.expert_tokens) > 1 and case.num_experts > 2,
    "every second expert empty": lambda case: (
        case.num_experts > 5 and not any(case.expert_tokens[::2]) and all(case.expert_tokens[1::2])
    ),
    "the first expert empty": lambda case: case.expert_tokens[0] == 0 < min(case.expert_tokens[1:], default=0),
    "the last expert empty": lambda case: case.expert_tokens[-1] == 0 < min(case.expert_tokens[:-1], default=0),
    "all experts empty": lambda case: case.tokens > 2 and sum(case.expert_tokens) == 0,
    "balanced": lambda case: case.num_experts > 2 and max(case.expert_tokens) == min(case.expert_tokens) > 1,
    "more experts than tokens": lambda case: case.num_experts > case.tokens > 1,
    "experts not a power of two": lambda case: case.num_experts in (31, 33, 96, 160),
    "512 experts": lambda case: case.num_experts == 512 and case.tokens > 1,
    "every expert for every token": lambda case: case.top_k == case.num_experts > 8,
    "32 experts a token": lambda case: case.top_k == 32 and case.tokens > 1,
    "a block less one": lambda case: max(case.expert_tokens) == case.block_m - 1 > 1,
    "a block": lambda case: max(case.expert_tokens) == case.block_m > 1,
    "a block and one": lambda case: max(case.expert_tokens) == case.block_m + 1 > 2,
    "more than one tile": lambda case: 128 < case.tokens * case.top_k < 420,
    "more tiles than are added up at a time": lambda case: case.tokens * case.top_k > 2048,
    "an expert twice in a token": lambda case: max(case.expert_tokens) > case.tokens,
    "-1 alone": lambda case: case.elsewhere == "minus_one" and absent(case) > 0,
    "above alone": lambda case: case.elsewhere == "above" and absent(case) > 0,
    "ids past 32 bits": lambda case: case.elsewhere == "wild" and absent(case) > 8,
    "rows far apart": lambda case: case.x_layout == "far" and case.tokens > 2 and sum(case.expert_tokens) > 2,
    "rows of two tiles": lambda case: case.hidden > 256 and case.tokens > 1,
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
        ({"expert_tokens": (1,)}, "1 entries for 2 experts"),
        ({"expert_tokens": (3, 2)}, "4 tokens x 1"),
        ({"expert_tokens": (-1, 2)}, "4 tokens x 1"),
    ):
        fields = {"num_experts": 2, "top_k": 1, "hidden": 4, "tokens": 4, **wrong}
        with pytest.raises(ValueError, match=message):
            MoePermuteCase.model_validate(fields)


@pytest.mark.parametrize(
    ("implementation", "device", "workloads"),
    [
        ("triton.permute", "interpreted", 12),
        ("torch.aot_eager.static", "cpu", 2),
        ("torch.aot_eager.unbacked", "cpu", 5),
        pytest.param("torch.inductor.mark_dynamic", "cpu", 2, marks=pytest.mark.slow),
        ("torch.inductor_triton.dynamic", "interpreted", 2),
    ],
)
def test_implementations_pass_generated_cases(
    workers: dict[str, Worker], implementation: str, device: str, workloads: int
) -> None:
    judged = judge_generated(workers[device], OPERATOR, implementation, workloads)
    assert judged.count(Status.PASSED) >= min(3, workloads)


@pytest.mark.parametrize("target", TARGETS)
def test_kernels_compile_once_whatever_the_batch_and_nothing_spills(target: str, tmp_path: Path) -> None:
    fields = {"num_experts": 256, "top_k": 8, "hidden": 1024, "dtype": "bfloat16", "block_m": 64}
    cases = [{**fields, "tokens": count, "expert_tokens": (count // 32,) * 256} for count in (1, 33, 64, 300)]
    found = run_offline(tmp_path, "moe_permute", "triton.permute", target, cases=cases)

    assert found["compiles"] == 1
    assert len(found["spills"]) == 5
    assert set(found["spills"].values()) == {0}
    assert found["shared"] <= SHARED[target]
