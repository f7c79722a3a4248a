"""A claim: what somebody says of a compiler or a cache, and how that is measured here."""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from eagerdiff import Metric, cpu_seconds


@dataclass(frozen=True)
class Claim:
    """State a claim. `measure` runs in a process of its own, with one thread."""

    name: str
    says: str
    """What is claimed, with its figure."""
    source: str
    """Where it stands."""
    measure: Callable[[], Iterable[Metric]]
    """Take the figures."""
    answer: tuple[str, ...]
    """Which of them answer the claim, of those that are about the same as the first: their `by`."""
    twin: str = ""
    """Where the claim is of a GPU: what is counted in its place."""

    def answers(self, metrics: Sequence[Metric]) -> list[Metric]:
        """Return those of the figures that answer the claim, in its order."""
        return [one for by in self.answer for one in metrics if (one.what, one.by) == (metrics[0].what, by)]


def seconds_of(work: Callable[[], object]) -> float:
    """Return the CPU seconds that work takes, once."""
    start = cpu_seconds()
    work()
    return cpu_seconds() - start


def microseconds(
    *ways: Callable[[], object], rounds: int = 15, passes: int = 20, clock: Callable[[], float] = time.process_time
) -> list[float]:
    """Return what a call of each way takes at the median; they take turns: what the machine does, it does to all.

    `clock` gives seconds: by default CPU time.
    """
    for way in ways:
        way()
    taken: list[list[float]] = [[] for _ in ways]
    for _ in range(rounds):
        for times, way in zip(taken, ways, strict=True):
            start = clock()
            for _ in range(passes):
                way()
            times.append((clock() - start) / passes * 1e6)
    return [median(times) for times in taken]
