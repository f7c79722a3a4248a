"""The least Triton kernel: add one. Imported where the device has been chosen, for decorating a kernel fixes it."""

import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def add_one(x_ptr, out_ptr, n, BLOCK: tl.constexpr):  # pyright: ignore[reportMissingParameterType, reportUnknownParameterType]
    """Write x + 1, n elements."""
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + offsets, tl.load(x_ptr + offsets, mask=offsets < n) + 1, mask=offsets < n)


def added_by_kernel(x: Tensor) -> Tensor:
    """Return x + 1, computed by a kernel."""
    out = x.new_empty(x.shape)
    add_one[(triton.cdiv(x.numel(), 4),)](x, out, x.numel(), BLOCK=4)  # pyright: ignore[reportArgumentType]
    return out
