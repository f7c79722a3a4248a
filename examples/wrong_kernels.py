"""A right launch of a Triton kernel, and seven that are wrong, each in its own way.

With no GPU: `eagerdiff sanitize examples/wrong_kernels.py [name]`. On one, for comparison:
`PYTORCH_NO_CUDA_MEMORY_CACHING=1 compute-sanitizer python examples/wrong_kernels.py [name]`.
"""

# pyright: basic, reportArgumentType=false, reportOperatorIssue=false
import sys

import torch
import triton
import triton.language as tl


@triton.jit
def add_one(x, o, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(o + at, tl.load(x + at, mask=at < n, other=0) + 1, mask=at < n)


@triton.jit
def without_mask(x, o, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(o + at, tl.load(x + at, mask=at < n, other=0) + 1)


@triton.jit
def next_one(x, o, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(o + at, tl.load(x + at + 1, mask=at < n, other=0), mask=at < n)


@triton.jit
def count(index, counts, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    place = counts + tl.load(index + at, mask=at < n, other=0)
    tl.store(place, tl.load(place, mask=at < n, other=0) + 1, mask=at < n)


@triton.jit
def total_of_parts(x, parts, done, o, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(parts + tl.program_id(0), tl.sum(tl.load(x + at, mask=at < n, other=0), 0))
    if tl.atomic_add(done, 1, sem="relaxed") == tl.num_programs(0) - 1:
        total = 0.0
        for part in range(tl.num_programs(0)):
            total += tl.load(parts + part)
        tl.store(o, total)


@triton.jit
def row_far_away(x, o, row, stride, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(o + at, tl.load(x + row * stride + at))


N = 1000
GRID = (triton.cdiv(N, 256),)


def right() -> None:
    x = torch.randn(N, device="cuda")
    add_one[GRID](x, torch.empty_like(x), N, 256)


def store_outside() -> None:
    x = torch.randn(N, device="cuda")
    without_mask[GRID](x, torch.empty_like(x), N, 256)


def load_outside() -> None:
    x = torch.randn(N, device="cuda")
    next_one[GRID](x, torch.empty_like(x), N, 256)


def outside_of_a_view() -> None:
    """Store behind a view, in what belongs to the next one: the allocation goes on."""
    whole = torch.zeros(2 * N, device="cuda")
    without_mask[GRID](whole[N:], whole[:N], N, 256)


def read_of_nothing() -> None:
    x = torch.empty(N, device="cuda")
    add_one[GRID](x, torch.empty_like(x), N, 256)


def lost_update() -> None:
    index = torch.zeros(N, dtype=torch.int64, device="cuda")
    count[GRID](index, torch.zeros(4, device="cuda"), N, 256)


def relaxed_flag() -> None:
    x, parts = torch.randn(N, device="cuda"), torch.zeros(8, device="cuda")
    total_of_parts[GRID](
        x, parts, torch.zeros(1, dtype=torch.int32, device="cuda"), torch.zeros(1, device="cuda"), N, 256
    )


def offset_wraps() -> None:
    x = torch.randn(1 << 10, device="cuda")
    row_far_away[(1,)](x, torch.empty(256, device="cuda"), 1 << 16, 1 << 16, 256)


CASES = {
    case.__name__: case
    for case in (
        right,
        store_outside,
        load_outside,
        outside_of_a_view,
        read_of_nothing,
        lost_update,
        relaxed_flag,
        offset_wraps,
    )
}

for name in sys.argv[1:] or CASES:
    print(f"-- {name}", flush=True)
    CASES[name]()
    torch.cuda.synchronize()
