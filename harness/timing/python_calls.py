"""Calls of Python functions: work of a compiler that is counted, where the processor's own counters cannot be read."""

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any


def python_calls(run: Callable[[], object]) -> int:
    """Count the functions that are called while something runs, those written in C included, in this thread.

    A compiler of torch's is Python: the count follows what it does, and differs by a few in a million from one process
    to the next where hashes of strings are fixed. Counters of instructions need a processor that shows them: virtual
    machines mostly do not.
    """
    count = 0

    def called(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(called)
    try:
        run()
    finally:
        sys.setprofile(before)
    return count
