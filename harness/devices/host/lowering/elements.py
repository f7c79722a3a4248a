"""How one element is held: in a register, in a buffer of the kernel's own, in memory that others see."""

import struct

from eagerdiff.harness.devices.host.mlir.types import POINTER

FLOAT8 = ("f8E4M3FN", "f8E5M2", "f8E4M3FNUZ", "f8E5M2FNUZ")
_HELD_AS_FLOAT = frozenset({"f32", "bf16", "f16", *FLOAT8})
_STORED = {"f32": "float", "f64": "double", "f16": "half", "bf16": "i16", "i1": "i8", POINTER: "i64", "index": "i64"}
_SIZES = {"float": 4, "double": 8, "half": 2, "i8": 1, "i16": 2, "i32": 4, "i64": 8}
NAN = "0x7FF8000000000000"
"""As LLVM writes it, of a float and of a double."""


class Unsupported(NotImplementedError):
    """The kernel has something that is not lowered; the message names it."""


def is_float(element: str) -> bool:
    return element == "f64" or element in _HELD_AS_FLOAT


def register(element: str) -> str:
    """Return LLVM's type of it in a register: narrow floats are held as float, rounded after each operation."""
    if element in _HELD_AS_FLOAT:
        return "float"
    if element == "f64":
        return "double"
    if element in (POINTER, "index"):
        return "i64"
    if not element.startswith("i"):
        raise Unsupported(f"elements of {element}")
    return element


def held(element: str) -> str:
    """Return LLVM's type of it in a buffer: as in a register, but for booleans, which take a byte."""
    return "i8" if element == "i1" else register(element)


def stored(element: str) -> str:
    """Return LLVM's type of it in memory that the kernel is given."""
    return "i8" if element in FLOAT8 else _STORED.get(element, element)


def size_of(element: str) -> int:
    """Return its bytes in memory that the kernel is given."""
    return _SIZES[stored(element)]


def held_size(element: str) -> int:
    """Return its bytes in a buffer."""
    return _SIZES[held(element)]


def width(element: str) -> int:
    """Return the bits of a type of integers."""
    return 64 if element in (POINTER, "index") else int(element[1:])


def literal(value: float, element: str) -> str:
    """Return a number as LLVM writes a constant of that element: floats by their bits, as a double's."""
    if not is_float(element):
        return ("true" if value else "false") if element == "i1" else str(int(value))
    if value != value:
        return NAN
    if element != "f64":
        value = _as_float(value)
    return f"0x{int.from_bytes(struct.pack('>d', value)):016X}"


def no_index(element: str, small: bool = False) -> int:
    """Return a whole number that no index is. `small`: one that, times another, hardly ever wraps around."""
    return int("5A" * min(width(element) // 8, 2 if small else 8), 16)


def _as_float(value: float) -> float:
    try:
        found: tuple[float] = struct.unpack("<f", struct.pack("<f", value))
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")
    return found[0]
