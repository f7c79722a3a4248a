"""Triton kernels, and the functions that launch them."""
# pyright: basic, reportCallIssue=false, reportArgumentType=false

import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    live = at < n
    tl.store(out_ptr + at, tl.load(x_ptr + at, live) + tl.load(y_ptr + at, live), live)


@triton.jit
def softmax_kernel(x_ptr, out_ptr, stride, width, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    row = tl.program_id(0) * stride
    x = tl.load(x_ptr + row + at, at < width, float("-inf"))
    raised = tl.exp(x - tl.max(x, 0))
    tl.store(out_ptr + row + at, raised / tl.sum(raised, 0), at < width)


def add(x: Tensor, y: Tensor) -> Tensor:
    """Return the sum of two contiguous tensors of one shape."""
    out = torch.empty_like(x)
    add_kernel[lambda meta: (triton.cdiv(x.numel(), meta["BLOCK"]),)](x, y, out, x.numel(), BLOCK=64)
    return out


def softmax(x: Tensor) -> Tensor:
    """Return the softmax of the rows of x, contiguous [rows, width]."""
    out = torch.empty_like(x)
    rows, width = x.shape
    if x.numel():
        softmax_kernel[(rows,)](x, out, x.stride(0), width, BLOCK=triton.next_power_of_2(width), num_warps=4)
    return out
