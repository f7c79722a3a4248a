# pyright: basic
"""Kernels compiled offline by `test_offline.py`, in a process of their own that is not the interpreter's."""

import dataclasses
import json

import torch
import triton
import triton.language as tl

from eagerdiff.harness.devices import offline, parse

TARGETS = ("sm_80", "sm_90", "sm_100", "gfx942")


@triton.jit
def add(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = index < n
    tl.store(out_ptr + index, tl.load(x_ptr + index, mask) + tl.load(y_ptr + index, mask), mask)


@triton.jit
def multiply(a_ptr, b_ptr, out_ptr, k, BLOCK: tl.constexpr, BLOCK_K: tl.constexpr):
    rows, inner = tl.arange(0, BLOCK), tl.arange(0, BLOCK_K)
    total = tl.zeros((BLOCK, BLOCK), tl.float32)
    for start in range(0, k, BLOCK_K):
        a = tl.load(a_ptr + rows[:, None] * k + start + inner[None, :], mask=start + inner[None, :] < k, other=0.0)
        b = tl.load(
            b_ptr + (start + inner[:, None]) * BLOCK + rows[None, :], mask=start + inner[:, None] < k, other=0.0
        )
        total = tl.dot(a, b, total)
    tl.store(out_ptr + rows[:, None] * BLOCK + rows[None, :], total)


@triton.autotune([triton.Config({"BLOCK": 64}), triton.Config({"BLOCK": 128})], key=["n"])
@triton.jit
def double(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + index, 2 * tl.load(x_ptr + index, index < n), index < n)


def add_tensors(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    out = torch.full_like(x, 7.0)
    add[(triton.cdiv(x.numel(), 64),)](x, y, out, x.numel(), BLOCK=64)  # pyright: ignore[reportArgumentType]
    return out


def products(target, block, inner):
    halves = {"a_ptr": "*fp16", "b_ptr": "*fp16", "out_ptr": "*fp32", "k": "i32"}
    return offline.compile_kernel(multiply, halves, {"BLOCK": block, "BLOCK_K": inner}, target)


SIZES = (1, 16, 17, 33, 48)


def captured():
    with offline.capture("sm_90") as reports:
        outputs = [add_tensors(torch.zeros(size), torch.zeros(size)) for size in SIZES]
        double[(1,)](torch.zeros(8), torch.zeros(8), 8)
    return {
        "reports": [dataclasses.asdict(report) for report in reports],
        "untouched": all(bool((out == 7.0).all()) for out in outputs),
    }


def interpreted():
    """Return kernel and specialisation of the same launches, in a process of the interpreter."""
    with parse("interpreted").watch() as watch:
        for size in SIZES:
            add_tensors(torch.zeros(size), torch.zeros(size))
        double[(1,)](torch.zeros(8), torch.zeros(8), 8)
    return list(watch.specialisations)


def count(sizes):
    x = torch.zeros(256)
    launches = [offline.Launch((x, x, x, size), {"BLOCK": 64}) for size in sizes]
    return offline.count_specialisations(add, launches)


def main() -> None:
    floats = {"x_ptr": "*fp32", "y_ptr": "*fp32", "out_ptr": "*fp32", "n": "i32"}
    result = {
        "add": [dataclasses.asdict(offline.compile_kernel(add, floats, {"BLOCK": 256}, name)) for name in TARGETS],
        "multiply": [dataclasses.asdict(products(name, 32, 32)) for name in TARGETS],
        "spilling": [dataclasses.asdict(products(name, 256, 64)) for name in ("sm_90", "gfx942")],
        "counts": {"1 16 17 33": count((1, 16, 17, 33)), "17 33": count((17, 33)), "16 2**33": count((16, 2**33))},
        "captured": captured(),
        "count after capture": count((1, 16, 17, 33)),
    }
    print(json.dumps(result))


if __name__ == "__main__":
    main()
