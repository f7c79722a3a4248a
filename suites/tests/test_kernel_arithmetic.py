"""Each device's arithmetic, the interpreter's and a GPU's too, held against torch's dtype by dtype."""

import functools
import math
from typing import Any

import pytest
import torch

from eagerdiff.suites.tests.device_process import EVERY, Chosen, run_here

pytestmark = pytest.mark.usefixtures("every_device")
KERNELS = "eagerdiff.suites.tests.kernel_arithmetic"
INTERPRETED = pytest.mark.parametrize("every_device", ["interpreted"], indirect=True)
"""Triton's front end refuses what is tested: the interpreter alone takes it."""
BLOCK = 64
FLOATS = (torch.float64, torch.float32, torch.float16, torch.bfloat16, torch.float8_e4m3fn, torch.float8_e5m2)
INTEGERS = (torch.int8, torch.int16, torch.int32, torch.int64, torch.uint8)
DTYPES = (*FLOATS, *INTEGERS, torch.bool)
OPERATIONS = ("add", "sub", "mul", "maximum", "minimum", "where")
WIDE, EIGHT = FLOATS[:4], FLOATS[4:]
COMPILED = pytest.mark.parametrize(
    "every_device",
    [pytest.param(name, marks=[pytest.mark.cuda] * (name == "cuda")) for name in EVERY if name != "interpreted"],
    indirect=True,
)
COMPARISONS = ("lt", "le", "gt", "ge", "eq", "ne")


def draw(dtype: torch.dtype, *shape: int, seed: int = 0) -> torch.Tensor:
    generator = torch.Generator().manual_seed(seed)
    if dtype.is_floating_point:
        return (torch.randn(shape, generator=generator) * 4).to(dtype)
    if dtype == torch.bool:
        return torch.rand(shape, generator=generator) < 0.5
    low = 0 if dtype == torch.uint8 else -100
    return torch.randint(low, 100, shape, generator=generator).to(dtype)


def wide(x: torch.Tensor) -> torch.Tensor:
    """Upcast fp8, which torch does not compute in."""
    return x.float() if x.dtype.itemsize == 1 and x.dtype.is_floating_point else x


def narrow(x: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """Round as the hardware does: fp8 saturates."""
    if dtype.itemsize == 1 and dtype.is_floating_point:
        limit = torch.finfo(dtype).max
        return x.clamp(-limit, limit).to(dtype)
    return x.to(dtype)


def received(x: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    return x.view(dtype) if x.dtype == torch.uint8 else x


def refused_by_triton(source: torch.dtype, target: torch.dtype) -> bool:
    """Triton converts fp8 to and from floating point only; for GPUs not to float64 and not to another fp8."""
    pair = {source, target}
    if not pair & set(EIGHT) or source == target:
        return False
    on_gpus = Chosen.device != "interpreted" and (torch.float64 in pair or pair == set(EIGHT))
    return on_gpus or not (source.is_floating_point and target.is_floating_point)


def assert_bits(actual: torch.Tensor, expected: torch.Tensor) -> None:
    torch.testing.assert_close(wide(actual), wide(expected), rtol=0, atol=0, equal_nan=True)


def assert_rounded_once(operation: str, dtype: torch.dtype) -> None:
    x, y = draw(dtype, BLOCK), draw(dtype, BLOCK, seed=1)
    actual = received(run_here(KERNELS, "binary", operation, x, y, dtype), dtype)
    eager: Any = {"where": torch.minimum}.get(operation) or getattr(torch, operation)
    assert_bits(actual, narrow(eager(wide(x), wide(y)), dtype))


@pytest.mark.parametrize("dtype", WIDE, ids=str)
@pytest.mark.parametrize("operation", OPERATIONS)
def test_float_operations_are_rounded_once(operation: str, dtype: torch.dtype) -> None:
    assert_rounded_once(operation, dtype)


@INTERPRETED
@pytest.mark.parametrize("dtype", EIGHT, ids=str)
@pytest.mark.parametrize("operation", OPERATIONS)
def test_operations_of_eight_bits_are_rounded_once(operation: str, dtype: torch.dtype) -> None:
    assert_rounded_once(operation, dtype)


@COMPILED
@pytest.mark.parametrize("dtype", EIGHT, ids=str)
@pytest.mark.parametrize("operation", [*OPERATIONS, "lt", "fma"])
def test_operations_of_eight_bits_are_compiled_for_no_gpu(operation: str, dtype: torch.dtype) -> None:
    """Triton's front end takes them; what passes with no GPU must not fail on every one."""
    out = torch.bool if operation == "lt" else dtype
    with pytest.raises(RuntimeError, match=r"no GPU's back end|PassManager::run failed"):
        run_here(KERNELS, "binary", operation, draw(dtype, BLOCK), draw(dtype, BLOCK, seed=1), out)


@COMPILED
@pytest.mark.parametrize(("source", "target"), [(torch.float64, EIGHT[0]), (EIGHT[1], torch.float64), EIGHT], ids=str)
def test_conversions_of_eight_bits_that_are_compiled_for_no_gpu(source: torch.dtype, target: torch.dtype) -> None:
    with pytest.raises(RuntimeError, match=r"no GPU's back end|PassManager::run failed"):
        run_here(KERNELS, "cast", draw(source, BLOCK), target)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.float16, torch.bfloat16], ids=str)
