"""A batch: a few examples from one seed, searched until something new fails, which is then shrunk."""

import contextlib
import hashlib
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from unittest import SkipTest

from hypothesis import given, seed
from hypothesis import strategies as st
from hypothesis.errors import Flaky

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
from eagerdiff.harness.search.hunt import Failing, Found, Hunt, Ours, Paused, Report, Shrinking, Stopped
from eagerdiff.harness.search.settings import reuse_settings, search_settings
from eagerdiff.harness.triage.finding import Finding

LAST_FIRST = 1
"""The last batch that begins with an operator's first workloads: a check begins with it, a campaign with 0."""
_GOLDEN = (5**0.5 - 1) / 2
"""Multiples of it, without their whole parts, are spread evenly between 0 and 1."""
_OTHER_THAN_THE_SMALLEST = st.integers(0, 2**32 - 1)
"""Drawn first in each example: where an example has to differ from the smallest, which was run before it."""


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
        """Return the operator, drawing of the entry of its table whose turn it is, that, and if that is its first."""
        table = self.operator.drawing.table
        entries = self._entries
        if table is None or not entries:
            return self.operator, "", self.index == 0
        turn = self.index * self.examples + example
        entry = entries[turn % len(entries)]
        return replace(self.operator, cases=lambda: table.cases(entry)), entry, turn < len(entries)

    @cached_property
    def _entries(self) -> list[str]:
        """The entries of its operator's table in the order in which this implementation takes them; none without one.

        All go through the same shuffled entries, back ends from places that are spread evenly, and so are nights by
        their seeds, however many there are (Weyl, 1916): a night begins where the last did not. Ways of a back end
        have a part each: together they have met all once each of them has met its part. From there it goes on with
        what the way before it would meet last, and ends with what it lacks.
        """
        table = self.operator.drawing.table
        if table is None:
            return []
        there = [one for one in self.operator.implementations if one.runs_on(self.device)]
        groups = list(dict.fromkeys(one.group for one in there))
        ways = [one for one in there if one.group == self.implementation.group]
        if self.implementation.name not in [one.name for one in ways]:
            ways = [self.implementation]
        at = groups.index(self.implementation.group) if self.implementation.group in groups else len(groups)
        entries = list(table.entries())
        random.Random(0).shuffle(entries)
        first = int((at + self.campaign_seed) * _GOLDEN % 1 * len(entries))
        parts: dict[str, list[str]] = {one.name: [] for one in ways}
        for entry in entries[first:] + entries[:first]:
            having = [one.name for one in ways if one.lacks(entry) is None] or list(parts)
            min((parts[name] for name in having), key=len).append(entry)
        names = list(parts)
        place = names.index(self.implementation.name)
        before = [entry for name in (names[place:] + names[:place])[:0:-1] for entry in reversed(parts[name])]
        lacks = self.implementation.lacks
        return [*parts[self.implementation.name], *sorted(before, key=lambda entry: lacks(entry) is not None)]

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
        hunt = Hunt(self.operator, self.implementation, self._finding, run, claim, going, shrinking or Shrinking())
        reused: set[str] = set()

        def check(drawn: tuple[int, Draw]) -> None:
            if hunt.fails(drawn[1]):
                raise Found if self.operator.drawing.shrinks_itself else Failing

        try:
            if any(hunt.fails_first(workload) for workload in self._first(hunt.report.unsupported)):
                raise Found
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
        except (Failing, Found, Paused, Stopped, Flaky) as end:
            hunt.report.finished = not isinstance(end, Paused | Stopped)
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

    def _finding(self, verdict: Verdict, workload: Workload) -> Finding:
        """Make a finding of a failing verdict, not shrunk yet."""
        listing = self.operator.showing.listing
        return Finding(
            operator=self.operator.name,
            implementation=self.implementation.name,
            identity=self.implementation.identity,
            device=self.device,
            verdict=verdict,
            workload=workload.to_data(),
            about=self.operator.showing.about_of(workload),
            source=listing(workload.cases[0]) if listing else "",
            seed=self.seed,
        )
