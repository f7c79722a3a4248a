"""Matrix products."""

import torch
from torch import Tensor


def matmul_bias(a: Tensor, b: Tensor, bias: Tensor) -> Tensor:
    """Return a · b + bias: a [rows, inner], b [inner, columns], bias [columns]; the result [rows, columns] as a."""
    return torch.addmm(bias, a, b)


def bmm(a: Tensor, b: Tensor) -> Tensor:
    """Return products of pairs: a [count, rows, inner], b [count, inner, columns]: [count, rows, columns]."""
    return torch.bmm(a, b)


def scaled_mm(a: Tensor, b: Tensor, scale_a: Tensor, scale_b: Tensor) -> Tensor:
    """Return the product of quantised matrices, scaled: a int8 [rows, inner], b int8 [inner, columns].

    scale_a [rows, 1] and scale_b [columns, 1], of one floating dtype, which the result [rows, columns] has; the
    products are summed exactly.
    """
    whole = a.to(torch.float64) @ b.to(torch.float64)  # exact: below 2**53
    return (whole * scale_a.double() * scale_b.double().T).to(scale_a.dtype)


def block_scaled_mm(a: Tensor, b: Tensor, scale_a: Tensor, scale_b: Tensor, block: int = 128) -> Tensor:
    """Return a · bᵀ of numbers that are scaled in blocks: a [rows, inner], b [columns, inner], quantised.

    scale_a [rows, inner / block] and scale_b [columns / block, inner / block], rounded up, floating; the result
    [rows, columns] has their dtype (DeepSeek-V3, arXiv 2412.19437, section 3.3).
    """
    left = a * scale_a.repeat_interleave(block, 1)[:, : a.shape[1]]
    right = b * scale_b.repeat_interleave(block, 0)[: b.shape[0]].repeat_interleave(block, 1)[:, : b.shape[1]]
    return left @ right.T


def scaled_mm_t(a: Tensor, b: Tensor, scale_a: Tensor, scale_b: Tensor) -> Tensor:
    """Return `scaled_mm` of a int8 [rows, inner] and the transpose of b int8 [columns, inner]."""
    return scaled_mm(a, b.T, scale_a, scale_b)
