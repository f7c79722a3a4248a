"""FlexAttention and SDPA over paged caches: their masks against the reference, in float64 and without a compiler."""

from typing import Any

import pytest
import torch
from hypothesis import given
from torch.nn.attention.flex_attention import flex_attention

from eagerdiff import Implementation
from eagerdiff.compiled.paged_attention import IMPLEMENTATIONS
from eagerdiff.compiled.paged_attention.flex import paged
from eagerdiff.compiled.paged_attention.sdpa import sdpa_attention
from eagerdiff.harness.memory.copies import upcast
from eagerdiff.reference.paged_attention import paged_attention
from eagerdiff.strategies.cases.paged_attention import PagedAttentionCase
from eagerdiff.strategies.paged_attention import cases, inputs
from eagerdiff.suites.tests.examples import CHOOSY


def named(name: str) -> Implementation:
    return next(one for one in IMPLEMENTATIONS if one.name == name)


def plain(case: PagedAttentionCase) -> PagedAttentionCase:
    """Return the case without what no dense attention takes."""
    changes = {"sinks": False, "scales": "none", "cache_dtype": "as_query", "output": "new", "data": "normal"}
    return case.model_copy(update=changes | {"unseen": "stale"})


@given(cases().map(plain))
@CHOOSY
@pytest.mark.filterwarnings("ignore:flex_attention called without torch.compile")
@pytest.mark.slow
def test_the_mask_of_physical_blocks_is_the_references(case: PagedAttentionCase) -> None:
    assert named("flex.inductor").supports(case) is None
    call = upcast(inputs(case, "cpu"))
    found, _ = paged(flex_attention)(*call.args, **call.options)
    torch.testing.assert_close(found, paged_attention(*call.args, **call.options)[0], rtol=1e-6, atol=1e-6)


@given(cases().map(plain).map(lambda case: case.model_copy(update={"soft_capped": False, "dtype": "float32"})))
@CHOOSY
def test_padded_batches_give_what_the_reference_gives(case: PagedAttentionCase) -> None:
    assert named("sdpa.padded").supports(case) is None
    call = upcast(inputs(case, "cpu"))
    found, _ = sdpa_attention(*call.args, **call.options)
    torch.testing.assert_close(found, paged_attention(*call.args, **call.options)[0], rtol=1e-6, atol=1e-6)


def test_a_query_of_nan_that_sees_nothing_gives_zero() -> None:
    case = PagedAttentionCase(
        dtype="float32",
        head_dim=16,
        context_lens=(7, 0),
        query_lens=(1, 1),
        block_size=16,
        tree=True,
        data="nan_queries",
    )
    call = inputs(case, "cpu")
    call.args[0][1] = float("nan")
    found, _ = sdpa_attention(*call.args, **call.options)
    torch.testing.assert_close(found, paged_attention(*call.args, **call.options)[0], equal_nan=True)
    assert not found[1].any()


@pytest.mark.parametrize("name", ["flex.inductor", "sdpa.padded"])
@pytest.mark.parametrize(
    "fields", [{"sinks": True}, {"scales": "head"}, {"cache_dtype": "float8_e5m2"}, {"output": "given"}]
)
def test_what_no_dense_attention_does_is_declined_with_a_reason(name: str, fields: dict[str, Any]) -> None:
    assert named(name).supports(PagedAttentionCase.model_validate({"unseen": "stale"} | fields))
