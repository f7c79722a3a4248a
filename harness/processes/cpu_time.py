"""CPU time: what a process and all that it started have used, and whether any of them waits for a core."""

import contextlib
import itertools
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from eagerdiff.harness.processes.kinship import children

_TICK = 1 / os.sysconf("SC_CLK_TCK")
_STATE, _USED = 0, slice(11, 15)
"""Where `/proc/PID/stat` has the state, and user and system time of a process and of its children that have ended, in
ticks, counted from behind the command's name."""


@dataclass(frozen=True)
class CpuUsage:
    """Say what a tree of processes has used."""

    seconds: float
    """CPU seconds, those of children that have ended included."""
    busy: bool
    """Whether a thread runs, or would if a core were free."""


def cpu_usage(*pids: int) -> CpuUsage:
    """Return what processes and their descendants have used so far; nothing of one that is gone."""
    ticks, busy = 0, False
    for process in itertools.chain.from_iterable(map(_tree, pids)):
        with contextlib.suppress(OSError):
            ticks += sum(map(int, _stat(Path(f"/proc/{process}/stat"))[_USED]))
            busy = busy or any(_stat(task / "stat")[_STATE] == "R" for task in _tasks(process))
    return CpuUsage(ticks * _TICK, busy)


def _tree(pid: int) -> Iterator[int]:
    """Return a process and its descendants."""
    yield pid
    for child in children(pid):
        yield from _tree(child)


def _tasks(pid: int) -> list[Path]:
    try:
        return list(Path(f"/proc/{pid}/task").iterdir())
    except OSError:
        return []


def _stat(path: Path) -> list[str]:
    return path.read_text().rpartition(")")[2].split()
