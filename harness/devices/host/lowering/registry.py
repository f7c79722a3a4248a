"""Which function lowers which operation."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from eagerdiff.harness.devices.host.mlir.operation import Operation

if TYPE_CHECKING:
    from eagerdiff.harness.devices.host.lowering.lowering import Lowering

Handler = Callable[["Lowering", Operation], None]
"""Write an operation, and bind its results."""
LaneOf = Callable[["Lowering", Operation, Sequence[str]], str]
"""Write what gives one lane of the result from one of each operand; return its register."""


@dataclass(frozen=True)
class Elementwise:
    """An operation whose lanes have nothing to do with each other."""

    lane: LaneOf
    cost: int
    """In additions, about."""


HANDLERS: dict[str, Handler] = {}
ELEMENTWISE: dict[str, Elementwise] = {}
IGNORED = frozenset(
    ("tt.assume", "llvm.intr.assume", "tt.print", "gpu.barrier", "ttg.barrier", "ttg.local_barrier", "nvvm.barrier0")
)
"""Hints, output, and what orders the threads of one program, which run one after the other here."""


def lowers(*names: str) -> Callable[[Handler], Handler]:
    """Register a handler."""

    def register(handler: Handler) -> Handler:
        HANDLERS.update(dict.fromkeys(names, handler))
        return handler

    return register


def elementwise(*names: str, cost: int = 1) -> Callable[[LaneOf], LaneOf]:
    """Register what gives a lane."""

    def register(lane: LaneOf) -> LaneOf:
        ELEMENTWISE.update(dict.fromkeys(names, Elementwise(lane, cost)))
        return lane

    return register
