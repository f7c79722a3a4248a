"""A searcher: the campaign's end of a search process, which may crash, hang or say anything."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

from eagerdiff.harness.model.case import RecordedCase
from eagerdiff.harness.model.outcome import Outcome
from eagerdiff.harness.model.workload import Workload
from eagerdiff.harness.processes.apart import Apart, NoAnswer, Vanished
from eagerdiff.harness.processes.limits import Limits
from eagerdiff.harness.processes.patience import Overrun, Patience
from eagerdiff.harness.processes.pool import WorkerPool
from eagerdiff.harness.search import search_process
from eagerdiff.harness.search.hunt import Ours, Report, Stopped
from eagerdiff.harness.search.search_process import MESSAGE, NO, STOP, YES, Claim, Done, Order, Run
from eagerdiff.harness.triage.finding import Finding

GRACE = 2.0
"""Seconds that a search process which is told to stop has to report."""
SILENCE = 5.0
"""Seconds without a word after which a search process that is stopped is said to have hung."""


@dataclass(frozen=True)
class Answers:
    """Hold what a search process asks for."""

    run: Callable[[Workload, tuple[str, ...]], Outcome]
    """Return the outcome of a workload, which comes with what it consists of; may raise Stopped."""
    claim: Callable[[Finding], Ours | bool] = lambda finding: True
    """Whether a finding is new, and how far it is made smaller."""
    going: Callable[[], bool] = lambda: True
    """Whether there is time to draw more."""


class Searcher:
    """Explore batches in a process apart; what an author's strategies and predicates do there comes back as data.

    Use it as a context manager, from one thread at a time; `stop` may be called from any.
    """

    def __init__(self, device: str, worker_pool: WorkerPool, limits: Limits | None = None) -> None:
        self._limits = limits or Limits()
        self._apart = Apart("drawing", search_process, device, worker_pool, self._limits)
        self._explored = 0
        """Batches, in the process that there is."""
        self._stopped: float | None = None
        """When, on the monotonic clock."""

    def explore(self, order: Order, answers: Answers) -> Report:
        """Explore a batch and return the report; `broken` says in one line how the process ended, where it did."""
        talk = _Talk(answers)
        self._explored += 1
        if self._explored > self._limits.tasks:
            self._explored = 1
            self._apart.close()
        try:
            return self._explore(order, talk)
        except Vanished:  # whoever killed the fork server: it is this one where that happens to one of its own
            if talk.has_claimed:
                return talk.cut_short("")
        try:
            self._apart.be_alone()
            return self._explore(order, talk)
        except Vanished:
            return talk.cut_short("drawing killed its fork server, and again when it was alone")
        except NoAnswer as end:
            return talk.cut_short(end.why)

    def _explore(self, order: Order, talk: "_Talk") -> Report:
        """Explore a batch; raise Vanished."""
        try:
            self._apart.send(order.model_dump_json().encode())
            while talk.report is None:
                message = self._apart.receive(self._attention)
                self._apart.send(talk.answer(message, stopped=self._stopped is not None))
        except NoAnswer as end:
            return talk.cut_short(end.why)
        except ValueError:
            self._apart.close()
            return talk.cut_short("drawing said what cannot be read")
        return talk.report

    def stop(self) -> None:
        """End what is explored soon, with what was found; safe from any thread."""
        self._stopped = self._stopped or time.monotonic()

    def close(self) -> None:
        """End the process."""
        self._apart.close()

    def _attention(self, pid: int, limits: Limits) -> Patience:
        return _Attention(pid, limits, lambda: self._stopped)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Talk:
    """Answer a search process, and remember what would be lost with it."""

    def __init__(self, answers: Answers) -> None:
        self.report: Report | None = None
        self._answers = answers
        self._claimed: Finding | None = None

    @property
    def has_claimed(self) -> bool:
        """Whether a finding would be lost with the process."""
        return self._claimed is not None

    def answer(self, message: bytes, *, stopped: bool) -> bytes:
        """Return the answer to a message; raise ValueError for one that cannot be read."""
        asked = MESSAGE.validate_json(message)
        if isinstance(asked, Done):
            self.report = asked.report
            return STOP
        if stopped:
            return STOP
        try:
            return self._answer(asked)
        except Stopped:
            return STOP

    def _answer(self, asked: object) -> bytes:
        if isinstance(asked, Run):
            outcome = self._answers.run(Workload.from_data(RecordedCase, asked.workload), asked.about)
            return outcome.model_dump_json(include={"verdicts", "workload"}).encode()
        if isinstance(asked, Claim):
            claimed = self._answers.claim(asked.finding)
            self._claimed = asked.finding if claimed else self._claimed
            return str(int(claimed)).encode()
        return YES if self._answers.going() else NO

    def cut_short(self, broken: str) -> Report:
        """Return what is known of a search that did not end: the finding that it was at, as it was met."""
        return Report(finding=self._claimed, original=self._claimed, broken=broken)


class _Attention(Patience):
    """Wait for a search process, and not for long once it is told to stop."""

    def __init__(self, pid: int, limits: Limits, stopped: Callable[[], float | None]) -> None:
        super().__init__(pid, limits.drawing_seconds, min(limits.idle_seconds, limits.drawing_seconds))
        self._since = time.monotonic()
        self._stopped = stopped

    def ended(self) -> Overrun | None:
        """Return why there is no more patience; without a reason where the process may just have been slow."""
        now, stopped = time.monotonic(), self._stopped()
        if stopped is None or now - stopped < GRACE:
            return super().ended()
        silent = now - self._since
        return Overrun(f"gave no answer for {silent:.0f} s" if silent >= SILENCE else "", idle=False)
