"""Quantisation: integers of a few bits and scales."""

import torch
from torch import Tensor

AWQ_ORDER = (0, 4, 1, 5, 2, 6, 3, 7)
"""Which nibble of an int32, the lowest first, each of eight weights in turn lies in (AutoAWQ's packing)."""


def unpack_awq(packed: Tensor) -> Tensor:
    """Unpack int32 [rows, columns / 8] of eight 4-bit weights each, in AWQ's order, as int32 [rows, columns]."""
    shifts = 4 * torch.tensor(AWQ_ORDER, dtype=torch.int32, device=packed.device)
    return ((packed[..., None] >> shifts) & 15).flatten(-2)


def dequantize_awq(packed: Tensor, scales: Tensor, zeros: Tensor) -> Tensor:
    """Return (weight - zero) · scale, in the scales' dtype: packed int32 [rows, columns / 8].

    scales [groups, columns] and zeros int32 [groups, columns / 8] hold for rows / groups rows each (arXiv 2306.00978).
    """
    group = packed.shape[0] // scales.shape[0]
    zero, scale = (one.repeat_interleave(group, 0) for one in (unpack_awq(zeros), scales))
    return ((unpack_awq(packed) - zero) * scale).to(scales.dtype)


def gemm_awq(a: Tensor, packed: Tensor, scales: Tensor, zeros: Tensor) -> Tensor:
    """Return a [rows, inner] · the weights of `dequantize_awq` [inner, columns], in the scales' dtype."""
    return a @ dequantize_awq(packed, scales, zeros)


def int8_rows(x: Tensor) -> tuple[Tensor, Tensor]:
    """Return what `judged` does of right int8 rows: the scales that fill ±127 [..., 1], and no weight that is wrong.

    x [..., width]; a row of zeros has scale 1e-10 / 127. Scales are float32 of narrower x.
    """
    wide = x.to(torch.promote_types(x.dtype, torch.float32))
    scale = wide.abs().amax(-1, keepdim=True).clamp_min(1e-10) / 127
    return scale, torch.zeros(x.shape[:-1], dtype=torch.int64, device=x.device)


def judged(x: Tensor, quantised: Tensor, scale: Tensor, step: float = 0.5) -> tuple[Tensor, Tensor]:
    """Return the scales, and how many of each row's int8 numbers are more than `step` from x / scale: int64 [...].

    x and quantised [..., width], scale [1] or [..., 1]; what is beyond -128 and 127 must become these. Of halves
    between two integers either is right, and so is what float32 makes of one: a thousandth is let pass. Where the scale
    is 0 and x too, any number does.
    """
    away = (quantised.double() - _wanted(x, quantised, scale, -128, 127)).abs()
    return scale, (~(away <= step * 1.001)).sum(-1)


def _wanted(x: Tensor, quantised: Tensor, scale: Tensor, least: float, most: float) -> Tensor:
    nothing = (scale == 0) & (x == 0)
    return torch.where(nothing, quantised.double(), x.double() / scale.double()).clamp(least, most)


NF4 = (
    -1.0, -0.6961928009986877, -0.5250730514526367, -0.39491748809814453, -0.28444138169288635, -0.18477343022823334,
    -0.09105003625154495, 0.0, 0.07958029955625534, 0.16093020141124725, 0.24611230194568634, 0.33791524171829224,
    0.44070982933044434, 0.5626170039176941, 0.7229568362236023, 1.0,
)  # fmt: skip
"""The numbers of NormalFloat4, in order (arXiv 2305.14314)."""
FP4 = (0.0, 1 / 192, 2 / 3, 1.0, 1 / 3, 0.5, 1 / 6, 0.25)
"""The magnitudes of bitsandbytes' FP4, by their three bits."""
SIGNED_FP4 = (*FP4, *(-one for one in FP4))
"""Its numbers, by their four bits."""


def dequantize_4bit(packed: Tensor, absmax: Tensor, block: int, codes: tuple[float, ...]) -> Tensor:
    """Return codes[weight] · absmax, float32 [2 · bytes]: packed uint8 [bytes], the first weight in the high half.

    absmax [blocks] holds for `block` weights each (bitsandbytes' blockwise 4-bit types).
    """
    table = torch.tensor(codes, dtype=absmax.dtype, device=packed.device)
    values = table[torch.stack((packed >> 4, packed & 15), -1).flatten().long()]
    return values * absmax.repeat_interleave(block)[: len(values)]


def is_nearest_code(x: Tensor, values: Tensor, absmax: Tensor, block: int, codes: tuple[float, ...]) -> Tensor:
    """Return whether each value [count] is as near to x [count] as any of codes · absmax [blocks], and a thousandth."""
    scale = absmax.double().repeat_interleave(block)[: len(x), None]
    table = torch.tensor(codes, dtype=torch.float64, device=x.device) * scale
    least = (table - x.double()[:, None]).abs().amin(-1)
    return (values.double() - x.double()).abs() <= least + 1e-3 * scale[:, 0]


def pack(values: Tensor, bits: int = 4) -> Tensor:
    """Pack integers [rows, columns] along rows, the first in the lowest bits: int32 [rows · bits / 32, columns]."""
    shifts = bits * torch.arange(32 // bits, device=values.device)
    wide = values.long().unflatten(0, (-1, 32 // bits)) << shifts[:, None]
    return wide.sum(1).to(torch.int32)


def unpack(packed: Tensor, bits: int = 4) -> Tensor:
    """Undo `pack`: int64 [rows, columns] from 0 of int32 [rows · bits / 32, columns]."""
    shifts = bits * torch.arange(32 // bits, device=packed.device)
    return ((packed.long()[:, None] >> shifts[:, None]) & (2**bits - 1)).flatten(0, 1)


def gemm_int4(a: Tensor, packed: Tensor, scales: Tensor, zero: int = 8) -> Tensor:
    """Return a [rows, inner] · ((weight - zero) · scale), as a: packed int32 [inner / 8, columns] of `pack`.

    scales [groups, columns] hold for inner / groups rows each; weights are rounded to their dtype.
    """
    group = a.shape[1] // scales.shape[0]
    weight = (unpack(packed) - zero) * scales.repeat_interleave(group, 0)
    return a @ weight.to(a.dtype)


def judged_fp8(x: Tensor, quantised: Tensor, scale: Tensor) -> Tensor:
    """Count of each row float8_e4m3fn numbers that, scaled, are not nearest to x [rows, width]: int64 [rows].

    scale [1] or [rows, 1]; what is beyond the largest number, 448, must become it. Where the scale is 0 and x too, any
    number does.
    """
    want = _wanted(x, quantised, scale, -448, 448)
    away = (quantised.double() - want).abs()
    step = torch.maximum(2.0 ** (want.abs().clamp_min(2.0**-6).log2().floor() - 4), torch.tensor(2.0**-10))
    return (~(away <= step * 1.001)).sum(-1)


def rms_norm_rows(x: Tensor, weight: Tensor, eps: float = 1e-6) -> Tensor:
    """Return x [rows, width] divided by its rows' root mean square, times weight [width], as float32 at least."""
    wide = x.to(torch.promote_types(x.dtype, torch.float32))
    return torch.nn.functional.rms_norm(wide, weight.shape, weight.to(wide.dtype), eps)
