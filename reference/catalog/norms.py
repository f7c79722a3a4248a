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
