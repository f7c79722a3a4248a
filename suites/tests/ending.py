"""Whether processes end: a killed one takes a moment to go, and a dead one that nobody waited for stays a zombie."""

import time
from collections.abc import Callable, Iterable
from pathlib import Path


def alive(pid: int) -> bool:
    """Whether a process runs still."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def end_soon(pids: Iterable[int], seconds: float = 5.0) -> bool:
    """Whether all processes end within some seconds."""
    pids = list(pids)
    return soon(lambda: not any(map(alive, pids)), seconds)


def soon(true: Callable[[], bool], seconds: float = 60.0) -> bool:
    """Whether something becomes true within some seconds."""
    deadline = time.monotonic() + seconds
    while not true():
        if time.monotonic() >= deadline:
            return False
        time.sleep(0.02)
    return True
