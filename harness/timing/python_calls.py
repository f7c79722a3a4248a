"""Calls of Python functions: work of a compiler that is counted, where the processor's own counters cannot be read."""

import cProfile
from collections.abc import Callable


def python_calls(run: Callable[[], object]) -> int:
    """Count the functions that are called while something runs, those written in C included.

    A compiler of torch's is Python: the count follows what it does, and differs by a few in a million from one process
    to the next where hashes of strings are fixed. Counters of instructions need a processor that shows them: virtual
    machines mostly do not. Python 3.11 counts this thread alone, later ones all that run beside it. Raises ValueError
    where another profiler is at work (Python 3.12 and later).
    """
    profiler = cProfile.Profile()
    profiler.enable()
    try:
        run()
    finally:
        profiler.disable()
    return sum(entry.callcount for entry in profiler.getstats())
