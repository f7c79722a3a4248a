"""Shift: whether one side's times differ from another's, by more than each side differs from itself."""

import math
import random
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

FLOOR = 0.02
"""A difference of less than this share is the same: where code lies in memory makes as much."""
RESAMPLES = 1000
CONFIDENCE = 0.99


class Change(StrEnum):
    """Say how what came after compares with what was before."""

    FASTER = "faster"
    SLOWER = "slower"
    SAME = "same"
    NOISY = "too noisy to tell"


@dataclass(frozen=True)
class Shift:
    """Hold by which share times have changed."""

    share: float
    """Above 0: more time."""
    low: float
    high: float
    """Bounds of a bootstrap interval (Efron, 1979)."""
    threshold: float
    """What two processes of one side differ by in the same rounds, and FLOOR at least."""

    @property
    def change(self) -> Change:
        """Tell it: the whole interval lies beyond the threshold, or within it; else one cannot tell."""
        if self.low > self.threshold:
            return Change.SLOWER
        if self.high < -self.threshold:
            return Change.FASTER
        return Change.SAME if self.low > -2 * FLOOR and self.high < 2 * FLOOR else Change.NOISY


def shift_of(before: Sequence[Sequence[float]], after: Sequence[Sequence[float]]) -> Shift:
    """Compare the times of two processes before with those of two after, all in turn: a sequence each, a time a round.

    Of each round the logarithms are compared, so that what slows the machine for a while slows all four. Raises
    ValueError for fewer than two processes a side, or three rounds.
    """
    if len(before) < 2 or len(after) < 2 or min(map(len, (*before, *after))) < 3:
        raise ValueError("two processes of each side are needed, and three rounds")
    rounds = list(zip(*(map(math.log, times) for times in (*before, *after)), strict=True))
    split = len(before)
    shifts = [statistics.fmean(one[split:]) - statistics.fmean(one[:split]) for one in rounds]
    own = [abs(statistics.median(one[at] - one[at + 1] for one in rounds)) for at in (0, split)]
    generator = random.Random(0)
    medians = sorted(statistics.median(generator.choices(shifts, k=len(shifts))) for _ in range(RESAMPLES))
    tail = round(RESAMPLES * (1 - CONFIDENCE) / 2)
    shares = (statistics.median(shifts), medians[tail], medians[-1 - tail])
    return Shift(*(math.expm1(one) for one in shares), threshold=max(FLOOR, *map(math.expm1, own)))
