"""Arithmetic on integers and floats: the dialects `arith` and, of it, what Triton has as its own."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from eagerdiff.harness.devices.host.lowering.conversions import rounded
from eagerdiff.harness.devices.host.lowering.elements import register, width
from eagerdiff.harness.devices.host.lowering.registry import elementwise
from eagerdiff.harness.devices.host.mlir.operation import Operation

if TYPE_CHECKING:
    from eagerdiff.harness.devices.host.lowering.lowering import Lowering

_FLOATS_COMPARED = (
    *("false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord"),
    *("ueq", "ugt", "uge", "ult", "ule", "une", "uno", "true"),
)
_INTEGERS_COMPARED = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
_FLOATS = {"arith.addf": "fadd", "arith.subf": "fsub", "arith.mulf": "fmul"}
_INTEGERS = {
    "arith.addi": "add",
    "arith.subi": "sub",
    "arith.muli": "mul",
    "arith.andi": "and",
    "arith.ori": "or",
    "arith.xori": "xor",
}
_EXTREMES = {
    "arith.maxnumf": "maxnum",
    "arith.minnumf": "minnum",
    "arith.maximumf": "maximum",
    "arith.minimumf": "minimum",
    "arith.maxsi": "smax",
    "arith.minsi": "smin",
    "arith.maxui": "umax",
    "arith.minui": "umin",
}
_SHIFTS = {"arith.shli": "shl", "arith.shrsi": "ashr", "arith.shrui": "lshr"}


def operand_kind(operation: Operation) -> str:
    """Return LLVM's type of the first operand's lanes."""
    return register(operation.operands[0].type.element)


def result_element(operation: Operation) -> str:
    return operation.results[0].type.element


@elementwise(*_FLOATS)
def float_arithmetic(lowering: "Lowering", operation: Operation, lanes: Sequence[str]) -> str:
    """A product and a sum may become one operation with one rounding, as they do on a GPU."""
    element = result_element(operation)
    fused = "contract " if element in ("f32", "f64") else ""
    one, other = lanes
    value = lowering.writer.let(f"{_FLOATS[operation.name]} {fused}{register(element)} {one}, {other}")
    return rounded(lowering.writer, value, element)


@elementwise("arith.divf", "tt.precise_divf", cost=5)
def float_quotient(lowering: "Lowering", operation: Operation, lanes: Sequence[str]) -> str:
    element = result_element(operation)
    value = lowering.writer.let(f"fdiv {register(element)} {lanes[0]}, {lanes[1]}")
    return rounded(lowering.writer, value, element)


@elementwise("arith.remf", cost=20)
def float_remainder(lowering: "Lowering", operation: Operation, lanes: Sequence[str]) -> str:
    element = result_element(operation)
    kind = register(element)
    name = "fmodf" if kind == "float" else "fmod"
    return rounded(lowering.writer, lowering.writer.call(kind, name, *(f"{kind} {one}" for one in lanes)), element)


@elementwise("arith.negf")
def float_negation(lowering: "Lowering", operation: Operation, lanes: Sequence[str]) -> str:
    return lowering.writer.let(f"fneg {operand_kind(operation)} {lanes[0]}")


@elementwise(*_INTEGERS)
def integer_arithmetic(lowering: "Lowering", operation: Operation, lanes: Sequence[str]) -> str:
    """Integers wrap around: a GPU's do, whatever Triton's front end promises LLVM."""
    return lowering.writer.let(f"{_INTEGERS[operation.name]} {operand_kind(operation)} {lanes[0]}, {lanes[1]}")


@elementwise(*_EXTREMES)
def extreme(lowering: "Lowering", operation: Operation, lanes: Sequence[str]) -> str:
    kind = operand_kind(operation)
    return lowering.writer.intrinsic(_EXTREMES[operation.name], kind, *(f"{kind} {one}" for one in lanes))


@elementwise("arith.cmpf")
def float_comparison(lowering: "Lowering", operation: Operation, lanes: Sequence[str]) -> str:
    order = _FLOATS_COMPARED[operation.attributes.integer("predicate")]
    return lowering.writer.let(f"fcmp {order} {operand_kind(operation)} {lanes[0]}, {lanes[1]}")


@elementwise("arith.cmpi")
def integer_comparison(lowering: "Lowering", operation: Operation, lanes: Sequence[str]) -> str:
    order = _INTEGERS_COMPARED[operation.attributes.integer("predicate")]
    return lowering.writer.let(f"icmp {order} {operand_kind(operation)} {lanes[0]}, {lanes[1]}")


@elementwise(*_SHIFTS)
def shift(lowering: "Lowering", operation: Operation, lanes: Sequence[str]) -> str:
    """By as many bits as there are, or more, nothing is left but the sign, as in PTX; LLVM has no value there."""
    kind, letter, bits = operand_kind(operation), lowering.writer.let, width(result_element(operation))
    value, by = lanes
    fits = letter(f"icmp ult {kind} {by}, {bits}")
    by = letter(f"select i1 {fits}, {kind} {by}, {kind} {bits - 1}")
    shifted = letter(f"{_SHIFTS[operation.name]} {kind} {value}, {by}")
    return shifted if operation.name == "arith.shrsi" else letter(f"select i1 {fits}, {kind} {shifted}, {kind} 0")


@elementwise("arith.divui", "arith.remui", cost=8)
def unsigned_division(lowering: "Lowering", operation: Operation, lanes: Sequence[str]) -> str:
    """By 0 all bits are set, as on a GPU; LLVM has no value there, and a processor ends the process."""
    kind, let = operand_kind(operation), lowering.writer.let
    value, by = lanes
    zero = let(f"icmp eq {kind} {by}, 0")
    safe = let(f"select i1 {zero}, {kind} 1, {kind} {by}")
    found = let(f"{'udiv' if operation.name == 'arith.divui' else 'urem'} {kind} {value}, {safe}")
    return let(f"select i1 {zero}, {kind} -1, {kind} {found}")


@elementwise("arith.divsi", "arith.remsi", cost=8)
def signed_division(lowering: "Lowering", operation: Operation, lanes: Sequence[str]) -> str:
    """By 0 all bits are set; the least number by -1 is itself, and leaves nothing."""
    kind, let = operand_kind(operation), lowering.writer.let
    value, by = lanes
    zero, minus = let(f"icmp eq {kind} {by}, 0"), let(f"icmp eq {kind} {by}, -1")
    safe = let(f"select i1 {let(f'or i1 {zero}, {minus}')}, {kind} 1, {kind} {by}")
    if operation.name == "arith.divsi":
        found = let(f"sdiv {kind} {value}, {safe}")
        found = let(f"select i1 {minus}, {kind} {let(f'sub {kind} 0, {value}')}, {kind} {found}")
    else:
        found = let(f"srem {kind} {value}, {safe}")
    return let(f"select i1 {zero}, {kind} -1, {kind} {found}")


@elementwise("tt.mulhiui", cost=3)
def high_product(lowering: "Lowering", operation: Operation, lanes: Sequence[str]) -> str:
    """The upper half of the product of two unsigned numbers."""
    kind, let = operand_kind(operation), lowering.writer.let
    bits = width(result_element(operation))
    one, other = (let(f"zext {kind} {lane} to i{2 * bits}") for lane in lanes)
    high = let(f"lshr i{2 * bits} {let(f'mul i{2 * bits} {one}, {other}')}, {bits}")
    return let(f"trunc i{2 * bits} {high} to {kind}")


@elementwise("tt.clampf", cost=2)
def clamp(lowering: "Lowering", operation: Operation, lanes: Sequence[str]) -> str:
    """NaN passes through where it is asked for; else the lower end stands in for it."""
    kind, exact = operand_kind(operation), operation.attributes.integer("propagateNan", 0) != 0
    value, low, high = lanes
    value = lowering.writer.intrinsic("maximum" if exact else "maxnum", kind, f"{kind} {value}", f"{kind} {low}")
    return lowering.writer.intrinsic("minimum" if exact else "minnum", kind, f"{kind} {value}", f"{kind} {high}")
