"""Attributes: what an operation is told beside its operands, kept as MLIR prints them."""

import re
import struct
from collections.abc import Iterator

from eagerdiff.harness.devices.host.mlir.brackets import split

_ARRAY = re.compile(r"array<i\d+(?::(.*))?>", re.DOTALL)
_ESCAPED = re.compile(r"\\([0-9A-F]{2}|.)", re.DOTALL)
_DENSE = re.compile(r"dense<(.*)> : tensor<.*>", re.DOTALL)


class Attributes:
    """The attributes of one operation, by name; each is read when it is asked for."""

    def __init__(self, *texts: str) -> None:
        self._texts: dict[str, str] = {}
        for text in texts:
            for part in split(text):
                key, _, value = part.partition(" = ")
                self._texts[key.strip().strip('"')] = value.strip()

    def __contains__(self, name: str) -> bool:
        return name in self._texts

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def text(self, name: str) -> str:
        """Return it as it is printed; raise KeyError where there is none."""
        return self._texts[name]

    def string(self, name: str, default: str = "") -> str:
        """Return a string without its quotes."""
        text = self._texts.get(name)
        return default if text is None else _ESCAPED.sub(_unescaped, text[1:-1])

    def symbol(self, name: str) -> str:
        """Return the name of a function: `@name`, or `@"a.name"`."""
        return self._texts[name].removeprefix("@").strip('"')

    def integer(self, name: str, default: int | None = None) -> int:
        """Return an integer, also one that names a choice; raise KeyError where there is neither it nor a default."""
        text = self._texts.get(name)
        if text is None:
            if default is None:
                raise KeyError(name)
            return default
        return int(text.partition(":")[0])

    def integers(self, name: str) -> list[int]:
        found = _ARRAY.fullmatch(self._texts[name])
        if found is None:
            raise ValueError(f"no array of integers: {self._texts[name]}")
        return [int(one) for one in (found[1] or "").split(",") if one.strip()]

    def flag(self, name: str) -> bool:
        """Return whether it is there and not false."""
        return self._texts.get(name, "false") != "false"

    def constant(self, name: str) -> str | list[str]:
        """Return a constant's literal: one, or those of all elements of a tensor whose elements differ, in order."""
        text = self._texts[name]
        dense = _DENSE.fullmatch(text)
        if dense is None:
            return text.partition(" : ")[0]
        inside = dense[1]
        if inside.startswith("["):
            return [one.strip() for one in inside.replace("[", "").replace("]", "").split(",")]
        return inside


def _unescaped(found: re.Match[str]) -> str:
    """MLIR escapes what is no printable character, and quotes, by two hexadecimal digits."""
    return found[1] if len(found[1]) == 1 else chr(int(found[1], 16))


def hexadecimal(literal: str) -> bytes | None:
    """Return the bytes of a constant that is printed as such, which long ones are; None where it is not."""
    return bytes.fromhex(literal[3:-1]) if literal.startswith('"0x') else None


def integer_of(literal: str) -> int:
    """Return the integer, or the boolean as 0 or 1, that a literal says."""
    if literal in ("true", "false"):
        return int(literal == "true")
    return int(literal, 0)


def float_of(literal: str, element: str) -> float:
    """Return the number that a literal of a type of floats says: decimal, or its bits."""
    if not literal.startswith("0x"):
        return float(literal)
    return from_bits(int(literal, 16), element)


def from_bits(bits: int, element: str) -> float:
    """Return the number that some bits are in a type of floats; ValueError for a type that is not known."""
    match element:
        case "f64":
            return _unpacked("<d", bits.to_bytes(8, "little"))
        case "f32":
            return _unpacked("<f", bits.to_bytes(4, "little"))
        case "bf16":
            return _unpacked("<f", (bits << 16).to_bytes(4, "little"))
        case "f16":
            return _unpacked("<e", bits.to_bytes(2, "little"))
        case _:
            return _small(bits, element)


def _unpacked(form: str, data: bytes) -> float:
    found: tuple[float] = struct.unpack(form, data)
    return found[0]


_FLOAT8 = {"f8E4M3FN": (4, 7), "f8E5M2": (5, 15), "f8E4M3FNUZ": (4, 8), "f8E5M2FNUZ": (5, 16)}
"""Bits of the exponent, and its bias."""


def _small(bits: int, element: str) -> float:
    if element not in _FLOAT8:
        raise ValueError(f"no type of floats: {element}")
    exponent_bits, bias = _FLOAT8[element]
    fraction_bits = 7 - exponent_bits
    sign, rest = -1.0 if bits & 0x80 else 1.0, bits & 0x7F
    exponent, fraction = rest >> fraction_bits, rest & ((1 << fraction_bits) - 1)
    if (element.endswith("UZ") and bits == 0x80) or (element == "f8E4M3FN" and rest == 0x7F):
        return float("nan")
    if element == "f8E5M2" and exponent == 31:
        return float("nan") if fraction else sign * float("inf")
    part = fraction / (1 << fraction_bits)
    return sign * ((1 + part) * 2.0 ** (exponent - bias) if exponent else part * 2.0 ** (1 - bias))
