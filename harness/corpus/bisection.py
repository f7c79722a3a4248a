"""Bisection: with which release a defect came, or went, in as few runs as it takes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from eagerdiff.harness.corpus.interpreters import Ending, State


class BisectionError(ValueError):
    """Say in one line why there is nothing to bisect."""


@dataclass(frozen=True)
class Bisection:
    """Say between which two releases a script turned; those in between, if any, could not tell."""

    tried: dict[str, Ending]
    """Release → what the script said there, in the order of the releases."""
    last: str
    """The last release that is as the first one was."""
    first: str
    """The first that is as the last one is."""

    @property
    def came(self) -> bool:
        """Whether the defect came; else it went."""
        return self.tried[self.first].state is State.PRESENT

    def __str__(self) -> str:
        """Write it for a person, in one line."""
        now, before = ("bad", "good") if self.came else ("good", "bad")
        turned = f"first {now} {self.first}, last {before} {self.last}"
        between = list(self.tried)
        silent = between[between.index(self.last) + 1 : between.index(self.first)]
        return turned + (f"; no answer from {', '.join(silent)}" if silent else "")


def bisect(releases: Sequence[str], ask: Callable[[str], Ending]) -> Bisection:
    """Find where a script turns among releases, the earliest first; each is asked once at most.

    One that has no answer (it cannot be installed, or lacks what the script uses) is passed over, as `git bisect skip`
    does. Raises BisectionError where the first and the last say the same, or one of them has no answer.
    """
    tried: dict[int, Ending] = {}

    def state(place: int) -> State:
        if place not in tried:
            tried[place] = ask(releases[place])
        return tried[place].state

    if len(releases) < 2:
        raise BisectionError("there are fewer than two releases to choose from")
    low, high = 0, len(releases) - 1
    for place in (low, high):
        if state(place) is State.OTHER:
            raise BisectionError(f"{releases[place]} has no answer: {tried[place].why or 'the script did not end'}")
    if state(low) is state(high):
        raise BisectionError(f"{releases[low]} and {releases[high]} say the same: {state(low).value}")
    while (place := _between(low, high, tried)) is not None:
        if state(place) is state(low):
            low = place
        elif state(place) is state(high):
            high = place
    return Bisection({releases[place]: tried[place] for place in sorted(tried)}, releases[low], releases[high])


def _between(low: int, high: int, tried: dict[int, Ending]) -> int | None:
    """Return the place nearest to the middle of two that was not tried; None where there is none."""
    left = [place for place in range(low + 1, high) if place not in tried]
    return min(left, key=lambda place: abs(2 * place - low - high), default=None)
