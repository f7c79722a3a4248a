"""Conversions between dtypes, as the hardware makes them."""

from typing import Any, cast

import numpy as np
import triton.language as tl

from eagerdiff.harness.devices.interpreted.values import (
    Array,
    Floats,
    decode,
    encode,
    float8_bits,
    float8_values,
    memory_dtype,
    settle,
    truncate_bfloat16,
    value_dtype,
)


def convert(data: Array, dtype: tl.dtype) -> Array:
    """Convert values: to floats rounding to nearest even, from floats to integers towards zero and saturating."""
    held = value_dtype(dtype)
    if data.dtype.kind == "f" and held.kind in "iu":
        return float_to_integer(data, held)
    return settle(data, dtype)


def float_to_integer(data: Array, held: np.dtype[Any]) -> Array:
    """Truncate as an H200 does: saturating, bytes by way of 16 bits; NaN gives 0, or the least of 64 bits."""
    wide = np.dtype(f"{held.kind}{max(2, held.itemsize)}")
    limits = np.iinfo(wide)
    whole = np.trunc(data.astype(np.float64))
    most = np.nextafter(2.0 ** (64 - (wide.kind == "i")), 0) if wide.itemsize == 8 else float(limits.max)
    fits = (whole >= float(limits.min)) & (whole <= most)
    if fits.all():
        return whole.astype(wide).astype(held)
    result = np.where(fits, whole, 0).astype(wide)
    result[whole > most], result[whole < float(limits.min)] = limits.max, limits.min
    if limits.min == -(2**63):
        result[np.isnan(whole)] = limits.min
    return result.astype(held)


def truncate(data: Array, dtype: tl.dtype) -> Array:
    """Convert floats towards zero."""
    name = cast(str, dtype.name)
    if name == "bf16":
        return truncate_bfloat16(data.astype(np.float32))
    if name.startswith("fp8"):
        near = float8_values(name)[float8_bits(data.astype(np.float32), name, towards_zero=True)]
        return np.where(np.isinf(data), data, near).astype(np.float32) if name == "fp8e5" else near
    near = settle(data, dtype)
    over = np.abs(near.astype(np.float64)) > np.abs(data.astype(np.float64))
    return np.where(over, np.nextafter(near, near.dtype.type(0)), near)


def reinterpret(data: Array, source: tl.dtype, target: tl.dtype) -> Array:
    """Read the bits of one type as another of the same width."""
    bits = encode(data, source)
    return decode(bits.view(memory_dtype(target)), target)


def nearest_tf32(data: Floats) -> Floats:
    """Round float32 to the nearest value with ten fraction bits, ties to even, as a copy through a TF32 map does."""
    bits = np.ascontiguousarray(data).view(np.uint32)
    rounded = (bits + (((bits >> 13) & 1) + np.uint32(0xFFF))) & np.uint32(0xFFFFE000)
    return np.where(np.isfinite(data), rounded.view(np.float32).reshape(data.shape), data)


def round_tf32(data: Floats) -> Floats:
    """Keep the ten fraction bits that tensor cores read of a float32."""
    return (np.ascontiguousarray(data).view(np.uint32) & np.uint32(0xFFFFE000)).view(np.float32).reshape(data.shape)
