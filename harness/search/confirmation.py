"""Confirmation: a finding run again in a fresh process, in one way for campaigns, tests and replays."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from eagerdiff.harness.model.implementation import Implementation
from eagerdiff.harness.model.outcome import Outcome
from eagerdiff.harness.model.verdict import Status
from eagerdiff.harness.processes import Task, Worker
from eagerdiff.harness.search.backed import ask_backed, backed_twin
from eagerdiff.harness.triage.finding import Finding
from eagerdiff.harness.triage.signature import kind, shows

TWINS = 2
"""How many other ways of compiling a program are asked whether they end in time."""


def run_afresh(worker: Worker, task: Task, run: Callable[[Task], Outcome] | None = None) -> Outcome:
    """Run a task in a process that has run nothing before, by the worker or by what counts its time."""
    worker.renew(task)
    return (run or worker.run)(task)


@dataclass(frozen=True)
class Confirmation:
    """Run findings of one implementation on one device again."""

    implementation: Implementation
    device: str
    worker: Worker
    task: Task
    """Without cases."""
    siblings: Sequence[Implementation] = ()
    """The operator's implementations: other ways of compiling the same program are among them."""
    run: Callable[[Task], Outcome] | None = None
    """How the worker is asked, where its time is counted."""

    def confirm(self, finding: Finding, original: Finding | None = None) -> Finding | None:
        """Return the finding, marked as reproduced, or as flaky and not new.

        It is the original one where that was made too small, and does fail again.
        None for a time-out of what no other way of compiling ends in time either, here and now: that is a large
        program, or a slow machine.
        """
        again = self._reproduces(finding)
        if not again and original is not None and finding.workload != original.workload:
            original_again = self._reproduces(original)
            finding, again = (original, True) if original_again else (finding, again)
        finding.reproduced, finding.flaky = again is True, again is False
        finding.new = finding.new and not finding.flaky
        if finding.verdict.status is Status.TIMED_OUT and self._is_slow_for_all(finding):
            return None
        twin = backed_twin(self.implementation, self.siblings)
        backed = self.task.model_copy(update={"implementation": twin.name}) if twin else None
        finding.backed = ask_backed(finding, backed, self.run or self.worker.run)
        return finding

    def _reproduces(self, finding: Finding) -> bool | None:
        """Return whether a finding's workload fails in the same way in a fresh process; None where none could say."""
        outcome = run_afresh(self.worker, self.task.model_copy(update={"workload": finding.workload}), self.run)
        return shows(outcome, kind(finding.verdict)) is not None if _took(outcome) else None

    def _is_slow_for_all(self, finding: Finding) -> bool:
        """Whether there are other ways of compiling a workload, and all that are asked run out of time too."""
        if self.implementation.mode is None:
            return False  # written by hand, or not known to compile: nothing else does the same
        tasks = (
            self.task.model_copy(update={"implementation": twin.name, "workload": finding.workload})
            for twin in self._twins()
        )
        outcomes = (run_afresh(self.worker, task, self.run) for task in tasks)
        slow = [outcome.workload.status is Status.TIMED_OUT for outcome in islice(filter(_took, outcomes), TWINS)]
        return bool(slow) and all(slow)

    def _twins(self) -> Iterator[Implementation]:
        for other in self.siblings:
            if other.mode is not None and other.name != self.implementation.name and other.runs_on(self.device):
                yield other


def _took(outcome: Outcome) -> bool:
    """Whether an implementation ran a workload, or died of it: one that does not support it says nothing."""
    return outcome.workload.failed or any(verdict.status.judged for verdict in outcome.verdicts)
