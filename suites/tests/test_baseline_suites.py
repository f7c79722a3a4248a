"""Baseline suites: what they can reach is found, what they cannot is not, and what clean source fails counts not."""

import itertools
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
import torch
from torch import Tensor

from eagerdiff import Allclose, BaselineSuite, Case, Extras, Implementation, Inputs, Operator, Outcome, Status, Workload
from eagerdiff.harness.catalog import catalog
from eagerdiff.harness.catalog.catalog import Catalog
from eagerdiff.harness.devices import Device, parse
from eagerdiff.harness.execution.baseline_execution import execute_as_baseline
from eagerdiff.harness.mutation.baseline_order import order_cases, work
from eagerdiff.harness.mutation.baseline_search import search_baselines
from eagerdiff.harness.mutation.faults import Fault, load_faults
from eagerdiff.harness.mutation.selfcheck import selfcheck
from eagerdiff.harness.results.attempt import Attempt, BaselineAttempt, SuiteUse
from eagerdiff.strategies.cases.block_copy import BlockCopyCase
from eagerdiff.strategies.cases.cascade_merge import CascadeMergeCase
from eagerdiff.suites.tests.rows import Rows, implementation_of, operator_of, reference

EXACT = Allclose(0.0, 0.0)


def grid_of(*rows: int, **fields: Any) -> BaselineSuite:
    def inputs(case: Rows, device: str) -> Inputs:
        return Inputs((torch.ones(case.rows, 16), torch.ones(16, 8)))

    given: dict[str, Any] = {
        "project": "peer 1.0", "test": "rows", "cases": lambda: [Rows(rows=count) for count in rows],
        "inputs": inputs, "compared": lambda output, after: output, "rule": EXACT,
    }  # fmt: skip
    return BaselineSuite(**(given | fields))


@pytest.fixture(scope="module")
def device() -> Device:
    found = parse("cpu")
    found.activate()
    return found


def run(device: Device, suite: BaselineSuite, function: Callable[..., Any]) -> Outcome:
    operator = replace(
        operator_of(reference),
        extras=Extras(baseline_suites=(suite,)),
    )
    workload = Workload(tuple(suite.cases()))
    return execute_as_baseline(operator, implementation_of(function), suite.name, workload, device)


def statuses(outcome: Outcome) -> list[Status]:
    return [verdict.status for verdict in outcome.verdicts]


def test_a_shape_of_the_grid_shows_a_defect_and_others_do_not(device: Device) -> None:
    def wrong_at_seven(x: Tensor, w: Tensor) -> Tensor:
        return reference(x, w) + (x.shape[0] == 7)

    outcome = run(device, grid_of(4, 7, 8), wrong_at_seven)
    assert statuses(outcome) == [Status.PASSED, Status.WRONG_VALUE, Status.PASSED]
    assert outcome.verdicts[1].decided_by == "baseline exact"


def test_only_what_the_test_looks_at_is_compared(device: Device) -> None:
    def wrong_in_last_row(x: Tensor, w: Tensor) -> Tensor:
        output = reference(x, w)
        output[-1] += 1
        return output

    assert statuses(run(device, grid_of(4), wrong_in_last_row)) == [Status.WRONG_VALUE]
    blind = grid_of(4, compared=lambda output, after: output[:-1])
    assert statuses(run(device, blind, wrong_in_last_row)) == [Status.PASSED]


def test_a_test_without_a_reference_sees_only_what_differs_between_its_two_calls(device: Device) -> None:
    def doubled(x: Tensor, w: Tensor) -> Tensor:
        return 2 * reference(x, w)

    def by_strides(x: Tensor, w: Tensor) -> Tensor:
        return reference(x, w) + (not x.is_contiguous())

    def strided(given: Inputs) -> Inputs:
        return Inputs((given.args[0].repeat_interleave(2, dim=-1)[:, ::2], given.args[1]))

    suite = grid_of(4, against=strided)
    assert statuses(run(device, suite, doubled)) == [Status.PASSED]
    assert statuses(run(device, suite, by_strides)) == [Status.WRONG_VALUE]


