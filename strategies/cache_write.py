"""Calls of cache write: new rows for slots of a paged cache, padding among them, quantised or not."""

import functools
from typing import Any

import torch
from hypothesis import strategies as st
from torch import Tensor

from eagerdiff import Inputs
from eagerdiff.strategies.argument_layouts import (
    ANYHOW,
    FAR_CACHE,
    FAR_ROWS,
    FLAT,
    REPEATED,
    far_apart,
    lay_out_arguments,
    layouts,
)
from eagerdiff.strategies.cache_layouts import lay_out_caches
from eagerdiff.strategies.cases.cache_write import CacheWriteCase
from eagerdiff.strategies.cases.layouts import is_far
from eagerdiff.strategies.extremes import strew
from eagerdiff.strategies.layouts import place_together
from eagerdiff.strategies.sizes import sizes

ARGUMENTS = ("key", "value", "key_cache", "value_cache", "slot_mapping")
"""Names of the positional arguments, in order."""
_SCALES = ("key_scale", "value_scale")
_ALONE = layouts(
    {**dict.fromkeys(ARGUMENTS[:4], ANYHOW), "slot_mapping": FLAT, **dict.fromkeys(_SCALES, REPEATED)},
    far=far_apart(*((name, FAR_ROWS) for name in ARGUMENTS[:2]), *((name, FAR_CACHE) for name in ARGUMENTS[2:4])),
)


def cases() -> st.SearchStrategy[CacheWriteCase]:
    """Draw any call; shrinks to one token for a block of 16."""
    return st.tuples(_statics(), _dynamics()).map(lambda parts: CacheWriteCase(**parts[0], **parts[1]))


def cases_like(case: CacheWriteCase) -> st.SearchStrategy[CacheWriteCase]:
    """Draw a call with the static fields of `case`."""
    return _dynamics().map(lambda fields: CacheWriteCase(**dict(case.static_key), **fields))


@functools.cache
def _statics() -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {
            "dtype": st.sampled_from(("float32", "float16", "bfloat16")),
            "cache_dtype": st.sampled_from(("as_rows", "as_rows", "float8_e4m3fn", "float8_e5m2")),
            "head_dim": st.sampled_from((16, 1, 24, 64, 80, 256)),
            "value_dim": st.sampled_from((16, 1, 24, 64, 80, 256)),
            "num_kv_heads": st.sampled_from((1, 2, 3, 8, 17)),
            "block_size": st.sampled_from((16, 1, 2, 4, 5, 8, 24, 32, 64)),
            "scales": st.sampled_from(("none", "tensor", "head")),
            "cache_layout": st.sampled_from(("nhd", "hnd", "interleaved", "padded_head")),
            "fused_rows": st.booleans(),
            "layouts": _ALONE,
        }
    ).map(_reconcile)


def _reconcile(fields: dict[str, Any]) -> dict[str, Any]:
    """Settle what excludes one another: only an fp8 cache is scaled, and one buffer has one head_dim.

    What lies far apart has narrow elements, for a worker may map 2**31 of 2 bytes, and many heads and blocks.
    """
    if is_far(fields["layouts"]):
        narrow = "bfloat16" if fields["dtype"] == "float32" else fields["dtype"]
        fields |= {"dtype": narrow, "block_size": min(8, max(3, fields["block_size"]))}
        fields |= {name: max(3, fields[name]) for name in ("num_kv_heads", "head_dim", "value_dim")}
    if fields["cache_dtype"] == "as_rows":
        fields["scales"] = "none"
    if fields["cache_layout"] == "interleaved":
        fields["value_dim"] = fields["head_dim"]
    return fields


@functools.cache
def _dynamics() -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {
            "tokens": sizes(max_value=40).flatmap(lambda tokens: st.tuples(st.just(tokens), st.integers(0, tokens))),
            "spare_slots": st.integers(0, 20),
            "large": st.booleans(),
            "extreme": st.booleans(),
            "seed": st.integers(0, 2**32 - 1),
        }
    ).map(_unzip)


def _unzip(fields: dict[str, Any]) -> dict[str, Any]:
    tokens, padding = fields.pop("tokens")
    return fields | {"num_tokens": tokens, "padding": padding}


def inputs(case: CacheWriteCase, device: str) -> Inputs:
    """Build the rows, the caches as they were, and a slot for each token; the slots are shuffled, padding too."""
    generator = torch.Generator().manual_seed(case.seed)
    slots = torch.randperm(case.num_blocks * case.block_size, generator=generator)[: case.num_tokens]
    slot_mapping = torch.full((case.num_tokens,), -1, dtype=torch.int64)
    kept = torch.randperm(case.num_tokens, generator=generator)[case.padding :]
    slot_mapping[kept] = slots[: len(kept)]
    args = (*_draw_rows(case, generator), *_draw_caches(case, generator), slot_mapping)
    given = Inputs(args, _draw_scales(case, generator))
    return place_together(lay_out_arguments(given, ARGUMENTS, case.layouts, free=_SCALES), device)


def _draw_rows(case: CacheWriteCase, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """Return key [T, K, D] and value [T, K, Dv], where asked as slices of one buffer."""
    width = case.num_kv_heads * (case.head_dim + case.value_dim)
    rows = torch.randn(case.num_tokens, width, generator=generator) * (1e4 if case.large else 1.0)
    if case.extreme:
        strew(rows, generator)
    fused = rows.to(getattr(torch, case.dtype))
    split = fused.tensor_split((case.num_kv_heads * case.head_dim,), dim=1)
    key, value = (part.unflatten(1, (case.num_kv_heads, part.shape[1] // case.num_kv_heads)) for part in split)
    if case.fused_rows:
        return key, value
    # Of one token, a slice is contiguous as it is.
    return key.clone(memory_format=torch.contiguous_format), value.clone(memory_format=torch.contiguous_format)


def _draw_caches(case: CacheWriteCase, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """Return the caches with what stood in them, in the strides that the case asks for."""
    dtype = getattr(torch, case.dtype if case.cache_dtype == "as_rows" else case.cache_dtype)
    before = (case.num_blocks, case.block_size, case.num_kv_heads)
    keys, values = (torch.randn(*before, dim, generator=generator) for dim in (case.head_dim, case.value_dim))
    return lay_out_caches(keys.to(dtype), values.to(dtype), case.cache_layout)


def _draw_scales(case: CacheWriteCase, generator: torch.Generator) -> dict[str, Tensor]:
    if case.scales == "none":
        return {}
    shape = () if case.scales == "tensor" else (case.num_kv_heads,)
    return {name: 0.1 + 2 * torch.rand(shape, generator=generator) for name in ("key_scale", "value_scale")}
