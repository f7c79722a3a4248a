"""Cases of experts spread over ranks: counts a rank and an expert are drawn, and the routes are built to give them."""

from collections.abc import Sequence
from typing import Any

import torch
from hypothesis import strategies as st
from torch import Tensor

from eagerdiff import Inputs
from eagerdiff.strategies.cases.expert_parallel import ExpertParallelCase
from eagerdiff.strategies.moe import apportion, shares
from eagerdiff.strategies.sizes import sizes

_MOST_TOKENS = 24
"""A rank's."""


def cases() -> st.SearchStrategy[ExpertParallelCase]:
    """Draw a step of 1, 2 or 4 ranks, now and then 3 or 8, with at most 4 experts and 24 tokens each."""
    return _static_fields().flatmap(
        lambda fields: _dynamic_fields(ExpertParallelCase.model_construct(**fields)).map(
            lambda rest: ExpertParallelCase(**fields, **rest)
        )
    )


def workload_cases(first: ExpertParallelCase) -> st.SearchStrategy[ExpertParallelCase]:
    """Draw a further case under the static fields of `first`."""
    fields = dict(first.static_key)
    return _dynamic_fields(first).map(lambda rest: ExpertParallelCase(**fields, **rest))


@st.composite
def _static_fields(draw: st.DrawFn) -> dict[str, Any]:
    world_size = draw(st.sampled_from((1, 2, 2, 2, 4, 4) * 2 + (3, 8)))
    attention_ranks = draw(st.none() | st.none() | st.integers(1, world_size - 1)) if world_size > 1 else None
    experts = draw(_placements(world_size - (attention_ranks or 0)))
    return {
        "dtype": draw(st.sampled_from(("float32", "float16", "bfloat16"))),
        "experts_per_rank": (0,) * (attention_ranks or 0) + experts,
        "attention_ranks": attention_ranks,
        "top_k": draw(st.integers(1, min(sum(experts), 4))),
        "hidden": draw(_DIMS),
        "intermediate": draw(_DIMS),
    }


_DIMS = sizes(min_value=1, max_value=17)


def _placements(ranks: int) -> st.SearchStrategy[tuple[int, ...]]:
    """Draw experts a rank, at least one in all: the same everywhere, or any, ranks without experts included."""
    even = st.integers(1, 3).map(lambda count: (count,) * ranks)
    uneven = st.lists(st.integers(0, 4), min_size=ranks, max_size=ranks).map(tuple).filter(any)
    return even | uneven


@st.composite
def _dynamic_fields(draw: st.DrawFn, first: ExpertParallelCase) -> dict[str, Any]:
    ranks = first.world_size
    holders = first.attention_ranks or ranks
    counts = st.sampled_from((0, 1, 2, 5)) | sizes(max_value=_MOST_TOKENS)
    tokens = draw(st.lists(counts, min_size=holders, max_size=holders))
    dropped = draw(st.just(0) | st.just(0) | st.integers(0, sum(tokens)))
    real = sum(tokens) - dropped
    load = draw(shares(sum(first.experts_per_rank)) | _one_rank(first.experts_per_rank))
    return {
        "tokens_per_rank": (*tokens, *(0,) * (ranks - holders)),
        "expert_tokens": apportion(load, total=real * first.top_k, limit=real),
        "dropped_tokens": dropped,
        "poison": draw(st.booleans()),
        "seed": draw(st.integers(0, 2**16 - 1)),
    }


def _one_rank(experts_per_rank: Sequence[int]) -> st.SearchStrategy[tuple[float, ...]]:
    """Draw a load that one rank bears alone."""
    homes = [rank for rank, count in enumerate(experts_per_rank) for _ in range(count)]
    return st.sampled_from(sorted(set(homes))).map(lambda busy: tuple(float(home == busy) for home in homes))


def inputs(case: ExpertParallelCase, device: str) -> Inputs:
    """Build x, topk_ids, topk_weights, w_gate_up and w_down from the case's seed, the same on every device."""
    generator = torch.Generator().manual_seed(case.seed)
    tokens, experts = sum(case.tokens_per_rank), sum(case.experts_per_rank)
    dtype = getattr(torch, case.dtype)
    topk_ids = wanted_ids(case, generator)
    topk_weights = torch.rand((tokens, case.top_k), generator=generator) + 0.1
    x = torch.randn((tokens, case.hidden), generator=generator)
    if case.poison:
        topk_weights[topk_ids < 0] = torch.nan
        x[(topk_ids < 0).all(dim=1)] = torch.nan
    w_gate_up = _weights((experts, 2 * case.intermediate, case.hidden), generator)
    w_down = _weights((experts, case.hidden, case.intermediate), generator)
    return Inputs(
        args=(
            x.to(device, dtype),
            topk_ids.to(device),
            topk_weights.to(device),
            w_gate_up.to(device, dtype),
            w_down.to(device, dtype),
        ),
        options={"tokens_per_rank": case.tokens_per_rank, "experts_per_rank": case.experts_per_rank},
    )


def wanted_ids(case: ExpertParallelCase, generator: torch.Generator) -> Tensor:
    """Return expert ids [T, K], int64, -1 for a dropped route, with `expert_tokens` of each expert.

    The routes lie expert after expert in K rows of as many tokens as are routed; no expert has more than a row's worth,
    so none meets a token twice. Which slot of its token a route has is random.
    """
    tokens, experts = sum(case.tokens_per_rank), sum(case.experts_per_rank)
    real = tokens - case.dropped_tokens
    order = torch.randperm(experts, generator=generator)
    flat = torch.full((real * case.top_k,), -1)
    routed = order.repeat_interleave(torch.tensor(case.expert_tokens)[order])
    flat[: len(routed)] = routed
    topk_ids = torch.full((tokens, case.top_k), -1)
    topk_ids[:real] = flat.view(case.top_k, real).T
    slots = torch.rand(topk_ids.shape, generator=generator).argsort(dim=1)
    return topk_ids.gather(1, slots)[torch.randperm(tokens, generator=generator)]


def _weights(shape: tuple[int, int, int], generator: torch.Generator) -> Tensor:
    return torch.randn(shape, generator=generator) * shape[2] ** -0.5
