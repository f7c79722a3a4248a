"""Calibration: how much slower a core is just now than the one for which limits are meant."""

import time

LOOPS = 200_000
LOOP_SECONDS = 0.04
"""CPU seconds that the work takes on a core that shares nothing with another: the unit of all limits in CPU seconds.

A core whose other hardware thread, cache or memory bus is busy needs more for the same work.
"""


def slowness() -> float:
    """Return how many times as much CPU time as on that core a fixed piece of work takes here and now, 1 at least."""
    began = time.thread_time()
    _work()
    return max(1.0, (time.thread_time() - began) / LOOP_SECONDS)


def _work() -> int:
    """Do what a compiler in Python does: make small objects, look them up, add them up."""
    met: dict[tuple[int, int], int] = {}
    for number in range(LOOPS):
        key = (number % 97, number % 89)
        met[key] = met.get(key, 0) + number
    return sum(met.values())
