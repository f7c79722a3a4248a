"""Bounds: how much of a stranger's file is read, and what is no data at all."""

import math
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, cast

MIB = 1 << 20
DIGITS = 80
"""Most digits of a whole number: seeds have 19."""


class Unreadable(ValueError):
    """Say what is wrong with a file or a text, as what follows its name in a line: `is larger than 8 MiB`."""

    def __init__(self, what: str) -> None:
        super().__init__(" ".join(what.split()))


@dataclass(frozen=True, kw_only=True)
class Bounds:
    """Bound what one file may hold, and take to be read."""

    size: int
    """Bytes."""
    nodes: int
    """Values of any kind, names of fields included."""
    depth: int = 64
    """Lists and mappings in one another."""
    seconds: float = 60.0
    """CPU seconds of the thread that reads."""
    nonfinite: bool = False
    """Whether numbers may be infinite, or none."""
    aliases: bool = False
    """Whether a text that stands in several places may be written once, as YAML's anchors and aliases do."""


CASE = Bounds(size=MIB, nodes=100_000, nonfinite=True)
"""A case or a workload, as `eagerdiff show` reads it."""
CORPUS = Bounds(size=8 * MIB, nodes=1_000_000, nonfinite=True)
FAULTS = Bounds(size=4 * MIB, nodes=100_000, aliases=True)
RECORD = Bounds(size=16 * MIB, nodes=1_000_000)
"""A comparison with baseline suites, beside the faults."""
TURNS = Bounds(size=16 * MIB, nodes=1_000_000)
REPORT = Bounds(size=64 * MIB, nodes=4_000_000)
LINE = Bounds(size=16 * MIB, nodes=1_000_000, nonfinite=True)
"""One line of a journal."""
ANSWER = Bounds(size=32 * MIB, nodes=1_000_000)
"""What a forge answers: a hundred issues with what they say, at most."""
ISSUES = Bounds(size=256 * MIB, nodes=4_000_000)
"""Public issues, with what they say, as `gh issue list` prints them."""
HISTORY = Bounds(size=256 * MIB, nodes=1)
"""All nights; each is a line."""
SOURCE = Bounds(size=4 * MIB, nodes=1)
"""A script, or a file that a fault spoils."""


def in_words(size: int) -> str:
    """Write a bound in bytes for a person."""
    return f"{size // MIB} MiB" if size >= MIB else f"{size} bytes"


@dataclass
class Watch:
    """Count while something is read; raise Unreadable where a bound is passed."""

    bounds: Bounds
    nodes: int = 0
    began: float = field(default_factory=time.thread_time)

    def count(self, depth: int) -> None:
        """Count one value at a depth."""
        self.nodes += 1
        if depth > self.bounds.depth:
            raise Unreadable(f"nests deeper than {self.bounds.depth} levels")
        if self.nodes > self.bounds.nodes:
            raise Unreadable(f"holds more than {self.bounds.nodes:,} values")
        if self.nodes % 4096 == 0 and time.thread_time() - self.began > self.bounds.seconds:
            raise Unreadable(f"takes more than {self.bounds.seconds:g} s to read")


def checked(data: Any, bounds: Bounds) -> Any:
    """Return data as it was parsed; raise Unreadable for what is too deep, too much, or no data that can be written."""
    watch = Watch(bounds)
    levels: list[Iterator[Any]] = [iter((data,))]
    while levels:  # with a stack of its own: what is too deep must not end the process
        value = next(levels[-1], levels)
        if value is levels:
            levels.pop()
            continue
        watch.count(len(levels) - 1)
        check_value(value, bounds)
        if isinstance(value, dict | list):
            levels.append(iter(_inside(value)))
    return data


def _inside(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return (item for pair in cast(dict[Any, Any], value).items() for item in pair)
    return cast(list[Any], value)


def check_value(value: Any, bounds: Bounds) -> None:
    """Raise Unreadable for a text or a number that is no data which can be written."""
    if isinstance(value, str):
        if not value.isascii() and any("\ud800" <= letter <= "\udfff" for letter in value):
            raise Unreadable("holds half a character (a lone surrogate)")
    elif isinstance(value, int):
        if abs(value) >= 10**DIGITS:
            raise Unreadable(f"holds a whole number of more than {DIGITS} digits")
    elif isinstance(value, float) and not bounds.nonfinite and not math.isfinite(value):
        raise Unreadable("holds a number that is not finite")
