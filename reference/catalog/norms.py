"""Normalisations."""

import torch
import torch.nn.functional as F
from torch import Tensor


def layer_norm(x: Tensor, weight: Tensor, bias: Tensor, eps: float = 1e-5) -> Tensor:
    """Normalise rows: x [..., width], weight and bias [width]; the result as x (arXiv 1607.06450)."""
    return F.layer_norm(x, weight.shape, weight, bias, eps)


def rms_norm(x: Tensor, weight: Tensor, eps: float = 1e-6) -> Tensor:
    """Divide rows by their root mean square: x [..., width], weight [width]; the result as x (arXiv 1910.07467)."""
    return F.rms_norm(x, weight.shape, weight, eps)


def softmax(x: Tensor) -> Tensor:
    """Return softmax of rows [..., width]."""
    return torch.softmax(x, -1)


def log_softmax(x: Tensor) -> Tensor:
    """Return the logarithm of the softmax of rows [..., width]."""
    return torch.log_softmax(x, -1)


def add_rms_norm_(x: Tensor, residual: Tensor, weight: Tensor, eps: float = 1e-6) -> tuple[Tensor, Tensor]:
    """Add x to residual and put the sum's rms_norm into x, both in place: [..., width], weight [width]; return both."""
    residual.add_(x)
    return x.copy_(rms_norm(residual, weight, eps)), residual


def gemma_rms_norm_(x: Tensor, weight: Tensor, eps: float = 1e-6) -> Tensor:
    """Put into x [..., width] its rms_norm by 1 + weight [width], in place, and return x (Gemma, arXiv 2403.08295)."""
    return x.copy_(rms_norm(x, 1 + weight, eps))