def test_what_raises_is_found_and_an_unknown_grid_is_said(device: Device) -> None:
    def broken(x: Tensor, w: Tensor) -> Tensor:
        raise RuntimeError("broken")

    assert statuses(run(device, grid_of(4), broken)) == [Status.RAISED]
    operator = operator_of(reference)
    outcome = execute_as_baseline(operator, implementation_of(reference), "no such", Workload((Rows(rows=1),)), device)
    assert outcome.workload.status is Status.SKIPPED
    assert "no such" in outcome.workload.reason


@pytest.mark.parametrize(
    ("rule", "output", "equal"),
    [
        (EXACT, torch.tensor([1.0, 2.0]), True),
        (EXACT, torch.tensor([1.0, 2.0000002]), False),
        (Allclose(1e-2, 0.0), torch.tensor([1.005, 2.0]), True),
        (Allclose(1e-2, 0.0), torch.tensor([1.05, 2.0]), False),
        (Allclose(0.0, 1e-1), torch.tensor([1.05, 2.1]), True),
        (Allclose(1.0, 1.0), torch.tensor([1.0, float("nan")]), False),
        (Allclose(1.0, 1.0), torch.tensor([1.0, 2.0]).half(), False),
        (Allclose(1.0, 1.0), torch.tensor([1.0]), False),
    ],
)
def test_allclose_is_the_rule_of_the_tests(rule: Allclose, output: Tensor, equal: bool) -> None:
    assert (rule(output, torch.tensor([1.0, 2.0])) == "") is equal


def test_allclose_takes_fp8_and_nested_outputs() -> None:
    one, other = (torch.tensor([value]).to(torch.float8_e4m3fn) for value in (1.0, 1.125))
    assert Allclose(0.0, 0.2)((one, one), (one, other)) == ""
    assert Allclose(0.0, 0.05)((one, one), (one, other))


def test_the_order_has_each_pair_of_values_first_and_the_cheapest_of_each_part() -> None:
    operator = catalog.load(["block_copy"]).operators["block_copy"]
    rows = list(itertools.product((256, 1, 16), (32, 5), (8, 1, 3)))
    drawn = [BlockCopyCase(head_dim=dim, block_size=size, num_kv_heads=heads) for dim, size, heads in rows]
    ordered = order_cases(operator, drawn)
    assert sorted(map(repr, ordered)) == sorted(map(repr, drawn))
    costs = [work(operator, case) for case in ordered]
    (falls,) = [index for index in range(1, len(costs)) if costs[index] < costs[index - 1]]
    assert 9 <= falls < len(drawn)  # nine pairs of width and heads cannot be held by fewer

    def pairs(cases: list[Case]) -> set[Any]:
        fields = [sorted(case.model_dump().items()) for case in cases]
        return {pair for values in fields for pair in itertools.combinations(values, 2)}

    assert pairs(ordered[:falls]) == pairs(ordered)


SHIPPED = [
    (operator, suite) for operator in catalog.load().operators.values() for suite in operator.extras.baseline_suites
]


@pytest.mark.parametrize(("operator", "suite"), SHIPPED, ids=lambda value: value.name)
def test_a_shipped_grid_has_no_poison_and_what_it_compares_is_finite(operator: Operator, suite: BaselineSuite) -> None:
    given = suite.inputs(_cheapest(operator, suite), "cpu")
    tensors = [value for value in (*given.args, *given.options.values()) if isinstance(value, Tensor)]
    assert not any(tensor.float().isnan().any() for tensor in tensors)
    expected = suite.compared(operator.reference(*given.args, **given.options), given)
    assert suite.rule(expected, expected) == ""


def _cheapest(operator: Operator, suite: BaselineSuite) -> Case:
    return min(suite.cases(), key=lambda case: work(operator, case))


def test_grids_of_one_operator_have_names_of_their_own() -> None:
    for operator in catalog.load().operators.values():
        names = [suite.name for suite in operator.extras.baseline_suites]
        assert len(set(names)) == len(names)


def test_table_entries_of_a_grid_name_blocks_that_exist() -> None:
    operator = catalog.load(["paged_attention"]).operators["paged_attention"]
    for suite in operator.extras.baseline_suites:
        given = suite.inputs(_cheapest(operator, suite), "cpu")
        keys, table = given.args[1], given.args[3]
        assert bool(((table >= 0) & (table < len(keys))).all())