def test_float_division(dtype: torch.dtype) -> None:
    x, y = draw(dtype, BLOCK), draw(dtype, BLOCK, seed=1)
    quotient = run_here(KERNELS, "binary", "div", x, y, dtype)
    if Chosen.device == "cuda" and dtype == torch.float32:  # `div.full.f32`: within 2 units of the last place
        torch.testing.assert_close(quotient, x / y, rtol=2**-22, atol=0)
    else:
        assert_bits(quotient, x / y)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.float16, torch.bfloat16], ids=str)
def test_fused_multiply_add(dtype: torch.dtype) -> None:
    x, y = draw(dtype, BLOCK), draw(dtype, BLOCK, seed=1)
    expected = (x.double() * y.double() + x.double()).to(dtype)
    assert_bits(run_here(KERNELS, "binary", "fma", x, y, dtype), expected)


@pytest.mark.parametrize("dtype", INTEGERS, ids=str)
@pytest.mark.parametrize(
    "operation", ["add", "sub", "mul", "maximum", "minimum", "and", "or", "xor", "floordiv", "mod"]
)
def test_integer_operations(operation: str, dtype: torch.dtype) -> None:
    x, y = draw(dtype, BLOCK), draw(dtype, BLOCK, seed=1)
    y = torch.where(y == 0, 3, y).to(dtype)
    eager: dict[str, Any] = {
        "and": torch.bitwise_and,
        "or": torch.bitwise_or,
        "xor": torch.bitwise_xor,
        "floordiv": functools.partial(torch.div, rounding_mode="trunc"),
        "mod": torch.fmod,
    }
    expected = (eager.get(operation) or getattr(torch, operation))(x, y)
    assert run_here(KERNELS, "binary", operation, x, y, dtype).tolist() == expected.tolist()


@pytest.mark.parametrize("operation", ["and", "or", "xor"])
def test_boolean_operations(operation: str) -> None:
    x, y = draw(torch.bool, BLOCK), draw(torch.bool, BLOCK, seed=1)
    expected = getattr(torch, f"logical_{operation}")(x, y)
    assert run_here(KERNELS, "binary", operation, x, y, torch.bool).tolist() == expected.tolist()


@INTERPRETED
def test_a_chain_of_comparisons_is_true_where_each_of_them_is() -> None:
    x, y = draw(torch.float32, BLOCK), draw(torch.float32, BLOCK, seed=1)
    expected = (-x < y) & (y < x)
    assert 0 < expected.sum() < ((y < x).sum())  # neither comparison alone gives it
    assert run_here(KERNELS, "binary", "between", x, y, torch.bool).tolist() == expected.tolist()


@pytest.mark.parametrize("dtype", [*WIDE, *INTEGERS, torch.bool], ids=str)
def test_comparisons(dtype: torch.dtype) -> None:
    assert_compared(dtype)


@INTERPRETED
@pytest.mark.parametrize("dtype", EIGHT, ids=str)
def test_comparisons_of_eight_bits(dtype: torch.dtype) -> None:
    assert_compared(dtype)


