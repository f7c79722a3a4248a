"""Growth: the exponent of a cost in a size, and how much of it is noise."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Growth:
    """Say how a cost grows: as the size to the power of the exponent."""

    exponent: float
    noise: float
    """By how much the exponents of single sweeps differ: A against A."""

    def exceeds(self, exponent: float) -> bool:
        """Whether it grows faster than a size to that power, by more than the noise."""
        return self.exponent - self.noise > exponent


def growth_of(sweeps: Sequence[Mapping[int, float]], *, start: int = 1) -> Growth:
    """Fit the exponent of costs by size, a sweep a time that all sizes were measured; sizes from `start` on count.

    The cost of a size is the least of the sweeps. What does not depend on the size flattens the small ones: start where
    it no longer counts. Raises ValueError for fewer than two sweeps or sizes, or a cost that is not above 0.
    """
    if len(sweeps) < 2:
        raise ValueError("one sweep tells nothing of its noise: measure two at least")
    sizes = sorted(size for size in sweeps[0] if size >= start)
    exponents = [_slope(sizes, [sweep[size] for size in sizes]) for sweep in sweeps]
    best = _slope(sizes, [min(sweep[size] for sweep in sweeps) for size in sizes])
    return Growth(best, max(exponents) - min(exponents))


def _slope(sizes: Sequence[int], costs: Sequence[float]) -> float:
    """Return the slope of log cost over log size, by least squares."""
    if len(sizes) < 2 or min(costs) <= 0:
        raise ValueError("an exponent needs costs above 0 at two sizes at least")
    xs, ys = [math.log(size) for size in sizes], [math.log(cost) for cost in costs]
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((a - x) * (b - y) for a, b in zip(xs, ys, strict=True)) / sum((a - x) ** 2 for a in xs)
