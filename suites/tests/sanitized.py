"""A stranger's program, which knows nothing of eagerdiff and wants a GPU: `eagerdiff sanitize` runs it."""

# pyright: basic, reportArgumentType=false, reportOperatorIssue=false, reportAttributeAccessIssue=false
# pyright: reportOptionalMemberAccess=false
import sys

import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(x_ptr, o_ptr, n, stored, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(o_ptr + at, tl.load(x_ptr + at, mask=at < n) + 1, mask=at < stored)


@triton.jit
def count_kernel(o_ptr, ATOMIC: tl.constexpr):
    if ATOMIC:
        tl.atomic_add(o_ptr, 1)
    else:
        tl.store(o_ptr, tl.load(o_ptr) + 1)


@triton.jit
def stride_kernel(o_ptr, stride, n, BLOCK: tl.constexpr):
    row = tl.arange(0, BLOCK)
    at = row * stride
    tl.store(o_ptr + at, row, mask=at < n)


@triton.jit
def step_kernel(o_ptr, stride, count):
    at = 0
    for _ in range(count):
        tl.store(o_ptr + at, 1, mask=at == 0)
        at += stride


@triton.jit
def hash_kernel(x_ptr, o_ptr, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    hashed = tl.load(x_ptr + at) * 1000003 + at
    tl.store(o_ptr + (hashed & 7), 1)


@triton.jit
def choose_kernel(index_ptr, x_ptr, o_ptr, n, stride, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    row = tl.load(index_ptr + at, mask=at < n)
    tl.store(o_ptr + at, tl.load(x_ptr + row * stride, mask=at < n), mask=at < n)


@triton.jit
def assert_kernel(n):
    tl.device_assert(n < 3, "n is below 3")


def add(x, n, stored):
    out = torch.empty_like(x)
    add_kernel[(triton.cdiv(stored, 64),)](x, out, n, stored, BLOCK=64)
    return out


class Add(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return add(x, len(x), len(x))

    @staticmethod
    def backward(ctx, gradient):
        (x,) = ctx.saved_tensors
        assert gradient.is_cuda
        assert x.is_cuda
        return add(gradient.contiguous(), len(x), len(x)) - torch.ones(len(x), device="cuda")


def wrong():
    x = torch.arange(100.0, device="cuda")
    add(x, 100, 101)
    add(torch.empty(100, device="cuda"), 100, 100)
    counts = torch.zeros(1, dtype=torch.int32, device="cuda")
    count_kernel[(4,)](counts, ATOMIC=False)
    far = torch.zeros(1, dtype=torch.int64, device="cuda")
    stride_kernel[(1,)](far, 1 << 30, 1, BLOCK=4)
    step_kernel[(1,)](far, 1 << 30, 4)
    torch.cuda.synchronize()
    assert_kernel[(1,)](3)


def right():
    assert torch.cuda.is_available()
    properties = torch.cuda.get_device_properties(0)
    assert 0 < properties.shared_memory_per_block < properties.shared_memory_per_block_optin
    assert properties.max_threads_per_multi_processor == 2048
    x = torch.arange(100.0).to("cuda:0").requires_grad_()
    assert x.is_cuda
    assert x.device == torch.device("cuda", 0)
    y = Add.apply(x)
    torch.testing.assert_close(y, x + 1)
    y.sum().backward()
    assert x.grad.is_cuda
    torch.testing.assert_close(x.grad.cpu(), torch.ones(100))
    host = x.detach().cpu()
    host[0] = 7
    assert not host.is_cuda
    assert x[0] == 0
    model = torch.nn.Linear(3, 2).cuda()
    assert model.weight.is_cuda
    assert model(torch.zeros(1, 3, device="cuda")).get_device() == 0
    generator = torch.Generator(device="cuda").manual_seed(3)
    assert torch.randn(3, device="cuda", generator=generator).device.type == "cuda"
    counts = torch.zeros(1, dtype=torch.int32, device="cuda")
    count_kernel[(4,)](counts, ATOMIC=True)
    assert counts.item() == 4
    words = torch.full((8,), 2**30, dtype=torch.int32, device="cuda")
    hash_kernel[(1,)](words, torch.zeros(8, dtype=torch.int32, device="cuda"), BLOCK=8)
    index = torch.tensor([2, 0, 1], device="cuda", dtype=torch.int32)
    out = torch.zeros(4, device="cuda")
    choose_kernel[(1,)](index, torch.arange(1024 * 3.0, device="cuda"), out, 3, 1024, BLOCK=4)
    assert out.tolist() == [2048, 0, 1024, 0]
    started, ended = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    assert started.elapsed_time(ended) > 0
    assert triton.testing.do_bench(lambda: x + 1) > 0
    print("all is right", *sys.argv[2:])


if __name__ == "__main__":
    {"wrong": wrong, "right": right}[sys.argv[1]]()
