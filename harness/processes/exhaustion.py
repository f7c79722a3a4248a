"""Exhaustion: the evidence that the system itself killed a process for want of memory."""

import contextlib
import functools
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

_KILLS = re.compile(r"^oom_kill (\d+)$", re.MULTILINE)
_CGROUPS = Path("/sys/fs/cgroup")


def memory_kills() -> int:
    """Return how many processes the machine and our control group have killed for want of memory since they began."""
    return sum(map(_count, (Path("/proc/vmstat"), *_of_group("memory.events", "memory.oom_control"))))


def _of_group(*names: str) -> Iterator[Path]:
    """Return the files of our control group that have one of some names: of version 2, or of version 1."""
    for folder in control_groups():
        yield from (folder / name for name in names if (folder / name).is_file())


@functools.cache
def control_groups() -> Sequence[Path]:
    """Return the folders of the control groups that bound our memory, from our own up to the outermost."""
    found: list[Path] = []
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/cgroup").read_text().splitlines():
            _, controllers, path = line.split(":", 2)
            if controllers in ("", "memory"):
                root = _CGROUPS / controllers
                place = root / path.lstrip("/")
                found += [one for one in (place, *place.parents) if one == root or root in one.parents]
    return found


def _count(path: Path) -> int:
    with contextlib.suppress(OSError):
        return sum(map(int, _KILLS.findall(path.read_text())))
    return 0
