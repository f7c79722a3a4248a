"""Calls of permutation: how many routes each expert gets is drawn first, and the ids are built to give that."""

import functools
from typing import Any

import torch
from hypothesis import strategies as st
from torch import Tensor

from eagerdiff import Inputs
from eagerdiff.strategies.argument_layouts import ANYHOW, lay_out_arguments, layouts
from eagerdiff.strategies.cases.layouts import is_far
from eagerdiff.strategies.cases.moe_permute import MoePermuteCase, XLayout
from eagerdiff.strategies.layouts import lay_out, place_together, spread
from eagerdiff.strategies.moe.drawing import apportion, shares
from eagerdiff.strategies.sizes import sizes

_EDGES = (16, 128)
"""Blocks of routes as they are usual, and the tile in which the shipped kernel sorts."""
_MAX_ROUTES = 420
_CROWD = 16 * 128
"""Routes in as many tiles as the shipped kernel adds up at a time: a few more now and then, where rows are narrow."""
_NARROW = 16

ARGUMENTS = ("x", "topk_ids", "topk_weights")
"""Names of the positional arguments, in order."""
_ALONE = layouts(dict.fromkeys(ARGUMENTS, ANYHOW), far=(("x", "far_columns"),))


def cases() -> st.SearchStrategy[MoePermuteCase]:
    """Draw any call that costs tens of milliseconds on the interpreter; shrinks to one expert and no token."""
    return _statics().flatmap(lambda fields: _dynamics(fields).map(lambda rest: MoePermuteCase(**fields, **rest)))


def cases_like(case: MoePermuteCase) -> st.SearchStrategy[MoePermuteCase]:
    """Draw a call with the static fields of `case`."""
    fields = dict(case.static_key)
    return _dynamics(fields).map(lambda rest: MoePermuteCase(**fields, **rest))


@st.composite
def _statics(draw: st.DrawFn) -> dict[str, Any]:
    num_experts = draw(_NUM_EXPERTS)
    fields: dict[str, Any] = {
        "num_experts": num_experts,
        "top_k": draw(_TOP_K) if draw(st.booleans()) else min(32, num_experts),
        "hidden": draw(_HIDDEN),
        "block_m": draw(_BLOCK_M),
        "dtype": draw(st.sampled_from(("float32", "float16", "bfloat16"))),
        "x_layout": draw(st.sampled_from(("contiguous", "transposed", "row_padded", "contiguous", "far"))),
    }
    fields["layouts"] = draw(_ALONE)
    if is_far(fields["layouts"]):
        fields["x_layout"] = "contiguous"  # one far tensor is all that a worker may map
    far = fields["x_layout"] == "far" or is_far(fields["layouts"])
    if far and fields["dtype"] == "float32":
        fields["dtype"] = "bfloat16"  # a worker may map 2**31 elements of 2 bytes, of 4 not
    return fields


_NUM_EXPERTS = sizes(min_value=1, max_value=12, edges=(4, 8)) | st.sampled_from(
    (16, 31, 33, 64, 96, 128, 160, 256, 512)
)
_TOP_K = st.integers(1, 8) | st.sampled_from((1, 2, 16, 32))
_HIDDEN = sizes(min_value=1, max_value=72, edges=(32,)) | st.sampled_from((8, 16, 5, 256, 257, 300))
"""About a tile of columns, and past it."""
_BLOCK_M = st.sampled_from((16, 1, 16, 2, 8, 32, 64, 128))


