"""Calls of cache write: new rows for slots of a paged cache, padding among them, quantised or not."""

import functools
from typing import Any, Literal, Self

import torch
from hypothesis import strategies as st
from pydantic import model_validator
from torch import Tensor

from eagerdiff import Case, DType, Inputs, dynamic, static
from eagerdiff.strategies.cache_layouts import lay_out_caches
from eagerdiff.strategies.layouts import place_together
from eagerdiff.strategies.sizes import sizes

CacheDType = Literal["as_rows", "float8_e4m3fn", "float8_e5m2"]
CacheLayout = Literal["nhd", "hnd", "interleaved", "padded_head"]
Scales = Literal["none", "tensor", "head"]


class CacheWriteCase(Case):
    """Describe one call of cache write."""

    dtype: DType = static("float32")
    """Of the new rows."""
    cache_dtype: CacheDType = static("as_rows")
    head_dim: int = static(16, ge=1)
    value_dim: int = static(16, ge=1)
    num_kv_heads: int = static(1, ge=1)
    block_size: int = static(16, ge=1)
    scales: Scales = static("none")
    """Scales of an fp8 cache: none, one of K and one of V, or one of each for every head."""
    cache_layout: CacheLayout = static("nhd")
    """hnd: heads before slots; interleaved: K and V unbound from one buffer; padded_head: unequal row strides."""
    fused_rows: bool = static(False)
    """Whether the rows are slices of one fused QKV tensor."""
    num_tokens: int = dynamic(1, ge=0)
    padding: int = dynamic(0, ge=0)
    """Tokens whose slot is -1."""
    spare_slots: int = dynamic(0, ge=0)
    """Slots that stay as they are, besides those that fill the last block."""
    large: bool = dynamic(False)
    """Whether some numbers are beyond what an fp8 cache holds."""

    @model_validator(mode="after")
    def check(self) -> Self:
        """Refuse more padding than tokens, and K and V of different widths in one buffer: ValueError."""
        if self.padding > self.num_tokens:
            raise ValueError("more tokens are padding than there are")
        if self.cache_layout == "interleaved" and self.head_dim != self.value_dim:
            raise ValueError("an interleaved cache has keys and values of one head_dim")
        return self

    @property
    def num_blocks(self) -> int:
        """Blocks of the cache: enough for every token, and one at least."""
        return max(1, -(-(self.num_tokens - self.padding + self.spare_slots) // self.block_size))


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
        }
    ).map(_reconcile)


def _reconcile(fields: dict[str, Any]) -> dict[str, Any]:
    """Settle what excludes one another: only an fp8 cache is scaled, and one buffer has one head_dim."""
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
    return place_together(Inputs(args, _draw_scales(case, generator)), device)


def _draw_rows(case: CacheWriteCase, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """Return key [T, K, D] and value [T, K, Dv], where asked as slices of one buffer."""
    width = case.num_kv_heads * (case.head_dim + case.value_dim)
    rows = torch.randn(case.num_tokens, width, generator=generator) * (1e4 if case.large else 1.0)
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
