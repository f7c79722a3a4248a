"""Operations that torch has for a GPU alone, computed by the processor's."""

from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import Tensor

_PRODUCTS = ("mm", "bmm", "addmm", "baddbmm")


def _widened(product: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """Return a matrix product whose result is wider than its operands (`out_dtype`), summed in float32 as by cuBLAS."""

    def compute(*args: Any, out: Tensor | None = None, **scales: Any) -> Tensor:
        *tensors, dtype = args
        result = product(*(one.float() for one in tensors), **scales).to(dtype)
        return result if out is None else out.copy_(result)

    return compute


KERNELS: Mapping[str, Callable[..., Tensor]] = {
    f"aten::{name}.{overload}": _widened(getattr(torch, name))
    for name in _PRODUCTS
    for overload in ("dtype", "dtype_out")
}
"""Operation → what computes it."""