def _dynamics(fields: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    crowded = fields["hidden"] <= _NARROW and fields["block_m"] > 1
    return _dynamic_fields(fields["num_experts"], fields["top_k"], fields["block_m"], crowded)


@functools.cache
@st.composite
def _dynamic_fields(draw: st.DrawFn, num_experts: int, top_k: int, block_m: int, crowded: bool) -> dict[str, Any]:
    few, many = _tokens(max(2, 64 // top_k)), _tokens(_MAX_ROUTES // top_k)
    crowd = st.integers(_CROWD // top_k + 1, _CROWD // top_k + 8) if crowded else few
    tokens = draw(few | many | few | many | crowd)
    routed = draw(st.just(tokens * top_k) | st.integers(0, tokens * top_k))
    twice = draw(_TWICE)
    counts = apportion(draw(shares(num_experts)), total=routed, limit=routed if twice else tokens)
    return {
        "tokens": tokens,
        "expert_tokens": _at_edge(counts, block_m, draw(_OVER)),
        "order": draw(st.sampled_from(("shuffled", "shuffled", "ascending", "descending"))),
        "nan_tokens": draw(_SELDOM),
        "elsewhere": draw(st.sampled_from(("mixed", "minus_one", "above", "wild"))),
        "seed": draw(st.integers(0, 2**32 - 1)),
    }


_SELDOM = st.sampled_from((False, False, False, True))
_TWICE = st.sampled_from((False, False, True))
"""Whether an expert may have more routes than there are tokens."""
_OVER: st.SearchStrategy[int | None] = st.sampled_from((None, 1, 0, -1))


def _at_edge(counts: tuple[int, ...], block_m: int, over: int | None) -> tuple[int, ...]:
    """Cut the fullest expert's routes down to whole blocks and `over`; None, and fewer than a block, leave them."""
    fullest = max(counts)
    if over is None or fullest - over < block_m:
        return counts
    place = counts.index(fullest)
    return (*counts[:place], (fullest - over) // block_m * block_m + over, *counts[place + 1 :])


@functools.cache
def _tokens(most: int) -> st.SearchStrategy[int]:
    return sizes(max_value=most, edges=_EDGES)


def inputs(case: MoePermuteCase, device: str) -> Inputs:
    """Build x, topk_ids and topk_weights from the case's seed; NaN where only routes that are not here would read."""
    generator = torch.Generator().manual_seed(case.seed)
    topk_ids = _ids(case, generator)
    here = (topk_ids >= 0) & (topk_ids < case.num_experts)
    x = torch.randn((case.tokens, case.hidden), generator=generator)
    x[~here.any(dim=1)] = torch.nan
    if case.nan_tokens:
        x[torch.rand(case.tokens, generator=generator) < 0.2] = torch.nan
    topk_weights = torch.rand((case.tokens, case.top_k), generator=generator) + 0.1
    topk_weights[~here] = torch.nan
    options = {"num_experts": case.num_experts, "block_m": case.block_m}
    x = _laid_out(x.to(getattr(torch, case.dtype)), case.x_layout)
    given = Inputs((x, topk_ids, topk_weights), options)
    return place_together(lay_out_arguments(given, ARGUMENTS, case.layouts), device)


def _ids(case: MoePermuteCase, generator: torch.Generator) -> Tensor:
    """Return ids int64 [T, K], expert_tokens of each expert.

    The experts lie one after another in K rows of T tokens, so that none meets a token twice that has no more than T.
    """
    num_routes = case.tokens * case.top_k
    experts = torch.randperm(case.num_experts, generator=generator)
    routed = experts.repeat_interleave(torch.tensor(case.expert_tokens)[experts])
    kinds = torch.tensor(_elsewhere(case))
    nowhere = kinds[torch.randint(len(kinds), (num_routes - len(routed),), generator=generator)]
    flat = torch.cat((routed, nowhere))
    if case.order != "shuffled":
        return flat.sort(descending=case.order == "descending").values.view(case.tokens, case.top_k)
    topk_ids = flat.view(case.top_k, case.tokens).T[torch.randperm(case.tokens, generator=generator)]
    slots = torch.rand(topk_ids.shape, generator=generator).argsort(dim=1)
    return topk_ids.gather(1, slots)


def _elsewhere(case: MoePermuteCase) -> tuple[int, ...]:
    above = (case.num_experts, case.num_experts + 1)
    return {
        "minus_one": (-1,),
        "above": above,
        "mixed": (-1, *above),
        "wild": (-1, *above, -case.num_experts, 2**31, 2**32, 2**40 + 1, -(2**32)),
    }[case.elsewhere]


def _laid_out(x: Tensor, layout: XLayout) -> Tensor:
    if layout == "row_padded":
        return torch.nn.functional.pad(x, (0, 3), value=torch.nan)[:, : x.shape[1]]
    if layout == "far":
        return spread(x)[0] if len(x) > 2 else x
    return lay_out(x, layout)
