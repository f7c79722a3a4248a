"""Calls of block copy: pairs of blocks in caches of any strides."""

import functools
from typing import Any

import torch
from hypothesis import strategies as st
from torch import Tensor

from eagerdiff import Inputs
from eagerdiff.strategies.argument_layouts import ANYHOW, FAR_CACHE, far_apart, lay_out_arguments, layouts
from eagerdiff.strategies.cache_layouts import lay_out_caches
from eagerdiff.strategies.cases.block_copy import BlockCopyCase
from eagerdiff.strategies.cases.layouts import is_far
from eagerdiff.strategies.extremes import strew
from eagerdiff.strategies.layouts import place_together

ARGUMENTS = ("key_cache", "value_cache", "pairs")
"""Names of the arguments, in order."""
_ALONE = layouts(
    dict.fromkeys(ARGUMENTS, ANYHOW),
    far=far_apart(("key_cache", FAR_CACHE), ("value_cache", FAR_CACHE)),
)


def cases() -> st.SearchStrategy[BlockCopyCase]:
    """Draw any call; shrinks to one pair of two blocks."""
    return st.tuples(_statics(), _dynamics()).map(lambda parts: BlockCopyCase(**parts[0], **parts[1]))


def cases_like(case: BlockCopyCase) -> st.SearchStrategy[BlockCopyCase]:
    """Draw a call with the static fields of `case`."""
    return _dynamics().map(lambda fields: BlockCopyCase(**dict(case.static_key), **fields))


@functools.cache
def _statics() -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {
            "dtype": st.sampled_from(("float32", "float16", "bfloat16", "float8_e4m3fn", "float8_e5m2")),
            "head_dim": st.sampled_from((16, 1, 24, 80, 256)),
            "num_kv_heads": st.sampled_from((1, 2, 3, 8)),
            "block_size": st.sampled_from((16, 1, 5, 8, 32)),
            "cache_layout": st.sampled_from(("nhd", "hnd", "interleaved", "padded_head")),
            "layouts": _ALONE,
        }
    ).map(_reconcile)


def _reconcile(fields: dict[str, Any]) -> dict[str, Any]:
    """Make elements narrow and heads many where they lie far apart: a worker may map 2**31 elements of 2 bytes."""
    if is_far(fields["layouts"]):
        narrow = "bfloat16" if fields["dtype"] == "float32" else fields["dtype"]
        fields |= {"dtype": narrow}
        fields |= {name: max(3, fields[name]) for name in ("num_kv_heads", "block_size", "head_dim")}
    return fields


@functools.cache
def _dynamics() -> st.SearchStrategy[dict[str, Any]]:
    blocks = st.integers(2, 12).flatmap(lambda blocks: st.tuples(st.just(blocks), st.integers(0, blocks - 1)))
    return st.tuples(blocks, st.booleans(), st.integers(0, 2**32 - 1)).map(
        lambda drawn: {"num_blocks": drawn[0][0], "num_pairs": drawn[0][1], "extreme": drawn[1], "seed": drawn[2]}
    )


def inputs(case: BlockCopyCase, device: str) -> Inputs:
    """Build both caches and the pairs: targets are all different, and no source is a target."""
    generator = torch.Generator().manual_seed(case.seed)
    order = torch.randperm(case.num_blocks, generator=generator)
    targets, sources = order[: case.num_pairs], order[case.num_pairs :]
    chosen = sources[torch.randint(len(sources), (case.num_pairs,), generator=generator)]
    given = Inputs((*_draw_caches(case, generator), torch.stack((chosen, targets), 1)))
    return place_together(lay_out_arguments(given, ARGUMENTS, case.layouts), device)


def _draw_caches(case: BlockCopyCase, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    shape, dtype = (case.num_blocks, case.block_size, case.num_kv_heads, case.head_dim), getattr(torch, case.dtype)
    keys, values = (torch.randn(shape, generator=generator) for _ in range(2))
    if case.extreme:
        strew(keys, generator)
        strew(values, generator)
    keys, values = keys.to(dtype), values.to(dtype)
    return lay_out_caches(keys, values, case.cache_layout)