def only(found: Catalog, operator: str, suite: str, cases: Callable[[], Sequence[Case]]) -> Catalog:
    """Leave an operator one grid, under its name, with other cases."""
    owner = found.operators[operator]
    (kept,) = (replace(one, cases=cases) for one in owner.extras.baseline_suites if one.name.endswith(suite))
    found.operators[operator] = replace(owner, extras=replace(owner.extras, baseline_suites=(kept,)))
    return found


def search(
    found: Catalog, faults: Sequence[Fault], budget: float = 10.0
) -> tuple[list[BaselineAttempt], list[SuiteUse]]:
    rows = [
        Attempt(id=one.id, operator=one.operator, implementation=one.implementation, device="interpreted")
        for one in faults
    ]
    return search_baselines(faults, rows, found, budget=budget, slots=1)


def planted(found: Catalog, *names: str) -> list[Fault]:
    return [fault for fault in load_faults(found.operators.values()) if fault.id in names]


@pytest.mark.slow
def test_a_fault_that_the_grid_reaches_is_found_and_one_that_it_cannot_reach_is_found_by_ours_alone() -> None:
    found = catalog.load(["block_copy"])
    catalogue = only(found, "block_copy", "swap blocks", lambda: [BlockCopyCase(num_blocks=4, num_pairs=2)])
    faults = planted(catalogue, "bc-reversed", "bc-dense-block")
    assert selfcheck(faults, catalogue, budget=30.0, slots=1).missed == []
    rows, (use,) = search(catalogue, faults)
    by_id = {row.id: row for row in rows}
    assert by_id["bc-reversed"].found
    assert by_id["bc-reversed"].status == "WRONG_VALUE"
    assert not by_id["bc-dense-block"].found  # a dense cache is all that the grid has
    assert (by_id["bc-dense-block"].cases, by_id["bc-dense-block"].of) == (1, 1)
    assert (use.refused, use.too_large) == (0, 0)


@pytest.mark.slow
def test_a_case_that_the_clean_source_fails_under_the_rule_finds_nothing_and_is_said() -> None:
    found = catalog.load(["cascade_merge"])
    narrow = CascadeMergeCase(
        dtype="bfloat16", num_parts=9, num_tokens=64, num_heads=8, head_dim=64
    )  # rounds more than 1e-3
    alone = only(found, "cascade_merge", "shared prefix", lambda: [narrow])
    rows, (use,) = search(alone, planted(found, "cm-last-part-lost"))
    assert [(row.found, row.cases, row.of) for row in rows] == [(False, 0, 1)]
    assert use.refused == 1


@pytest.mark.slow
def test_cases_that_are_too_large_end_the_grid_and_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("eagerdiff.harness.mutation.baseline_search.CASE_SECONDS", 0.2)
    found = catalog.load(["block_copy"])
    sizes = [BlockCopyCase(num_blocks=6000, num_pairs=5999, head_dim=dim) for dim in (16, 32)]
    alone = only(found, "block_copy", "swap blocks", lambda: sizes)
    rows, (use,) = search(alone, planted(found, "bc-reversed"))
    assert [(row.found, row.cases, row.of) for row in rows] == [(False, 0, 2)]
    assert use.too_large == 2


@pytest.mark.slow
def test_a_harmless_edit_is_found_by_no_grid() -> None:
    same = Fault(
        id="harmless",
        operator="block_copy",
        implementation="triton.copy",
        file="compiled/block_copy/copy.py",
        text="for cache in (key_cache, value_cache):",
        replacement="for cache in [key_cache, value_cache]:",
        seen="nowhere",
        what="nothing",
    )
    found = catalog.load(["block_copy"])
    few = only(
        found, "block_copy", "swap blocks", lambda: [BlockCopyCase(num_blocks=4, num_pairs=pairs) for pairs in (0, 2)]
    )
    rows, _ = search(few, [same])
    assert [(row.found, row.cases) for row in rows] == [(False, 2)]


def test_an_implementation_that_does_not_take_a_case_is_no_detection(device: Device) -> None:
    picky = Implementation(
        operator="rows", name="picky", build=lambda case: reference, supports=lambda case: "not this one"
    )
    operator = replace(
        operator_of(reference),
        extras=Extras(baseline_suites=(grid_of(4),)),
    )
    name = operator.extras.baseline_suites[0].name
    outcome = execute_as_baseline(operator, picky, name, Workload((Rows(rows=4),)), device)
    assert statuses(outcome) == [Status.SKIPPED]
    assert outcome.first_failure is None
