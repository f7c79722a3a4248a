"""Functions of one or a few numbers: the dialect `math`, and libdevice by the names of its functions."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from eagerdiff.harness.devices.host.lowering.arithmetic import operand_kind, result_element
from eagerdiff.harness.devices.host.lowering.conversions import rounded
from eagerdiff.harness.devices.host.lowering.elements import Unsupported, literal, register
from eagerdiff.harness.devices.host.lowering.libdevice import FUNCTIONS
from eagerdiff.harness.devices.host.lowering.registry import elementwise
from eagerdiff.harness.devices.host.mlir.operation import Operation

if TYPE_CHECKING:
    from eagerdiff.harness.devices.host.lowering.lowering import Lowering

_OF_PROCESSOR = {
    "math.absf": "fabs",
    "math.ceil": "ceil",
    "math.copysign": "copysign",
    "math.floor": "floor",
    "math.fma": "fma",
    "math.round": "round",
    "math.roundeven": "roundeven",
    "math.sqrt": "sqrt",
    "math.trunc": "trunc",
    "tt.precise_sqrt": "sqrt",
}
"""Intrinsics that LLVM turns into instructions, or into a call of libm."""
_OF_LIBM = {
    f"math.{name}": name
    for name in (
        *("acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "cos", "cosh", "erf", "erfc"),
        *("exp", "exp2", "expm1", "log", "log10", "log1p", "log2", "sin", "sinh", "tan", "tanh"),
    )
} | {"math.powf": "pow"}


@elementwise(*_OF_PROCESSOR, cost=6)
def of_processor(lowering: "Lowering", operation: Operation, lanes: Sequence[str]) -> str:
    kind = operand_kind(operation)
    value = lowering.writer.intrinsic(_OF_PROCESSOR[operation.name], kind, *(f"{kind} {one}" for one in lanes))
    return rounded(lowering.writer, value, result_element(operation))


@elementwise(*_OF_LIBM, cost=20)
def of_libm(lowering: "Lowering", operation: Operation, lanes: Sequence[str]) -> str:
    kind = operand_kind(operation)
    name = _OF_LIBM[operation.name] + ("f" if kind == "float" else "")
    value = lowering.writer.call(kind, name, *(f"{kind} {one}" for one in lanes))
    return rounded(lowering.writer, value, result_element(operation))


@elementwise("math.rsqrt", cost=8)
def inverse_root(lowering: "Lowering", operation: Operation, lanes: Sequence[str]) -> str:
    kind, element = operand_kind(operation), result_element(operation)
    root = lowering.writer.intrinsic("sqrt", kind, f"{kind} {lanes[0]}")
    return rounded(lowering.writer, lowering.writer.let(f"fdiv {kind} {literal(1.0, element)}, {root}"), element)


@elementwise("math.absi")
def magnitude(lowering: "Lowering", operation: Operation, lanes: Sequence[str]) -> str:
    kind = operand_kind(operation)
    return lowering.writer.intrinsic("abs", kind, f"{kind} {lanes[0]}", "i1 false")


@elementwise("math.ctlz", "math.cttz")
def zeros(lowering: "Lowering", operation: Operation, lanes: Sequence[str]) -> str:
    """Of bits at one end."""
    kind = operand_kind(operation)
    return lowering.writer.intrinsic(operation.name.removeprefix("math."), kind, f"{kind} {lanes[0]}", "i1 false")


@elementwise("math.ctpop")
def ones(lowering: "Lowering", operation: Operation, lanes: Sequence[str]) -> str:
    kind = operand_kind(operation)
    return lowering.writer.intrinsic("ctpop", kind, f"{kind} {lanes[0]}")


@elementwise("tt.extern_elementwise", cost=20)
def external(lowering: "Lowering", operation: Operation, lanes: Sequence[str]) -> str:
    """A function of libdevice, by its name; `Unsupported` where it is none that is known."""
    symbol = operation.attributes.string("symbol")
    if symbol not in FUNCTIONS:
        raise Unsupported(f"{symbol} at {lowering.line_of(operation)}")
    kinds = [register(one.type.element) for one in operation.operands]
    given = [f"{kind} {lane}" for kind, lane in zip(kinds, lanes, strict=True)]
    element = result_element(operation)
    return rounded(lowering.writer, lowering.writer.call(register(element), FUNCTIONS[symbol], *given), element)
