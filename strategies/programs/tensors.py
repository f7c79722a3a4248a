"""Tensors of a program's inputs: sizes, layouts, values that are hard to compute with."""

import math

import torch
from torch import Tensor

from strategies.programs.program import Input
from strategies.programs.value_type import KINDS

LAYOUTS = ("contiguous", "transposed", "strided", "offset", "expanded", "channels_last", "reversed_dims")
"""Memory layouts; one that a tensor's dims do not allow leaves it contiguous."""
FILLS = ("normal", "integers", "special", "zeros", "sorted", "extreme")
"""What the values are like; `special` mixes in NaN, infinities, denormals and minus zero, for indices `wild` ones."""
SPECIAL = (math.nan, math.inf, -math.inf, -0.0, 1e-40, 1e30)


def build(given: Input, shape: tuple[int, ...], below: int | None, fill: str, generator: torch.Generator) -> Tensor:
    """Build one contiguous tensor."""
    dtype = getattr(torch, given.dtype)
    kind = KINDS[given.dtype]
    if below is not None:
        return _indices(shape, below, fill, generator).to(dtype)
    if kind == "bool":
        return _mask(shape, fill, generator)
    if kind == "int":
        return _integers(shape, dtype, fill, generator)
    if kind == "complex":
        return torch.complex(_floats(shape, fill, generator), _floats(shape, fill, generator)).to(dtype)
    return _floats(shape, fill, generator).to(dtype)


def lay_out(values: Tensor, layout: str) -> Tensor:
    """Return the values under other strides; the same tensor where the layout does not apply."""
    if layout == "transposed" and values.dim() > 1:
        return values.transpose(0, 1).contiguous().transpose(0, 1)
    if layout == "reversed_dims" and values.dim() > 1:
        order = tuple(reversed(range(values.dim())))
        return values.permute(order).contiguous().permute(order)
    if layout == "strided" and values.dim():
        return values.repeat_interleave(2, dim=-1)[..., ::2]
    if layout == "offset":
        return torch.cat((values.new_zeros(1), values.reshape(-1)))[1:].view(values.shape)
    if layout == "expanded" and values.dim() > 1 and values.size(0):
        return values[:1].expand(values.shape)
    if layout == "channels_last" and values.dim() == 4:
        return values.contiguous(memory_format=torch.channels_last)
    return values


def place(tensor: Tensor, device: str) -> Tensor:
    """Move a tensor with its strides and offset, which `.to` does not keep for expanded or sliced tensors."""
    if device == "cpu":
        return tensor
    storage = torch.empty(0, dtype=tensor.dtype, device=device)
    storage.set_(tensor.untyped_storage().to(device=device))  # pyright: ignore[reportArgumentType]
    return storage.as_strided(tensor.size(), tensor.stride(), tensor.storage_offset())


def _floats(shape: tuple[int, ...], fill: str, generator: torch.Generator) -> Tensor:
    values = torch.randn(shape, generator=generator)
    if fill == "integers":
        return torch.randint(-3, 4, shape, generator=generator).float()
    if fill == "zeros":
        return torch.zeros(shape)
    if fill == "sorted" and values.dim():
        return values.sort(-1).values
    if fill == "extreme":
        return values * 100
    if fill == "special":
        chosen = torch.tensor(SPECIAL)[torch.randint(0, len(SPECIAL), shape, generator=generator)]
        return torch.where(torch.rand(shape, generator=generator) < 0.25, chosen, values)
    return values


def _integers(shape: tuple[int, ...], dtype: torch.dtype, fill: str, generator: torch.Generator) -> Tensor:
    limits = torch.iinfo(dtype)
    if fill == "zeros":
        return torch.zeros(shape, dtype=dtype)
    if fill == "extreme":
        edges = torch.tensor([limits.min, limits.max, 0, 1, limits.max // 2], dtype=dtype)
        return edges[torch.randint(0, len(edges), shape, generator=generator)]
    values = torch.randint(max(-4, limits.min), 10, shape, generator=generator).to(dtype)
    return values.sort(-1).values if fill == "sorted" and values.dim() else values


def _mask(shape: tuple[int, ...], fill: str, generator: torch.Generator) -> Tensor:
    share = {"zeros": 0.0, "extreme": 1.0, "special": 0.1}.get(fill, 0.5)
    return torch.rand(shape, generator=generator) < share


def _indices(shape: tuple[int, ...], below: int, fill: str, generator: torch.Generator) -> Tensor:
    if fill == "zeros":
        return torch.zeros(shape, dtype=torch.int64)
    values = torch.randint(0, max(below, 1), shape, generator=generator)
    if fill == "special" and values.numel():
        values.view(-1)[-1] = below
    return values.sort(-1).values if fill == "sorted" and values.dim() else values
