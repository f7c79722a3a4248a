"""A slot: a thread that drives one worker at a time, turn after turn."""

import contextlib
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from eagerdiff.harness.campaign.harvest import Harvest
from eagerdiff.harness.campaign.journal import Journal
from eagerdiff.harness.campaign.target import Schedule, Target, Turn
from eagerdiff.harness.model.outcome import Outcome
from eagerdiff.harness.model.verdict import Oracle, Status
from eagerdiff.harness.model.workload import Workload
from eagerdiff.harness.processes import Limits, Task, Worker, WorkerPool
from eagerdiff.harness.processes.pool import WorkerStartError
from eagerdiff.harness.search.backed import ask_backed
from eagerdiff.harness.search.batch import Batch, Report, Shrinking, Stopped
from eagerdiff.harness.triage.finding import Finding
from eagerdiff.harness.triage.signature import kind, shows


@dataclass
class Shared:
    """Hold what all slots of a campaign work on."""

    schedule: Schedule
    harvest: Harvest
    journal: Journal
    worker_pool: WorkerPool
    limits: Limits
    shrinking: Shrinking
    seed: int
    deadline: float
    """On the monotonic clock: nothing new is drawn after it."""
    slice_seconds: float
    account: Callable[[Target, Workload, Outcome, bool], None]
    """Count an outcome and tell the caller; the flag says whether a finding is being shrunk."""
    problems: list[str] = field(default_factory=list[str])

    def complain(self, line: str) -> None:
        """Note a problem once."""
        if line not in self.problems:
            self.problems.append(line)


class Slot(threading.Thread):
    """Take turns until there is nothing left to do, the time is over or it is stopped."""

    def __init__(self, number: int, shared: Shared) -> None:
        super().__init__(name=f"eagerdiff-slot-{number}", daemon=True)
        self.busy = 0.0
        """Seconds that a worker of this slot was at work."""
        self.waited = 0.0
        """Seconds that it waited for a device's first process to import everything."""
        self.lived = 0.0
        """Seconds between the slot's start and its last turn's end."""
        self.shrinking = False
        """Whether it is making a finding smaller, which may go on after the deadline."""
        self.hanging = False
        """Whether that finding is a hang: then less than the full time limit is waited for."""
        self._shared = shared
        self._stopped = False
        self._workers: dict[str, Worker] = {}

    @property
    def stopped(self) -> bool:
        """Whether it was told to stop."""
        return self._stopped

    def stop(self) -> None:
        """End whatever is running; safe from any thread."""
        self._stopped = True
        for worker in list(self._workers.values()):
            worker.stop()

    def run(self) -> None:
        """Work."""
        began = time.monotonic()
        try:
            while not self._over():
                turn = self._shared.schedule.take()
                if turn is None:
                    if not self._shared.schedule.running:
                        break
                    time.sleep(0.02)  # another slot may give a paused batch back
                    continue
                self._work(turn)
                self.lived = time.monotonic() - began
        finally:
            for worker in self._workers.values():
                worker.close()

    def _over(self) -> bool:
        return self._stopped or time.monotonic() >= self._shared.deadline

    def _work(self, turn: Turn) -> None:
        shared, target = self._shared, turn.target
        effort = _Effort(self, turn)
        report = Report()
        try:
            self._prepare(turn)
            report = effort.explore(shared)
            if report.finding is not None:
                self._harvest(target, turn.index, report)
            for other in report.others:
                if shared.harvest.remember(other):
                    other.reproduced = self._reproduces(target, other)
            self._finish(turn, report)
        except Exception as error:  # noqa: BLE001  ours is broken, not theirs: said in the report, and the rest goes on
            shared.complain(f"{target.key}: the search broke: {type(error).__name__}: {error}")
            target.closed = True
        finally:
            self.shrinking = self.hanging = False
            shared.schedule.give_back(turn, finished=report.finished, fresh=effort.fresh)

    def _prepare(self, turn: Turn) -> None:
        with contextlib.suppress(WorkerStartError):  # then the first workload says so
            self.worker(turn.target.device).prepare()
        now = time.monotonic()
        self.waited += now - turn.started
        turn.started = now

    def _finish(self, turn: Turn, report: Report) -> None:
        target, shared = turn.target, self._shared
        if report.problem:
            shared.complain(report.problem)
            target.tally.row.problem, target.closed = report.problem, True
        target.unsupported[turn.index] = report.unsupported
        if report.finished:
            unsupported = target.unsupported.pop(turn.index)
            target.tally.skip(unsupported)
            shared.journal.note("batch", target=target.key, batch=turn.index, unsupported=unsupported)

    def _harvest(self, target: Target, index: int, report: Report) -> None:
        """Run a finding again in a fresh process and keep it, whatever comes of that."""
        finding, original = report.finding, report.original
        assert finding is not None
        assert original is not None
        finding.reproduced = self._reproduces(target, finding)
        if not finding.reproduced and finding.workload != original.workload and self._reproduces(target, original):
            finding = original  # it was made too small
            finding.reproduced = True
        if not self._stopped:
            worker = self.worker(target.device)
            finding.backed = ask_backed(finding, target.backed, lambda task: self._timed(worker, task))
        self._shared.harvest.keep(finding, report.aliases)
        aliases = [alias.model_dump(mode="json") for alias in sorted(report.aliases, key=str)]
        data = finding.model_dump(mode="json")
        self._shared.journal.note("finding", target=target.key, batch=index, finding=data, aliases=aliases)

    def _reproduces(self, target: Target, finding: Finding) -> bool:
        """Return whether a finding's workload fails in the same way in a fresh process."""
        if self._stopped:
            return False
        workload = Workload.from_data(target.operator.case, finding.workload)
        worker = self.worker(target.device)
        worker.renew()
        return shows(self._timed(worker, target.task.with_cases(workload)), kind(finding.verdict)) is not None

    def worker(self, device: str) -> Worker:
        """Return this slot's worker for a device."""
        if device not in self._workers:
            self._workers[device] = Worker(device, self._shared.limits, self._shared.worker_pool)
            if self._stopped:
                self._workers[device].stop()
        return self._workers[device]

    def execute(self, target: Target, workload: Workload, index: int) -> tuple[Outcome, bool]:
        """Return a workload's outcome, and whether it was run for it; raise Stopped where the slot is stopped."""
        journal = self._shared.journal
        recorded = journal.claim(target.key, workload, index)
        if recorded is not None:
            return recorded, False
        outcome = None
        try:
            if self._stopped:
                raise Stopped
            seconds = self._shared.limits.case_seconds / 4 if self.hanging else None
            outcome = self._timed(self.worker(target.device), target.task.with_cases(workload), seconds)
            if self._stopped:
                raise Stopped
            journal.judged(target.key, workload, outcome)
        finally:
            journal.abandon(target.key, workload)
        return outcome, True

    def _timed(self, worker: Worker, task: Task, seconds: float | None = None) -> Outcome:
        started = time.monotonic()
        try:
            return worker.run(task, seconds)
        finally:
            self.busy += time.monotonic() - started


