"""What a device saw while a call ran: wild accesses, kernel launches."""

from collections import Counter
from dataclasses import dataclass, field
from math import nan
from typing import Literal

AccessKind = Literal["load", "store", "atomic"]
Wrong = Literal["outside", "uninitialised", "race", "beyond"]
"""What is wrong with an access: where it reaches, that nothing was written there, or that another program does too.

`beyond`: outside the view that was given, and within its storage; told where that is not forbidden.
"""


@dataclass(frozen=True)
class MemoryFault:
    """Describe the lanes of one access that must not be: outside every tensor the kernel was given, or see `wrong`."""

    kind: AccessKind
    kernel: str
    argument: str
    """Name of the argument that the pointer came from, or of the nearest one."""
    lanes: int
    """How many live lanes were outside."""
    offset: int
    """First wild lane, in elements from the argument's first."""
    extent: int
    """Elements from the argument's first to its last, strides included."""
    program: tuple[int, int, int] = (0, 0, 0)
    """Program ids of the instance that did it."""
    wrong: Wrong = "outside"
    other: tuple[int, int, int] | None = None
    """Of a race: the other program."""
    line: str = ""
    """`file:line` of the access, where the device knows it."""

    @property
    def what(self) -> str:
        """The access, and what is wrong with it."""
        return f"{self.kind} {self._how}"

    @property
    def _how(self) -> str:
        return {
            "outside": f"outside `{self.argument}`",
            "uninitialised": f"of `{self.argument}` that nothing has written",
            "beyond": f"beyond the view `{self.argument}`, within its storage",
            "race": f"of `{self.argument}` that another program touches too",
        }[self.wrong]

    @property
    def where(self) -> str:
        """The first element, and the programs."""
        other = f" and program {self.other}" if self.other is not None else ""
        return f"element {self.offset} of {self.extent}, program {self.program}{other}"

    def describe(self) -> str:
        """Return one line for a verdict."""
        lanes = f"{self.lanes} lane" + ("s" if self.lanes != 1 else "")
        return f"{self.kernel}: {self.kind} of {lanes} {self._how}: {self.where}"


@dataclass
class MemoryWatch:
    """Collect what happened inside one `Device.watch`."""

    shuffle_seed: int = 0
    """Orders the programs of every launch; 0 keeps the natural order."""
    faults: list[MemoryFault] = field(default_factory=list[MemoryFault])
    """At most `MOST_FAULTS`, in order of appearance; a wild access is never performed."""
    kernels: Counter[str] = field(default_factory=Counter[str])
    """How often each kernel was launched, by name; interpreter only."""
    multiplications: Counter[str] = field(default_factory=Counter[str])
    """Multiply-adds of each kernel's matrix products, whether a mask let their numbers in or not; interpreter only."""
    specialisations: dict[tuple[str, str], None] = field(default_factory=dict[tuple[str, str], None])
    """Kernel and what Triton would compile for it on a GPU, in order of the first launch; interpreter only."""

    @property
    def launches(self) -> int:
        """Kernels launched on the interpreter; 0 on other devices."""
        return self.kernels.total()

    def unread(self) -> float:
        """Return what the next launch's lanes hold that nothing read; where they are whole numbers, its sign alone."""
        return _UNREAD[(self.shuffle_seed + self.launches) % len(_UNREAD)]

    def report(self, fault: MemoryFault) -> None:
        """Keep a fault unless too many are kept already."""
        if len(self.faults) < MOST_FAULTS:
            self.faults.append(fault)

    def goes_on(self, kernel: str, message: str, line: str, program: tuple[int, int, int]) -> bool:
        """Whether the process goes on where a kernel's assertion failed; a GPU does not."""
        return False


_FAR = 1e30
_UNREAD = (nan, _FAR, nan, -_FAR)
"""What is done with a NaN mostly keeps it, but `tl.max` and `tl.min` drop it, which show what lies beyond all else."""
MOST_FAULTS = 32
