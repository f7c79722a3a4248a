"""Pointers: how far they are from the argument that they were made from."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from eagerdiff.harness.devices.host.lowering.conversions import reinterpreted
from eagerdiff.harness.devices.host.lowering.elements import register, size_of
from eagerdiff.harness.devices.host.lowering.nodes import Compute, Computed, Node, Splat
from eagerdiff.harness.devices.host.lowering.registry import lowers
from eagerdiff.harness.devices.host.mlir.operation import Operation, Value

if TYPE_CHECKING:
    from eagerdiff.harness.devices.host.lowering.lowering import Lowering

_PASSED_ON = frozenset(
    (
        *("tt.addptr", "tt.splat", "tt.broadcast", "tt.expand_dims", "tt.reshape", "tt.trans", "tt.bitcast"),
        "tt.unsplat",
    )
)
"""Operations whose result has their first operand's root."""


def root_of(lowering: "Lowering", value: Value, assumed: dict[Value, int | None] | None = None) -> int | None:
    """Return the argument that a pointer is made from, whatever way control takes; None where there is no such.

    `assumed` are roots of values that a loop carries, while it is looked at.
    """
    assumed = assumed or {}
    if value in lowering.values:
        return lowering.values[value].root
    if value in assumed:
        return assumed[value]
    if value.operation is None:
        return _of_argument(lowering, value, assumed)
    operation = value.operation
    match operation.name:
        case _ if operation.name in _PASSED_ON:
            return root_of(lowering, operation.operands[0], assumed)
        case "arith.select":
            return _common(lowering, operation.operands[1:], assumed)
        case "scf.if":
            return _common(
                lowering, [region[0].terminator.operands[value.index] for region in operation.regions], assumed
            )
        case "scf.for":
            return root_of(lowering, operation.body.arguments[1 + value.index], assumed)
        case "scf.while":
            return root_of(lowering, operation.body.terminator.operands[1 + value.index], assumed)
        case _:
            return None


def _of_argument(lowering: "Lowering", value: Value, assumed: dict[Value, int | None]) -> int | None:
    """Of what a loop carries: the root that it begins with, where it ends each turn with the same."""
    block = value.block
    loop = block.parent if block is not None else None
    if block is None or loop is None:
        return None
    if loop.name == "scf.for" and value.index:
        first, again = loop.operands[2 + value.index], block.terminator.operands[value.index - 1]
    elif loop.name == "scf.while" and block is loop.body:
        first, again = loop.operands[value.index], loop.regions[1][0].terminator.operands[value.index]
    elif loop.name == "scf.while":
        return root_of(lowering, loop.body.terminator.operands[1 + value.index], assumed)
    else:
        return None
    root = root_of(lowering, first, assumed)
    return root if root_of(lowering, again, {**assumed, value: root}) == root else None


def _common(lowering: "Lowering", values: Sequence[Value], assumed: dict[Value, int | None]) -> int | None:
    roots = {root_of(lowering, value, assumed) for value in values}
    return roots.pop() if len(roots) == 1 else None


def bind_computed(
    lowering: "Lowering", operation: Operation, arguments: Sequence[Node], compute: Compute, root: int | None = None
) -> None:
    """Bind the result, computed at once where all its lanes are alike."""
    result = operation.results[0].type
    if all(isinstance(one, Splat) or not one.shape for one in arguments):
        value = compute(lowering, [one.lane(lowering, ()) for one in arguments])
        lowering.bind(operation, Splat(result.element, result.dims, root, value))
    else:
        lowering.bind(operation, Computed(result.element, result.dims, root, tuple(arguments), compute))


@lowers("tt.addptr")
def add(lowering: "Lowering", operation: Operation) -> None:
    pointer, offset = lowering.nodes(operation)
    size = size_of(operation.operands[0].type.pointee)

    def moved(lowering: "Lowering", lanes: Sequence[str]) -> str:
        let, by = lowering.writer.let, lanes[1]
        if register(offset.element) != "i64":
            by = let(f"sext {offset.element} {by} to i64")
        if size != 1:
            by = let(f"mul i64 {by}, {size}")
        return by if lanes[0] == "0" else let(f"add i64 {lanes[0]}, {by}")

    bind_computed(lowering, operation, (pointer, offset), moved, pointer.root)


@lowers("arith.select")
def select(lowering: "Lowering", operation: Operation) -> None:
    """Of pointers too, whose roots may differ: then both are addresses."""
    condition, *choices = lowering.nodes(operation)
    result = operation.results[0].type
    root = root_of(lowering, operation.results[0]) if result.is_pointer else None
    kind = register(result.element)

    def chosen(lowering: "Lowering", lanes: Sequence[str]) -> str:
        return lowering.writer.let(f"select i1 {lanes[0]}, {kind} {lanes[1]}, {kind} {lanes[2]}")

    bind_computed(lowering, operation, (condition, *(lowering.rooted(one, root) for one in choices)), chosen, root)


@lowers("tt.ptr_to_int", "tt.int_to_ptr")
def address(lowering: "Lowering", operation: Operation) -> None:
    (given,) = lowering.nodes(operation)
    bind_computed(lowering, operation, (lowering.rooted(given, None),), lambda _, lanes: lanes[0])


@lowers("tt.bitcast")
def bitcast(lowering: "Lowering", operation: Operation) -> None:
    """Of pointers too, which stay what they are."""
    (given,) = lowering.nodes(operation)
    source, target = operation.operands[0].type.element, operation.results[0].type.element
    bind_computed(
        lowering,
        operation,
        (given,),
        lambda lowering, lanes: reinterpreted(lowering.writer, lanes[0], source, target),
        given.root,
    )
