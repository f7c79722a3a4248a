"""Products of matrices, by the runtime's kernel: sums in order, held in the accumulator's type."""

from typing import TYPE_CHECKING

from eagerdiff.harness.devices.host.lowering.conversions import rounded
from eagerdiff.harness.devices.host.lowering.elements import Unsupported, held, is_float
from eagerdiff.harness.devices.host.lowering.nodes import Buffer
from eagerdiff.harness.devices.host.lowering.registry import lowers
from eagerdiff.harness.devices.host.mlir.operation import Operation

if TYPE_CHECKING:
    from eagerdiff.harness.devices.host.lowering.lowering import Lowering

_TF32 = 0
"""Of Triton's `InputPrecision`."""


@lowers("tt.dot")
def dot(lowering: "Lowering", operation: Operation) -> None:
    """[M, K] by [K, N] onto [M, N], or as many as the first dim says."""
    left, right, start = lowering.nodes(operation)
    multiply(lowering, operation, lowering.materialised(left), lowering.materialised(right), lowering.copied(start))


def multiply(lowering: "Lowering", operation: Operation, left: Buffer, right: Buffer, into: Buffer) -> None:
    """Write the product onto `into`, and bind it."""
    writer = lowering.writer
    name = _runtime_name(lowering, operation, left.element)
    rows, columns, inner = into.shape[-2], into.shape[-1], left.shape[-1]
    cut = operation.name == "tt.dot" and left.element == "f32"
    cut = cut and operation.attributes.integer("inputPrecision", _TF32) == _TF32
    with writer.loop(into.shape[0] if len(into.shape) == 3 else 1) as batch:
        places = list[str]()
        for one in (left, right, into):
            at = writer.add(one.offset, writer.times(batch, one.strides[0] if len(one.shape) == 3 else 0))
            places.append(writer.let(f"getelementptr inbounds {held(one.element)}, ptr {one.name}, i64 {at}"))
        strides = [f"i64 {stride}" for one in (left, right) for stride in one.strides[-2:]]
        sizes = [f"i64 {size}" for size in (rows, columns, inner)]
        given = (f"ptr {places[0]}", *strides[:2], f"ptr {places[1]}", *strides[2:], f"ptr {places[2]}", *sizes)
        writer.call("void", name, "ptr %context", *given, f"i32 {int(cut)}")
    if into.element in ("f16", "bf16"):
        with lowering.loops(into.shape) as indices:
            into.put(lowering, indices, rounded(writer, into.lane(lowering, indices), into.element))
    lowering.bind(operation, into)


def _runtime_name(lowering: "Lowering", operation: Operation, element: str) -> str:
    if element == "f64":
        return "rt_dot_f64"
    if is_float(element):
        return "rt_dot_f32"
    if element == "i8":
        return "rt_dot_i8"
    raise Unsupported(f"tt.dot of {element} at {lowering.line_of(operation)}")
