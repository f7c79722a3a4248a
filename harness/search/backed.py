"""Backed sizes: what fails with unbacked ones, asked of the same way of compiling without them."""

from collections.abc import Callable, Iterable

from eagerdiff.harness.model.implementation import Implementation
from eagerdiff.harness.model.mode import Mode
from eagerdiff.harness.model.outcome import Outcome
from eagerdiff.harness.model.verdict import Status
from eagerdiff.harness.processes import Task
from eagerdiff.harness.triage.classification import Class
from eagerdiff.harness.triage.finding import Finding


def backed_twin(implementation: Implementation, among: Iterable[Implementation]) -> Implementation | None:
    """Return what compiles the same function by the same back end with backed sizes; None where nothing does."""
    if implementation.mode != Mode.UNBACKED or not implementation.backend:
        return None
    wanted = implementation.identity.model_copy(update={"mode": Mode.DYNAMIC, "variant": ""})
    return next((other for other in among if other.identity == wanted), None)


def ask_backed(finding: Finding, twin: Task | None, run: Callable[[Task], Outcome]) -> Status | None:
    """Return what a workload whose values are wrong with unbacked sizes comes to with backed ones; else None."""
    if twin is None or finding.defect is not Class.WRONG_VALUE:
        return None
    outcome = run(twin.model_copy(update={"workload": finding.workload}))
    if not outcome.verdicts:
        return None
    return next((verdict.status for verdict in outcome.verdicts if verdict.failed), Status.PASSED)
