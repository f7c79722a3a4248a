"""Atomics: lanes one by one, so that those that meet at one address add up."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from eagerdiff.harness.devices.host.lowering.conversions import bits_of, rounded
from eagerdiff.harness.devices.host.lowering.elements import is_float, register
from eagerdiff.harness.devices.host.lowering.memory import Access, access, bound, load_lane, store_lane
from eagerdiff.harness.devices.host.lowering.nodes import Indices, Node
from eagerdiff.harness.devices.host.lowering.registry import lowers
from eagerdiff.harness.devices.host.mlir.operation import Operation

if TYPE_CHECKING:
    from eagerdiff.harness.devices.host.lowering.lowering import Lowering

_INTEGERS = {1: "and", 2: "or", 3: "xor", 4: "add"}
_EXTREMES = {6: "smax", 7: "smin", 8: "umax", 9: "umin"}
_FLOAT_EXTREMES = {6: "maxnum", 7: "minnum"}
_ADD_FLOATS, _EXCHANGE = 5, 10
"""Triton's `RMWOp`."""


@lowers("tt.atomic_rmw")
def read_modify_write(lowering: "Lowering", operation: Operation) -> None:
    pointer, value, *masks = lowering.nodes(operation)
    kind, element = operation.attributes.integer("atomic_rmw_op"), value.element

    def changed(old: str, indices: Indices) -> str:
        given = value.lane(lowering, indices if value.shape else ())
        return _combined(lowering, kind, element, old, given)

    _exchange(lowering, operation, pointer, masks[0] if masks else None, element, changed)


@lowers("tt.atomic_cas")
def compare_and_swap(lowering: "Lowering", operation: Operation) -> None:
    """By bits: a NaN equals itself, and zeros of two signs differ."""
    pointer, expected, new = lowering.nodes(operation)
    element, let = new.element, lowering.writer.let

    def changed(old: str, indices: Indices) -> str:
        wanted = expected.lane(lowering, indices if expected.shape else ())
        one, kind = bits_of(lowering.writer, old, element)
        other, _ = bits_of(lowering.writer, wanted, element)
        held = register(element)
        value = new.lane(lowering, indices if new.shape else ())
        return let(f"select i1 {let(f'icmp eq {kind} {one}, {other}')}, {held} {value}, {held} {old}")

    _exchange(lowering, operation, pointer, None, element, changed)


def _exchange(
    lowering: "Lowering",
    operation: Operation,
    pointer: Node,
    mask: Node | None,
    element: str,
    changed: Callable[[str, Indices], str],
) -> None:
    """Write what replaces an element by what it is changed to, and gives what it was."""
    into = lowering.buffer(element, pointer.shape)

    def perform(indices: Indices, address: str) -> str:
        old = load_lane(lowering, element, address)
        store_lane(lowering, element, changed(old, indices), address)
        return old

    found = Access(
        "atomic",
        operation,
        pointer,
        mask,
        element,
        perform,
        keep=lambda indices, value: into.put(lowering, indices, value),
        one_by_one=True,
        order=operation.attributes.integer("sem"),
    )
    access(lowering, found)
    bound(lowering, operation, into)


def _combined(lowering: "Lowering", kind: int, element: str, old: str, new: str) -> str:
    writer, held = lowering.writer, register(element)
    if kind == _EXCHANGE:
        return new
    if kind == _ADD_FLOATS:
        return rounded(writer, writer.let(f"fadd {held} {old}, {new}"), element)
    if kind in _INTEGERS:
        return writer.let(f"{_INTEGERS[kind]} {held} {old}, {new}")
    name = (_FLOAT_EXTREMES if is_float(element) else _EXTREMES)[kind]
    return writer.intrinsic(name, held, f"{held} {old}", f"{held} {new}")
