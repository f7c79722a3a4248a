"""Tensors of a program's inputs: sizes, layouts, values that are hard to compute with."""

import math

import torch
from torch import Tensor

from eagerdiff.strategies.programs.program import Input
from eagerdiff.strategies.programs.value_type import KINDS

FILLS = ("normal", "integers", "special", "zeros", "sorted", "extreme")
"""What the values are like; `special` mixes in NaN, infinities, denormals and minus zero, for indices `wild` ones."""
SPECIAL = (math.nan, math.inf, -math.inf, -0.0, 1e-40, 1e30)


def build(given: Input, shape: tuple[int, ...], below: int | None, fill: str, generator: torch.Generator) -> Tensor:
    """Build one contiguous tensor [*shape] of the input's dtype, on the CPU.

    `below`: values are indices of a dim of that size. `fill` is one of FILLS.
    """
    dtype = getattr(torch, given.dtype)
    kind = KINDS[given.dtype]
    if below is not None:
        return _indices(shape, below, fill, generator).to(dtype)
    if kind == "bool":
        return _mask(shape, fill, generator)
    if kind == "int":
        return _integers(shape, dtype, fill, generator)
    if kind == "complex":
        return torch.complex(floats(shape, fill, generator), floats(shape, fill, generator)).to(dtype)
    return floats(shape, fill, generator).to(dtype)


def floats(shape: tuple[int, ...], fill: str, generator: torch.Generator) -> Tensor:
    """Return float32 values [*shape] of a fill, one of FILLS."""
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
