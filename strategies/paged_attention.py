"""Calls of paged attention: block tables, ragged contexts, and caches with poison wherever nothing may be read."""

import functools
from collections.abc import Sequence
from typing import Any, Literal, Self

import torch
from hypothesis import strategies as st
from pydantic import model_validator
from torch import Tensor

from harness import Case, DType, Inputs, dynamic, static
from strategies.sizes import sizes

CacheLayout = Literal["nhd", "hnd", "interleaved", "padded_head"]
Data = Literal["normal", "one_hot_values", "zero_queries", "large_logits"]

_TILES = (16, 32, 64)
"""Keys that kernels commonly take at once."""
_LONGEST = 140
"""Keys of a drawn context or window: three tiles of 64, and short enough to interpret."""
_BATCHES = (1, 2, 3, 2, 3, 4, 2, 3, 1, 2, 3, 4, 2, 3, 2, 0)
"""Requests; an empty batch is worth a call now and then."""
_QUERY_LENS = (1, 2, 3, 4, 0, 5, 8, 7)
"""Queries of a request outside plain decode: verification, a short prefill, a request that waits."""
_DATA: tuple[Data, ...] = ("normal", "large_logits", "one_hot_values", "normal", "large_logits", "zero_queries")


class PagedAttentionCase(Case):
    """Describe one call of paged attention."""

    dtype: DType = static("float32")
    head_dim: int = static(16, ge=1)
    num_kv_heads: int = static(1, ge=1)
    group: int = static(1, ge=1)
    """Query heads a key-value head."""
    block_size: int = static(16, ge=1)
    window: int | None = static(None, ge=1)
    """How many keys a query sees, its own included."""
    soft_cap: float | None = static(None, gt=0)
    scale: float | None = static(None)
    """None is head_dim ** -0.5."""
    cache_layout: CacheLayout = static("nhd")
    """hnd: heads before slots; interleaved: K and V unbound from one buffer; padded_head: unequal row strides."""
    fused_query: bool = static(False)
    """Whether the query is a slice of a fused QKV tensor."""
    wide_table: bool = static(False)
    """Whether the block table is a slice of a wider one (row stride above its width)."""
    context_lens: tuple[int, ...] = dynamic((1,))
    query_lens: tuple[int, ...] = dynamic((1,))
    shared_blocks: int = dynamic(0, ge=0)
    """Leading blocks that every request shares with the first one that has any."""
    spare_blocks: int = dynamic(1, ge=1)
    """Blocks that no request refers to."""
    table_padding: int = dynamic(0, ge=0)
    """Columns of the table past the longest request; 0 is a tight table."""
    data: Data = dynamic("normal")

    @model_validator(mode="after")
    def check_lengths(self) -> Self:
        """Refuse ragged lists that differ in length or hold a negative length."""
        if len(self.context_lens) != len(self.query_lens):
            raise ValueError("context_lens and query_lens differ in length")
        if min((0, *self.context_lens, *self.query_lens)) < 0:
            raise ValueError("a length is negative")
        return self

    @property
    def num_heads(self) -> int:
        """Query heads."""
        return self.num_kv_heads * self.group

    @property
    def block_counts(self) -> list[int]:
        """Blocks that each request occupies."""
        return [-(-length // self.block_size) for length in self.context_lens]

    def visible(self, request: int) -> range:
        """Return the positions of the keys that some query of a request sees."""
        length, queries = self.context_lens[request], self.query_lens[request]
        if queries == 0:
            return range(0)
        return range(0 if self.window is None else max(0, length - queries - self.window + 1), length)


def cases() -> st.SearchStrategy[PagedAttentionCase]:
    """Draw any call whose interpreted kernel costs tens of milliseconds; shrinks to one short float32 request."""
    return _cases()


def cases_like(case: PagedAttentionCase) -> st.SearchStrategy[PagedAttentionCase]:
    """Draw a call with the static fields of `case`."""
    return _dynamics(case.block_size).map(lambda fields: PagedAttentionCase(**dict(case.static_key), **fields))


# Strategies are built once: Hypothesis validates each on first use, which costs more than a draw.
@functools.cache
def _cases() -> st.SearchStrategy[PagedAttentionCase]:
    statics = st.sampled_from((16, 1, 2, 5, 8, 24, 32, 64)).flatmap(_statics)
    return statics.flatmap(
        lambda fields: _dynamics(fields["block_size"]).map(lambda more: PagedAttentionCase(**fields, **more))
    )


@functools.cache
def _statics(block_size: int) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {
            "dtype": st.sampled_from(("float32", "float16", "bfloat16")),
            "head_dim": st.sampled_from((16, 8, 24, 32, 64, 72, 80)),
            "num_kv_heads": st.sampled_from((1, 2, 1, 3)),
            "group": st.sampled_from((1, 2, 3, 4, 5, 8, 17)),
            "block_size": st.just(block_size),
            "window": st.none() | sizes(min_value=1, max_value=_LONGEST, edges=(block_size, *_TILES)),
            "soft_cap": st.sampled_from((None, None, 5.0, 30.0)),
            "scale": st.sampled_from((None, 0.5)),
            "cache_layout": st.sampled_from(("nhd", "hnd", "interleaved", "padded_head")),
            "fused_query": st.booleans(),
            "wide_table": st.booleans(),
        }
    )


@functools.cache
def _dynamics(block_size: int) -> st.SearchStrategy[dict[str, Any]]:
    batches = st.tuples(st.sampled_from(_BATCHES), st.booleans())
    return st.fixed_dictionaries(
        {
            "requests": batches.flatmap(lambda batch: _requests(block_size, *batch)),
            "shared_blocks": st.integers(0, 2),
            "spare_blocks": st.integers(1, 3),
            "table_padding": st.integers(0, 3),
            "data": st.sampled_from(_DATA),
            "seed": st.integers(0, 2**32 - 1),
        }
    ).map(_unzip)


@functools.cache
def _requests(block_size: int, batch: int, mixed: bool) -> st.SearchStrategy[list[tuple[int, int]]]:
    """Draw (context length, query length) of each request: plain decode, or mixed with prefill and verification."""
    contexts = sizes(max_value=_LONGEST, edges=(block_size, *_TILES))
    queries = st.sampled_from(_QUERY_LENS) if mixed else st.just(1)
    return st.lists(st.tuples(contexts, queries), min_size=batch, max_size=batch)


def _unzip(fields: dict[str, Any]) -> dict[str, Any]:
    requests = fields.pop("requests")
    lengths = {"context_lens": tuple(c for c, _ in requests), "query_lens": tuple(q for _, q in requests)}
    return lengths | fields


def inputs(case: PagedAttentionCase, device: str) -> Inputs:
    """Build the tensors of a case; every cache slot that no query sees is NaN, every unused table entry is invalid."""
    generator = torch.Generator().manual_seed(case.seed)
    table, num_blocks = _place_blocks(case, generator)
    keys, values = _draw_cache(case, num_blocks, generator)
    unseen = ~_seen_slots(case, table, num_blocks)
    keys[unseen] = values[unseen] = float("nan")
    key_cache, value_cache = _lay_out(case, keys, values)
    query = _draw_query(case, generator)
    lengths = (_int32(case.context_lens), _cumulative(case.query_lens))
    tensors = (query, key_cache, value_cache, _lay_out_table(case, table), *lengths)
    scale = case.head_dim**-0.5 if case.scale is None else case.scale
    options = {"scale": scale, "window": case.window, "soft_cap": case.soft_cap}
    return Inputs(tuple(_move(tensor, device) for tensor in tensors), options)


def _place_blocks(case: PagedAttentionCase, generator: torch.Generator) -> tuple[Tensor, int]:
    """Return the table [B, columns], physical blocks permuted and unused entries wild, and the number of blocks."""
    rows: list[list[int]] = []
    lead: list[int] = []
    used = 0
    for count in case.block_counts:
        shared = lead[: min(case.shared_blocks, count)]
        rows.append(shared + list(range(used, used + count - len(shared))))
        used += count - len(shared)
        lead = lead or rows[-1]
    num_blocks = used + case.spare_blocks
    order = torch.randperm(num_blocks, generator=generator).int()
    columns = max(case.block_counts, default=0) + case.table_padding
    table = wild_ids((len(rows), columns), num_blocks, generator)
    for request, row in enumerate(rows):
        table[request, : len(row)] = order[row]
    return table, num_blocks


def wild_ids(shape: Sequence[int], num_blocks: int, generator: torch.Generator) -> Tensor:
    """Draw int32 block ids that are all invalid: negative, one past the end, huge."""
    choices = _int32((-1, num_blocks, 2**31 - 1, -(2**31), num_blocks + 1000))
    return choices[torch.randint(len(choices), tuple(shape), generator=generator)]


def _seen_slots(case: PagedAttentionCase, table: Tensor, num_blocks: int) -> Tensor:
    """Return the mask [num_blocks, block_size] of the slots that some query sees."""
    seen = torch.zeros(num_blocks, case.block_size, dtype=torch.bool)
    for request in range(len(case.context_lens)):
        positions = torch.tensor(case.visible(request), dtype=torch.long)
        seen[table[request, positions // case.block_size].long(), positions % case.block_size] = True
    return seen


def _draw_cache(case: PagedAttentionCase, num_blocks: int, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """Return keys and values [num_blocks, block_size, num_kv_heads, D]."""
    shape = (num_blocks, case.block_size, case.num_kv_heads, case.head_dim)
    keys, values = (torch.randn(shape, generator=generator) for _ in range(2))
    if case.data == "large_logits":
        # Scores far from zero and from one another, exact in any order of summation: only a wrong softmax errs.
        keys = torch.zeros(shape)
        keys[..., 0] = 2048.0 + 16.0 * torch.randint(128, shape[:-1], generator=generator)
    if case.data == "one_hot_values":
        hot = torch.arange(num_blocks * case.block_size).view(num_blocks, case.block_size, 1) % case.head_dim
        values = torch.nn.functional.one_hot(hot.expand(shape[:-1]), case.head_dim) * (0.5 + values.abs())
    dtype = getattr(torch, case.dtype)
    return keys.to(dtype), values.to(dtype)


def _draw_query(case: PagedAttentionCase, generator: torch.Generator) -> Tensor:
    """Return the query [T, H, D], where asked as a slice of [T, H + 2 * num_kv_heads, D]."""
    extra = 2 * case.num_kv_heads if case.fused_query else 0
    query = torch.randn(sum(case.query_lens), case.num_heads + extra, case.head_dim, generator=generator)
    if case.data == "zero_queries":
        query.zero_()
    if case.data == "large_logits":
        signs = query[..., 0].sign()
        query.zero_()[..., 0] = 512.0 * signs
    query[:, case.num_heads :] = float("nan")
    return query.to(getattr(torch, case.dtype))[:, : case.num_heads]


def _lay_out(case: PagedAttentionCase, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor]:
    """Return the same caches with the strides that the case asks for."""
    if case.cache_layout == "interleaved":
        key_cache, value_cache = torch.stack((keys, values), dim=1).unbind(1)
        return key_cache, value_cache
    if case.cache_layout == "hnd":
        key_cache, value_cache = (cache.transpose(1, 2).contiguous().transpose(1, 2) for cache in (keys, values))
        return key_cache, value_cache
    if case.cache_layout == "padded_head":
        return _pad_rows(keys, 8), _pad_rows(values, 16)
    return keys, values


def _pad_rows(cache: Tensor, padding: int) -> Tensor:
    """Return a view whose rows lie `padding` poisoned elements further apart."""
    padded = torch.nn.functional.pad(cache, (0, padding), value=float("nan"))
    return padded[..., : cache.shape[-1]]


def _lay_out_table(case: PagedAttentionCase, table: Tensor) -> Tensor:
    """Return the table, where asked as a slice of one that is 3 columns wider."""
    if not case.wide_table:
        return table
    return torch.nn.functional.pad(table, (0, 3), value=-1)[:, : table.shape[1]]


def _move(tensor: Tensor, device: str) -> Tensor:
    """Copy a tensor to a device and keep its strides (`Tensor.to` makes views dense)."""
    if tensor.device == torch.device(device):
        return tensor
    moved = torch.empty_strided(tensor.size(), tensor.stride(), dtype=tensor.dtype, device=device)
    return moved.copy_(tensor)


def _int32(values: Sequence[int]) -> Tensor:
    return torch.tensor(list(values), dtype=torch.int32)


def _cumulative(lengths: Sequence[int]) -> Tensor:
    return _int32((0, *lengths)).cumsum(0).int()
