"""Convolutions."""

import torch.nn.functional as F
from torch import Tensor


def conv2d(x: Tensor, weight: Tensor, bias: Tensor, stride: int = 1, padding: int = 0, groups: int = 1) -> Tensor:
    """Convolve x [batch, groups · channels, height, width] with weight [out, channels, h, w], plus bias [out]."""
    return F.conv2d(x, weight, bias, stride, padding, 1, groups)