def assert_compared(dtype: torch.dtype) -> None:
    x, y = draw(dtype, BLOCK), draw(dtype, BLOCK, seed=1)
    y[:8] = x[:8]
    if dtype.is_floating_point:
        x[8:12] = float("nan")
    for operation in COMPARISONS:
        actual = run_here(KERNELS, "binary", operation, x, y, torch.bool)
        assert actual.tolist() == getattr(torch, operation)(wide(x), wide(y)).tolist(), operation


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
def test_exponential_absolute_negative(dtype: torch.dtype) -> None:
    x = draw(dtype, BLOCK)
    near = 1e-6 if Chosen.device == "cuda" else 3e-7  # `ex2.approx.f32` of a product that was rounded
    torch.testing.assert_close(run_here(KERNELS, "unary", "exp", x, torch.float32), x.float().exp(), rtol=near, atol=0)
    assert_bits(received(run_here(KERNELS, "unary", "abs", x, dtype), dtype), narrow(wide(x).abs(), dtype))
    if dtype in EIGHT and Chosen.device != "interpreted":
        return
    assert_bits(received(run_here(KERNELS, "unary", "neg", x, dtype), dtype), narrow(-wide(x), dtype))


@pytest.mark.parametrize("source", DTYPES, ids=str)
def test_casts_to_every_dtype(source: torch.dtype) -> None:
    x = draw(source, BLOCK)
    for target in DTYPES:
        if refused_by_triton(source, target):
            continue
        small = x.float().abs().to(source) if target == torch.uint8 and source != torch.bool else x
        actual = received(run_here(KERNELS, "cast", small, target), target)
        assert_bits(actual, narrow(wide(small), target))


def test_float32_to_bfloat16_rounds_to_nearest_even() -> None:
    halfway = torch.tensor(
        [1 + 2**-8, 1 + 3 * 2**-8, -(1 + 2**-8), 1 + 2**-8 + 2**-20, 3.4e38, float("nan")] + [0.0] * 58
    )
    assert_bits(run_here(KERNELS, "cast", halfway, torch.bfloat16), halfway.bfloat16())


def test_casts_that_saturate_or_truncate() -> None:
    x = torch.tensor([1e9, -1e9, float("inf"), float("nan")] + [1.99, -1.99] * 30)
    as_int = run_here(KERNELS, "cast", x * 10, torch.int32).tolist()
    assert as_int[:6] == [2**31 - 1, -(2**31), 2**31 - 1, 0, 19, -19]
    as_e4m3 = run_here(KERNELS, "cast", x, torch.float8_e4m3fn).view(torch.float8_e4m3fn).float()
    assert as_e4m3[:3].tolist() == [448.0, -448.0, 448.0]
    assert as_e4m3[3].isnan()
    assert run_here(KERNELS, "cast", x, torch.bfloat16, True)[4].item() == 1.984375


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
def test_special_values_survive_a_copy(dtype: torch.dtype) -> None:
    x = torch.tensor([float("inf"), -float("inf"), float("nan"), -0.0, 2.0**-9] + [1.0] * 59).to(dtype)
    assert_bits(received(run_here(KERNELS, "cast", x, dtype), dtype), x)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, *FLOATS[4:]], ids=str)
def test_dot(dtype: torch.dtype) -> None:
    a, b = draw(dtype, 32, 32), draw(dtype, 32, 32, seed=1)
    expected = a.double() @ b.double()
    torch.testing.assert_close(run_here(KERNELS, "dot", a, b, torch.float32).double(), expected, rtol=1e-5, atol=1e-4)


def test_a_row_of_a_dot_has_the_same_bits_wherever_it_stands_in_a_tile() -> None:
    """As on a GPU, and unlike numpy's product: batch invariance is judged bit for bit."""
    a, b = draw(torch.float32, 32, 32), draw(torch.float32, 32, 32, seed=1)
    order = torch.randperm(32, generator=torch.Generator().manual_seed(0))
    moved = run_here(KERNELS, "dot", a[order].contiguous(), b, torch.float32)
    assert torch.equal(run_here(KERNELS, "dot", a, b, torch.float32)[order], moved)


def test_dot_of_integers_is_exact() -> None:
    a, b = draw(torch.int8, 32, 32), draw(torch.int8, 32, 32, seed=1)
    assert torch.equal(run_here(KERNELS, "dot", a, b, torch.int32), (a.long() @ b.long()).int())


