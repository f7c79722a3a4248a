"""How numbers of each Triton dtype are held: as *values* in numpy, bfloat16 and fp8 among float32.

Triton's interpreter holds bfloat16 and fp8 as bit patterns and computes on those. Here a block of them is float32
data that the narrow type can represent; it becomes bits only at memory and at bit casts.
"""

import functools
from typing import Any, ClassVar, cast

import numpy as np
import torch
import triton.language as tl
from numpy.typing import NDArray

Value = Any
"""What a user's kernel is given, names or returns: a tensor, a constant, a tuple, any object of Python's."""

Array = NDArray[Any]
"""Numbers of a dtype that `value_dtype` or `memory_dtype` gives."""

Floats = NDArray[np.float32]
"""Values of bfloat16, fp8 or float32."""

Lanes = NDArray[np.bool_]
"""A truth for each lane of a block."""

Addresses = NDArray[np.uint64]
"""A pointer for each lane of a block."""

NATIVE: dict[object, np.dtype[Any]] = {
    "int1": np.dtype(np.bool_),
    "int8": np.dtype(np.int8),
    "uint8": np.dtype(np.uint8),
    "int16": np.dtype(np.int16),
    "uint16": np.dtype(np.uint16),
    "int32": np.dtype(np.int32),
    "uint32": np.dtype(np.uint32),
    "int64": np.dtype(np.int64),
    "uint64": np.dtype(np.uint64),
    "fp16": np.dtype(np.float16),
    "fp32": np.dtype(np.float32),
    "fp64": np.dtype(np.float64),
}
"""Types that numpy has, by Triton's name."""

FLOAT8 = ("fp8e4nv", "fp8e5", "fp8e4b8", "fp8e5b16", "fp8e4b15")
"""OCP e4m3fn and e5m2, AMD's e4m3fnuz and e5m2fnuz, Triton's own e4 with bias 15."""

NARROW = ("bf16", *FLOAT8)
"""Types that numpy does not have."""

TORCH_FLOAT8 = {
    "fp8e4nv": torch.float8_e4m3fn,
    "fp8e5": torch.float8_e5m2,
    "fp8e4b8": torch.float8_e4m3fnuz,
    "fp8e5b16": torch.float8_e5m2fnuz,
}

WILD_BYTE = 0x5A
"""Every byte of a wild integer: large and positive, as an index far outside anything."""


def value_dtype(dtype: tl.dtype) -> np.dtype[Any]:
    """Return the numpy type that holds values of a Triton type; pointers are uint64."""
    scalar = dtype.scalar
    if scalar.is_ptr():
        return np.dtype(np.uint64)
    return NATIVE.get(scalar.name, NATIVE["fp32"])


def memory_dtype(dtype: tl.dtype) -> np.dtype[Any]:
    """Return the numpy type of the same width as a Triton type in memory."""
    scalar = dtype.scalar
    if is_narrow(scalar):
        return NATIVE["uint16" if scalar.name == "bf16" else "uint8"]
    return value_dtype(scalar)


def is_narrow(dtype: tl.dtype) -> bool:
    """Tell bfloat16 and fp8 from what numpy has."""
    return dtype.name in NARROW


def settle(data: Array, dtype: tl.dtype) -> Array:
    """Round computed data to what the Triton type can represent (nearest, ties to even)."""
    scalar = dtype.scalar
    native = None if scalar.is_ptr() else NATIVE.get(scalar.name)
    if native is not None:
        return data if data.dtype == native else data.astype(native)
    if scalar.is_ptr():
        return data.astype(np.uint64, copy=False)
    data = data.astype(np.float32, copy=False)
    return round_bfloat16(data) if scalar.name == "bf16" else round_float8(data, cast(str, scalar.name))


def encode(data: Array, dtype: tl.dtype) -> Array:
    """Turn values into the bits that memory holds."""
    scalar = dtype.scalar
    if scalar.is_ptr() or not is_narrow(scalar):
        return data
    data = np.ascontiguousarray(data, dtype=np.float32)
    if scalar.name == "bf16":
        return (round_bfloat16(data).view(np.uint32) >> 16).astype(np.uint16)
    return float8_bits(data, cast(str, scalar.name))


def decode(bits: Array, dtype: tl.dtype) -> Array:
    """Turn the bits that memory holds into values."""
    scalar = dtype.scalar
    if scalar.is_ptr() or not is_narrow(scalar):
        return bits
    if scalar.name == "bf16":
        return (bits.astype(np.uint32) << 16).view(np.float32)
    return float8_values(cast(str, scalar.name))[bits]


