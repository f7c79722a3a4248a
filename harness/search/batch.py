"""A batch: a few examples from one seed, searched until something new fails, which is then shrunk."""

import contextlib
import hashlib
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import IntEnum
from unittest import SkipTest

from hypothesis import given, seed
from hypothesis import strategies as st
from hypothesis.database import ExampleDatabase
from hypothesis.errors import Flaky
from pydantic import BaseModel, ConfigDict, Field

from eagerdiff.harness.catalog.plugin import in_one_line
from eagerdiff.harness.internals.hypothesis_constants import forget_local_constants
from eagerdiff.harness.model.implementation import Implementation
from eagerdiff.harness.model.operator import Operator
from eagerdiff.harness.model.outcome import Outcome
from eagerdiff.harness.model.verdict import Verdict
from eagerdiff.harness.model.workload import Workload
from eagerdiff.harness.search.drawing import (
    FEW_CALLS,
    FIRST_CALLS,
    FIRST_EXAMPLES,
    MOST_CALLS,
    SOME_CALLS,
    BrokenPredicate,
    Draw,
    draws,
    fits,
)
from eagerdiff.harness.search.examples import MOST, Examples
from eagerdiff.harness.search.settings import reuse_settings, search_settings
from eagerdiff.harness.triage.finding import Finding
from eagerdiff.harness.triage.signature import FailureSignature, Kind, failures, kind, shows

LAST_FIRST = 1
"""The last batch that begins with an operator's first workloads: a check begins with it, a campaign with 0."""
_GOLDEN = (5**0.5 - 1) / 2
"""Multiples of it, without their whole parts, are spread evenly between 0 and 1."""
_OTHER_THAN_THE_SMALLEST = st.integers(0, 2**32 - 1)
"""Drawn first in each example: where an example has to differ from the smallest, which was run before it."""


class Stopped(BaseException):
    """Leave a search at once; what has been found so far is kept."""


class _Paused(BaseException):
    """Leave the generating of examples; the batch is taken up again later."""


class _Failing(Exception):
    """Tell Hypothesis that an example fails."""


class _Found(BaseException):
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
class Batch:
    """Name some examples for one operator, implementation and device; equal batches draw equal examples everywhere."""

    operator: Operator
    implementation: Implementation
    device: str
    index: int = 0
    campaign_seed: int = 0
    examples: int = 20
    max_cases: int = MOST_CALLS

    @property
    def seed(self) -> int:
        """Of all that is drawn, from the names and the numbers alone."""
        return self._seed_of()

    def _seed_of(self, *example: int) -> int:
        names = (self.operator.name, self.implementation.name, self.device, self.index, self.campaign_seed, *example)
        return int.from_bytes(hashlib.sha256("|".join(map(str, names)).encode()).digest()[:8])

    def _in_turn(self, example: int) -> tuple[Operator, str, bool]:
        """Return the operator, drawing of the entry of its table whose turn it is; that, and if it is its first turn.

        Each implementation goes through the same shuffled entries from a place of its own, and the next campaign's
        seed moves it on; the places of both are spread evenly, however many there are (Weyl, 1916), so that together
        they have soon met all, and a night begins where the last one did not.
        """
        table = self.operator.drawing.table
        entries = list(table.entries()) if table is not None else []
        if table is None or not entries:
            return self.operator, "", self.index == 0
        random.Random(0).shuffle(entries)
        names = [one.name for one in self.operator.implementations]
        place = names.index(self.implementation.name) if self.implementation.name in names else len(names)
        first = int((place + self.campaign_seed) * _GOLDEN % 1 * len(entries))
        turn = self.index * self.examples + example
        entry = entries[(first + turn) % len(entries)]
        return replace(self.operator, cases=lambda: table.cases(entry)), entry, turn < len(entries)

    def _name(self, entry: str, least: int, most: int) -> str:
        """Return the name of a strategy: equal choices draw equal workloads under equal names."""
        return "|".join(map(str, (self.operator.name, self.implementation.name, self.device, entry, least, most)))

    def _first(self, unsupported: list[str]) -> Iterator[Workload]:
        """Return what is run before anything is drawn, each without the calls that are not supported."""
        if self.index > LAST_FIRST:
            return
        for workload in self.operator.drawing.first:
            supports = self.implementation.unsupported
            cases = tuple(case for case in workload.cases if fits(case, self.operator, supports, unsupported))
            if cases:
                yield Workload(cases)

    def _calls(self, example: int) -> tuple[int, int]:
        """Return the calls of the shortest and of the longest workload.

        An implementation's very first workloads have three: a night that runs one of each must be able to pay for it.
        Longest are fewer calls where other static fields teach more than other sizes: of hand-written kernels, and in
        three workloads of four of an operator that explores cases with a structure.
        """
        if self.index == 0 and example < FIRST_EXAMPLES:
            calls = min(FIRST_CALLS, self.max_cases)
            return calls, calls
        most = MOST_CALLS
        drawing = self.operator.drawing
        if drawing.exploratory and drawing.shrinks_itself and self._seed_of(example) % 4:
            most = FEW_CALLS
        elif self.implementation.hand_written:
            most = {"interpreted": FEW_CALLS, "host": SOME_CALLS}.get(self.device, MOST_CALLS)
        return 1, min(self.max_cases, most)

    def explore(
        self,
        run: Callable[[Workload], Outcome],
        claim: Callable[[Finding], Ours | bool] = lambda finding: True,
        going: Callable[[], bool] = lambda: True,
        shrinking: Shrinking | None = None,
        known: Examples | None = None,
    ) -> Report:
        """Draw and run workloads until one fails in a way that `claim` calls new, and shrink that one.

        Of `known` examples those that failed before are run first, on top of what is drawn; what fails joins them.

        `run` gives the outcome of a workload, and the same outcome for the same workload; it may raise Stopped.
        Drawing pauses when `going()` says no; shrinking goes on to its own bounds (`runs` of 0: none).
        """
        forget_local_constants()
        hunt = _Hunt(self, run, claim, going, shrinking or Shrinking())
        reused: set[str] = set()

        def check(drawn: tuple[int, Draw]) -> None:
            if hunt.fails(drawn[1]):
                raise _Found if self.operator.drawing.shrinks_itself else _Failing

        try:
            if any(hunt.fails_first(workload) for workload in self._first(hunt.report.unsupported)):
                raise _Found
            for example in range(self.examples):
                # Each by itself: Hypothesis follows every example with up to five that it makes by copying parts of
                # that one, which mostly have its program. Two a run, for the first is always the smallest; and what is
                # drawn first in the second is never what it was in the first.
                least, most = self._calls(example)
                operator, entry, is_first = self._in_turn(example)
                found = draws(operator, self.implementation, min_cases=least, max_cases=most)
                # Settings come after the seed, which takes the database away from those that it meets.
                drawn = given(st.tuples(_OTHER_THAN_THE_SMALLEST, found))
                name = self._name(entry, least, most)
                kept = hunt.lend(known, name)
                if kept is not None and is_first and name not in reused:
                    reused.add(name)
                    hunt.begin(drawn=True)
                    with contextlib.suppress(SkipTest):  # so Hypothesis says that there were none
                        reuse_settings(MOST, kept)(seed(self._seed_of(example))(drawn(check)))()
                hunt.begin(drawn=False)
                search_settings(2, kept)(seed(self._seed_of(example))(drawn(check)))()
        except (_Failing, _Found, _Paused, Stopped, Flaky) as end:
            hunt.report.finished = not isinstance(end, _Paused | Stopped)
            if isinstance(end, Flaky) and hunt.report.finding is None:  # nothing failed, so drawing did
                hunt.report.broken = f"drawing raised once, and not again: {in_one_line(end)}"
            hunt.conclude(stopped=isinstance(end, Stopped))
        except BrokenPredicate as error:
            hunt.report.broken = str(error)
        except (Exception, SystemExit) as error:  # noqa: BLE001  a strategy broke: one line for the report
            hunt.report.broken = f"drawing raised {in_one_line(error)}"
        else:
            hunt.report.finished = True
        hunt.report.problem = known.problem if known else ""
        return hunt.report


