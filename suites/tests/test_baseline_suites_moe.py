"""Baseline suites of mixtures of experts and of routing: as many cases as the tests have, their inputs."""

from dataclasses import replace

import pytest
import torch

from eagerdiff import BaselineSuite, Case, Inputs, Operator, Status, Workload
from eagerdiff.harness.catalog import catalog
from eagerdiff.harness.devices import parse
from eagerdiff.harness.execution.baseline_execution import execute_as_baseline
from eagerdiff.harness.mutation.baseline_search import search_baselines
from eagerdiff.harness.mutation.faults import load_faults
from eagerdiff.harness.results.attempt import Attempt
from eagerdiff.strategies.cases.moe import MoeCase
from eagerdiff.strategies.cases.moe_routing import MoeRoutingCase
from eagerdiff.suites.baseline_suites.moe import inputs, reversed_tokens

OPERATORS = catalog.load(["moe", "moe_routing"]).operators
CASES = {
    "fused MoE": 3 * 3 * 2 * 2 * 2,
    "fused MoE, split-K": 3,
    "fused MoE, int4": 4 * 3 * 2 * 2 * 2,
    "fused MoE, fp8 blocks": 6 * (2 + 3 + 3),  # six experts of two are skipped
    "matmul, ragged": 9,
    "grouped_mm": 8,
    "dMoE": 8,
    "MLP": 45,
    "grouped, masked": 8,
    "grouped, masked, fp8": 8,
    "DeepSeek-V3, fp8 blocks": 17,
    "fused top-k": 48,
    "fused top-k, biased": 48,
    "grouped top-k": 12,
    "grouped top-k, renormalised": 12,
    "align block size": 80,
    "align block size, expert map": 4,
    "top-k": 64 + 14,
}


def grid_of(operator: Operator, test: str) -> BaselineSuite:
    return next(suite for suite in operator.extras.baseline_suites if suite.test == test)


def test_the_grids_hold_as_many_cases_as_their_tables_product() -> None:
    found = {suite.test: len(list(suite.cases())) for one in OPERATORS.values() for suite in one.extras.baseline_suites}
    assert found == CASES


def test_padding_of_weights_is_zero_as_in_the_test() -> None:
    case = next(iter(grid_of(OPERATORS["moe"], "fused MoE").cases()))
    assert case.weight_layout == "row_padded"
    weights = inputs(case, "cpu", x=0.1, gate_up=0.1, down=0.1).args[2]
    whole = weights.as_strided((weights.stride(0),), (1,))
    assert not whole.view(-1, weights.stride(1))[:, weights.shape[2] :].any()
    assert weights.float().std() == pytest.approx(0.1, rel=0.02)


def test_logits_are_as_drawn_or_give_the_counts_wanted() -> None:
    ragged = next(case for case in grid_of(OPERATORS["moe"], "matmul, ragged").cases() if case.tokens == 16)
    assert ragged.expert_tokens[1] == 0
    chosen = inputs(ragged, "cpu").args[1].argmax(dim=1)
    assert tuple(chosen.bincount(minlength=10).tolist()) == ragged.expert_tokens
    drawn = inputs(ragged, "cpu", gate_up=0.1).args[1].argmax(dim=1)
    assert tuple(drawn.bincount(minlength=10).tolist()) != ragged.expert_tokens


@pytest.mark.parametrize("dtype", ["int4", "float8_e4m3fn"])
def test_no_block_of_quantised_weights_is_of_zeros(dtype: str) -> None:
    case = MoeCase.model_validate(
        {
            "num_experts": 4,
            "top_k": 1,
            "hidden": 40,
            "intermediate": 40,
            "tokens": 4,
            "weight_dtype": dtype,
            "expert_tokens": (1, 1, 1, 1),
            "scale_block": 8,
            "quantised_x": dtype != "int4",
            "poison": False,
        }
    )
    options = inputs(case, "cpu").options
    assert all(bool((options[name] > 0).all()) for name in options if name.endswith("_scale"))
    spread = inputs(case, "cpu", gate_up=0.5 * 40**-0.5).options["gate_up_scale"]
    assert torch.allclose(spread, 0.5 * options["gate_up_scale"])


def test_given_ids_count_all_routes_and_half_the_experts_are_here() -> None:
    operator = OPERATORS["moe_routing"]
    for test, counted in (("align block size", 1), ("align block size, expert map", None)):
        suite = grid_of(operator, test)
        given = suite.inputs(next(iter(suite.cases())), "cpu")
        counts = suite.compared(operator.reference(*given.args, **given.options), given)
        ids = given.options["hash_table"]
        assert int(counts.sum()) == (counted or int((ids % 2 == 0).sum()))


def test_reversed_tokens_give_the_same_rows_and_another_token_does_not() -> None:
    operator = OPERATORS["moe"]
    suite = grid_of(operator, "dMoE")
    case = MoeCase(num_experts=2, top_k=1, hidden=8, intermediate=8, tokens=5, expert_tokens=(3, 2), poison=False)
    given = suite.inputs(case, "cpu")

    def rows(called: Inputs) -> torch.Tensor:
        return suite.compared(operator.reference(*called.args, **called.options), called)

    assert suite.rule(rows(reversed_tokens(given)), rows(given)) == ""
    x, *rest = given.args
    assert suite.rule(rows(replace(given, args=(x.roll(1, dims=0) * 2, *rest))), rows(given))


def test_grids_on_the_shipped_routing_pass_on_the_processor() -> None:
    """A case of each grid, on an implementation that is right: no rule is stricter than float32 allows."""
    device = parse("cpu")
    device.activate()
    found = catalog.load(["moe_routing", "moe"])
    for operator, implementation in (("moe_routing", "eager"), ("moe", "torch.padded_bmm")):
        under_test = next(one for name, one in found.implementations[operator].items() if implementation in name)
        for suite in found.operators[operator].extras.baseline_suites:
            small = min(suite.cases(), key=_size)
            if suite.test in ("dMoE", "fused MoE, split-K") or under_test.supports(small):
                continue
            outcome = execute_as_baseline(found.operators[operator], under_test, suite.name, Workload((small,)), device)
            assert outcome.verdicts[0].status is Status.PASSED, (suite.name, outcome.verdicts[0].reason)


def _size(case: Case) -> int:
    if isinstance(case, MoeRoutingCase):
        return case.tokens * case.num_experts
    assert isinstance(case, MoeCase)
    return (case.tokens * case.top_k + case.num_experts) * case.hidden * case.intermediate


def test_a_fault_that_a_table_reaches_is_found_and_one_that_none_reaches_is_not() -> None:
    found = catalog.load(["moe"])
    operator = found.operators["moe"]
    few = replace(grid_of(operator, "grouped_mm"), cases=lambda: list(grid_of(operator, "grouped_mm").cases())[::3])
    found.operators["moe"] = replace(operator, extras=replace(operator.extras, baseline_suites=(few,)))
    names = ("moe.gate_up_swapped", "moe.dropped_routes_read")
    faults = [fault for fault in load_faults(found.operators.values()) if fault.id in names]
    rows = [
        Attempt(id=one.id, operator=one.operator, implementation=one.implementation, device="interpreted")
        for one in faults
    ]
    done, (use,) = search_baselines(faults, rows, found, budget=20.0, slots=1)
    by_id = {row.id: row for row in done}
    assert by_id["moe.gate_up_swapped"].status == "WRONG_VALUE"
    assert not by_id["moe.dropped_routes_read"].found  # all tokens of the table go somewhere
    assert (use.refused, use.too_large, use.unsupported) == (0, 0, 0)