def test_dot_in_tf32_loses_what_the_tensor_cores_lose() -> None:
    a, b = draw(torch.float32, 32, 32), draw(torch.float32, 32, 32, seed=1)
    error = (run_here(KERNELS, "dot", a, b, torch.float32, "tf32") - a @ b).abs().max().item()
    assert 1e-2 < error < 1.0  # an H200 is off by as much, within 2e-4


@pytest.mark.parametrize("dtype", FLOATS[:4], ids=str)
def test_sum_and_cumsum(dtype: torch.dtype) -> None:
    x = draw(dtype, 8, BLOCK)
    unit = torch.finfo(dtype).eps * x.double().abs().sum(1, keepdim=True) * math.log2(BLOCK)
    total = run_here(KERNELS, "rows", "sum", x, dtype).double()
    assert ((total - x.double().sum(1)).abs() <= unit[:, 0]).all()
    for operation, expected in (
        ("cumsum", x.double().cumsum(1)),
        ("cumsum_reverse", x.double().flip(1).cumsum(1).flip(1)),
    ):
        running = run_here(KERNELS, "rows", operation, x, dtype).double()
        assert ((running - expected).abs() <= unit).all()


@pytest.mark.parametrize("dtype", INTEGERS, ids=str)
def test_sum_and_cumsum_of_integers(dtype: torch.dtype) -> None:
    x = draw(dtype, 8, BLOCK)
    assert run_here(KERNELS, "rows", "sum", x, torch.int64).tolist() == x.sum(1).tolist()
    assert run_here(KERNELS, "rows", "cumsum", x, torch.int64).tolist() == x.cumsum(1).tolist()


@pytest.mark.parametrize("dtype", [*FLOATS[:4], *INTEGERS], ids=str)
def test_extremes(dtype: torch.dtype) -> None:
    x = draw(dtype, 8, BLOCK)
    assert_bits(run_here(KERNELS, "rows", "max", x, dtype), x.amax(1))
    assert_bits(run_here(KERNELS, "rows", "min", x, dtype), x.amin(1))
    first = (x == x.amax(1, keepdim=True)).int().argmax(1)
    assert run_here(KERNELS, "rows", "argmax", x, torch.int64).tolist() == first.tolist()
    for operation in ("reduce", "branching"):
        assert_bits(run_here(KERNELS, "rows", operation, x, dtype), x.amax(1))
    assert_bits(run_here(KERNELS, "rows", "cummax", x, dtype), x.cummax(1).values)
    assert_bits(run_here(KERNELS, "rows", "sort", x, dtype), x.sort(1).values)


def test_extremes_of_rows_of_nan() -> None:
    x = torch.full((2, BLOCK), float("nan"))
    x[1, 5] = 1.0
    assert run_here(KERNELS, "rows", "max", x, torch.float32)[1].item() == 1.0
    for operation in ("argmax", "argmin"):
        places = run_here(KERNELS, "rows", operation, x, torch.int64).tolist()
        assert all(0 <= place < BLOCK for place in places)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16, torch.int32], ids=str)
def test_atomic_additions_to_one_place(dtype: torch.dtype) -> None:
    x, at = draw(dtype, BLOCK), torch.arange(BLOCK) % 5
    expected = torch.zeros(5, dtype=dtype)
    for place, value in zip(at.tolist(), x, strict=True):
        expected[place] += value
    added = run_here(KERNELS, "atomic_add", x, at, 5)
    if Chosen.device == "cuda" and dtype.is_floating_point:  # in what order, nobody says
        near = torch.finfo(dtype).eps * x.abs().double().sum()
        assert ((added.double() - expected.double()).abs() <= near).all()
    else:
        assert_bits(added, expected)


def test_scalars_and_loop_indices_convert() -> None:
    assert run_here(KERNELS, "scalars", 5, 0.5, True) == (2 * 10 + 10 + 100) * 0.5


def test_products_of_int32_wrap_without_a_warning() -> None:
    assert run_here(KERNELS, "products", 70000) == [4900000000 - 2**32, 4900000000]


def test_random_numbers_are_repeatable_and_spread() -> None:
    drawn = run_here(KERNELS, "randoms", 7)
    assert torch.equal(drawn, run_here(KERNELS, "randoms", 7))
    assert not torch.equal(drawn, run_here(KERNELS, "randoms", 8))
    assert 0.3 < drawn[0].mean().item() < 0.7
    assert ((drawn[0] >= 0) & (drawn[0] < 1)).all()
