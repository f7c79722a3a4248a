"""Kinds: which failures count as one bug while shrinking."""

from eagerdiff.harness.model.outcome import Outcome
from eagerdiff.harness.model.verdict import Status, Verdict
from eagerdiff.harness.triage.deduplication import normalise

LOOSE = frozenset(
    {
        Status.WRONG_VALUE,
        Status.WRONG_SHAPE,
        Status.WRONG_DTYPE,
        Status.NONDETERMINISTIC,
        Status.UNWRITTEN,
        Status.CRASHED,
        Status.TIMED_OUT,
        Status.OUT_OF_MEMORY,
        Status.OVER_BUDGET,
    }
)
"""Statuses whose reasons change with the sizes; elsewhere the reason names the bug."""


def kind(verdict: Verdict) -> tuple[str, ...]:
    """Return what must stay the same while a failure is made smaller."""
    reason = "" if verdict.status in LOOSE else normalise(verdict.reason)
    return (verdict.status.value, verdict.oracle, verdict.frame or verdict.output, reason)


def failures(outcome: Outcome) -> list[Verdict]:
    """Return every failing verdict in call order, the workload's own last.

    A process that a failed case took with it is that case's failure, not one more.
    """
    failed = [verdict for verdict in outcome.verdicts if verdict.failed]
    consequence = bool(failed) and outcome.workload.oracle == "process"
    return failed if consequence or not outcome.workload.failed else [*failed, outcome.workload]


def shows(outcome: Outcome, wanted: tuple[str, ...]) -> Verdict | None:
    """Return the first failing verdict of a kind, or None."""
    return next((verdict for verdict in failures(outcome) if kind(verdict) == wanted), None)
