"""Products of matrices whose elements are small floats, a run of them with one scale (OCP Microscaling, 2023)."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from eagerdiff.harness.devices.host.lowering.elements import Unsupported
from eagerdiff.harness.devices.host.lowering.nodes import Buffer, Indices, Node
from eagerdiff.harness.devices.host.lowering.products import multiply
from eagerdiff.harness.devices.host.lowering.registry import lowers
from eagerdiff.harness.devices.host.mlir.operation import Operation

if TYPE_CHECKING:
    from eagerdiff.harness.devices.host.lowering.lowering import Lowering

_E2M1 = 4
"""Of Triton's `ScaleDotElemType`: two elements a byte."""


@dataclass(frozen=True)
class _Operand:
    """One side: [rows, K] with scales of [rows, K / run]; of the right-hand side the transpose of what is given."""

    given: Node
    scale: Node | None
    packed: bool
    along_inner: bool
    """Of packed elements: whether the two of a byte follow each other along K."""
    transposed: bool

    @property
    def shape(self) -> tuple[int, int]:
        rows, inner = reversed(self.given.shape) if self.transposed else self.given.shape
        if not self.packed:
            return rows, inner
        return (rows, 2 * inner) if self.along_inner else (2 * rows, inner)

    def element(self, lowering: "Lowering", indices: Indices) -> str:
        """Write what gives one element, unscaled, as a float."""
        writer = lowering.writer
        row, inner = indices
        if not self.packed:
            return self._lane(lowering, row, inner)
        which = inner if self.along_inner else row
        places = (row, writer.quotient(inner, 2)) if self.along_inner else (writer.quotient(row, 2), inner)
        return writer.call(
            "float", "rt_decode_e2m1", f"i8 {self._lane(lowering, *places)}", f"i64 {writer.remainder(which, 2)}"
        )

    def _lane(self, lowering: "Lowering", row: int | str, inner: int | str) -> str:
        return self.given.lane(lowering, (inner, row) if self.transposed else (row, inner))

    def scaled(self, lowering: "Lowering") -> Buffer:
        """Return all elements, as floats, in a buffer: [rows, K]."""
        writer, into = lowering.writer, lowering.buffer("f32", self.shape)
        with lowering.loops(self.shape) as indices:
            value = self.element(lowering, indices)
            if self.scale is not None:
                run = self.shape[1] // self.scale.shape[1]
                scale = self.scale.lane(lowering, (indices[0], writer.quotient(indices[1], run)))
                if self.scale.element == "i8":
                    scale = writer.call("float", "rt_decode_e8m0", f"i8 {scale}")
                value = writer.let(f"fmul float {value}, {scale}")
            into.put(lowering, indices, value)
        return into


@lowers("tt.dot_scaled")
def dot_scaled(lowering: "Lowering", operation: Operation) -> None:
    """Elements times their scales are exact in float32, but at its ends; the product is in float32."""
    left, right, start, left_scale, right_scale = (
        lowering.node(group[0]) if group else None for group in operation.segments()
    )
    if left is None or right is None or start is None:
        raise Unsupported(f"tt.dot_scaled at {lowering.line_of(operation)}")
    attributes = operation.attributes
    rows = _Operand(
        left, left_scale, attributes.integer("a_elem_type") == _E2M1, attributes.flag("lhs_k_pack"), transposed=False
    )
    columns = _Operand(
        right, right_scale, attributes.integer("b_elem_type") == _E2M1, attributes.flag("rhs_k_pack"), transposed=True
    )
    one, other = rows.scaled(lowering), columns.scaled(lowering)
    across = other.viewed((other.shape[1], other.shape[0]), (other.strides[1], other.strides[0]))
    multiply(lowering, operation, one, across, lowering.copied(start))
