"""A hunt: looking for a workload that fails in a new way, then making that one smaller."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum

from hypothesis.database import ExampleDatabase
from pydantic import BaseModel, ConfigDict, Field

from eagerdiff.harness.model.implementation import Implementation
from eagerdiff.harness.model.operator import Operator
from eagerdiff.harness.model.outcome import Outcome
from eagerdiff.harness.model.verdict import Verdict
from eagerdiff.harness.model.workload import Workload
from eagerdiff.harness.search.drawing import BrokenPredicate, Draw, fits
from eagerdiff.harness.search.examples import Examples
from eagerdiff.harness.triage.finding import Finding
from eagerdiff.harness.triage.signature import FailureSignature, Kind, failures, kind, shows


class Stopped(BaseException):
    """Leave a search at once; what has been found so far is kept."""


class Paused(BaseException):
    """Leave the generating of examples; the batch is taken up again later."""


class Failing(Exception):
    """Tell Hypothesis that an example fails."""


class Found(BaseException):
    """Leave Hypothesis with a failure that the operator itself makes smaller."""


@dataclass(frozen=True)
class Shrinking:
    """Bound the shrinking of one finding."""

    seconds: float = 60.0
    runs: int = 400

    @property
    def brief(self) -> "Shrinking":
        """Bounds for what is due to a cause that has been made smaller: it stands beside that one in a table."""
        return Shrinking(self.seconds / 5, self.runs // 10)


class Ours(IntEnum):
    """Say whether a failure is the caller's to make smaller, and how far."""

    NO = 0
    WHOLLY = 1
    BRIEFLY = 2


class Report(BaseModel):
    """Say what a turn at a batch gave."""

    model_config = ConfigDict(extra="forbid", ser_json_inf_nan="strings")

    finished: bool = False
    """False where it was paused or stopped, and can be taken up again."""
    finding: Finding | None = None
    """The new finding, shrunk as far as the bounds allowed."""
    original: Finding | None = None
    """The same finding as it was first met."""
    aliases: set[FailureSignature] = Field(default_factory=set[FailureSignature])
    """Signatures under which the finding's failure showed while it was shrunk."""
    others: list[Finding] = Field(default_factory=list[Finding])
    """Failures of other kinds met while shrinking."""
    unsupported: list[str] = Field(default_factory=list[str])
    """One reason for each drawn case that the implementation does not support."""
    problem: str = ""
    """What was done without, in one line."""
    broken: str = ""
    """What of the operator's or the plug-in's glue broke in drawing, in one line: a harness error."""


@dataclass(frozen=True)
class _Met:
    """Hold a workload that fails, and how."""

    workload: Workload
    finding: Finding


