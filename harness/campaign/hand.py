"""Hands: what works on turns. One of this machine drives one worker at a time."""

import contextlib
import time
from typing import NamedTuple, Protocol

from eagerdiff.harness.campaign.events import Drawn, Found
from eagerdiff.harness.campaign.journal import JournalEnded
from eagerdiff.harness.campaign.schedule import Turn
from eagerdiff.harness.campaign.shared import Shared
from eagerdiff.harness.campaign.target import Target
from eagerdiff.harness.catalog.plugin import in_one_line
from eagerdiff.harness.model.outcome import Outcome
from eagerdiff.harness.model.verdict import Oracle, Status, Verdict
from eagerdiff.harness.model.workload import Workload
from eagerdiff.harness.processes import Limits, Task, Worker
from eagerdiff.harness.processes.pool import WorkerStartError
from eagerdiff.harness.search.confirmation import Confirmation
from eagerdiff.harness.search.hunt import Ours, Report, Stopped
from eagerdiff.harness.search.search_process import Order
from eagerdiff.harness.search.searcher import Answers, Searcher
from eagerdiff.harness.triage.finding import Finding

EXAMPLES = 20
"""Of a batch."""
EXAMPLES_IN_TURN = 1
"""The same, where entries of a table are taken in turn: a finding ends a batch, and the entries after it are passed
over."""

_JUDGED_BEFORE = Outcome(verdicts=[])
"""Stands for the outcome of a workload that is left out: nothing failed."""


class Worked(NamedTuple):
    """Say what came of a turn."""

    finished: bool
    """Whether its batch was drawn to its end."""
    fresh: int
    """Workloads that ran, rather than being found on record."""


class Hand(Protocol):
    """What works on one turn at a time, here or elsewhere."""

    name: str
    busy: float
    """Seconds that a worker of it was at work."""
    waited: float
    """Seconds that it waited for a device's first process to import everything."""
    shrinking: bool
    """Whether it is making a finding smaller, which may go on after the deadline."""

    @property
    def stopped(self) -> bool:
        """Whether it was told to stop, or stopped for the log's end."""
        ...

    @property
    def waits(self) -> bool:
        """Whether it takes nothing just now, and will again: its machine was lost, and may come back."""
        ...

    def takes(self, target: Target) -> bool:
        """Whether it can work on a target now."""
        ...

    def work(self, turn: Turn, shared: Shared) -> Worked:
        """Work on a turn."""
        ...

    def stop(self) -> None:
        """End whatever is running, for good; safe from any thread."""
        ...

    def close(self) -> None:
        """End its processes."""
        ...


