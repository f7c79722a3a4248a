"""Normalisations."""

import torch
import torch.nn.functional as F
from torch import Tensor


def layer_norm(x: Tensor, weight: Tensor, bias: Tensor, eps: float = 1e-5) -> Tensor:
    """Normalise rows: x [..., width], weight and bias [width]; the result as x (arXiv 1607.06450)."""
    return F.layer_norm(x, weight.shape, weight, bias, eps)


def rms_norm(x: Tensor, weight: Tensor, eps: float = 1e-6, offset: float = 0.0) -> Tensor:
    """Divide rows by their root mean square: x [..., width], weight [width]; the result as x (arXiv 1910.07467).

    `offset` is added to the weight: 1 in Gemma.
    """
    return F.rms_norm(x, weight.shape, weight + offset, eps)


def add_rms_norm(x: Tensor, residual: Tensor, weight: Tensor, eps: float = 1e-6) -> tuple[Tensor, Tensor]:
    """Return rms_norm of x + residual, and the sum: x and residual [..., width], weight [width]; both as x."""
    total = x + residual
    return rms_norm(total, weight, eps), total


def add_layer_norm(
    x: Tensor, residual: Tensor, weight: Tensor, bias: Tensor, eps: float = 1e-5
) -> tuple[Tensor, Tensor]:
    """Return layer_norm of x + residual, and the sum: x, residual [..., width]; weight, bias [width]; both as x."""
    total = x + residual
    return layer_norm(total, weight, bias, eps), total


def modulated_rms_norm(x: Tensor, weight: Tensor, scale: Tensor, shift: Tensor, eps: float = 1e-6) -> Tensor:
    """Return rms_norm(x) (1 + scale) + shift: x, scale, shift [..., width], weight [width] (arXiv 2212.09748)."""
    return rms_norm(x, weight, eps) * (1 + scale) + shift


def group_norm(x: Tensor, weight: Tensor, bias: Tensor, groups: int, eps: float = 1e-5) -> Tensor:
    """Normalise groups of channels: x [batch, channels, ...], weight and bias [channels] (arXiv 1803.08494)."""
    return F.group_norm(x, groups, weight, bias, eps)


def batch_norm(x: Tensor, weight: Tensor, bias: Tensor, eps: float = 1e-5) -> Tensor:
    """Normalise channels over the batch, as in training: x [batch, channels, ...], weight and bias [channels]."""
    return F.batch_norm(x, None, None, weight, bias, True, 0.1, eps)


def instance_norm(x: Tensor, eps: float = 1e-5) -> Tensor:
    """Normalise each channel of each image: x [batch, channels, ...] (arXiv 1607.08022)."""
    return F.instance_norm(x, eps=eps)


def poly_norm(x: Tensor, weight: Tensor, bias: Tensor, eps: float = 1e-6) -> Tensor:
    """Return Σ weight_i norm(x^(3-i)) + bias: x [..., width], weight [3], bias [] (arXiv 2411.03884)."""
    powers = [F.rms_norm(x**power, x.shape[-1:], eps=eps) for power in (3, 2, 1)]
    return weight[0] * powers[0] + weight[1] * powers[1] + weight[2] * powers[2] + bias


def dynamic_tanh(x: Tensor, alpha: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    """Return weight tanh(alpha x) + bias: x [..., width], alpha [1], weight and bias [width] (arXiv 2503.10622)."""
    return weight * torch.tanh(alpha * x) + bias


def softmax(x: Tensor) -> Tensor:
    """Return softmax of rows [..., width]."""
    return torch.softmax(x, -1)


def log_softmax(x: Tensor) -> Tensor:
    """Return the logarithm of softmax of rows [..., width]."""
    return torch.log_softmax(x, -1)


def softmin(x: Tensor) -> Tensor:
    """Return softmax of -x by rows [..., width]."""
    return F.softmin(x, -1)


def sparsemax(x: Tensor) -> Tensor:
    """Return the point of the simplex that is nearest to each row of x [..., width] (arXiv 1602.02068)."""
    ordered = x.sort(-1, descending=True).values
    count = torch.arange(1, x.shape[-1] + 1, device=x.device, dtype=x.dtype)
    sums = ordered.cumsum(-1) - 1
    support = (ordered * count > sums).sum(-1, keepdim=True)
    return (x - sums.gather(-1, (support - 1).clamp(min=0)) / support).clamp(min=0)


def parallel_layer_norm(
    x: Tensor, other: Tensor, weight: Tensor, bias: Tensor, weight1: Tensor, bias1: Tensor, eps: float = 1e-5
) -> tuple[Tensor, Tensor]:
    """Return two layer_norms of x + other: x, other [..., width], weights and biases [width]; both as x."""
    total = x + other
    return layer_norm(total, weight, bias, eps), layer_norm(total, weight1, bias1, eps)


def layer_norm_linear(
    x: Tensor, weight: Tensor, bias: Tensor, linear: Tensor, linear_bias: Tensor, eps: float = 1e-5
) -> Tensor:
    """Return layer_norm(x) linearᵀ + linear_bias: x [..., width], linear [out, width]; the result [..., out]."""
    return F.linear(layer_norm(x, weight, bias, eps), linear, linear_bias)


def add_rms_norm_(x: Tensor, residual: Tensor, weight: Tensor, eps: float = 1e-6) -> tuple[Tensor, Tensor]:
    """Add x to residual and put the sum's rms_norm into x, both in place: [..., width], weight [width]; return both."""
    residual.add_(x)
    return x.copy_(rms_norm(residual, weight, eps)), residual


def gemma_rms_norm_(x: Tensor, weight: Tensor, eps: float = 1e-6) -> Tensor:
    """Put into x [..., width] its rms_norm by 1 + weight [width], in place, and return x (Gemma, arXiv 2403.08295)."""
    return x.copy_(rms_norm(x, 1 + weight, eps))
