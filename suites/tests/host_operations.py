"""Kernels that use one part of Triton's language each; run where a device that compiles them is active."""

# pyright: basic, reportArgumentType=false, reportOperatorIssue=false, reportAttributeAccessIssue=false, reportGeneralTypeIssues=false, reportCallIssue=false, reportIndexIssue=false
import contextlib
from collections.abc import Callable, Mapping

import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice
from triton.tools.tensor_descriptor import TensorDescriptor

from eagerdiff.harness.devices import MemoryWatch
from eagerdiff.harness.devices.host import installation
from eagerdiff.harness.devices.host.watching import KernelFault
from eagerdiff.suites.tests.device_process import active, here

SIZE = 256


@triton.jit
def rand(x, o, B: tl.constexpr):
    at = tl.arange(0, B)
    tl.store(o + at, tl.rand(42, at))


@triton.jit
def sort(x, o, B: tl.constexpr):
    at = tl.arange(0, B)
    tl.store(o + at, tl.sort(tl.load(x + at)))


@triton.jit
def flip(x, o, B: tl.constexpr):
    at = tl.arange(0, B)
    tl.store(o + at, tl.flip(tl.load(x + at), 0))


@triton.jit
def topk(x, o, B: tl.constexpr):
    tl.store(o + tl.arange(0, 8), tl.topk(tl.load(x + tl.arange(0, B)), 8))


@triton.jit
def argmax(x, o, B: tl.constexpr):
    value, place = tl.max(tl.load(x + tl.arange(0, B)), 0, return_indices=True)
    tl.store(o, value)
    tl.store(o + 1, place.to(tl.float32))


@triton.jit
def cumsum(x, o, B: tl.constexpr):
    at = tl.arange(0, B)
    tl.store(o + at, tl.cumsum(tl.load(x + at), 0, reverse=True))


@triton.jit
def histogram(x, o, B: tl.constexpr):
    counts = tl.histogram((tl.load(x + tl.arange(0, B)) * 4).to(tl.int32) & 15, 16)
    tl.store(o + tl.arange(0, 16), counts.to(tl.float32))


@triton.jit
def gather(x, o, B: tl.constexpr):
    at = tl.arange(0, B)
    tl.store(o + at, tl.gather(tl.load(x + at), B - 1 - at, 0))