class LocalHand:
    """Work on turns in worker processes of this machine."""

    _shared: Shared
    """What the turn that it is at is a part of."""

    def __init__(self) -> None:
        self.name = "here"
        self.busy = 0.0
        self.waited = 0.0
        self.shrinking = False
        self.hanging = False
        """Whether that finding is a hang: then less than the full time limit is waited for."""
        self._stopped = False
        self._workers: dict[str, Worker] = {}
        self._searchers: dict[str, Searcher] = {}
        """Device → what draws of all that is ours."""
        self._searcher: Searcher | None = None
        """What draws now."""

    @property
    def stopped(self) -> bool:
        """Whether it was told to stop, or stopped for the log's end."""
        return self._stopped

    @property
    def waits(self) -> bool:
        """Return False: this machine is there."""
        return False

    def takes(self, target: Target) -> bool:
        """Whether it can work on a target: what cannot run here is none."""
        return True

    def stop(self) -> None:
        """End whatever is running; safe from any thread."""
        self._stopped = True
        for worker in list(self._workers.values()):
            worker.stop()
        if (searcher := self._searcher) is not None:
            searcher.stop()

    def close(self) -> None:
        """End its processes."""
        for one in (*self._workers.values(), *self._searchers.values()):
            one.close()

    def _over(self, shared: Shared) -> bool:
        return self._stopped or time.monotonic() >= shared.deadline

    def work(self, turn: Turn, shared: Shared) -> Worked:
        """Work on a turn; whatever breaks is said (`Shared.problems`)."""
        self._shared, target = shared, turn.target
        effort = _Effort(self, turn, shared)
        report = Report()
        try:
            self._prepare(turn)
            report = effort.explore()
            if report.problem:
                shared.complain(report.problem)
            if report.finding is not None:
                self._harvest(turn, report)
            for other in report.others:
                if shared.harvest.remember(other) and not self._over(shared):
                    self._confirmation(target).confirm(other)
            self._finish(turn, report)
        except JournalEnded:
            self._stopped = True
        except BaseException as error:  # noqa: BLE001  broken, be it `SystemExit`: said in the report, the rest goes on
            _break(target, f"the search raised {in_one_line(error)}", shared)
        finally:
            self.shrinking = self.hanging = False
        return Worked(report.finished, effort.fresh)

    def _prepare(self, turn: Turn) -> None:
        with contextlib.suppress(WorkerStartError):  # then the first workload says so
            self.worker(turn.target.device).prepare()
        now = time.monotonic()
        self.waited += now - turn.started
        turn.started = now

    def _finish(self, turn: Turn, report: Report) -> None:
        target, shared = turn.target, self._shared
        if report.broken:
            _break(target, report.broken, shared)
        target.unsupported[turn.index] = report.unsupported
        if report.finished:
            unsupported = target.unsupported.pop(turn.index)
            target.tally.skip(unsupported)
            shared.log.note(Drawn(target=target.key, batch=turn.index, unsupported=unsupported))

    def _harvest(self, turn: Turn, report: Report) -> None:
        """Run a finding again in a fresh process and keep it, whatever comes of that."""
        target, finding, original = turn.target, report.finding, report.original
        assert finding is not None
        assert original is not None
        began = time.monotonic()
        finding = self._confirmation(target).confirm(finding, original)
        turn.leave_out(time.monotonic() - began)
        if finding is None:
            self._shared.complain(f"{target.key}: {original.verdict.reason}, nor does it compiled in other ways")
            return
        self._shared.harvest.keep(finding, report.aliases)
        aliases = sorted(report.aliases, key=str)
        self._shared.log.note(Found(target=target.key, batch=turn.index, finding=finding, aliases=aliases))

    def _confirmation(self, target: Target) -> Confirmation:
        worker = self.worker(target.device)
        return Confirmation(
            implementation=target.implementation,
            device=target.device,
            worker=worker,
            task=target.task,
            siblings=self._shared.siblings(target),
            run=lambda task: self._timed(worker, task),
        )

    def worker(self, device: str) -> Worker:
        """Return this hand's worker for a device."""
        if device not in self._workers:
            self._workers[device] = Worker(device, self._shared.limits, self._shared.worker_pool)
            if self._stopped:
                self._workers[device].stop()
        return self._workers[device]

    def explore(self, target: Target, order: Order, answers: Answers) -> Report:
        """Explore a batch, of a stranger's in a process of its own."""
        among: dict[str, Searcher] = self._searchers if target.ours else {}
        if target.device not in among:
            among[target.device] = Searcher(target.device, self._shared.worker_pool, self._shared.limits)
        self._searcher = searcher = among[target.device]
        if self._stopped:
            searcher.stop()
        try:
            return searcher.explore(order, answers)
        finally:
            if not target.ours:
                searcher.close()

    def execute(self, target: Target, workload: Workload, about: tuple[str, ...], index: int) -> tuple[Outcome, bool]:
        """Return a workload's outcome, and whether it was run for it; raise Stopped where the hand is stopped."""
        log = self._shared.log
        try:
            recorded = log.claim(target.key, workload, index)
        except JournalEnded as end:
            raise Stopped from end
        if recorded is not None:
            return recorded, False
        outcome = None
        try:
            if self._stopped:
                raise Stopped
            limits = self._shared.limits.sooner(0.25) if self.hanging else None
            outcome = self._timed(self.worker(target.device), target.task.with_cases(workload), limits)
            if self._stopped:
                raise Stopped
            log.judged(target.key, workload, outcome, about, always=target.names, shrinking=self.shrinking)
        except JournalEnded as end:
            raise Stopped from end
        finally:
            log.abandon(target.key, workload)
        return outcome, True

    def _timed(self, worker: Worker, task: Task, limits: Limits | None = None) -> Outcome:
        started = time.monotonic()
        try:
            return worker.run(task, limits)
        finally:
            self.busy += time.monotonic() - started


