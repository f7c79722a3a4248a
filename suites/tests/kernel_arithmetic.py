"""Kernels that do one operation each, to be held against torch; run where a device is active."""

# pyright: basic, reportArgumentType=false, reportOperatorIssue=false, reportAttributeAccessIssue=false, reportGeneralTypeIssues=false
import numpy as np
import torch
import triton
import triton.language as tl

from eagerdiff.suites.tests.device_process import here

BLOCK = 64


@triton.jit
def binary_kernel(x_ptr, y_ptr, o_ptr, OP: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    x, y = tl.load(x_ptr + at), tl.load(y_ptr + at)
    if OP == "add":
        r = x + y
    elif OP == "sub":
        r = x - y
    elif OP == "mul":
        r = x * y
    elif OP == "div":
        r = x / y
    elif OP == "floordiv":
        r = x // y
    elif OP == "mod":
        r = x % y
    elif OP == "maximum":
        r = tl.maximum(x, y)
    elif OP == "minimum":
        r = tl.minimum(x, y)
    elif OP == "fma":
        r = tl.fma(x, y, x)
    elif OP == "where":
        r = tl.where(x < y, x, y)
    elif OP == "and":
        r = x & y
    elif OP == "or":
        r = x | y
    elif OP == "xor":
        r = x ^ y
    elif OP == "lt":
        r = x < y
    elif OP == "le":
        r = x <= y
    elif OP == "gt":
        r = x > y
    elif OP == "ge":
        r = x >= y
    elif OP == "eq":
        r = x == y
    elif OP == "between":
        r = -x < y < x
    else:
        r = x != y
    tl.store(o_ptr + at, r)


@triton.jit
def unary_kernel(x_ptr, o_ptr, OP: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at)
    if OP == "exp":
        r = tl.exp(x.to(tl.float32))
    elif OP == "neg":
        r = -x
    else:
        r = tl.abs(x)
    tl.store(o_ptr + at, r)


@triton.jit
def cast_kernel(x_ptr, o_ptr, TO: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(o_ptr + at, tl.load(x_ptr + at).to(TO))


@triton.jit
def truncating_cast_kernel(x_ptr, o_ptr, TO: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(o_ptr + at, tl.load(x_ptr + at).to(TO, fp_downcast_rounding="rtz"))


@triton.jit
def dot_kernel(a_ptr, b_ptr, o_ptr, PRECISION: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    square = at[:, None] * BLOCK + at[None, :]
    tl.store(o_ptr + square, tl.dot(tl.load(a_ptr + square), tl.load(b_ptr + square), input_precision=PRECISION))


@triton.jit
def _larger(a, b):
    return tl.where(a > b, a, b)


@triton.jit
def _branching_larger(a, b):
    if a > b:
        return a
    return b


@triton.jit
def row_kernel(x_ptr, o_ptr, OP: tl.constexpr, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    rows, at = tl.arange(0, ROWS), tl.arange(0, BLOCK)
    x = tl.load(x_ptr + rows[:, None] * BLOCK + at[None, :])
    if OP == "cumsum":
        tl.store(o_ptr + rows[:, None] * BLOCK + at[None, :], tl.cumsum(x, 1))
    elif OP == "cumsum_reverse":
        tl.store(o_ptr + rows[:, None] * BLOCK + at[None, :], tl.cumsum(x, 1, reverse=True))
    elif OP == "cummax":
        tl.store(o_ptr + rows[:, None] * BLOCK + at[None, :], tl.associative_scan(x, 1, _larger))
    elif OP == "sort":
        tl.store(o_ptr + rows[:, None] * BLOCK + at[None, :], tl.sort(x, 1))
    else:
        if OP == "sum":
            r = tl.sum(x, 1)
        elif OP == "max":
            r = tl.max(x, 1)
        elif OP == "min":
            r = tl.min(x, 1)
        elif OP == "argmax":
            r = tl.argmax(x, 1)
        elif OP == "argmin":
            r = tl.argmin(x, 1)
        elif OP == "reduce":
            r = tl.reduce(x, 1, _larger)
        else:
            r = tl.reduce(x, 1, _branching_larger)
        tl.store(o_ptr + rows, r)


@triton.jit
def atomic_kernel(x_ptr, at_ptr, o_ptr, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.atomic_add(o_ptr + tl.load(at_ptr + at), tl.load(x_ptr + at))


@triton.jit
def scalars_kernel(o_ptr, count, scale, flag):
    total = 0
    for i in range(count):
        total += (i.to(tl.int64) * 2).to(tl.int32)
    for i in tl.range(0, count):
        total += i.to(tl.int32)
    if flag and not (count == 0):  # noqa: SIM201  (`not` itself is under test)
        total += 100
    tl.store(o_ptr, total.to(tl.float32) * scale.to(tl.float32))


@triton.jit
def wrap_kernel(o_ptr, n):
    tl.store(o_ptr, (n * n).to(tl.int64))
    tl.store(o_ptr + 1, n.to(tl.int64) * n)


@triton.jit
def random_kernel(o_ptr, seed, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(o_ptr + at, tl.rand(seed, at))
    tl.store(o_ptr + BLOCK + at, tl.randn(seed, at))
    tl.store(o_ptr + 2 * BLOCK + at, tl.randint(seed, at).to(tl.float32))


def binary(operation: str, x: torch.Tensor, y: torch.Tensor, out: torch.dtype) -> torch.Tensor:
    """Apply a binary operation to two blocks of `BLOCK` elements."""
    result = here(torch.zeros(BLOCK, dtype=out))
    binary_kernel[(1,)](here(x), here(y), result, operation, BLOCK)
    return _carried(result)


def unary(operation: str, x: torch.Tensor, out: torch.dtype) -> torch.Tensor:
    """Apply a unary operation to a block."""
    result = here(torch.zeros(BLOCK, dtype=out))
    unary_kernel[(1,)](here(x), result, operation, BLOCK)
    return _carried(result)


def cast(x: torch.Tensor, out: torch.dtype, truncating: bool = False) -> torch.Tensor:
    """Convert a block."""
    result = here(torch.zeros(BLOCK, dtype=out))
    kernel = truncating_cast_kernel if truncating else cast_kernel
    kernel[(1,)](here(x), result, _triton(out), BLOCK)
    return _carried(result)


def dot(a: torch.Tensor, b: torch.Tensor, out: torch.dtype, precision: str = "ieee") -> torch.Tensor:
    """Multiply two square matrices."""
    result = here(torch.zeros(a.shape, dtype=out))
    dot_kernel[(1,)](here(a), here(b), result, precision, a.shape[0])
    return _carried(result)


def rows(operation: str, x: torch.Tensor, out: torch.dtype) -> torch.Tensor:
    """Reduce or scan each row."""
    whole = operation.startswith("cum") or operation == "sort"
    result = here(torch.zeros(x.shape if whole else x.shape[:1], dtype=out))
    row_kernel[(1,)](here(x), result, operation, *x.shape)
    return _carried(result)


def atomic_add(x: torch.Tensor, at: torch.Tensor, size: int) -> torch.Tensor:
    """Add each element at a place, places may repeat."""
    result = here(torch.zeros(size, dtype=x.dtype))
    atomic_kernel[(1,)](here(x), here(at), result, x.numel())
    return _carried(result)


def scalars(count: int, scale: float, flag: bool) -> float:
    """Convert loop indices and scalar arguments inside a kernel."""
    result = here(torch.zeros(1))
    scalars_kernel[(1,)](result, count, scale, flag)
    return result.item()


def products(n: int) -> list[int]:
    """Square an int32 in 32 and in 64 bits, with numpy's warnings turned into errors."""
    result = here(torch.zeros(2, dtype=torch.int64))
    with np.errstate(all="raise"):
        wrap_kernel[(1,)](result, n)
    return result.tolist()


def randoms(seed: int) -> torch.Tensor:
    """Draw uniform, normal and integer numbers."""
    result = here(torch.zeros(3, BLOCK))
    random_kernel[(1,)](result, seed, BLOCK)
    return _carried(result)


def _carried(result: torch.Tensor) -> torch.Tensor:
    """Return what survives pickling between processes: on the processor, and fp8 as its bits."""
    result = result.cpu()
    return result.view(torch.uint8) if result.dtype.itemsize == 1 and result.dtype.is_floating_point else result


def _triton(dtype: torch.dtype) -> tl.dtype:
    names = {torch.bool: "int1", torch.float8_e4m3fn: "float8e4nv", torch.float8_e5m2: "float8e5"}
    return getattr(tl, names.get(dtype, str(dtype).removeprefix("torch.")))
