"""Run cases as a peer's test runs them: its inputs, what it compares, its tolerance, and nothing else."""

import time
from collections.abc import Callable
from typing import Any

import torch

from eagerdiff.harness.devices import Device
from eagerdiff.harness.judge import raised
from eagerdiff.harness.judge.reference import run_eager, seed_generators
from eagerdiff.harness.memory.copies import duplicate
from eagerdiff.harness.model.baseline_suite import PeerGrid
from eagerdiff.harness.model.case import Case
from eagerdiff.harness.model.declined import Declined
from eagerdiff.harness.model.implementation import Implementation
from eagerdiff.harness.model.operator import Inputs, Operator
from eagerdiff.harness.model.outcome import Outcome
from eagerdiff.harness.model.verdict import Status, Verdict, passed, skipped
from eagerdiff.harness.model.workload import Workload


def execute_as_peer(
    operator: Operator,
    implementation: Implementation,
    grid: str,
    workload: Workload,
    device: Device,
    *,
    on_case: Callable[[int], None],
) -> Outcome:
    """Run each case by itself under the named grid's rule; wild accesses are not performed, and not held against it."""
    start = time.perf_counter()
    found = next((one for one in operator.peer_grids if one.name == grid), None)
    if found is None:
        return Outcome(verdicts=[], workload=skipped(f"{operator.name} has no grid {grid!r}"))
    verdicts: list[Verdict] = []
    for index, case in enumerate(workload.cases):
        on_case(index)
        reason = implementation.supports(case)
        verdicts.append(skipped(reason) if reason else _judge(operator, implementation, found, case, device))
    return Outcome(verdicts=verdicts, seconds=time.perf_counter() - start)


def _judge(operator: Operator, implementation: Implementation, grid: PeerGrid, case: Case, device: Device) -> Verdict:
    try:
        given = grid.inputs(case, device.torch_device)
        expected = None if grid.against else _expected(operator, grid, given)
    except Exception as error:  # noqa: BLE001 - becomes the verdict
        return raised(error, oracle="operator", prefix="the operator's own code raised ")
    try:
        function = implementation.build(case)
        output = _call(function, grid, given, device)
        other = _call(function, grid, grid.against(given), device) if grid.against else expected
        difference = grid.rule(output, other)
    except KeyboardInterrupt:
        raise
    except Declined as reason:
        return skipped(str(reason))
    except BaseException as error:  # noqa: BLE001 - becomes the verdict
        return raised(error)
    if not difference:
        return passed()
    return Verdict(status=Status.WRONG_VALUE, reason=difference, oracle=f"peer: {grid.rule}")


def _expected(operator: Operator, grid: PeerGrid, given: Inputs) -> Any:
    run = run_eager(operator, given)
    if run.error is not None:
        raise run.error
    return grid.compared(run.output, run.inputs)


def _call(function: Callable[..., Any], grid: PeerGrid, given: Inputs, device: Device) -> Any:
    """Call on a private copy; return what the test looks at."""
    copied = duplicate(given).inputs
    seed_generators()
    with device.watch():
        output = function(*copied.args, **dict(copied.options))
        if device.torch_device == "cuda":
            torch.cuda.synchronize()
    return grid.compared(output, copied)
