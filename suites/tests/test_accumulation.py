"""Sums that are promised in float32: a budget that forgives no others, and data that show them."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from eagerdiff import Inputs
from eagerdiff.harness.judge import judge, tell_truth
from eagerdiff.reference.moe import act
from eagerdiff.strategies.cases.cascade_merge import CascadeMergeCase
from eagerdiff.strategies.cases.moe import Activation, MoeCase, MoeDType
from eagerdiff.strategies.cases.moe_gradients import MoeGradientsCase
from eagerdiff.strategies.cases.paged_attention import PagedAttentionCase
from eagerdiff.strategies.moe import LARGE
from eagerdiff.strategies.paged_attention.drawing import agree
from eagerdiff.suites import cascade_merge, moe, moe_gradients, paged_attention
from eagerdiff.suites.tests.examples import FEW
from eagerdiff.suites.tests.judged import draw, verdict_on
from eagerdiff.suites.tests.test_judge_acceptance import (
    SIZES,
    TERMS,
    accept,
    blocked_matmul,
    flash_attention,
    fused_matmul,
    honest,
    sequential_matmul,
    tensors,
)  # fmt: skip

NARROW: Sequence[MoeDType] = ("bfloat16", "float16")
MIXTURE: dict[str, Any] = {
    "num_experts": 3, "top_k": 2, "hidden": 48, "intermediate": 40, "tokens": 9, "expert_tokens": (6, 6, 6),
    "data": "cancelling",
}  # fmt: skip


def narrow_matmul(x: Tensor, w: Tensor) -> Tensor:
    """Round the sum to the inputs' dtype after each tile of 64 terms."""
    total = torch.zeros(x.shape[0], w.shape[1])
    for first in range(0, x.shape[1], 64):
        total = (total + x[:, first : first + 64].float() @ w[first : first + 64].float()).to(x.dtype).float()
    return total.to(x.dtype)


@pytest.mark.parametrize("dtype", NARROW)
def test_a_long_sum_in_a_narrow_dtype_is_refused_where_float32_is_promised(dtype: str) -> None:
    inputs = draw((32, 7168), (7168, 16), dtype=dtype)
    assert verdict_on(narrow_matmul, inputs, torch.matmul, accumulates="float32").failed
    assert not verdict_on(blocked_matmul, inputs, torch.matmul, accumulates="float32").failed
    assert not verdict_on(narrow_matmul, inputs, torch.matmul).failed


@pytest.mark.parametrize("dtype", NARROW)
def test_a_sum_that_is_larger_on_the_way_is_refused_where_float32_is_promised(dtype: str) -> None:
    x, w = draw((16, 256), (256, 16), dtype=dtype).args
    x[:, [0, -1]], w[0], w[-1] = 1.0, 256.0, -256.0
    terms: dict[str, Any] = {"magnitude": lambda x, w: x.abs() @ w.abs()}  # pyright: ignore
    inputs = Inputs((x, w))
    assert verdict_on(narrow_matmul, inputs, torch.matmul, accumulates="float32", **terms).failed
    assert not verdict_on(blocked_matmul, inputs, torch.matmul, accumulates="float32", **terms).failed
    assert not verdict_on(narrow_matmul, inputs, torch.matmul, **terms).failed


@honest
@given(st.integers(0, 10**6), st.sampled_from(NARROW), SIZES, TERMS, SIZES, st.sampled_from([0.0, 1.0]))
def test_honest_products_are_accepted(seed: int, dtype: str, m: int, k: int, n: int, shift: float) -> None:
    inputs = tensors(seed, getattr(torch, dtype), (m, k), (k, n), shift=shift)
    for implementation in (sequential_matmul, blocked_matmul, fused_matmul):
        accept(torch.matmul, implementation, inputs, accumulates="float32")


