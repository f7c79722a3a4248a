"""Values of a tensor argument: floats that are hard to compute with, indices, lengths, offsets."""

from collections.abc import Mapping

import torch
from torch import Tensor

from eagerdiff.strategies.own_code.argument import TensorOf
from eagerdiff.strategies.programs.size import Size
from eagerdiff.strategies.programs.tensors import floats


def shape_of(one: TensorOf, sizes: Mapping[str, int], batch: tuple[int, ...]) -> tuple[int, ...]:
    """Return the shape [*batch, *sizes] of a tensor in a call; without the batch where it has none."""
    return (*(batch if one.batched else ()), *(size.value(sizes) for size in one.sizes))


def build(
    one: TensorOf, sizes: Mapping[str, int], fill: str, generator: torch.Generator, batch: tuple[int, ...] = ()
) -> Tensor:
    """Build a contiguous tensor [*batch, *sizes] on the CPU, of its declared dtype; float32 where none is known."""
    shape = shape_of(one, sizes, batch)
    dtype = one.dtype or torch.float32
    below = None if one.below is None else Size.of(one.below).value(sizes)
    if one.values == "offsets":
        return _offsets(shape, below or 0, fill, generator).to(dtype)
    if one.values == "parts":
        return _parts(shape, below or 0, fill, generator).to(dtype)
    if one.values == "mask":
        return _mask(shape, fill, generator).to(dtype)
    if below is not None:
        greatest = below + 1 if one.values == "lengths" else below
        return _below(shape, greatest, "sorted" if one.values == "sorted" else fill, generator).to(dtype)
    if dtype is torch.bool:
        return _mask(shape, fill, generator)
    if dtype.is_complex:
        return torch.complex(floats(shape, fill, generator), floats(shape, fill, generator)).to(dtype)
    if not dtype.is_floating_point:
        return _integers(shape, dtype, fill, generator)
    values = floats(shape, fill, generator)
    return (torch.sigmoid(values) if one.values == "unit" else values).to(dtype)


def _integers(shape: tuple[int, ...], dtype: torch.dtype, fill: str, generator: torch.Generator) -> Tensor:
    if fill == "zeros":
        return torch.zeros(shape, dtype=dtype)
    least = max(-4, torch.iinfo(dtype).min)
    values = torch.randint(least, 10, shape, generator=generator).to(dtype)
    return values.sort(-1).values if fill == "sorted" and values.dim() else values


def _below(shape: tuple[int, ...], greatest: int, fill: str, generator: torch.Generator) -> Tensor:
    """Return integers from 0 to below `greatest`; all the last one, sorted, all 0, or any."""
    if fill == "zeros" or greatest <= 0:
        return torch.zeros(shape, dtype=torch.int64)
    if fill == "extreme":
        return torch.full(shape, greatest - 1)
    values = torch.randint(0, greatest, shape, generator=generator)
    return values.sort(-1).values if fill == "sorted" and values.dim() else values


def _mask(shape: tuple[int, ...], fill: str, generator: torch.Generator) -> Tensor:
    """Return true or false; all false, all true, or any."""
    return torch.rand(shape, generator=generator) < {"zeros": 0.0, "extreme": 1.0}.get(fill, 0.5)


def _parts(shape: tuple[int, ...], total: int, fill: str, generator: torch.Generator) -> Tensor:
    """Return counts [..., n] that add up to a total; some are 0."""
    return (
        _offsets((*shape[:-1], shape[-1] + 1), total, fill, generator).diff()
        if shape and shape[-1]
        else torch.zeros(shape)
    )


def _offsets(shape: tuple[int, ...], total: int, fill: str, generator: torch.Generator) -> Tensor:
    """Return offsets [..., n] that ascend from 0 to a total; empty pieces come too."""
    values = torch.zeros(shape, dtype=torch.int64)
    if not shape or shape[-1] == 0:
        return values
    inner = torch.randint(0, total + 1, (*shape[:-1], max(0, shape[-1] - 2)), generator=generator)
    if fill == "zeros":
        inner = torch.zeros_like(inner)
    if shape[-1] > 1:
        values[..., 1:-1] = inner.sort(-1).values
        values[..., -1] = total
    return values
