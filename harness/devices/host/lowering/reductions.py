"""Reductions and scans, with whatever combines two elements, and functions of the user's own on lanes."""

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING

from eagerdiff.harness.devices.host.lowering.elements import Unsupported
from eagerdiff.harness.devices.host.lowering.nodes import Buffer, Splat, dense
from eagerdiff.harness.devices.host.lowering.registry import lowers
from eagerdiff.harness.devices.host.mlir.operation import Operation

if TYPE_CHECKING:
    from eagerdiff.harness.devices.host.lowering.lowering import Lowering


def combined(lowering: "Lowering", operation: Operation, lanes: Sequence[str]) -> list[str]:
    """Write the operation's own block on some lanes; return those that it gives."""
    for argument, lane in zip(operation.body.arguments, lanes, strict=True):
        lowering.values[argument] = Splat(argument.type.element, (), value=lane)
    end = lowering.block(operation.body)
    return [lowering.scalar(value) for value in end.operands]


def _work(lowering: "Lowering", operation: Operation) -> list[Buffer]:
    """Return buffers with the operands' lanes, which may be written."""
    nodes = lowering.nodes(operation)
    work = [lowering.buffer(node.element, node.shape) for node in nodes]
    with lowering.loops(nodes[0].shape) as indices:
        for buffer, node in zip(work, nodes, strict=True):
            buffer.put(lowering, indices, node.lane(lowering, indices if node.shape else ()))
    return work


def _flat(work: Sequence[Buffer], axis: int) -> list[Buffer]:
    """Return the same with three dims: what lies before the axis, the axis, and what lies after."""
    shape = work[0].shape
    three = (prod(shape[:axis]), shape[axis], prod(shape[axis + 1 :]))
    return [one.viewed(three, dense(three)) for one in work]


@lowers("tt.reduce")
def reduce(lowering: "Lowering", operation: Operation) -> None:
    """Halve the axis again and again: one half is combined into the other. Triton promises no order."""
    axis, writer = operation.attributes.integer("axis"), lowering.writer
    work = _work(lowering, operation)
    flat = _flat(work, axis)
    before, size, after = flat[0].shape
    if size > 1:
        with writer.loop(before) as outer:
            lowering.forget_lanes()
            left = writer.slot("i64")
            writer.line(f"store i64 {size // 2}, ptr {left}")
            again, done = writer.fresh("L"), writer.fresh("L")
            writer.jump(again)
            writer.label(again)
            half = writer.let(f"load i64, ptr {left}")
            with writer.loop(half) as near, writer.loop(after) as inner:
                far = writer.let(f"add nuw nsw i64 {near}, {half}")
                lanes = [one.lane(lowering, [outer, at, inner]) for at in (near, far) for one in flat]
                for buffer, lane in zip(flat, combined(lowering, operation, lanes), strict=True):
                    buffer.put(lowering, [outer, near, inner], lane)
            rest = writer.let(f"lshr i64 {half}, 1")
            writer.line(f"store i64 {rest}, ptr {left}")
            writer.branch(writer.let(f"icmp ne i64 {rest}, 0"), again, done)
            writer.label(done)
    lowering.forget_lanes()
    for buffer, value in zip(work, operation.results, strict=True):
        first = buffer.viewed(
            (*buffer.shape[:axis], *buffer.shape[axis + 1 :]), (*buffer.strides[:axis], *buffer.strides[axis + 1 :])
        )
        lowering.values[value] = (
            first if value.type.is_tensor else Splat(first.element, (), value=first.lane(lowering, ()))
        )


@lowers("tt.scan")
def scan(lowering: "Lowering", operation: Operation) -> None:
    """Combine each element with what came before it."""
    axis, writer = operation.attributes.integer("axis"), lowering.writer
    backwards = operation.attributes.flag("reverse")
    work = _work(lowering, operation)
    flat = _flat(work, axis)
    before, size, after = flat[0].shape
    if size > 1:
        with writer.loop(before) as outer, writer.loop(size - 1) as turn, writer.loop(after) as inner:
            if backwards:
                here = size - 2 if turn == 0 else writer.let(f"sub i64 {size - 2}, {turn}")
                there = writer.add(here, 1)
            else:
                here, there = writer.add(turn, 1), turn
            lanes = [one.lane(lowering, [outer, at, inner]) for at in (there, here) for one in flat]
            for buffer, lane in zip(flat, combined(lowering, operation, lanes), strict=True):
                buffer.put(lowering, [outer, here, inner], lane)
    lowering.forget_lanes()
    for buffer, value in zip(work, operation.results, strict=True):
        lowering.values[value] = buffer


@lowers("tt.map_elementwise")
def map_elementwise(lowering: "Lowering", operation: Operation) -> None:
    """A function on lanes, with control flow of its own."""
    if operation.attributes.integer("pack", 1) != 1:
        raise Unsupported(f"tt.map_elementwise of several lanes at once at {lowering.line_of(operation)}")
    nodes = lowering.nodes(operation)
    results = [lowering.buffer(value.type.element, value.type.dims) for value in operation.results]
    with lowering.loops(nodes[0].shape, vectors=False) as indices:
        lanes = [node.lane(lowering, indices if node.shape else ()) for node in nodes]
        for buffer, lane in zip(results, combined(lowering, operation, lanes), strict=True):
            buffer.put(lowering, indices, lane)
    for buffer, value in zip(results, operation.results, strict=True):
        lowering.values[value] = buffer
