"""Control flow: loops, branches, calls."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from eagerdiff.harness.devices.host.lowering.elements import register
from eagerdiff.harness.devices.host.lowering.lowering import Frame, Slot
from eagerdiff.harness.devices.host.lowering.nodes import Buffer, Splat
from eagerdiff.harness.devices.host.lowering.pointers import root_of
from eagerdiff.harness.devices.host.lowering.registry import lowers
from eagerdiff.harness.devices.host.mlir.operation import Operation, Value
from eagerdiff.harness.model.kernel_coverage import TRIPS

if TYPE_CHECKING:
    from eagerdiff.harness.devices.host.lowering.lowering import Lowering

_FUEL = 1
"""The context's place of how many turns of loops are left, in words of eight bytes."""


def _place(lowering: "Lowering", value: Value) -> Buffer | Slot:
    root = root_of(lowering, value) if value.type.is_pointer else None
    return lowering.place(value.type, root)


def _bind_places(lowering: "Lowering", values: Sequence[Value], places: Sequence[Buffer | Slot]) -> None:
    for value, place in zip(values, places, strict=True):
        lowering.values[value] = lowering.read(place)


class _Turns:
    """Count the turns of a loop, up to many."""

    def __init__(self, lowering: "Lowering", operation: Operation) -> None:
        self._lowering = lowering
        self._count = lowering.writer.slot("i64")
        self._marks = lowering.places(operation, "loop", TRIPS)
        lowering.writer.line(f"store i64 0, ptr {self._count}")

    def more(self) -> None:
        """Write that there is another."""
        writer = self._lowering.writer
        turns = writer.let(f"add i64 {writer.let(f'load i64, ptr {self._count}')}, 1")
        turns = writer.intrinsic("umin", "i64", f"i64 {turns}", f"i64 {len(TRIPS) - 1}")
        writer.line(f"store i64 {turns}, ptr {self._count}")

    def done(self) -> None:
        """Write how many there were as reached."""
        writer = self._lowering.writer
        turns = writer.let(f"load i64, ptr {self._count}")
        self._lowering.reach(writer.let(f"add i64 {turns}, {self._marks}"))


def _has_fuel(lowering: "Lowering") -> str:
    """Write one turn of a loop as taken; return whether another may be."""
    writer = lowering.writer
    place = writer.let(f"getelementptr i64, ptr %context, i64 {_FUEL}")
    left = writer.let(f"sub i64 {writer.let(f'load i64, ptr {place}')}, 1")
    writer.line(f"store i64 {left}, ptr {place}")
    return writer.let(f"icmp sgt i64 {left}, 0")


def _reach_branch(lowering: "Lowering", operation: Operation, condition: str) -> None:
    """Write which way is taken as reached."""
    first = lowering.places(operation, "if", ("taken", "not taken"))
    lowering.reach(lowering.writer.let(f"select i1 {condition}, i64 {first}, i64 {first + 1}"))


@lowers("scf.for")
def count(lowering: "Lowering", operation: Operation) -> None:
    writer, body = lowering.writer, operation.body
    low, high, step = (lowering.scalar(value) for value in operation.operands[:3])
    counter, *carried = body.arguments
    kind = register(counter.type.element)
    places = [_place(lowering, value) for value in carried]
    lowering.write(places, [lowering.node(value) for value in operation.operands[3:]])
    turns, now = _Turns(lowering, operation), writer.slot(kind)
    writer.line(f"store {kind} {low}, ptr {now}")
    head, inside, done = writer.fresh("L"), writer.fresh("L"), writer.fresh("L")
    writer.jump(head)
    writer.label(head)
    at = writer.let(f"load {kind}, ptr {now}")
    order = "ult" if operation.attributes.flag("unsignedCmp") else "slt"
    more = writer.let(f"icmp {order} {kind} {at}, {high}")
    writer.branch(writer.let(f"and i1 {more}, {_has_fuel(lowering)}"), inside, done)
    writer.label(inside)
    turns.more()
    lowering.values[counter] = Splat(counter.type.element, (), value=at)
    _bind_places(lowering, carried, places)
    end = lowering.block(body)
    lowering.write(places, [lowering.node(value) for value in end.operands])
    writer.line(f"store {kind} {writer.let(f'add {kind} {at}, {step}')}, ptr {now}")
    writer.jump(head)
    writer.label(done)
    turns.done()
    lowering.forget_lanes()
    _bind_places(lowering, operation.results, places)


