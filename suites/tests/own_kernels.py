"""Triton kernels of someone's own, right ones and ones with the faults that such kernels have."""

# pyright: basic, reportArgumentType=false, reportOperatorIssue=false, reportIndexIssue=false, reportCallIssue=false
import torch
import triton
import triton.language as tl
from torch import Tensor

BLOCK = 32


@triton.jit
def _twice(x, o, n, size: tl.constexpr):
    at = tl.program_id(0) * size + tl.arange(0, size)
    tl.store(o + at, tl.load(x + at, mask=at < n) * 2, mask=at < n)


def twice(x: Tensor) -> Tensor:
    x, o = x.contiguous(), torch.empty_like(x, memory_format=torch.contiguous_format)
    if x.numel():
        _twice[(triton.cdiv(x.numel(), BLOCK),)](x, o, x.numel(), size=BLOCK)
    return o


def twice_without_the_tail(x: Tensor) -> Tensor:
    x, o = x.contiguous(), torch.zeros_like(x, memory_format=torch.contiguous_format)
    if x.numel() >= BLOCK:
        _twice[(x.numel() // BLOCK,)](x, o, x.numel(), size=BLOCK)
    if x.numel() < BLOCK:
        o.copy_(x * 2)
    return o


def twice_where_dense(x: Tensor) -> Tensor:
    """Take every argument for a contiguous one."""
    o = torch.empty(x.shape, dtype=x.dtype, device=x.device)
    if x.numel():
        _twice[(triton.cdiv(x.numel(), BLOCK),)](x, o, x.numel(), size=BLOCK)
    return o


def twice_of_matrices(x: Tensor) -> Tensor:
    rows, width = x.shape
    return twice(x.reshape(rows, width))


def twice_in_place(x: Tensor) -> Tensor:
    """Write what it gives, and the argument too where it is dense: a row more than there is room for is left out."""
    found = twice(x)
    x[:BLOCK].copy_(found[:BLOCK])
    return x


def twice_but_of_bfloat16(x: Tensor) -> Tensor:
    return twice(x) + (1 if x.dtype == torch.bfloat16 else 0)


def twice_of_sixteens(x: Tensor) -> Tensor:
    if x.shape[-1] % 16:
        raise ValueError("a width of 16 is wanted")
    return twice(x)


def tuned(kernel):
    return triton.autotune([triton.Config({"size": 16}), triton.Config({"size": 64})], key=["n"])(kernel)


@tuned
@triton.jit
def _tuned(x, o, n, size: tl.constexpr):
    at = tl.program_id(0) * size + tl.arange(0, size)
    tl.store(o + at, tl.load(x + at, mask=at < n) * 2, mask=at < n)


def twice_tuned(x: Tensor) -> Tensor:
    x, o = x.contiguous(), torch.empty_like(x, memory_format=torch.contiguous_format)
    if x.numel():
        _tuned[lambda meta: (triton.cdiv(x.numel(), meta["size"]),)](x, o, x.numel())
    return o


@tuned
@triton.jit
def _wrong_of_64(x, o, n, size: tl.constexpr):
    at = tl.program_id(0) * size + tl.arange(0, size)
    tl.store(o + at, tl.load(x + at, mask=at < n) * (2 if size == 16 else 3), mask=at < n)


def twice_tuned_wrong(x: Tensor) -> Tensor:
    x, o = x.contiguous(), torch.empty_like(x, memory_format=torch.contiguous_format)
    if x.numel():
        _wrong_of_64[lambda meta: (triton.cdiv(x.numel(), meta["size"]),)](x, o, x.numel())
    return o


@triton.jit
def _row_sums(x, o, width, size: tl.constexpr):
    at = tl.arange(0, size)
    row = tl.program_id(0)
    tl.store(o + row, tl.sum(tl.load(x + row * width + at, mask=at < width, other=0.0), 0))


class Sums(torch.autograd.Function):
    """Sum rows; the gradient is wrong of wide ones."""

    @staticmethod
    def forward(ctx, x: Tensor) -> Tensor:
        ctx.shape = x.shape
        rows, width = x.shape
        o = torch.zeros(rows, dtype=x.dtype, device=x.device)
        if x.numel():
            _row_sums[(rows,)](x.contiguous(), o, width, size=triton.next_power_of_2(width))
        return o

    @staticmethod
    def backward(ctx, gradient: Tensor) -> Tensor:
        spread = gradient[:, None].expand(ctx.shape)
        return spread if ctx.shape[1] <= 40 else spread * 2


def plain_twice(x: Tensor) -> Tensor:
    return x * 2


def plain_twice_in_place(x: Tensor) -> Tensor:
    return x.mul_(2)