@triton.jit
def interleave(x, o, B: tl.constexpr):
    at = tl.arange(0, B // 2)
    both = tl.interleave(tl.load(x + at), tl.load(x + B // 2 + at))
    even, odd = tl.split(tl.reshape(both, (B // 2, 2)))
    tl.store(o + at, odd)
    tl.store(o + B // 2 + at, even)


@triton.jit
def cat(x, o, B: tl.constexpr):
    half = tl.arange(0, B // 2)
    tl.store(o + tl.arange(0, B), tl.sort(tl.cat(tl.load(x + half), tl.load(x + B // 2 + half), can_reorder=True)))


@triton.jit(noinline=True)
def doubled_beyond(a, b):
    if b > 3:
        return a * 2
    return a + 1


@triton.jit
def called(x, o, B: tl.constexpr):
    at = tl.arange(0, B)
    tl.store(o + at, tl.load(x + at) * doubled_beyond(5, tl.program_id(0) + 7) + doubled_beyond(5, tl.program_id(0)))


@triton.jit
def descriptor(x, o, B: tl.constexpr):
    source = tl.make_tensor_descriptor(x, [B // 16, 16], [16, 1], [8, 16])
    target = tl.make_tensor_descriptor(o, [B // 16, 16], [16, 1], [8, 16])
    target.store([0, 0], source.load([4, 0]) * 2)
    target.store([8, 0], source.load([12, 0]))


@triton.jit
def host_descriptor(x, o, B: tl.constexpr):
    at = tl.arange(0, 8)[:, None] * 16 + tl.arange(0, 16)[None, :]
    tl.store(o + at, x.load([12, 0]))


@triton.jit
def block_pointer(x, o, B: tl.constexpr):
    block = tl.make_block_ptr(x, (16, 16), (16, 1), (0, 0), (8, 8), (1, 0))
    total = tl.zeros((8, 8), tl.float32)
    for _ in range(2):
        total += tl.load(block, boundary_check=(0, 1))
        block = tl.advance(block, (0, 8))
    tl.store(o + tl.arange(0, 8)[:, None] * 8 + tl.arange(0, 8)[None, :], total)


@triton.jit
def atomics(x, o, B: tl.constexpr):
    at = tl.arange(0, B)
    tl.atomic_max(o + (at & 7), tl.load(x + at))
    tl.atomic_xchg(o + 8, 3.0)
    tl.atomic_min(o + 9 + (at & 1), tl.load(x + at))
    tl.atomic_add(o + 12, 1.0)


@triton.jit
def product(x, o, B: tl.constexpr):
    at = tl.arange(0, 16)[:, None] * 16 + tl.arange(0, 16)[None, :]
    a = tl.load(x + at)
    tl.store(o + at, tl.dot(a, tl.trans(a), input_precision="ieee"))


@triton.jit
def small_product(x, o, B: tl.constexpr):
    a = (tl.load(x + tl.arange(0, 8)[:, None] * 32 + tl.arange(0, 32)[None, :]) * 50).to(tl.int8)
    at = tl.arange(0, 8)[:, None] * 8 + tl.arange(0, 8)[None, :]
    tl.store(o + at, tl.dot(a, tl.trans(a)).to(tl.float32))


@triton.jit
def staged(x, o, B: tl.constexpr):
    at = tl.arange(0, B)
    total = tl.zeros((B,), tl.float32)
    for _ in tl.range(0, 4, num_stages=3, warp_specialize=True):
        total += tl.load(x + at)
    for step in tl.static_range(2):
        total += step
    tl.store(o + at, total)


@triton.jit
def tupled(pair, numbers, o, B: tl.constexpr):
    at = tl.arange(0, B)
    tl.store(o + at, tl.load(pair[0] + at) * numbers[0] + tl.load(pair[1] + at))


@triton.jit
def early(x, o, B: tl.constexpr):
    at = tl.arange(0, B)
    if tl.load(x) > tl.load(x + 1):
        tl.store(o + at, tl.load(x + at))
        return
    tl.store(o + at, -tl.load(x + at))


@triton.jit
def both(a, b, c, d):
    return a + c, tl.maximum(b, d)


@triton.jit
def combined(x, o, B: tl.constexpr):
    value = tl.load(x + tl.arange(0, B))
    total, most = tl.reduce((value, value), 0, both)
    sums, extremes = tl.associative_scan((value, value), 0, both)
    tl.store(o + tl.arange(0, B), sums + extremes)
    tl.store(o, total)
    tl.store(o + 1, most)


@triton.jit
def functions(x, o, B: tl.constexpr):
    at = tl.arange(0, B)
    v = tl.load(x + at)
    one = tl.clamp(v, -0.5, 0.5) + tl.sigmoid(v) + tl.softmax(v) + tl.floor(v) + tl.cdiv(at, 3) + tl.fma(v, v, v)
    two = tl.sqrt_rn(tl.abs(v)) + tl.div_rn(v, 3.0) + tl.erf(v) + tl.cos(v) + tl.exp2(v) + tl.rsqrt(v * v + 1)
    tl.store(o + at, one + two + tl.log2(tl.abs(v) + 1))


@triton.jit
def library(x, o, B: tl.constexpr):
    at = tl.arange(0, B)
    v = tl.load(x + at)
    one = libdevice.tanh(v) + libdevice.pow(tl.abs(v), 1.5) + libdevice.erfinv(v / 8) + libdevice.log1p(tl.abs(v))
    tl.store(o + at, one + libdevice.isnan(v).to(tl.float32) + libdevice.ffs(at).to(tl.float32))


KERNELS: Mapping[str, Callable[..., object]] = {
    name: lambda x, o, kernel=kernel: kernel[(1,)](x, o, SIZE)
    for name, kernel in {
        "rand": rand,
        "sort": sort,
        "flip": flip,
        "topk": topk,
        "argmax": argmax,
        "cumsum": cumsum,
        "histogram": histogram,
        "gather": gather,
        "interleave": interleave,
        "cat": cat,
        "called": called,
        "descriptor": descriptor,
        "block_pointer": block_pointer,
        "atomics": atomics,
        "product": product,
        "small_product": small_product,
        "staged": staged,
        "early": early,
        "combined": combined,
        "functions": functions,
        "library": library,
    }.items()
} | {
    "tupled": lambda x, o: tupled[(1,)]((x, x), (3,), o, SIZE),
    "host_descriptor": lambda x, o: host_descriptor[(1,)](
        TensorDescriptor(x.view(16, 16), [16, 16], [16, 1], [8, 16]), o, SIZE
    ),
}


def run(name: str, x: torch.Tensor) -> tuple[list[str], torch.Tensor]:
    """Return the faults that the host device saw, and what a kernel wrote over zeros."""
    watch, out = MemoryWatch(), here(torch.zeros(SIZE))
    with _watching(watch):
        KERNELS[name](here(x), out)
    return [fault.describe() for fault in watch.faults], out.cpu()


def _watching(watch: MemoryWatch) -> contextlib.AbstractContextManager[None]:
    if active().kind == "host":
        return installation.watching(watch, tracks=True)
    triton.set_allocator(lambda size, _alignment, _stream: here(torch.empty(size, dtype=torch.int8)))
    return contextlib.nullcontext()


@triton.jit
def astray(x, o, turns, B: tl.constexpr):
    made = 0
    for turn in range(turns):
        made += (tl.sum(tl.load(x + turn * B + tl.arange(0, B)), 0) != 0.5).to(tl.int32)
    tl.store(o, made.to(tl.float32))


def run_astray(turns: int) -> tuple[list[str], float]:
    """Return the faults, and how many turns a loop made that leaves its argument after the first."""
    watch, out = MemoryWatch(), torch.zeros(1)
    with contextlib.suppress(KernelFault), installation.watching(watch):
        astray[(1,)](torch.ones(SIZE), out, turns, SIZE)
    return [fault.wrong for fault in watch.faults], float(out)


@triton.jit
def refused(x, o, B: tl.constexpr):
    at = tl.arange(0, B)
    given = [tl.load(x + at)]
    tl.store(o + at, tl.inline_asm_elementwise("mov.b32 $0, $1;", "=r,r", given, tl.float32, is_pure=True, pack=1))


@triton.jit
def in_order(x, o, B: tl.constexpr):
    half = tl.arange(0, B // 2)
    tl.store(o + tl.arange(0, B), tl.cat(tl.load(x + half), tl.load(x + B // 2 + half), can_reorder=True))


def run_in_order(x: torch.Tensor) -> torch.Tensor:
    """Return the two halves of a tensor, put together again in what order they come."""
    out = here(torch.zeros(SIZE))
    in_order[(1,)](here(x), out, SIZE)
    return out.cpu()


def run_refused(x: torch.Tensor) -> None:
    refused[(1,)](x, torch.zeros(SIZE), SIZE)


@triton.jit
def scaled(a, sa, b, sb, o, K: tl.constexpr, A: tl.constexpr, B: tl.constexpr, PA: tl.constexpr, PB: tl.constexpr):
    m, n, s = tl.arange(0, 32), tl.arange(0, 64), tl.arange(0, K // 32)
    left = tl.load(a + m[:, None] * (K // PA) + tl.arange(0, K // PA)[None, :])
    right = tl.load(b + tl.arange(0, K // PB)[:, None] * 64 + n[None, :])
    scales = tl.load(sa + m[:, None] * (K // 32) + s[None, :]), tl.load(sb + n[:, None] * (K // 32) + s[None, :])
    tl.store(o + m[:, None] * 64 + n[None, :], tl.dot_scaled(left, scales[0], A, right, scales[1], B))


def run_scaled(
    a: torch.Tensor, sa: torch.Tensor, b: torch.Tensor, sb: torch.Tensor, kinds: tuple[str, str]
) -> torch.Tensor:
    """Multiply [32, 128] by [128, 64], each with a scale for 32 elements; e2m1 has two elements a byte."""
    out = here(torch.zeros(32, 64))
    packs = [2 if kind == "e2m1" else 1 for kind in kinds]
    scaled[(1,)](here(a), here(sa), here(b), here(sb), out, 128, *kinds, *packs)
    return out.cpu()
