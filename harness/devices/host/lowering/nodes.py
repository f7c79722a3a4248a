"""Tensors while they are lowered: computed lane by lane where they are used, or kept in a buffer.

A pointer is a number of bytes from its root, the kernel's argument that it was made from, so that a lane can be held
against that argument's extent; one that has no root, such as one that was read from memory, is an address.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

from eagerdiff.harness.devices.host.lowering.elements import held
from eagerdiff.harness.devices.host.lowering.writer import Index

if TYPE_CHECKING:
    from eagerdiff.harness.devices.host.lowering.lowering import Lowering

Indices = Sequence[Index]


def dense(shape: Sequence[int]) -> tuple[int, ...]:
    """Return strides in elements, the last dim's 1."""
    return tuple(prod(shape[at + 1 :]) for at in range(len(shape)))


@dataclass(eq=False)
class Node(ABC):
    """A value: of a scalar the shape is empty."""

    element: str
    shape: tuple[int, ...]
    root: int | None = None
    """Of a pointer: the argument that it is counted from."""

    @property
    def cost(self) -> int:
        """What one lane costs, in additions, about; 0 where there is nothing to compute."""
        return 1

    @abstractmethod
    def lane(self, lowering: "Lowering", indices: Indices) -> str:
        """Write what gives one lane; return its register or constant."""


@dataclass(eq=False)
class Splat(Node):
    """The same value in every lane."""

    value: str = ""

    @property
    def cost(self) -> int:
        return 0

    def lane(self, lowering: "Lowering", indices: Indices) -> str:
        return self.value


@dataclass(eq=False)
class Range(Node):
    """The whole numbers from a first one."""

    start: int = 0

    def lane(self, lowering: "Lowering", indices: Indices) -> str:
        (index,) = indices
        if isinstance(index, int):
            return str(index + self.start)
        low = lowering.writer.let(f"trunc i64 {index} to i32")
        return lowering.writer.let(f"add nsw i32 {low}, {self.start}") if self.start else low


@dataclass(eq=False)
class Buffer(Node):
    """Elements in memory of the kernel's own."""

    name: str = ""
    """A register that holds its address."""
    strides: tuple[int, ...] = ()
    offset: int = 0

    @property
    def is_dense(self) -> bool:
        return self.strides == dense(self.shape)

    def place(self, lowering: "Lowering", indices: Indices) -> str:
        """Write what gives a lane's address."""
        at: Index = self.offset
        for index, stride in zip(indices, self.strides, strict=True):
            at = lowering.writer.add(at, lowering.writer.times(index, stride))
        return lowering.writer.let(f"getelementptr inbounds {held(self.element)}, ptr {self.name}, i64 {at}")

    def lane(self, lowering: "Lowering", indices: Indices) -> str:
        return lowering.taken(self.element, self.place(lowering, indices))

    def put(self, lowering: "Lowering", indices: Indices, value: str) -> None:
        """Write what keeps a lane."""
        lowering.kept(self.element, value, self.place(lowering, indices))

    def viewed(self, shape: tuple[int, ...], strides: tuple[int, ...], offset: int = 0) -> "Buffer":
        """Return the same memory in another shape."""
        return Buffer(self.element, shape, self.root, self.name, strides, self.offset + offset)


Compute = Callable[["Lowering", Sequence[str]], str]
"""Write what gives one lane from those of the arguments."""


@dataclass(eq=False)
class Computed(Node):
    """Lanes that are computed from those of others at the same place."""

    arguments: tuple[Node, ...] = ()
    compute: Compute = lambda _, lanes: lanes[0]
    own_cost: int = 1

    @property
    def cost(self) -> int:
        return self.own_cost + sum(one.cost for one in self.arguments)

    def lane(self, lowering: "Lowering", indices: Indices) -> str:
        key = self, tuple(indices)
        if key not in lowering.lanes:
            lanes = [one.lane(lowering, indices if one.shape else ()) for one in self.arguments]
            lowering.lanes[key] = self.compute(lowering, lanes)
        return lowering.lanes[key]


@dataclass(eq=False)
class View(Node):
    """Lanes of another node at other places."""

    base: Node | None = None
    places: Callable[["Lowering", Indices], Indices] = lambda _, indices: indices

    @property
    def cost(self) -> int:
        return self.base.cost if self.base is not None else 0

    def lane(self, lowering: "Lowering", indices: Indices) -> str:
        assert self.base is not None
        return self.base.lane(lowering, self.places(lowering, indices))


def reads_elsewhere(node: Node, place: Buffer) -> bool:
    """Whether a node reads a buffer at other lanes than the one that is to be written there."""
    match node:
        case Buffer():
            return node.name == place.name and (node.strides, node.shape) != (place.strides, place.shape)
        case Computed():
            return any(reads_elsewhere(one, place) for one in node.arguments)
        case View():
            return True
        case _:
            return False
