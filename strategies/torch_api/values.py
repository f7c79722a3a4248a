"""Values of the tensors of a call: what eager takes, and what is hard to compute with."""

import torch
from torch import Tensor

from eagerdiff.strategies.programs.program import Input
from eagerdiff.strategies.programs.tensors import build as build_plain
from eagerdiff.strategies.programs.value_type import KINDS as KINDS_OF_DTYPES
from eagerdiff.strategies.torch_api.call import TensorSpec

FLOAT_KINDS = ("normal", "positive", "unit", "simplex", "definite", "sorted", "above_one")
"""What floats must be like: any; above 0; in (0, 1); rows that sum to 1; positive definite; ascending; above 1."""
INTEGER_KINDS = ("between", "permutation", "offsets", "below")
"""What integers must be like: in a range; each once; ascending from 0; indices of something."""
KINDS = (*FLOAT_KINDS, *INTEGER_KINDS, "mask", "chosen", "number", "literal")


def build(
    spec: TensorSpec,
    dtype: torch.dtype,
    shape: tuple[int, ...],
    below: int | None,
    fill: str,
    generator: torch.Generator,
) -> Tensor:
    """Build one contiguous tensor [*shape] on the CPU; `fill` is a name of `programs`' fills, for values that are free.

    `below`: the size of what integers index.
    """
    if spec.values == "chosen":
        return torch.randperm(shape[0], generator=generator) < (below or 0)
    if spec.values == "number":
        return torch.full(shape, below or 0, dtype=dtype)
    if spec.values == "literal":
        return torch.tensor(spec.literal, dtype=dtype).reshape(shape)
    if spec.values in ("normal", "mask"):
        return build_plain(Input(dtype=_drawn_in(dtype)), shape, None, fill, generator).to(dtype)
    if spec.values in FLOAT_KINDS:
        return floats(spec.values, shape, generator).to(dtype)
    return integers(spec.values, shape, (spec.low, spec.high), below, generator).to(dtype)


def _drawn_in(dtype: torch.dtype) -> str:
    """Return the dtype in which values are drawn: what generators lack is cast."""
    name = str(dtype).removeprefix("torch.")
    if name in KINDS_OF_DTYPES:
        return name
    return "complex64" if dtype.is_complex else "float32" if dtype.is_floating_point else "int64"


def floats(kind: str, shape: tuple[int, ...], generator: torch.Generator) -> Tensor:
    """Build float32 values [*shape] of one of FLOAT_KINDS."""
    values = torch.randn(shape, generator=generator)
    if kind == "unit":
        return torch.rand(shape, generator=generator) * 0.9 + 0.05
    if kind == "simplex":
        return values.softmax(-1) if values.dim() else torch.ones(())
    if kind == "sorted":
        return values.sort(-1).values if values.dim() else values
    if kind == "definite" and values.dim() > 1 and values.shape[-1] == values.shape[-2]:
        return values @ values.mT + torch.eye(values.shape[-1])
    return {"positive": values.abs() + 0.1, "above_one": values.abs() + 1.1}.get(kind, values)


def integers(
    kind: str, shape: tuple[int, ...], bounds: tuple[int, int], below: int | None, generator: torch.Generator
) -> Tensor:
    """Build int64 values [*shape] of one of INTEGER_KINDS."""
    low, high = bounds if below is None else (0, max(below, 1) - 1)
    if kind == "permutation":
        return torch.randperm(torch.Size(shape).numel(), generator=generator).reshape(shape)
    values = torch.randint(low, high + 1, shape, generator=generator)
    if kind == "offsets" and values.numel():
        values = values.sort(-1).values
        values[..., 0] = 0
    return values