class Hunt:
    """Hold the state of one exploration: first looking for a failure, then making it smaller."""

    def __init__(
        self,
        operator: Operator,
        implementation: Implementation,
        finding: Callable[[Verdict, Workload], Finding],
        run: Callable[[Workload], Outcome],
        claim: Callable[[Finding], Ours | bool],
        going: Callable[[], bool],
        shrinking: Shrinking,
    ) -> None:
        self.report = Report()
        self._operator = operator
        self._implementation = implementation
        self._finding = finding
        """Makes a finding of a failing verdict, not shrunk yet."""
        self._run = run
        self._claim = claim
        self._going = going
        self._bounds = shrinking
        self._runs = 0
        self._drawn = True
        self._ends = self._deadline = float("inf")
        self._target: Kind | None = None
        self._best: Workload | None = None
        self._short: _Met | None = None
        """What was met first, without the calls that it does not need."""
        self._simplifying = False
        self._passed = False
        """Whether the last workload failed in no way."""
        self._known: dict[str, Finding | None] = {}
        """Workloads that were run since, by digest: how they failed alike, or None."""

    def begin(self, *, drawn: bool) -> None:
        """Expect the smallest example, with which Hypothesis begins where it draws: it is no draw."""
        self._drawn = drawn

    def lend(self, known: Examples | None, name: str) -> ExampleDatabase | None:
        """Return the examples of a strategy: one joins them while it is made smaller, and leaves once it passes."""
        return known.of(name, saves=lambda: self._best is not None, forgets=lambda: self._passed) if known else None

    def fails(self, draw: Draw) -> bool:
        """Return whether Hypothesis is to see this example as failing."""
        if self._best is not None:
            return draw.workload is not None and self._fails_alike(draw.workload)
        if not self._going():
            raise Paused
        if not self._drawn:
            self._drawn = True
            return False
        self.report.unsupported += draw.unsupported
        return draw.workload is not None and self._fails_anew(draw.workload)

    def fails_first(self, workload: Workload) -> bool:
        """Return whether a workload that was not drawn fails in a way that is new."""
        if not self._going():
            raise Paused
        return self._fails_anew(workload)

    def conclude(self, *, stopped: bool) -> None:
        """Drop the calls that the shrunk workload does not need, and mark the finding as shrunk."""
        if self._best is None or self.report.finding is None or stopped:
            return
        self._deadline = self._ends
        try:
            self._drop_calls()
            self._take_shorter()
            self._simplify()
            self._drop_calls()
        except Paused:
            self._take_shorter()
        except Stopped:
            return
        self.report.finished = True
        self.report.finding = self.report.finding.model_copy(update={"shrunk": self._bounds.runs > 0})

    def _fails_anew(self, workload: Workload) -> bool:
        failed = failures(self._run(workload))
        self._passed = not failed
        for verdict in failed:
            found = self._finding(verdict, workload)
            if ours := self._claim(found):
                self._bounds = self._bounds.brief if ours == Ours.BRIEFLY else self._bounds
                self._target = kind(verdict)
                self._ends = time.monotonic() + self._bounds.seconds
                self._deadline = self._ends - self._bounds.seconds / 3  # the rest is for what Hypothesis cannot do
                self._known[workload.digest] = found
                self.report.original = found
                self._keep(found, workload)
                self._drop_calls()  # before Hypothesis, each of whose runs makes every call
                if not self._operator.drawing.shrinks_itself:
                    self._short = _Met(self._best or workload, self.report.finding or found)
                    self._best, self.report.finding = workload, found  # Hypothesis starts from what it drew
                return True
        return False

    def _fails_alike(self, workload: Workload) -> bool:
        if workload.digest in self._known:
            alike = self._known[workload.digest]
            if alike is not None:
                self._keep(alike, workload)
            return alike is not None
        if self._runs >= self._bounds.runs or time.monotonic() > self._deadline:
            raise Paused  # the best so far stands
        self._runs += 1
        outcome = self._run(workload)
        verdict = shows(outcome, self._target) if self._target is not None else None
        alike = self._finding(verdict, workload) if verdict is not None else None
        self._known[workload.digest] = alike
        self.report.others += [
            self._finding(other, workload) for other in failures(outcome) if kind(other) != self._target
        ]
        if alike is not None:
            self._keep(alike, workload)
        return alike is not None

    def _keep(self, found: Finding, workload: Workload) -> None:
        self.report.aliases.add(found.signature)
        if self._best is None or self._simplifying or _size(workload) <= _size(self._best):
            self._best, self.report.finding = workload, found

    def _drop_calls(self) -> None:
        """Leave out half of the calls, a quarter of them, …, single ones, wherever the rest fails alike.

        Hypothesis cannot drop the first, under which the rest was drawn.
        """
        size = len(self._best.cases) // 2 if self._best is not None else 0
        while self._best is not None and size > 0:
            position = 0
            while position < len(cases := self._best.cases):
                rest = cases[:position] + cases[position + size :]
                if not rest or not self._fails_alike(Workload(rest)):
                    position += size
            size //= 2

    def _take_shorter(self) -> None:
        """Take what was met first, without its spare calls, where Hypothesis had no time to get as far."""
        short, self._short = self._short, None
        if short is not None and self._best is not None and _size(short.workload) < _size(self._best):
            self._best, self.report.finding = short.workload, short.finding

    def _simplify(self) -> None:
        """Take the operator's first simpler workload that fails alike, until none does."""
        simpler, self._simplifying = self._operator.drawing.simpler, True
        while simpler is not None and self._best is not None:
            candidates = (other for other in simpler(self._best) if self._supported(other))
            if not any(other.digest not in self._known and self._fails_alike(other) for other in candidates):
                return

    def _supported(self, workload: Workload) -> bool:
        try:
            return all(fits(case, self._operator, self._implementation.unsupported, []) for case in workload.cases)
        except BrokenPredicate as error:
            self.report.broken = str(error)  # said; the finding as it is so far stands
            return False


def _size(workload: Workload) -> tuple[int, float, float]:
    """Order workloads by calls, then by the largest call, for mostly one of them fails, then by the sum of all.

    Of equals the later is kept, as Hypothesis does.
    """
    calls = [sum(_weight(value) for name, value in data.items() if name != "seed") for data in workload.to_data()]
    return len(calls), max(calls, default=0), sum(calls)


def _weight(value: object) -> float:
    if isinstance(value, bool | str) or value is None:
        return 0
    if isinstance(value, int | float):
        return abs(value) if value == value else 0
    if isinstance(value, dict):
        return sum(map(_weight, value.values()))
    return len(value) + sum(map(_weight, value)) if isinstance(value, list | tuple) else 0
