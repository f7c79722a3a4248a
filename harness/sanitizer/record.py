"""What the kernels of a program did wrong: told once for each place, kind and argument."""

import sys
from dataclasses import dataclass
from typing import Any, Literal

from eagerdiff.harness.devices.host.lowering import overflow
from eagerdiff.harness.devices.watch import MemoryFault, MemoryWatch
from eagerdiff.harness.report.words import plural

Kind = Literal["outside", "uninitialised", "race", "overflow", "assertion", "beyond"]
NOTED: Kind = "beyond"
"""What a program may mean to do, as one whose kernels follow strides of their own: told, and no finding."""
_NOT_THE_PROGRAM = ("triton", "eagerdiff", "torch")
"""Packages whose frames a launch is not told by."""


@dataclass
class Seen:
    """Describe one thing that is wrong with a kernel, and how often it was met."""

    kind: Kind
    kernel: str
    line: str
    """`file:line` in the kernel."""
    what: str
    """The access and its argument, or what was asserted."""
    example: str
    """The first that was met: which element, which programs."""
    launched: str
    """`file:line` of the program that launched it then."""
    launches: int = 1
    lanes: int = 0

    @property
    def key(self) -> tuple[str, ...]:
        """What it is told once by."""
        return self.kind, self.kernel, self.line, self.what

    def describe(self) -> str:
        """Return two lines."""
        times = plural(self.launches, "launch", "es")
        lanes = f"{self.lanes} lanes in {times}" if self.lanes > 1 else times
        return (
            f"{self.kind}: {self.what} in `{self.kernel}` at {self.line}\n  {self.example}; {lanes}, at {self.launched}"
        )


class Record(MemoryWatch):
    """Keep what was seen, however much it is."""

    def __init__(self, shuffle_seed: int = 0) -> None:
        super().__init__(shuffle_seed)
        self.seen: dict[tuple[str, ...], Seen] = {}

    def report(self, fault: MemoryFault) -> None:
        """Keep a fault, or count it."""
        first = f"first: {fault.where}"
        self._keep(Seen(fault.wrong, fault.kernel, fault.line, fault.what, first, _launched(), lanes=fault.lanes))

    def goes_on(self, kernel: str, message: str, line: str, program: tuple[int, int, int]) -> bool:
        """Keep an assertion that failed; an overflow ends nothing."""
        overflows = overflow.MESSAGE in message
        kind: Kind = "overflow" if overflows else "assertion"
        what = message.replace(overflow.MESSAGE, "wraps around in") if overflows else f"assertion fails: {message}"
        self._keep(Seen(kind, kernel, line, what, f"first: program {program}", _launched()))
        return overflows

    @property
    def findings(self) -> list[Seen]:
        """What is wrong."""
        return [one for one in self.seen.values() if one.kind != NOTED]

    @property
    def notes(self) -> list[Seen]:
        """What may be meant."""
        return [one for one in self.seen.values() if one.kind == NOTED]

    def counts(self) -> dict[tuple[str, ...], int]:
        """Return how often each thing was seen so far."""
        return {key: one.launches for key, one in self.seen.items()}

    def since(self, before: dict[tuple[str, ...], int]) -> list[Seen]:
        """Return what is wrong and was seen, again or for the first time, since it was counted."""
        return [one for one in self.findings if one.launches > before.get(one.key, 0)]

    def _keep(self, new: Seen) -> None:
        known = self.seen.get(new.key)
        if known is None:
            self.seen[new.key] = new
        else:
            known.launches += 1
            known.lanes += new.lanes


def _launched() -> str:
    """Return where the program is, by its innermost frame."""
    frame: Any = sys._getframe(2)
    last = ""
    while frame is not None:
        name = frame.f_globals.get("__name__", "")
        last = f"{frame.f_code.co_filename}:{frame.f_lineno}"
        if name.partition(".")[0] not in _NOT_THE_PROGRAM:
            break
        frame = frame.f_back
    return last
