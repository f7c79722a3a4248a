"""Two sides held against each other, subject after subject: what is counted exactly, what is timed in turns."""

import contextlib
from collections import Counter
from collections.abc import Callable, Sequence
from statistics import median_high

from pydantic import BaseModel

from eagerdiff.harness.benchmark.figures import FIGURES, Measured
from eagerdiff.harness.benchmark.shift import Change, Shift, shift_of
from eagerdiff.harness.benchmark.side import Measurer, Side, SideError

ROUNDS = 40
TIME = "microseconds"


class Difference(BaseModel, extra="forbid"):
    """Say how one figure of one subject compares."""

    subject: str
    figure: str
    before: float
    after: float
    change: Change
    low: float | None = None
    """Bounds of the change of a time, as shares."""
    high: float | None = None
    reasons: list[str] = []
    """Why there are compilations that were not there before."""

    @property
    def word(self) -> str:
        """Tell the change of a count as a count's."""
        if self.low is None:
            return {Change.SLOWER: "more", Change.FASTER: "less"}.get(self.change, self.change.value)
        return self.change.value

    @property
    def share(self) -> float:
        """By which share it has changed."""
        return self.after / self.before - 1 if self.before else float("inf") if self.after else 0.0


class Comparison(BaseModel, extra="forbid"):
    """Hold all that was compared."""

    before: str
    after: str
    differences: list[Difference] = []
    unmeasured: dict[str, str] = {}
    """Subject → why neither or one side gives figures."""

    @property
    def changed(self) -> list[Difference]:
        """Return what is not the same, or cannot be told."""
        return [one for one in self.differences if one.change is not Change.SAME]

    @property
    def slower(self) -> list[Difference]:
        """Return what needs more than before."""
        return [one for one in self.differences if one.change is Change.SLOWER]


def compare(
    before: Side,
    after: Side,
    subjects: Sequence[str],
    start: Callable[[Side], Measurer],
    *,
    rounds: int = ROUNDS,
    times: bool = True,
    done: Callable[[], None] = lambda: None,
) -> Comparison:
    """Compare subjects by name; `start` gives a process for a side, `done` is called after each subject.

    A time that has changed is measured again with other processes, which must say the same. Raises SideError where a
    side cannot be measured at all.
    """
    found = Comparison(before=before.label, after=after.label)
    with contextlib.ExitStack() as stack:
        wanted = (before, before, after, after) if times else (before, after)
        sides = [stack.enter_context(start(side)) for side in wanted]
        for name in subjects:
            try:
                old, new = (
                    Measured.model_validate(one.ask(do="figures", subject=one.side.subject(name)))
                    for one in (sides[0], sides[-1])
                )
                found.differences += _counted(name, old, new)
                if times and "operations" in old.figures:
                    refused = sorted({*old.refused, *new.refused})  # a pass is the same calls on both sides
                    found.differences.append(_timed(name, sides, start, rounds, refused))
            except SideError as error:
                found.unmeasured[name] = str(error)
            done()
    return found


def _counted(name: str, before: Measured, after: Measured) -> list[Difference]:
    """Compare what both sides count; where there are more compilations, say why those were made that are new."""
    fresh = list((Counter(after.reasons) - Counter(before.reasons)).elements())
    found: list[Difference] = []
    for figure, kind in FIGURES.items():
        if kind.gate is None or figure not in before.figures or figure not in after.figures:
            continue
        old, new = before.figures[figure], after.figures[figure]
        change = Change.SAME
        if abs(new - old) > kind.gate * old:
            change = Change.SLOWER if new > old else Change.FASTER
        reasons = [one for one in fresh if one.startswith(f"{figure} ")] if change is Change.SLOWER else []
        found.append(Difference(subject=name, figure=figure, before=old, after=new, change=change, reasons=reasons))
    return found


def _timed(
    name: str, sides: Sequence[Measurer], start: Callable[[Side], Measurer], rounds: int, refused: Sequence[int]
) -> Difference:
    found, medians = _sampled(name, sides, rounds, refused)
    change = found.change
    if found.change in (Change.SLOWER, Change.FASTER):
        with contextlib.ExitStack() as stack:
            again, _ = _sampled(name, [stack.enter_context(start(one.side)) for one in sides], rounds, refused)
        change = confirmed(found.change, again.change)
    return Difference(
        subject=name,
        figure=TIME,
        before=1e6 * medians[0],
        after=1e6 * medians[1],
        change=change,
        low=found.low,
        high=found.high,
    )


def confirmed(first: Change, again: Change) -> Change:
    """Return what two measurements say together: a change where both say so, else nothing certain, or the same."""
    return first if again is first else Change.SAME if again is Change.SAME else Change.NOISY


def _sampled(
    name: str, sides: Sequence[Measurer], rounds: int, refused: Sequence[int]
) -> tuple[Shift, tuple[float, float]]:
    """Sample all processes in turn, in another order each round."""
    times: list[list[float]] = [[] for _ in sides]
    with contextlib.ExitStack() as stack:
        # What one side repeats, all do.
        passes, *_ = [stack.enter_context(one.sampling(name, refused)) for one in sides]
        for number in range(rounds):
            for at in range(len(sides)):
                place = (at + number) % len(sides) if number % 2 else (number - at) % len(sides)
                times[place].append(sides[place].ask(do="sample", passes=passes)["seconds"])
    half = len(sides) // 2
    before, after = times[:half], times[half:]
    return shift_of(before, after), (min(map(median_high, before)), min(map(median_high, after)))
