"""Conversions between types of elements, their roundings, and their forms in memory."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from eagerdiff.harness.devices.host.lowering.elements import (
    FLOAT8,
    NAN,
    Unsupported,
    is_float,
    register,
    size_of,
    stored,
)
from eagerdiff.harness.devices.host.lowering.registry import elementwise
from eagerdiff.harness.devices.host.lowering.writer import Writer
from eagerdiff.harness.devices.host.mlir.operation import Operation

if TYPE_CHECKING:
    from eagerdiff.harness.devices.host.lowering.lowering import Lowering

_TOWARDS_ZERO, _TO_NEAREST = 0, 1
"""Triton's `RoundingMode`."""
_BITS = {"half": "i16", "float": "i32", "double": "i64"}


def rounded(writer: Writer, value: str, element: str) -> str:
    """Round a float to the nearest of a narrower type, ties to even; it is still held as a float."""
    let = writer.let
    match element:
        case "f16":
            return let(f"fpext half {let(f'fptrunc float {value} to half')} to float")
        case "bf16":
            bits = let(f"bitcast float {value} to i32")
            odd = let(f"and i32 {let(f'lshr i32 {bits}, 16')}, 1")
            up = let(f"add i32 {bits}, {let(f'add i32 {odd}, 32767')}")
            near = let(f"bitcast i32 {let(f'and i32 {up}, -65536')} to float")
            return let(f"select i1 {let(f'fcmp uno float {value}, {value}')}, float {NAN}, float {near}")
        case _ if element in FLOAT8:
            return writer.call("float", f"rt_round_{element}", f"float {value}")
        case _:
            return value


def to_memory(writer: Writer, value: str, element: str) -> str:
    """Return a value that is rounded already as it lies in memory."""
    let = writer.let
    match element:
        case "bf16":
            bits = let(f"bitcast float {value} to i32")
            return let(f"trunc i32 {let(f'lshr i32 {bits}, 16')} to i16")
        case "f16":
            return let(f"fptrunc float {value} to half")
        case "i1":
            return let(f"zext i1 {value} to i8")
        case _ if element in FLOAT8:
            return writer.call("i8", f"rt_encode_{element}", f"float {value}")
        case _:
            return value


def from_memory(writer: Writer, value: str, element: str) -> str:
    """Return what lay in memory as it is held in a register."""
    let = writer.let
    match element:
        case "bf16":
            bits = let(f"zext i16 {value} to i32")
            return let(f"bitcast i32 {let(f'shl i32 {bits}, 16')} to float")
        case "f16":
            return let(f"fpext half {value} to float")
        case "i1":
            return let(f"icmp ne i8 {value}, 0")
        case _ if element in FLOAT8:
            return writer.call("float", f"rt_decode_{element}", f"i8 {value}")
        case _:
            return value


def bits_of(writer: Writer, value: str, element: str) -> tuple[str, str]:
    """Return a value's bits, and LLVM's type of them."""
    kind, value = stored(element), to_memory(writer, value, element)
    if kind in _BITS:
        return writer.let(f"bitcast {kind} {value} to {_BITS[kind]}"), _BITS[kind]
    return value, kind


def of_bits(writer: Writer, bits: str, element: str) -> str:
    """Return the value that some bits are."""
    kind = stored(element)
    if kind in _BITS:
        bits = writer.let(f"bitcast {_BITS[kind]} {bits} to {kind}")
    return from_memory(writer, bits, element)


def _elements(operation: Operation) -> tuple[str, str]:
    return operation.operands[0].type.element, operation.results[0].type.element


def _widened(writer: Writer, value: str, source: str, target: str) -> str:
    """Hold a float as its target is held."""
    if (source == "f64") == (target == "f64"):
        return value
    return writer.let(f"fpext float {value} to double" if target == "f64" else f"fptrunc double {value} to float")


@elementwise("arith.extf", "arith.truncf", cost=2)
def float_to_float(lowering: "Lowering", operation: Operation, lanes: Sequence[str]) -> str:
    source, target = _elements(operation)
    value = _widened(lowering.writer, lanes[0], source, target)
    return value if operation.name == "arith.extf" else rounded(lowering.writer, value, target)


@elementwise("tt.fp_to_fp", cost=10)
def triton_float_to_float(lowering: "Lowering", operation: Operation, lanes: Sequence[str]) -> str:
    """To and from eight bits, and of sixteen bits with a rounding that is named."""
    source, target = _elements(operation)
    writer = lowering.writer
    value = _widened(writer, lanes[0], source, target)
    if size_of(target) > size_of(source):
        return value
    if operation.attributes.integer("rounding", _TO_NEAREST) == _TO_NEAREST:
        return rounded(writer, value, target)
    if target == "bf16":
        cut = writer.let(f"and i32 {writer.let(f'bitcast float {value} to i32')}, -65536")
        return writer.let(f"bitcast i32 {cut} to float")
    if target == "f16":
        return writer.call("float", "rt_truncate_f16", f"float {value}")
    raise Unsupported(f"rounding towards zero to {target} at {lowering.line_of(operation)}")


@elementwise("arith.extsi", "arith.extui", "arith.trunci")
def integer_to_integer(lowering: "Lowering", operation: Operation, lanes: Sequence[str]) -> str:
    source, target = _elements(operation)
    how = {"arith.extsi": "sext", "arith.extui": "zext", "arith.trunci": "trunc"}[operation.name]
    return lowering.writer.let(f"{how} {register(source)} {lanes[0]} to {register(target)}")


@elementwise("arith.index_cast")
def index_to_integer(lowering: "Lowering", operation: Operation, lanes: Sequence[str]) -> str:
    source, target = (register(one) for one in _elements(operation))
    if source == target:
        return lanes[0]
    return lowering.writer.let(f"{'sext' if target == 'i64' else 'trunc'} {source} {lanes[0]} to {target}")


@elementwise("arith.sitofp", "arith.uitofp", cost=2)
def integer_to_float(lowering: "Lowering", operation: Operation, lanes: Sequence[str]) -> str:
    source, target = _elements(operation)
    how = operation.name.removeprefix("arith.")
    value = lowering.writer.let(f"{how} {register(source)} {lanes[0]} to {register(target)}")
    return rounded(lowering.writer, value, target)


@elementwise("arith.fptosi", "arith.fptoui", cost=2)
def float_to_integer(lowering: "Lowering", operation: Operation, lanes: Sequence[str]) -> str:
    """What is too large becomes the largest, NaN 0: as in PTX, where eight bits are cut from sixteen."""
    source, target = _elements(operation)
    kind, wide = register(source), target if target in ("i16", "i32", "i64") else "i16"
    suffix = f"{wide}.{'f64' if kind == 'double' else 'f32'}"
    name = f"{operation.name.removeprefix('arith.')}.sat"
    value = lowering.writer.intrinsic(name, wide, f"{kind} {lanes[0]}", of=suffix)
    return value if wide == target else lowering.writer.let(f"trunc {wide} {value} to {target}")


@elementwise("arith.bitcast")
def bitcast(lowering: "Lowering", operation: Operation, lanes: Sequence[str]) -> str:
    return reinterpreted(lowering.writer, lanes[0], *_elements(operation))


def reinterpreted(writer: Writer, value: str, source: str, target: str) -> str:
    """Return the value that another's bits are."""
    if source == target:
        return value
    bits, _ = bits_of(writer, value, source)
    return of_bits(writer, bits, target) if is_float(target) or target == "i1" else bits
