"""Matrix products."""

import torch
from torch import Tensor


def matmul_bias(a: Tensor, b: Tensor, bias: Tensor) -> Tensor:
    """Return a · b + bias: a [rows, inner], b [inner, columns], bias [columns]; the result [rows, columns] as a."""
    return torch.addmm(bias, a, b)


def bmm(a: Tensor, b: Tensor) -> Tensor:
    """Return products of pairs: a [count, rows, inner], b [count, inner, columns]; the result [count, rows, columns]."""
    return torch.bmm(a, b)


def scaled_mm(a: Tensor, b: Tensor, scale_a: Tensor, scale_b: Tensor) -> Tensor:
    """Return the product of quantised matrices, scaled: a int8 [rows, inner], b int8 [inner, columns].

    scale_a [rows, 1] and scale_b [columns, 1], of one floating dtype, which the result [rows, columns] has; the
    products are summed exactly.
    """
    whole = a.to(torch.float64) @ b.to(torch.float64)  # exact: below 2**53
    return (whole * scale_a.double() * scale_b.double().T).to(scale_a.dtype)
