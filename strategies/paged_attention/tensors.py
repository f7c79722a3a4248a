"""The tensors of a call: block tables, ragged contexts, and caches with poison wherever nothing may be read."""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from eagerdiff import Inputs
from eagerdiff.strategies.argument_layouts import lay_out_arguments
from eagerdiff.strategies.cache_layouts import lay_out_caches
from eagerdiff.strategies.cases.paged_attention import PagedAttentionCase
from eagerdiff.strategies.layouts import place_together, spread

ARGUMENTS = ("query", "key_cache", "value_cache", "block_table", "context_lens", "query_start")
"""Names of the positional arguments, in order."""
_FREE = ("alibi_slopes", "sinks", "key_scale", "value_scale")
"""Arguments whose rows may be alike."""
_LARGE = {
    "as_query": (512.0, 2048.0, 16.0, 128),
    "float8_e4m3fn": (2048.0, 256.0, 32.0, 7),
    "float8_e5m2": (2048.0, 256.0, 64.0, 4),
}
"""By dtype of the cache: a query, the least key, and the step and number of further keys, exact in each dtype."""


_CANCELLING = {"float16": 4096.0}
"""Values that cancel, by dtype of the cache: a sum is off by 2 and more on the way. Elsewhere `_ELSEWHERE`."""
_ELSEWHERE = 256.0
"""Exact in fp8, too."""


def inputs(case: PagedAttentionCase, device: str) -> Inputs:
    """Build the tensors of a case; slots that no query sees hold poison, unused table entries are invalid."""
    generator = torch.Generator().manual_seed(case.seed)
    table, num_blocks = _place_blocks(case, generator)
    keys, values = _draw_cache(case, num_blocks, generator)
    query, options = _draw_query(case, generator), _draw_options(case, generator)
    if case.data == "cancelling" and not case.alibi and not case.sinks:
        _let_cancel(case, table, values)
    unseen = ~_seen_slots(case, table, num_blocks)
    for cache in (keys, values):
        stale = case.unseen == "stale"
        cache[unseen] = 30.0 * torch.randn(cache[unseen].shape, generator=generator) if stale else float("nan")
    lengths = (_int32(case.context_lens), _cumulative(case.query_lens))
    args = (query, *_lay_out(case, keys, values), _lay_out_table(case, table), *lengths)
    given = Inputs(args, options | _plain_options(case))
    return place_together(lay_out_arguments(given, ARGUMENTS, case.layouts, free=_FREE), device)


def _plain_options(case: PagedAttentionCase) -> dict[str, Any]:
    """Return the options that are numbers."""
    return {
        "scale": case.head_dim**-0.5 if case.scale is None else case.scale,
        "causal": case.causal,
        "window": case.window if case.windowed else None,
        "soft_cap": case.soft_cap if case.soft_capped else None,
        "num_splits": case.num_splits,
    }


def _draw_options(case: PagedAttentionCase, generator: torch.Generator) -> dict[str, Tensor]:
    """Return the options that are tensors, those that the case asks for."""
    options: dict[str, Tensor] = {}
    if case.alibi:
        options["alibi_slopes"] = torch.exp2(-8.0 * torch.arange(1, case.num_heads + 1) / case.num_heads)
    if case.sinks:
        options["sinks"] = torch.randn(case.num_heads, generator=generator)
    if case.scales != "none":
        shape = () if case.scales == "tensor" else (case.num_kv_heads,)
        # Powers of two: a score of 1e5 that is rounded once more is another score.
        for name, least in (("key_scale", -2), ("value_scale", 1)):
            options[name] = torch.exp2(torch.randint(least, least + 3, shape, generator=generator).float())
    if case.tree:
        options["tree_mask"] = _draw_trees(case, generator)
    if case.output != "new":
        room = 8 if case.output == "strided" else 0
        shape = (case.num_tokens, case.num_heads, case.values + room)
        options["output"] = torch.full(shape, float("nan"), dtype=getattr(torch, case.dtype))[..., : case.values]
    return options


