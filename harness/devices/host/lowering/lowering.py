"""The state of one kernel's lowering: what its values are by now, its buffers, its accesses."""

import contextlib
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod

from eagerdiff.harness.devices.host.lowering.elements import Unsupported, held, held_size, is_float, no_index, register
from eagerdiff.harness.devices.host.lowering.gpu_code import NotOnGpus, refused_by_gpus
from eagerdiff.harness.devices.host.lowering.nodes import (
    Buffer,
    Computed,
    Indices,
    Node,
    Splat,
    dense,
    reads_elsewhere,
)
from eagerdiff.harness.devices.host.lowering.registry import ELEMENTWISE, HANDLERS, IGNORED, Elementwise
from eagerdiff.harness.devices.host.lowering.writer import Index, Writer
from eagerdiff.harness.devices.host.mlir.locations import Locations
from eagerdiff.harness.devices.host.mlir.operation import Block, Operation, Value
from eagerdiff.harness.devices.host.mlir.types import Type

_CHEAP = 2
"""What costs no more is computed again wherever it is used."""
_CHEAP_NEARBY = 5
"""The same, where all uses are in its own block."""
ALIGNMENT = 64


@dataclass(frozen=True)
class Site:
    """One operation that is checked while it runs."""

    kind: str
    """`load`, `store`, `atomic` or `assert`."""
    argument: int
    """Which of the kernel's arguments it reaches into; -1: an address that came from elsewhere."""
    line: str
    """`file:line`."""
    size: int
    """Bytes of an element."""
    message: str = ""
    """Of an assertion."""


@dataclass(eq=False)
class Slot(Node):
    """A place on the stack for a scalar that control flow gives."""

    address: str = ""

    def lane(self, lowering: "Lowering", indices: Indices) -> str:
        return lowering.taken(self.element, self.address)


@dataclass(frozen=True)
class Frame:
    """One call of a function: where its blocks are, what they are given, and what it returns."""

    labels: Mapping[str, str] = field(default_factory=dict[str, str])
    places: "Mapping[str, Sequence[Buffer | Slot]]" = field(default_factory=dict[str, "Sequence[Buffer | Slot]"])
    results: "Sequence[Buffer | Slot]" = ()
    exit: str = ""


