"""Two calls held against each other by CPU time, interleaved, with the noise of one against itself as the limit."""

import os
import statistics
from collections.abc import Callable
from dataclasses import dataclass

Call = Callable[[], object]
Clock = Callable[[], float]


@dataclass(frozen=True)
class Comparison:
    """Say how one call compares with another that does the same."""

    ratio: float
    """Median over the rounds of its CPU time by the other's."""
    limit: float
    """The largest ratio, either way, of the other's own two samples of a round."""

    @property
    def slower(self) -> bool:
        """Whether it is slower by more than the noise: the median of the rounds lies beyond the worst of the noise."""
        return self.ratio > self.limit


def cpu_seconds() -> float:
    """Return the CPU seconds of this process and of its children that have ended: a compiler's, too."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


def compare(call: Call, other: Call, *, rounds: int = 15, repeats: int = 1, clock: Clock = cpu_seconds) -> Comparison:
    """Run A, B, A in each of some rounds, A being the other call, each `repeats` times; both have run before.

    CPU time does not see whether cores wait; a call that falls from parallel to serial shows in wall-clock time alone
    (`clock=time.perf_counter`, on an idle machine). Raises ValueError where a sample is shorter than the clock's grain.
    """
    ratios: list[float] = []
    noise: list[float] = []
    for _ in range(rounds):
        before, own, after = (_seconds(one, repeats, clock) for one in (other, call, other))
        if min(before, own, after) <= 0:
            raise ValueError("a sample is shorter than the clock's grain: ask for more repeats")
        ratios.append(own / before)
        noise.append(max(before, after) / min(before, after))
    return Comparison(statistics.median(ratios), max(noise))


def _seconds(call: Call, repeats: int, clock: Clock) -> float:
    start = clock()
    for _ in range(repeats):
        call()
    return clock() - start
