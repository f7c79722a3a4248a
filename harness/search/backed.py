"""Backed sizes: what fails with unbacked ones, asked of the same way of compiling without them."""

from collections.abc import Callable

from eagerdiff.harness.model.mode import Mode
from eagerdiff.harness.model.outcome import Outcome
from eagerdiff.harness.model.verdict import Status
from eagerdiff.harness.processes import Task
from eagerdiff.harness.triage.classification import Class
from eagerdiff.harness.triage.finding import Finding


def ask_backed(finding: Finding, task: Task, run: Callable[[Task], Outcome]) -> Status | None:
    """Return what a workload whose values are wrong with unbacked sizes comes to with backed ones; else None."""
    name, unbacked, _ = finding.implementation.partition(f".{Mode.UNBACKED}")
    if not unbacked or finding.defect is not Class.WRONG_VALUE:
        return None
    backed = {"implementation": f"{name}.{Mode.DYNAMIC}", "workload": finding.workload}
    outcome = run(task.model_copy(update=backed))
    if not outcome.verdicts:
        return None
    return next((verdict.status for verdict in outcome.verdicts if verdict.failed), Status.PASSED)