class Unread:
    """Hold what lanes have that nothing read, in the launch in hand."""

    value: ClassVar[float] = np.nan


def wild(shape: tuple[int, ...], dtype: tl.dtype) -> Array:
    """Return what undefined memory reads as: what the launch in hand has for it, or a wild integer of its sign."""
    held = value_dtype(dtype)
    if held.kind == "f":
        with np.errstate(over="ignore"):
            return np.full(shape, Unread.value, dtype=held)
    filled = np.full((held.itemsize,), WILD_BYTE if held.kind != "b" else 1, dtype=np.uint8).view(held)
    return np.broadcast_to(-filled if Unread.value < 0 and held.kind != "b" else filled, shape)


def round_bfloat16(data: Floats) -> Floats:
    """Round float32 to the nearest bfloat16, ties to even; NaN stays NaN."""
    bits = np.ascontiguousarray(data).view(np.uint32)
    rounded = (bits + (((bits >> 16) & 1) + np.uint32(0x7FFF))) & np.uint32(0xFFFF0000)
    values = rounded.view(np.float32).reshape(data.shape)
    nan = np.isnan(data)
    return np.where(nan, np.float32(np.nan), values) if nan.any() else values


def truncate_bfloat16(data: Floats) -> Floats:
    """Round float32 to bfloat16 towards zero."""
    values = (np.ascontiguousarray(data).view(np.uint32) & np.uint32(0xFFFF0000)).view(np.float32).reshape(data.shape)
    return np.where(np.isnan(data), np.float32(np.nan), values)


def round_float8(data: Floats, name: str) -> Floats:
    """Round float32 to the nearest fp8 value, ties to even, saturating as the hardware's `cvt.satfinite` does."""
    limit = float(_float8_scale(name)[0][-1])
    return float8_values(name)[float8_bits(np.clip(data, -limit, limit), name)]


def float8_bits(data: Floats, name: str, towards_zero: bool = False) -> NDArray[np.uint8]:
    """Return the fp8 bits of the nearest value (or of the next one towards zero); infinity where the type has it."""
    if name in TORCH_FLOAT8 and not towards_zero:
        return torch.from_numpy(np.array(data, dtype=np.float32)).to(TORCH_FLOAT8[name]).view(torch.uint8).numpy()
    magnitudes, midpoints, nan = _float8_scale(name)
    size = np.abs(data)
    if towards_zero:
        index = np.searchsorted(magnitudes, size, side="right") - 1
    else:
        below = np.searchsorted(midpoints, size, side="left")
        index = np.where(below % 2 == 0, below, np.searchsorted(midpoints, size, side="right"))
    index = np.clip(index, 0, len(magnitudes) - 1).astype(np.uint8)
    negative = np.signbit(data) & ((index > 0) | (nan != 0x80))
    bits = np.where(negative, index | np.uint8(0x80), index)
    return np.where(np.isnan(data), np.uint8(nan), bits).astype(np.uint8)


@functools.cache
def float8_values(name: str) -> Floats:
    """Return the 256 float32 values of an fp8 type, in the order of its bits."""
    exponent_bits, bias, special = {
        "fp8e4nv": (4, 7, "fn"),
        "fp8e5": (5, 15, "ieee"),
        "fp8e4b8": (4, 8, "fnuz"),
        "fp8e5b16": (5, 16, "fnuz"),
        "fp8e4b15": (4, 15, "none"),
    }[name]
    mantissa_bits = 7 - exponent_bits
    bits = np.arange(128)
    exponent, fraction = bits >> mantissa_bits, (bits & ((1 << mantissa_bits) - 1)) / (1 << mantissa_bits)
    values = np.where(exponent == 0, fraction * 2.0 ** (1 - bias), (1 + fraction) * 2.0 ** (exponent - bias))
    if special == "ieee":
        values = np.where(exponent == 31, np.where(fraction == 0, np.inf, np.nan), values)
    if special == "fn":
        values[127] = np.nan
    both = np.concatenate([values, -values]).astype(np.float32)
    if special == "fnuz":
        both[128] = np.nan
    return both


@functools.cache
def _float8_scale(name: str) -> tuple[NDArray[np.float64], NDArray[np.float64], int]:
    """Return the finite magnitudes, the midpoints between them, and the bits of NaN."""
    positive = float8_values(name)[:128].astype(np.float64)
    magnitudes = positive[np.isfinite(positive)]
    nan = {"fp8e4nv": 0x7F, "fp8e5": 0x7F, "fp8e4b8": 0x80, "fp8e5b16": 0x80, "fp8e4b15": 0x7F}[name]
    return magnitudes, (magnitudes[1:] + magnitudes[:-1]) / 2, nan