class Lowering:
    """Lower the operations of one kernel, and of what it calls, into one function."""

    def __init__(self, functions: Mapping[str, Operation], locations: Locations, *, small_poison: bool = False) -> None:
        self.functions = functions
        self.writer = Writer()
        self.values: dict[Value, Node] = {}
        self.lanes: dict[tuple[object, ...], str] = {}
        """Registers of lanes that were computed in the block in hand."""
        self.sites: list[Site] = []
        self.marks: list[tuple[str, str, str]] = []
        """Line, what it is (`if`, `loop`, `mask`) and state of each mark; the compiled code sets what it reaches."""
        self.frame = Frame()
        self.waits = False
        """Whether a program may wait for another: an atomic within a loop that data end."""
        self._locations = locations
        self._small_poison = small_poison
        self._buffers: list[tuple[str, int]] = []
        self._limits: dict[tuple[int, int], str] = {}
        self._unread: dict[str, str] = {}

    # Values

    def node(self, value: Value) -> Node:
        return self.values[value]

    def nodes(self, operation: Operation) -> list[Node]:
        return [self.values[one] for one in operation.operands]

    def scalar(self, value: Value) -> str:
        """Return the register of a scalar."""
        return self.values[value].lane(self, ())

    def bind(self, operation: Operation, node: Node) -> None:
        """Say what the only result is; what is dear and used again is kept in a buffer."""
        (value,) = operation.results
        if node.shape and not isinstance(node, Buffer | Splat) and node.cost > _CHEAP and value.uses:
            blocks = {id(use.block) for use in value.uses}
            near = blocks == {id(operation.block)}
            once = near and len({id(use) for use in value.uses}) == 1
            if not once and not (near and node.cost <= _CHEAP_NEARBY):
                node = self.materialised(node)
        self.values[value] = node

    def line_of(self, operation: Operation) -> str:
        return self._locations.line_of(operation.location)

    def site(self, kind: str, operation: Operation, argument: int | None, size: int, message: str = "") -> int:
        """Return the number of a new site."""
        self.sites.append(Site(kind, -1 if argument is None else argument, self.line_of(operation), size, message))
        return len(self.sites) - 1

    def places(self, operation: Operation, what: str, states: Sequence[str]) -> int:
        """Return the number of the first of new marks: a place's, one a state."""
        line = self.line_of(operation)
        self.marks += [(line, what, state) for state in states]
        return len(self.marks) - len(states)

    def reach(self, mark: Index) -> None:
        """Write that a mark is reached."""
        self.writer.line(f"store i8 1, ptr {self.writer.let(f'getelementptr i8, ptr %marks, i64 {mark}')}")

    def limit(self, argument: int, size: int) -> str:
        """Return the register: elements that begin below it, in bytes, lie within an argument's extent."""
        if (argument, size) not in self._limits:
            most = self.writer.at_entry(f"sub i64 %extent{argument}, {size - 1}")
            some = self.writer.at_entry(f"icmp sgt i64 {most}, 0")
            self._limits[argument, size] = self.writer.at_entry(f"select i1 {some}, i64 {most}, i64 0")
        return self._limits[argument, size]

    # Operations

    def block(self, block: Block, *, last: bool = False) -> Operation:
        """Lower a block's operations, the last of which only where asked for; return that."""
        self.forget_lanes()
        for one in block.operations if last else block.operations[:-1]:
            self.operation(one)
        return block.terminator

    def operation(self, operation: Operation) -> None:
        """Lower one operation; raise `Unsupported` for one that is not known, `NotOnGpus` for one that GPUs refuse."""
        name = operation.name
        if refused := refused_by_gpus(operation):
            raise NotOnGpus(f"no GPU's back end of Triton compiles {refused} (at {self.line_of(operation)})")
        if found := ELEMENTWISE.get(name):
            self._elementwise(operation, found)
        elif handler := HANDLERS.get(name):
            handler(self, operation)
        elif name not in IGNORED:
            raise Unsupported(f"{name} at {self.line_of(operation)}")

    def _elementwise(self, operation: Operation, found: Elementwise) -> None:
        result, arguments = operation.results[0].type, self.nodes(operation)
        if all(isinstance(one, Splat) or not one.shape for one in arguments):
            value = found.lane(self, operation, [one.lane(self, ()) for one in arguments])
            self.bind(operation, Splat(result.element, result.dims, value=value))
            return
        node = Computed(
            result.element,
            result.dims,
            arguments=tuple(arguments),
            compute=lambda lowering, lanes: found.lane(lowering, operation, lanes),
            own_cost=found.cost,
        )
        self.bind(operation, node)

    # Lanes

    def forget_lanes(self) -> None:
        """Registers that were computed before are not to be used from here on."""
        self.lanes = {}

    @contextlib.contextmanager
    def loops(self, shape: Sequence[Index], *, vectors: bool = True) -> Generator[list[Index]]:
        """Visit every lane of a shape, the last dim's first."""
        outer, self.lanes = self.lanes, {}
        with contextlib.ExitStack() as stack:
            yield [stack.enter_context(self.writer.loop(size, vectors=vectors)) for size in shape]
        self.lanes = outer

    def taken(self, element: str, address: str) -> str:
        """Read an element of a buffer or a slot."""
        value = self.writer.let(f"load {held(element)}, ptr {address}")
        return self.writer.let(f"trunc i8 {value} to i1") if element == "i1" else value

    def kept(self, element: str, value: str, address: str) -> None:
        """Write an element of a buffer or a slot."""
        if element == "i1":
            value = self.writer.let(f"zext i1 {value} to i8")
        self.writer.line(f"store {held(element)} {value}, ptr {address}")

    # Buffers

    def buffer(self, element: str, shape: tuple[int, ...], root: int | None = None) -> Buffer:
        """Return a new buffer; it holds nothing yet."""
        name = f"%b{len(self._buffers)}"
        self._buffers.append((name, prod(shape) * held_size(element)))
        return Buffer(element, shape, root, name, dense(shape))

    def buffers(self) -> Iterator[tuple[str, int]]:
        """Return the name of each buffer and its place, in bytes, among all."""
        at = 0
        for name, size in self._buffers:
            yield name, at
            at += _padded(size)

    @property
    def arena(self) -> int:
        """Bytes of all buffers."""
        return sum(_padded(size) for _, size in self._buffers)

    def fill(self, into: Buffer, node: Node) -> None:
        with self.loops(into.shape) as indices:
            into.put(self, indices, node.lane(self, indices if node.shape else ()))

    def materialised(self, node: Node) -> Buffer:
        """Return a node's lanes in a buffer."""
        if isinstance(node, Buffer):
            return node
        into = self.buffer(node.element, node.shape, node.root)
        self.fill(into, node)
        return into

    def copied(self, node: Node) -> Buffer:
        """Return a node's lanes in a buffer that nothing else reads or writes."""
        into = self.buffer(node.element, node.shape, node.root)
        self.fill(into, node)
        return into

    def nothing(self, of: Type) -> Splat:
        """Return what was never computed."""
        return Splat(of.element, of.dims, value=self.poison(of.element))

    def poison(self, element: str) -> str:
        """Return what a lane holds that was not read: what the context says, or a whole number as far from 0."""
        if element not in self._unread:
            self._unread[element] = self._told(element)
        return self._unread[element]

    def _told(self, element: str) -> str:
        name, kind = f"%unread.{element}", register(element)
        if element == "i1":
            return "true"
        if is_float(element):
            turned = "fadd double 0.0, %unread" if kind == "double" else "fptrunc double %unread to float"
            self.writer.entry(f"{name} = {turned}")
        else:
            far = no_index(element, self._small_poison)
            self.writer.entry(f"{name} = select i1 %unread.low, {kind} -{far}, {kind} {far}")
        return name

    # Values that control flow gives

    def place(self, kind: Type, root: int | None = None) -> Buffer | Slot:
        """Return a place that blocks write and others read."""
        if kind.shape is None:
            return Slot(kind.element, (), root, self.writer.slot(held(kind.element)))
        return self.buffer(kind.element, kind.shape, root)

    def read(self, place: Buffer | Slot) -> Node:
        """Return what a place holds now: of a slot a register, for the slot may be written later."""
        if isinstance(place, Buffer):
            return place
        return Splat(place.element, (), place.root, place.lane(self, ()))

    def write(self, places: Sequence[Buffer | Slot], nodes: Sequence[Node]) -> None:
        """Write places, all at once: each is read, where it is, before any is written."""
        ready = list[tuple[Buffer | Slot, Node | str]]()
        written = {place.name for place in places if isinstance(place, Buffer)}
        for place, given in zip(places, nodes, strict=True):
            node = self.rooted(given, place.root)
            if isinstance(place, Slot):
                ready.append((place, node.lane(self, ())))
            elif node is not place:
                apart = isinstance(node, Splat) or (isinstance(node, Buffer) and node.name not in written)
                if not apart and (len(nodes) > 1 or reads_elsewhere(node, place)):
                    node = self.copied(node)
                ready.append((place, node))
        for place, value in ready:
            if isinstance(place, Slot):
                self.kept(place.element, str(value), place.address)
            elif isinstance(value, Node):
                self._assign(place, value)

    def _assign(self, place: Buffer, node: Node) -> None:
        if isinstance(node, Buffer) and node.strides == place.strides and not node.offset:
            size = prod(place.shape) * held_size(place.element)
            given = (f"ptr {place.name}", f"ptr {node.name}", f"i64 {size}", "i1 false")
            self.writer.call("void", "llvm.memcpy.p0.p0.i64", *given)
        else:
            self.fill(place, node)

    def rooted(self, node: Node, root: int | None) -> Node:
        """Return a pointer counted from a root: as an address where there is none."""
        if root is not None or node.root is None:
            return node
        base = f"%base{node.root}"

        def add(lowering: "Lowering", lanes: Sequence[str]) -> str:
            return lowering.writer.let(f"add i64 {lanes[0]}, {base}")

        return Computed(node.element, node.shape, None, (node,), add)


def _padded(size: int) -> int:
    return -(-size // ALIGNMENT) * ALIGNMENT
