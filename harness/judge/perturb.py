"""Neighbours of a call's inputs: what the truth is sensitive to, and how lucky eager was."""

import math
from collections.abc import Callable
from typing import Any

import torch
from torch.utils import _pytree as pytree
from torch.utils._python_dispatch import TorchDispatchMode

from eagerdiff.harness.memory.copies import duplicate
from eagerdiff.harness.memory.leaves import replace_tensors
from eagerdiff.harness.model.operator import Inputs

_MIX = 0x9E3779B97F4A7C15 - (1 << 64)
"""Odd 64-bit constant (the golden ratio's), as a signed integer."""
_HALVES = {torch.float64: torch.float32, torch.complex128: torch.complex64}
_DOUBLES = {half: double for double, half in _HALVES.items()}


def nearby(inputs: Inputs, amplitude: float, seed: int) -> Inputs:
    """Scale every float64 value by `1 + amplitude * h`, h in [-1, 1] a hash of the value: ties stay ties.

    With an amplitude of a quarter of an eps no two values of the narrow dtype change order, so what a function
    decides by comparing its inputs stays decided.
    """
    return replace_tensors(
        inputs, lambda tensor: _each_part(tensor, _wide, lambda part: _scaled(part, amplitude, seed))
    )


def neighbours(inputs: Inputs, seed: int) -> Inputs:
    """Copy a call with each floating value moved by about one unit in the last place of its own dtype."""
    copied = duplicate(inputs).inputs
    return replace_tensors(
        copied, lambda tensor: _each_part(tensor, torch.is_floating_point, lambda part: _moved(part, seed))
    )


def in_both_precisions(inputs: Inputs, seed: int) -> tuple[Inputs, Inputs]:
    """Copy a call twice with equal values: float64 tensors in float32, moved by about a unit; and in float64 again."""
    wide: list[bool] = []

    def narrowed(tensor: torch.Tensor) -> torch.Tensor:
        wide.append(tensor.dtype in _HALVES)
        return tensor.to(_HALVES.get(tensor.dtype, tensor.dtype))

    coarse = neighbours(replace_tensors(inputs, narrowed), seed)
    flags = iter(wide)

    def restored(tensor: torch.Tensor) -> torch.Tensor:
        return tensor.to(_DOUBLES[tensor.dtype]) if next(flags) else tensor

    return coarse, replace_tensors(coarse, restored)


class Conversions(TorchDispatchMode):
    """Perturb what operations make of integers in float64, where the narrow dtype cannot hold it.

    Large integers are rounded when they become floats, and no perturbation of the inputs shows it.
    """

    supports_higher_order_operators = True

    def __init__(self, narrow: torch.dtype, amplitude: float, seed: int) -> None:
        super().__init__()
        self._narrow, self._amplitude, self._seed = narrow, amplitude, seed

    def __torch_dispatch__(
        self, func: Callable[..., Any], types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        found = func(*args, **(kwargs or {}))
        given = [item for item in pytree.tree_leaves((args, kwargs)) if isinstance(item, torch.Tensor)]
        if not given or not all(_whole(tensor) for tensor in given):
            return found
        return _scaled_where_rounded(found, self._narrow, self._amplitude, self._seed)


def _whole(tensor: torch.Tensor) -> bool:
    return not tensor.is_floating_point() and not tensor.is_complex()


def _scaled_where_rounded(found: Any, narrow: torch.dtype, amplitude: float, seed: int) -> Any:
    if not isinstance(found, torch.Tensor) or found.dtype != torch.float64:
        return found
    return torch.where(found.to(narrow).double() == found, found, _scaled(found, amplitude, seed))


def _each_part(
    tensor: torch.Tensor, moves: Callable[[torch.Tensor], bool], move: Callable[[torch.Tensor], torch.Tensor]
) -> torch.Tensor:
    """Move a real tensor, or the real and imaginary parts of a complex one."""
    if tensor.is_complex():
        parts = torch.view_as_real(tensor.resolve_conj())
        return torch.view_as_complex(move(parts).contiguous()) if moves(parts) else tensor
    return move(tensor) if moves(tensor) else tensor


def _wide(tensor: torch.Tensor) -> bool:
    return tensor.dtype == torch.float64


def _scaled(tensor: torch.Tensor, amplitude: float, seed: int) -> torch.Tensor:
    return tensor * (1 + amplitude * _noise(tensor, seed))


def _moved(tensor: torch.Tensor, seed: int) -> torch.Tensor:
    wide = tensor.double()
    return _scaled(wide, torch.finfo(tensor.dtype).eps, seed).to(tensor.dtype)


def _noise(values: torch.Tensor, seed: int) -> torch.Tensor:
    """Hash float64 values to [-1, 1): equal values give equal noise."""
    bits = values.contiguous().view(torch.int64) + seed * 0x632BE5AB
    for shift in (29, 32):
        bits = (bits ^ (bits >> shift)) * _MIX
    return (bits >> 11).double() / math.ldexp(1.0, 52)
