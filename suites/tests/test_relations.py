"""Relations find what a single call cannot show."""

# pyright: reportUnknownLambdaType=false

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor

from eagerdiff import Inputs, Operator, Relation, Status, Verdict, Workload
from eagerdiff.harness.devices import Device, parse
from eagerdiff.harness.execution.execution import execute
from eagerdiff.suites.tests.rows import Rows, implementation_of, operator_of, reference


@pytest.fixture(scope="module")
def device() -> Device:
    found = parse("cpu")
    found.activate()
    return found


def permute(inputs: Inputs, generator: torch.Generator) -> tuple[Inputs, Callable[[Any], Any]]:
    """Permute the rows of x: the output's rows follow."""
    x, w = inputs.args
    order = torch.randperm(x.shape[0], generator=generator)
    return Inputs((x[order], w)), lambda output: output[order]


def verdicts(device: Device, operator: Operator, function: Callable[..., Any], *rows: int) -> list[Verdict]:
    workload = Workload.of(*[Rows(rows=count, seed=index) for index, count in enumerate(rows)])
    return execute(operator, implementation_of(function), workload, device).verdicts


@pytest.mark.parametrize("exact", [True, False])
def test_a_broken_relation_is_a_wrong_value(device: Device, exact: bool) -> None:
    calls: list[int] = []

    def positional(x: Tensor, w: Tensor) -> Tensor:
        calls.append(1)
        return reference(x, w) * (1.0 if len(calls) == 1 else 1.25)

    operator = operator_of(relations=(Relation("permute", permute, exact=exact),))
    verdict = verdicts(device, operator, positional, 6)[0]
    assert (verdict.status, verdict.decided_by) == (Status.WRONG_VALUE, "relation permute")


@pytest.mark.parametrize("exact", [True, False])
def test_a_relation_that_holds_passes(device: Device, exact: bool) -> None:
    operator = operator_of(relations=(Relation("permute", permute, exact=exact),))

    def row_by_row(x: Tensor, w: Tensor) -> Tensor:
        return torch.stack([reference(row[None], w)[0] for row in x]) if len(x) else reference(x, w)

    assert not any(verdict.failed for verdict in verdicts(device, operator, row_by_row, 6, 1, 0, 9))


def test_one_bit_breaks_an_exact_relation_only(device: Device) -> None:
    firsts: list[Tensor] = []

    def positional(x: Tensor, w: Tensor) -> Tensor:
        firsts.append(x[0].clone())
        return reference(x, w) * (1.0 if torch.equal(x[0], firsts[0]) else 1 + 2**-22)

    for exact in (True, False):
        firsts.clear()
        operator = operator_of(relations=(Relation("permute", permute, exact=exact),))
        assert verdicts(device, operator, positional, 6)[0].failed is exact


def test_code_compiled_since_then_may_round_otherwise_and_no_more(device: Device) -> None:
    """Later calls of a workload may run other code: bits are compared among calls of one code, values always."""
    calls: list[int] = []

    factors = {"later": 1.0}

    def drifting(x: Tensor, w: Tensor) -> Tensor:
        calls.append(1)
        return reference(x, w) * (1.0 if len(calls) == 1 else factors["later"])

    operator = operator_of(relations=(Relation("permute", permute, exact=True),))
    for factors["later"], fails in ((1 + 2**-22, False), (1.25, True)):
        calls.clear()
        assert verdicts(device, operator, drifting, 6)[0].failed is fails


def test_an_exception_on_changed_inputs_is_told(device: Device) -> None:
    calls: list[int] = []

    def once(x: Tensor, w: Tensor) -> Tensor:
        calls.append(1)
        if len(calls) > 1:
            raise RuntimeError("second call")
        return reference(x, w)

    operator = operator_of(relations=(Relation("permute", permute),))
    verdict = verdicts(device, operator, once, 6)[0]
    assert (verdict.status, verdict.decided_by) == (Status.RAISED, "relation permute")


def test_the_first_call_repeated_after_others_shows_stale_state(device: Device) -> None:
    cache: dict[int, Tensor] = {}

    def keyed_too_coarsely(x: Tensor, w: Tensor) -> Tensor:
        """Remember w by x's rows; an entry goes stale when another call moves in."""
        first = not cache
        held = w if first or x.shape[0] not in cache else next(reversed(cache.values()))
        cache[x.shape[0]] = w
        return reference(x, held)

    verdict = verdicts(device, operator_of(), keyed_too_coarsely, 4, 5)[0]
    assert (verdict.status, verdict.decided_by) == (Status.WRONG_VALUE, "relation recall")


def test_a_second_run_that_differs_is_nondeterministic(device: Device) -> None:
    calls: list[int] = []

    def flaky(x: Tensor, w: Tensor) -> Tensor:
        calls.append(1)
        return reference(x, w) * (1 + len(calls) // 2)

    verdict = verdicts(device, operator_of(), flaky, 4)[0]
    assert (verdict.status, verdict.decided_by) == (Status.NONDETERMINISTIC, "relation rerun")


def test_relations_can_be_left_out_and_cost_one_call_a_case(device: Device) -> None:
    calls: list[int] = []

    def counted(x: Tensor, w: Tensor) -> Tensor:
        calls.append(1)
        return reference(x, w)

    operator = operator_of(relations=(Relation("permute", permute),))
    workload = Workload.of(*[Rows(rows=count) for count in (1, 2, 3, 4)])
    for relations, expected in ((True, 8), (False, 4)):
        calls.clear()
        execute(operator, implementation_of(counted), workload, device, relations=relations)
        assert len(calls) == expected


def test_what_the_reference_does_not_keep_to_either_is_judged_by_the_reference(device: Device) -> None:
    """That eager, too, differs from what was to follow excuses no wrong answer."""
    calls: list[int] = []

    def wrong_later(x: Tensor, w: Tensor) -> Tensor:
        calls.append(1)
        return reference(x, w) * (1.0 if len(calls) == 1 else 1.25)

    def permute_and_expect_no_change(inputs: Inputs, generator: torch.Generator) -> tuple[Inputs, Callable[[Any], Any]]:
        return permute(inputs, generator)[0], lambda output: output

    operator = operator_of(relations=(Relation("fixed", permute_and_expect_no_change),))
    verdict = verdicts(device, operator, wrong_later, 6)[0]
    assert (verdict.status, verdict.decided_by) == (Status.WRONG_VALUE, "relation fixed")
