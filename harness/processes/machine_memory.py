"""The machine's memory: what is there to be shared by processes that run at the same time."""

import contextlib
import re
from collections.abc import Sequence
from pathlib import Path

from eagerdiff.harness.processes.exhaustion import control_groups

MEMINFO = Path("/proc/meminfo")
_AVAILABLE = re.compile(r"^MemAvailable:\s+(\d+) kB$", re.MULTILINE)
_FILES = (("memory.max", "memory.current"), ("memory.limit_in_bytes", "memory.usage_in_bytes"))
"""Where a control group says what it may use, and what it does: of version 2, and of version 1."""
_CACHE = re.compile(r"^(?:total_)?inactive_file (\d+)$", re.MULTILINE)


def available_memory() -> int | None:
    """Return the bytes that can be had without swapping, our control groups' limits included; None where unknown."""
    found = [_of_machine(), *(_of_group(folder) for folder in control_groups())]
    return min((size for size in found if size is not None), default=None)


def _of_machine() -> int | None:
    with contextlib.suppress(OSError):
        if told := _AVAILABLE.search(MEMINFO.read_text()):
            return int(told[1]) * 1024
    return None


def _of_group(folder: Path) -> int | None:
    """Return what a control group leaves: what holds files that can be read again does not count as used."""
    for limit, used in _FILES:
        with contextlib.suppress(OSError, ValueError):  # "max" is no number: then there is no limit
            room = int((folder / limit).read_text()) - int((folder / used).read_text())
            return max(0, room + _cached(folder))
    return None


def _cached(folder: Path) -> int:
    sizes: Sequence[str] = _CACHE.findall((folder / "memory.stat").read_text())
    return max(map(int, sizes), default=0)
