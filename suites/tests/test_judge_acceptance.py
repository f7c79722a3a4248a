"""The judge accepts honest implementations at every size: other summation orders, exponentials and roundings."""

from collections.abc import Callable
from typing import Any

import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from torch import Tensor

from eagerdiff import Inputs
from eagerdiff.harness.judge import judge, tell_truth
from eagerdiff.suites.tests.rows import operator_of

Function = Callable[..., Tensor]
DTYPES = st.sampled_from([torch.float32, torch.bfloat16, torch.float16])
SIZES = st.sampled_from([1, 2, 3, 4, 7, 16, 17, 31, 64])
TERMS = st.sampled_from([1, 2, 3, 16, 17, 64, 257])
honest = settings(max_examples=120, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow])


def sequential_matmul(a: Tensor, b: Tensor) -> Tensor:
    """Add one term at a time in float32, round once."""
    total = torch.zeros(a.shape[0], b.shape[1])
    for k in range(a.shape[1]):
        total = total + a[:, k : k + 1].float() * b[k : k + 1].float()
    return total.to(a.dtype)


def blocked_matmul(a: Tensor, b: Tensor) -> Tensor:
    """Add blocks of 16 terms in float32, round once."""
    total = torch.zeros(a.shape[0], b.shape[1])
    for k in range(0, a.shape[1], 16):
        total = total + a[:, k : k + 16].float() @ b[k : k + 16].float()
    return total.to(a.dtype)


def fused_matmul(a: Tensor, b: Tensor) -> Tensor:
    """Multiply and add without rounding in between, as FMA does."""
    return (a.double() @ b.double()).to(a.dtype)


def exp2_softmax(x: Tensor) -> Tensor:
    """Use base-2 exponentials and a sequential sum, as kernels do."""
    scaled = x.float() * 1.4426950408889634
    weights = torch.exp2(scaled - scaled.amax(-1, keepdim=True))
    return (weights / weights.cumsum(-1)[..., -1:]).to(x.dtype)


def flash_attention(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """Go over keys in blocks of 16 with a running maximum; round the probabilities to the narrow dtype."""
    high, total, out = torch.full((len(q), 1), -torch.inf), torch.zeros(len(q), 1), torch.zeros(len(q), v.shape[1])
    for j in range(0, len(k), 16):
        scores = (q.float() @ k[j : j + 16].float().T) * (q.shape[1] ** -0.5 * 1.4426950408889634)
        risen = torch.maximum(high, scores.amax(1, keepdim=True))
        weights, shrink = torch.exp2(scores - risen), torch.exp2(high - risen)
        total = total * shrink + weights.sum(1, keepdim=True)
        out = out * shrink + weights.to(v.dtype).float() @ v[j : j + 16].float()
        high = risen
    return (out / total).to(q.dtype)


def welford_norm(x: Tensor, w: Tensor, b: Tensor) -> Tensor:
    """Gather mean and variance in one pass, multiply by a reciprocal square root."""
    wide = x.float()
    mean, spread = torch.zeros(len(x), 1), torch.zeros(len(x), 1)
    for k in range(x.shape[1]):
        step = wide[:, k : k + 1] - mean
        mean = mean + step / (k + 1)
        spread = spread + step * (wide[:, k : k + 1] - mean)
    return ((wide - mean) * torch.rsqrt(spread / x.shape[1] + 1e-5) * w.float() + b.float()).to(x.dtype)


def tensors(seed: int, dtype: torch.dtype, *shapes: tuple[int, ...], scale: float = 1.0, shift: float = 0.0) -> Inputs:
    generator = torch.Generator().manual_seed(seed)
    first, *rest = [torch.randn(shape, generator=generator) for shape in shapes]
    return Inputs(tuple(tensor.to(dtype) for tensor in (first * scale + shift, *rest)))


def accept(right: Function, implementation: Function, inputs: Inputs, **of: Any) -> None:
    verdict = judge(tell_truth(operator_of(right, **of), inputs), implementation(*inputs.args))
    assert not verdict.failed, verdict.describe()


@honest
@given(st.integers(0, 10**6), DTYPES, SIZES, TERMS, SIZES, st.sampled_from([0.0, 1.0]), st.booleans())
def test_matmul(seed: int, dtype: torch.dtype, m: int, k: int, n: int, shift: float, given_magnitude: bool) -> None:
    inputs = tensors(seed, dtype, (m, k), (k, n), shift=shift)
    magnitude = {"magnitude": lambda a, b: a.abs() @ b.abs()} if given_magnitude else {}  # pyright: ignore
    for implementation in (sequential_matmul, blocked_matmul, fused_matmul):
        accept(torch.matmul, implementation, inputs, **magnitude)


@honest
@given(st.integers(0, 10**6), DTYPES, SIZES, TERMS, st.sampled_from([1.0, 5.0, 30.0]))
def test_softmax(seed: int, dtype: torch.dtype, m: int, n: int, scale: float) -> None:
    def softmax(x: Tensor) -> Tensor:
        return torch.softmax(x, -1)

    accept(softmax, exp2_softmax, tensors(seed, dtype, (m, n), scale=scale))


@honest
@given(st.integers(0, 10**6), DTYPES, SIZES, TERMS, st.sampled_from([4, 16, 64]), st.sampled_from([1.0, 4.0]))
def test_attention(seed: int, dtype: torch.dtype, queries: int, keys: int, dim: int, scale: float) -> None:
    def stepwise(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        return torch.softmax((q @ k.T) * dim**-0.5, -1) @ v

    def precise(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        return stepwise(q.float(), k.float(), v.float()).to(q.dtype)

    inputs = tensors(seed, dtype, (queries, dim), (keys, dim), (keys, dim), scale=scale)
    for right in (stepwise, precise):
        accept(right, flash_attention, inputs)


@honest
@given(st.integers(0, 10**6), DTYPES, SIZES, st.sampled_from([2, 3, 16, 65, 257]), st.sampled_from([0.01, 1.0, 100.0]))
def test_layer_norm(seed: int, dtype: torch.dtype, m: int, n: int, scale: float) -> None:
    def layer_norm(x: Tensor, w: Tensor, b: Tensor) -> Tensor:
        return torch.nn.functional.layer_norm(x, (n,), w, b)

    accept(layer_norm, welford_norm, tensors(seed, dtype, (m, n), (n,), (n,), scale=scale))


@honest
@given(st.integers(0, 10**6), DTYPES, st.sampled_from([1, 2, 3, 4]), TERMS, st.sampled_from([0.0, 1.0, -3.0]))
def test_sums_of_few_rows(seed: int, dtype: torch.dtype, m: int, n: int, shift: float) -> None:
    def total(x: Tensor) -> Tensor:
        return x.sum(-1)

    inputs = tensors(seed, dtype, (m, n), shift=shift)
    for implementation in (
        lambda x: x.float().cumsum(-1)[:, -1].to(x.dtype),  # pyright: ignore
        lambda x: x.flip(-1).double().sum(-1).to(x.dtype),  # pyright: ignore
    ):
        accept(total, implementation, inputs)