def _draw_trees(case: PagedAttentionCase, generator: torch.Generator) -> Tensor:
    """Return the mask [T, longest query]: a query sees its ancestors in a tree and itself; other entries are noise."""
    shape = (case.num_tokens, max(case.query_lens, default=0))
    mask = torch.randint(2, shape, generator=generator).bool()
    start = 0
    for queries in case.query_lens:
        rows = mask[start : start + queries, :queries]
        rows.copy_(torch.eye(queries, dtype=torch.bool))
        for node in range(1, queries):
            parent = int(torch.randint(-1, node, (), generator=generator))
            if parent >= 0:
                rows[node] |= rows[parent]
        start += queries
    return mask


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
    if case.cache_layout == "far":
        num_blocks = max(3, num_blocks)
    order = torch.randperm(num_blocks, generator=generator).int()
    if case.cache_layout == "far" and used:
        order = order.roll(-int(order.argmax()))  # somebody's block is the last one
    columns = max(case.block_counts, default=0) + case.table_padding
    table = wild_ids((len(rows), columns), num_blocks, generator)
    for request, row in enumerate(rows):
        table[request, : len(row)] = order[row]
    if ("block_table", "expanded") in case.layouts and len({*map(tuple, rows)}) == 1:
        table = table[:1].expand_as(table)  # unused entries are the same too
    return table, num_blocks


def wild_ids(shape: Sequence[int], num_blocks: int, generator: torch.Generator) -> Tensor:
    """Draw int32 block ids [*shape] that are all invalid: negative, one past the end, huge."""
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
    """Return keys [num_blocks, block_size, num_kv_heads, D] and values [..., Dv] in float32."""
    slots = (num_blocks, case.block_size, case.num_kv_heads)
    keys, values = (torch.randn(*slots, dim, generator=generator) for dim in (case.head_dim, case.values))
    if case.data == "large_logits":
        # Scores far from zero and from one another, exact in any order of summation: only a wrong softmax errs.
        _, least, step, count = _LARGE[case.cache_dtype]
        keys = torch.zeros(*slots, case.head_dim)
        keys[..., 0] = least + step * torch.randint(count, slots, generator=generator)
    if case.data == "one_hot_values":
        hot = torch.arange(num_blocks * case.block_size).view(num_blocks, case.block_size, 1) % case.values
        values = torch.nn.functional.one_hot(hot.expand(slots), case.values) * (0.5 + values.abs())
    return keys, values


def _let_cancel(case: PagedAttentionCase, table: Tensor, values: Tensor) -> None:
    """Make the first value that all of a request's queries see large and the last one the opposite, in place.

    Where all scores are 0 both weigh 1 in any dtype: only a sum that forgets small terms beside large ones errs.
    """
    dtype = case.dtype if case.cache_dtype == "as_query" else case.cache_dtype
    large = _CANCELLING.get(dtype, _ELSEWHERE)
    for request, (length, queries) in enumerate(zip(case.context_lens, case.query_lens, strict=True)):
        first = max(0, length - case.window) if case.windowed else 0
        if length - queries > first and queries > 0:
            for position, value in ((first, large), (length - queries, -large)):
                block, slot = divmod(position, case.block_size)
                values[int(table[request, block]), slot] = value


def _draw_query(case: PagedAttentionCase, generator: torch.Generator) -> Tensor:
    """Return the query [T, H, D], where asked as a slice of [T, H + 2 * num_kv_heads, D]; nobody's rows are NaN."""
    extra = 2 * case.num_kv_heads if case.fused_query else 0
    query = torch.randn(case.num_tokens, case.num_heads + extra, case.head_dim, generator=generator)
    if case.data in ("zero_queries", "cancelling"):
        query.zero_()
    if case.data == "large_logits":
        signs = query[..., 0].sign()
        query.zero_()[..., 0] = _LARGE[case.cache_dtype][0] * signs
    if case.data == "nan_queries":
        query[torch.rand(len(query), generator=generator) < 0.3] = float("nan")
    query[:, case.num_heads :] = query[sum(case.query_lens) :] = float("nan")
    query = query.to(getattr(torch, case.dtype))
    return (spread(query)[0] if case.far_query and len(query) else query)[:, : case.num_heads]


def _lay_out(case: PagedAttentionCase, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor]:
    """Return the caches in their dtype, with the strides that the case asks for."""
    dtype = getattr(torch, case.dtype if case.cache_dtype == "as_query" else case.cache_dtype)
    return lay_out_caches(keys.to(dtype), values.to(dtype), case.cache_layout)


def _lay_out_table(case: PagedAttentionCase, table: Tensor) -> Tensor:
    """Return the table, where asked as a slice of one that is 3 columns wider."""
    if not case.wide_table:
        return table
    return torch.nn.functional.pad(table, (0, 3), value=-1)[:, : table.shape[1]]


def _int32(values: Sequence[int]) -> Tensor:
    return torch.tensor(list(values), dtype=torch.int32)


def _cumulative(lengths: Sequence[int]) -> Tensor:
    return _int32((0, *lengths)).cumsum(0).int()