@lowers("scf.while")
def repeat(lowering: "Lowering", operation: Operation) -> None:
    writer = lowering.writer
    before, after = operation.regions[0][0], operation.regions[1][0]
    places = [_place(lowering, value) for value in before.arguments]
    passed = [_place(lowering, value) for value in after.arguments]
    lowering.waits |= any(one.name.startswith("tt.atomic") for one in operation.walk())
    lowering.write(places, lowering.nodes(operation))
    turns = _Turns(lowering, operation)
    head, inside, done = writer.fresh("L"), writer.fresh("L"), writer.fresh("L")
    writer.jump(head)
    writer.label(head)
    _bind_places(lowering, before.arguments, places)
    condition, *given = lowering.block(before).operands
    more = lowering.scalar(condition)
    lowering.write(passed, [lowering.node(value) for value in given])
    writer.branch(writer.let(f"and i1 {more}, {_has_fuel(lowering)}"), inside, done)
    writer.label(inside)
    turns.more()
    _bind_places(lowering, after.arguments, passed)
    end = lowering.block(after)
    lowering.write(places, [lowering.node(value) for value in end.operands])
    writer.jump(head)
    writer.label(done)
    turns.done()
    lowering.forget_lanes()
    _bind_places(lowering, operation.results, passed)


@lowers("scf.if")
def choose(lowering: "Lowering", operation: Operation) -> None:
    writer = lowering.writer
    places = [_place(lowering, value) for value in operation.results]
    regions = [region[0] for region in operation.regions if region]
    labels, done = [writer.fresh("L") for _ in regions], writer.fresh("L")
    yes, no = (*labels, done)[:2]
    condition = lowering.scalar(operation.operands[0])
    _reach_branch(lowering, operation, condition)
    writer.branch(condition, yes, no)
    for label, block in zip(labels, regions, strict=True):
        writer.label(label)
        end = lowering.block(block)
        lowering.write(places, [lowering.node(value) for value in end.operands])
        writer.jump(done)
    writer.label(done)
    lowering.forget_lanes()
    _bind_places(lowering, operation.results, places)


def lower_function(lowering: "Lowering", function: Operation, results: list[Buffer | Slot]) -> None:
    """Write the blocks of a function whose arguments are bound; what it returns is written to `results`."""
    blocks, writer, outer = function.regions[0], lowering.writer, lowering.frame
    for one in function.walk():  # it may be called again, with other roots
        for value in one.results:
            lowering.values.pop(value, None)
    frame = Frame(
        {block.label: writer.fresh("B") for block in blocks},
        {block.label: [_place(lowering, value) for value in block.arguments] for block in blocks[1:]},
        results,
        writer.fresh("X"),
    )
    lowering.frame = frame
    writer.jump(frame.labels[blocks[0].label])
    for block in blocks:
        writer.label(frame.labels[block.label])
        if block.label in frame.places:
            _bind_places(lowering, block.arguments, frame.places[block.label])
        lowering.block(block, last=True)
    writer.label(frame.exit)
    lowering.forget_lanes()
    lowering.frame = outer


def _go(lowering: "Lowering", successor: str, given: list[Value]) -> None:
    frame = lowering.frame
    lowering.write(frame.places[successor], [lowering.node(value) for value in given])
    lowering.writer.jump(frame.labels[successor])


@lowers("cf.br")
def branch(lowering: "Lowering", operation: Operation) -> None:
    _go(lowering, operation.successors[0], operation.operands)


@lowers("cf.cond_br")
def branch_on(lowering: "Lowering", operation: Operation) -> None:
    (condition,), *given = operation.segments()
    writer = lowering.writer
    labels = [writer.fresh("L") for _ in operation.successors]
    chosen = lowering.scalar(condition)
    _reach_branch(lowering, operation, chosen)
    writer.branch(chosen, *labels)
    for label, successor, values in zip(labels, operation.successors, given, strict=True):
        writer.label(label)
        _go(lowering, successor, values)


@lowers("tt.return")
def give_back(lowering: "Lowering", operation: Operation) -> None:
    lowering.write(lowering.frame.results, lowering.nodes(operation))
    lowering.writer.jump(lowering.frame.exit)


@lowers("tt.call")
def call(lowering: "Lowering", operation: Operation) -> None:
    """Write the function's body where it is called."""
    function = lowering.functions[operation.attributes.symbol("callee")]
    places = [lowering.place(value.type) for value in operation.results]
    for argument, value in zip(function.body.arguments, operation.operands, strict=True):
        lowering.values[argument] = lowering.node(value)
    lower_function(lowering, function, places)
    _bind_places(lowering, operation.results, places)
