"""Operations, their values, blocks and regions."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from eagerdiff.harness.devices.host.mlir.attributes import Attributes
from eagerdiff.harness.devices.host.mlir.types import Type


@dataclass(eq=False)
class Value:
    """What an operation gives, or a block is given."""

    type: Type
    operation: "Operation | None" = None
    """What gives it; None for an argument of a block."""
    block: "Block | None" = None
    """Where it is given."""
    index: int = 0
    """Its place among the results, or the arguments."""
    uses: list["Operation"] = field(default_factory=list["Operation"])


@dataclass(eq=False)
class Block:
    """Operations in order, the last of which says what is next."""

    label: str
    arguments: list[Value] = field(default_factory=list[Value])
    operations: list["Operation"] = field(default_factory=list["Operation"])
    parent: "Operation | None" = None

    @property
    def terminator(self) -> "Operation":
        return self.operations[-1]


@dataclass(eq=False)
class Operation:
    """One operation of any dialect."""

    name: str
    """With its dialect: `arith.addi`."""
    operands: list[Value] = field(default_factory=list[Value])
    results: list[Value] = field(default_factory=list[Value])
    attributes: Attributes = field(default_factory=Attributes)
    regions: list[list[Block]] = field(default_factory=list[list[Block]])
    successors: list[str] = field(default_factory=list[str])
    """Labels of blocks."""
    location: str = ""
    """As MLIR prints it; `Locations` reads it."""
    block: Block | None = None

    @property
    def body(self) -> Block:
        """The first block of the first region."""
        return self.regions[0][0]

    def segments(self) -> list[list[Value]]:
        """Return the operands of each of its optional or variadic groups."""
        sizes, groups, start = self.attributes.integers("operandSegmentSizes"), list[list[Value]](), 0
        for size in sizes:
            groups.append(self.operands[start : start + size])
            start += size
        return groups

    def walk(self) -> "Iterator[Operation]":
        """Visit every operation inside, in order, each before what it holds."""
        for region in self.regions:
            for block in region:
                for one in block.operations:
                    yield one
                    yield from one.walk()