@honest
@given(st.integers(0, 10**6), st.sampled_from(NARROW), SIZES, TERMS, SIZES)
def test_attention_that_rounds_its_probabilities_is_accepted(seed: int, dtype: str, m: int, k: int, n: int) -> None:
    def attention(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        scores = q.float() @ k.float().T * q.shape[1] ** -0.5
        return (scores.softmax(-1) @ v.float()).to(q.dtype)

    inputs = tensors(seed, getattr(torch, dtype), (m, 16), (k, 16), (k, n))
    accept(attention, flash_attention, inputs, accumulates="float32")


def on_the_way(terms: Tensor) -> tuple[float, float]:
    """Return the largest sum on the way, and the RMS of the sums; terms [..., K]."""
    sums = terms.cumsum(-1)
    return float(sums.abs().amax()), float(sums[..., -1].square().mean().sqrt())


ACTIVATIONS: Sequence[Activation] = ("swiglu", "geglu", "relu2")


@pytest.mark.parametrize("biased", [False, True], ids=["plain", "biased"])
@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("dtype", NARROW)
def test_both_projections_of_a_mixture_cancel(dtype: MoeDType, activation: Activation, biased: bool) -> None:
    case = MoeCase(**MIXTURE, dtype=dtype, activation=activation, expert_bias=biased)
    given_inputs = moe.OPERATOR.inputs(case, "cpu")
    x, _, w_gate_up, w_down = (tensor.double() for tensor in given_inputs.args)
    bias = given_inputs.options["gate_up_bias"][0].double() if biased else None
    inner = w_gate_up[0][1 : case.intermediate - 1]
    for terms in (x[:, None] * inner, act(x, w_gate_up[0], bias, activation)[:, None] * w_down[0]):
        largest, result = on_the_way(terms)
        assert largest > 50 > 20 * result


def test_float32_and_quantised_mixtures_are_as_ever() -> None:
    kinds: list[dict[str, Any]] = [{"dtype": "float32"}, {"dtype": "bfloat16", "weight_dtype": "int4"}]
    for more in kinds:
        case = MoeCase(**MIXTURE, **more)
        same = case.model_copy(update={"data": "normal"})
        for one, other in zip(
            moe.OPERATOR.inputs(case, "cpu").args, moe.OPERATOR.inputs(same, "cpu").args, strict=True
        ):
            torch.testing.assert_close(one, other, rtol=0, atol=0, equal_nan=True)


def test_the_sums_of_a_backward_pass_cancel() -> None:
    case = MoeGradientsCase(**MIXTURE, dtype="bfloat16", seed=1)
    *_, w_down, grad = (tensor.double() for tensor in moe_gradients.OPERATOR.inputs(case, "cpu").args)
    largest, result = on_the_way(grad[:, None] * w_down[0].T)
    assert largest > LARGE - 10 > 2 * result


@pytest.mark.parametrize("more", [{}, {"windowed": True, "window": 70}, {"dtype": "float16"}], ids=str)
def test_values_of_a_request_cancel_for_each_of_its_queries(more: dict[str, Any]) -> None:
    asked: dict[str, Any] = {"dtype": "bfloat16", "data": "cancelling", "context_lens": (100,), "query_lens": (3,)}
    case = PagedAttentionCase.model_validate(asked | {"head_dim": 32} | more)
    given_inputs = paged_attention.OPERATOR.inputs(case, "cpu")
    values, table = given_inputs.args[2], given_inputs.args[3]
    in_order = torch.cat([values[block] for block in table[0, : case.block_counts[0]].tolist()])[:, 0].double()
    for query in (97, 98, 99):
        first = query - 69 if case.windowed else 0
        largest, result = on_the_way(in_order[first : query + 1].T)
        assert largest > 250 > 10 * result
        assert largest * torch.finfo(getattr(torch, case.dtype)).eps >= 2


@given(paged_attention.OPERATOR.cases())
@settings(FEW, max_examples=100)
def test_values_that_are_drawn_to_cancel_lie_in_different_tiles(case: PagedAttentionCase) -> None:
    for length, queries in zip(case.context_lens, case.query_lens, strict=True):
        if case.data == "cancelling" and 0 < queries <= 24:
            assert min(length, case.window if case.windowed else length) - queries > 64


def test_values_that_cancel_lie_in_different_tiles_where_a_tree_makes_queries_longer() -> None:
    fields = {"data": "cancelling", "query_lens": (2,), "context_lens": (67,), "window": 77, "shared_blocks": 0}
    agreed = agree(fields, (("tree_mask", "padded"),))
    assert agreed["context_lens"][0] - agreed["query_lens"][0] > 64


def test_states_cancel() -> None:
    case = CascadeMergeCase(dtype="float16", num_parts=5, num_tokens=3, cancelling=True)
    outputs, lses = cascade_merge.OPERATOR.inputs(case, "cpu").args
    largest, result = on_the_way(outputs.double().movedim(0, -1))
    assert bool((lses == 0).all())
    assert largest > 250 > 50 * result


@given(cascade_merge.OPERATOR.cases())
@settings(FEW, max_examples=100)
def test_states_that_are_drawn_to_cancel_do(case: CascadeMergeCase) -> None:
    _, lses = cascade_merge.OPERATOR.inputs(case, "cpu").args
    assert not case.cancelling or (case.num_parts > 2 and case.dtype != "float32" and bool((lses == 0).all()))


@pytest.mark.parametrize(
    ("operator", "case"),
    [
        (moe.OPERATOR, MoeCase(**MIXTURE, dtype="bfloat16")),
        (moe_gradients.OPERATOR, MoeGradientsCase(**MIXTURE, dtype="float16", seed=1)),
        (cascade_merge.OPERATOR, CascadeMergeCase(dtype="bfloat16", num_parts=5, num_tokens=3, cancelling=True)),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_eager_passes_where_sums_cancel(operator: Any, case: Any) -> None:
    given_inputs = operator.inputs(case, "cpu")
    right: Callable[..., Any] = operator.reference
    assert operator.judging.accumulates == "float32"
    assert not judge(tell_truth(operator, given_inputs), right(*given_inputs.args, **given_inputs.options)).failed
