"""Run cases as another project's test runs them: its inputs, what it compares, its tolerance, and nothing else."""

import time
from collections.abc import Callable
from typing import Any

import torch

from eagerdiff.harness.devices import Device
from eagerdiff.harness.execution.stage import Announce, Reach, Stage, silently, unheard
from eagerdiff.harness.judge import broken, is_out_of_memory, ours_in_build, raised
from eagerdiff.harness.judge.reference import run_eager, seed_generators
from eagerdiff.harness.memory.copies import duplicate
from eagerdiff.harness.model.baseline_suite import BaselineSuite
from eagerdiff.harness.model.case import Case
from eagerdiff.harness.model.declined import Declined
from eagerdiff.harness.model.implementation import Implementation
from eagerdiff.harness.model.operator import Inputs, Operator
from eagerdiff.harness.model.outcome import Outcome
from eagerdiff.harness.model.verdict import Oracle, Status, Verdict, passed, skipped
from eagerdiff.harness.model.workload import Workload


def execute_as_baseline(
    operator: Operator,
    implementation: Implementation,
    suite: str,
    workload: Workload,
    device: Device,
    *,
    announce: Announce = silently,
    reach: Reach = unheard,
) -> Outcome:
    """Run each case by itself under the named suite's rule; wild accesses are not performed, nor held against it."""
    start = time.perf_counter()
    found = next((one for one in operator.extras.baseline_suites if one.name == suite), None)
    if found is None:
        return Outcome(verdicts=[], workload=skipped(f"{operator.name} has no suite {suite!r}"))
    verdicts: list[Verdict] = []
    for index, case in enumerate(workload.cases):
        announce(index, Stage.IMPLEMENTATION)  # a test of theirs is timed as a whole
        reason = implementation.unsupported(case)
        verdicts.append(skipped(reason) if reason else _judge(operator, implementation, found, case, device))
        reach(index, verdicts[-1], {})
    return Outcome(verdicts=verdicts, seconds=time.perf_counter() - start)


def _judge(
    operator: Operator, implementation: Implementation, suite: BaselineSuite, case: Case, device: Device
) -> Verdict:
    try:
        given = suite.inputs(case, device.torch_device)
        expected = None if suite.against else _expected(operator, suite, given)
    except BaseException as error:  # noqa: BLE001 - becomes the verdict
        return broken(error, Oracle.OPERATOR, "the operator's own code")
    try:
        function = implementation.build(case)
    except Declined as reason:
        return skipped(str(reason))
    except BaseException as error:  # noqa: BLE001 - becomes the verdict
        ours = None if is_out_of_memory(error) else ours_in_build(error, implementation.build)
        return ours or raised(error)
    try:
        output = _call(function, suite, given, device)
        other = _call(function, suite, suite.against(given), device) if suite.against else expected
        difference = suite.rule(output, other)
    except Declined as reason:
        return skipped(str(reason))
    except BaseException as error:  # noqa: BLE001 - becomes the verdict
        return raised(error)
    if not difference:
        return passed()
    return Verdict(status=Status.WRONG_VALUE, reason=difference, oracle=Oracle.BASELINE, rule=str(suite.rule))


def _expected(operator: Operator, suite: BaselineSuite, given: Inputs) -> Any:
    run = run_eager(operator, given)
    if run.error is not None:
        raise run.error
    return suite.compared(run.output, run.inputs)


def _call(function: Callable[..., Any], suite: BaselineSuite, given: Inputs, device: Device) -> Any:
    """Call on a private copy; return what the test looks at."""
    copied = duplicate(given).inputs
    seed_generators()
    with device.watch():
        output = function(*copied.args, **dict(copied.options))
        if device.torch_device == "cuda":
            torch.cuda.synchronize()
    return suite.compared(output, copied)