def finding(batch: Batch, verdict: Verdict, workload: Workload) -> Finding:
    """Make a finding of a failing verdict, not shrunk yet."""
    listing = batch.operator.showing.listing
    return Finding(
        operator=batch.operator.name,
        implementation=batch.implementation.name,
        identity=batch.implementation.identity,
        device=batch.device,
        verdict=verdict,
        workload=workload.to_data(),
        about=batch.operator.showing.about_of(workload),
        source=listing(workload.cases[0]) if listing else "",
        seed=batch.seed,
    )


@dataclass(frozen=True)
class _Met:
    """Hold a workload that fails, and how."""

    workload: Workload
    finding: Finding


class _Hunt:
    """Hold the state of one exploration: first looking for a failure, then making it smaller."""

    def __init__(
        self,
        batch: Batch,
        run: Callable[[Workload], Outcome],
        claim: Callable[[Finding], Ours | bool],
        going: Callable[[], bool],
        shrinking: Shrinking,
    ) -> None:
        self.report = Report()
        self._batch = batch
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
            raise _Paused
        if not self._drawn:
            self._drawn = True
            return False
        self.report.unsupported += draw.unsupported
        return draw.workload is not None and self._fails_anew(draw.workload)

    def fails_first(self, workload: Workload) -> bool:
        """Return whether a workload that was not drawn fails in a way that is new."""
        if not self._going():
            raise _Paused
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
        except _Paused:
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
                if not self._batch.operator.drawing.shrinks_itself:
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
            raise _Paused  # the best so far stands
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
        simpler, self._simplifying = self._batch.operator.drawing.simpler, True
        while simpler is not None and self._best is not None:
            candidates = (other for other in simpler(self._best) if self._supported(other))
            if not any(other.digest not in self._known and self._fails_alike(other) for other in candidates):
                return

    def _supported(self, workload: Workload) -> bool:
        try:
            return all(
                fits(case, self._batch.operator, self._batch.implementation.unsupported, []) for case in workload.cases
            )
        except BrokenPredicate as error:
            self.report.broken = str(error)  # said; the finding as it is so far stands
            return False

    def _finding(self, verdict: Verdict, workload: Workload) -> Finding:
        return finding(self._batch, verdict, workload)


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
