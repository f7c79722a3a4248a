"""The dtype in which kernels sum up."""

import torch
from torch import Tensor


def wide(x: Tensor) -> Tensor:
    """Return x, of any shape, in float32 where its dtype is narrower."""
    return x.to(torch.promote_types(x.dtype, torch.float32))
