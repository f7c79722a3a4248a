"""A test suite of Triton kernels, as their authors run it without a GPU: `TRITON_INTERPRET=1 pytest kernels.py`."""
# pyright: basic, reportCallIssue=false, reportArgumentType=false

import pytest
import torch
import triton
import triton.language as tl


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


@pytest.mark.parametrize("n", [1, 63, 64, 65, 1000])
def test_add(n: int) -> None:
    x, y = torch.randn(n), torch.randn(n)
    out = torch.empty_like(x)
    add_kernel[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](x, y, out, n, BLOCK=64)
    torch.testing.assert_close(out, x + y)


@pytest.mark.parametrize("rows", [1, 5, 16])
@pytest.mark.parametrize("width", [1, 33, 128])
def test_softmax(rows: int, width: int) -> None:
    x = torch.randn(rows, width)
    out = torch.empty_like(x)
    softmax_kernel[(rows,)](x, out, x.stride(0), width, BLOCK=triton.next_power_of_2(width), num_warps=4)
    torch.testing.assert_close(out, x.softmax(-1))