class _Effort:
    """Work on one batch for one turn."""

    def __init__(self, slot: Slot, turn: Turn) -> None:
        self.fresh = 0
        """Workloads that ran, rather than being found in the journal."""
        self._slot = slot
        self._turn = turn

    def explore(self, shared: Shared) -> Report:
        """Explore the batch until the slice of time is used up."""
        target = self._turn.target
        batch = Batch(target.operator, target.implementation, target.device, self._turn.index, shared.seed)
        slice_end = self._turn.started + shared.slice_seconds

        def run(workload: Workload) -> Outcome:
            outcome, fresh = self._slot.execute(target, workload, self._turn.index)
            if fresh:
                self.fresh += 1
                shared.account(target, workload, outcome, self._slot.shrinking)
            if outcome.workload.status is Status.SKIPPED and outcome.workload.oracle in (
                Oracle.PROCESS,
                Oracle.HARNESS,
            ):
                _tell(target, outcome, shared)
            return outcome

        def claim(finding: Finding) -> bool:
            self._slot.shrinking = shared.harvest.claim(finding)
            self._slot.hanging = self._slot.shrinking and finding.verdict.status is Status.TIMED_OUT
            return self._slot.shrinking

        def going() -> bool:
            now = time.monotonic()
            usable = self.fresh == 0 or now < slice_end
            return usable and now < shared.deadline and not self._slot.stopped and not target.closed

        return batch.explore(run, claim, going, shared.shrinking)


def _tell(target: Target, outcome: Outcome, shared: Shared) -> None:
    """Say what kept a workload from running; where no worker can be had, the target ends."""
    shared.complain(f"{target.key}: {outcome.workload.reason}")
    if outcome.workload.oracle is Oracle.PROCESS:
        target.tally.row.problem, target.closed = outcome.workload.reason, True