class _Effort:
    """Work on one batch for one turn."""

    def __init__(self, hand: LocalHand, turn: Turn, shared: Shared) -> None:
        self.fresh = 0
        """Workloads that ran, rather than being found in the journal."""
        self._hand = hand
        self._turn = turn
        self._shared = shared
        self._claimed = 0.0
        self._left_out = False

    def _is_left_out(self, workload: Workload) -> bool:
        """Whether a night before judged a workload right; it is counted."""
        target, shared = self._turn.target, self._shared
        if self._hand.shrinking or shared.judged is None or not shared.judged.knows(str(target.key), workload.digest):
            return False
        self._left_out = True
        target.tally.row.judged_before += 1
        return True

    def explore(self) -> Report:
        """Explore the batch until the slice of time is used up."""
        target, shared = self._turn.target, self._shared
        bounds = shared.bounds
        order = Order(
            task=target.task,
            device=target.device,
            index=self._turn.index,
            campaign_seed=shared.seed,
            examples=EXAMPLES_IN_TURN if target.by_entry else EXAMPLES,
            seconds=bounds.seconds,
            runs=bounds.runs,
            known=shared.examples,
        )
        slice_end = self._turn.started + (0.0 if self._turn.first else shared.slice_seconds)

        def run(workload: Workload, about: tuple[str, ...]) -> Outcome:
            if self._is_left_out(workload):
                return _JUDGED_BEFORE
            outcome, fresh = self._hand.execute(target, workload, about, self._turn.index)
            if fresh:
                self.fresh += 1
                shared.account(target, workload, about, outcome, self._hand.shrinking)
            if outcome.workload.status is Status.HARNESS_ERROR:
                _tell(target, outcome.workload, shared)
            return outcome

        def claim(finding: Finding) -> Ours:
            ours = shared.harvest.claim(finding)
            self._hand.shrinking = ours is not Ours.NO
            self._claimed = time.monotonic()
            self._hand.hanging = self._hand.shrinking and finding.verdict.status is Status.TIMED_OUT
            # An exception that is told apart by its operation alone may be one cause of hundreds.
            told = bool(finding.verdict.origin) or not finding.verdict.exceptions
            self._turn.causes += ours is Ours.WHOLLY and told
            return ours

        def going() -> bool:
            now = time.monotonic()
            usable = self.fresh == 0 or now < slice_end
            return usable and now < shared.deadline and not self._hand.stopped and not target.closed

        try:
            return self._hand.explore(target, order, Answers(run, claim, going))
        finally:
            if shared.judged is not None and self._left_out and not self.fresh:
                shared.judged.leave_none_out(str(target.key))
            if self._hand.shrinking:
                seconds = time.monotonic() - self._claimed
                shared.shrink_left -= seconds
                self._turn.leave_out(seconds)


def _break(target: Target, reason: str, shared: Shared) -> None:
    """Count a harness error that leaves nothing to be drawn of a target."""
    shared.complain(f"{target.key}: {reason}")
    target.tally.broke(reason)
    target.closed = True


def _tell(target: Target, verdict: Verdict, shared: Shared) -> None:
    """Say what kept a workload from running; where no worker can be had, or nothing be loaded, the target ends."""
    shared.complain(f"{target.key}: {verdict.reason}")
    if verdict.oracle in (Oracle.PROCESS, Oracle.LOAD):
        target.tally.row.problem, target.closed = verdict.reason, True
