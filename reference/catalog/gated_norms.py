"""Normalisations beside a gate or a residual."""

import torch
import torch.nn.functional as F
from torch import Tensor


def swiglu(xy: Tensor) -> Tensor:
    """Return silu of the first half of each row by the second; xy [..., 2 · width] (arXiv 2002.05202)."""
    x, y = xy.chunk(2, -1)
    return F.silu(x) * y


def layer_norm_then_gate(x: Tensor, weight: Tensor, bias: Tensor, z: Tensor, eps: float = 1e-6) -> Tensor:
    """Return layer norm of rows, times silu(z); x, z [..., width], weight and bias [width]."""
    return F.layer_norm(x, weight.shape, weight, bias, eps) * F.silu(z)


def layer_norm_of_gated(x: Tensor, weight: Tensor, bias: Tensor, z: Tensor, eps: float = 1e-6) -> Tensor:
    """Return layer norm of rows x · silu(z); x, z [..., width], weight and bias [width]."""
    return F.layer_norm(x * F.silu(z), weight.shape, weight, bias, eps)


def grouped_rms_norm_of_gated(x: Tensor, weight: Tensor, z: Tensor, groups: int, eps: float = 1e-6) -> Tensor:
    """Divide x · silu(z) by its root mean square in each of the groups of a row; x, z [..., width], weight [width]."""
    gated = (x * F.silu(z)).unflatten(-1, (groups, x.shape[-1] // groups))
    return F.rms_norm(gated, gated.shape[-1:], None, eps).flatten(-2) * weight


def layer_norm_of_sum(
    x: Tensor, weight: Tensor, bias: Tensor, residual: Tensor, eps: float = 1e-6
) -> tuple[Tensor, Tensor]:
    """Return layer norm of rows x + residual, and the sum; x, residual [..., width], weight and bias [width]."""
    total = x + residual
    return F.layer_norm(total, weight.shape, weight, bias, eps), total


def rms_norms_of_sum(
    x: Tensor, x1: Tensor, residual: Tensor, weight: Tensor, weight1: Tensor, eps: float = 1e-6
) -> tuple[Tensor, Tensor, Tensor]:
    """Return two RMS norms of rows x + x1 + residual, and the sum; the rows [..., width], weights [width]."""
    total = x + x1 + residual
    first = F.rms_norm(total, weight.shape, weight, eps)
    return first, F.rms_norm(total, weight.shape, weight1, eps), total


def l2_norm(x: Tensor, eps: float = 1e-6) -> Tensor:
    """Divide rows [..., width] by the square root of their sum of squares plus eps."""
    return x * torch.rsqrt(x.square().sum(-1, keepdim=True) + eps)
