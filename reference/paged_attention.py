"""Paged attention by gathering each request's cache and attending in plain torch."""

import torch
from torch import Tensor


def paged_attention(
    query: Tensor,
    key_cache: Tensor,
    value_cache: Tensor,
    block_table: Tensor,
    context_lens: Tensor,
    query_start: Tensor,
    *,
    scale: float,
    window: int | None = None,
    soft_cap: float | None = None,
) -> Tensor:
    """Attend each request's queries to its own cached keys; return [T, H, D] in the query's dtype.

    query [T, H, D]; key_cache and value_cache [num_blocks, block_size, num_kv_heads, D]; block_table int32
    [B, max_blocks]: entries past a request's last block are never read; context_lens int32 [B]: keys in the cache,
    the queries' own included; query_start int32 [B + 1]: request b owns rows query_start[b] to query_start[b + 1].

    The queries stand at the end of the context: the last one sees every key, or the last `window` of them.
    A query that sees no key gives zeros. Scores and sums are in float32 at least, as in every kernel.
    """
    output = torch.zeros_like(query)
    bounds = query_start.tolist()
    for request, length in enumerate(context_lens.tolist()):
        rows = slice(bounds[request], bounds[request + 1])
        positions = torch.arange(length - (rows.stop - rows.start), length, device=query.device)
        # Keys that no query sees are not read: they may be freed, and hold anything.
        oldest = 0 if window is None else max(0, length - len(positions) - window + 1)
        slots = torch.arange(oldest, max(length, oldest), device=query.device)
        visible = _visible(positions, slots, window)
        keys, values = (_gather(cache, block_table[request], slots) for cache in (key_cache, value_cache))
        output[rows] = _attend(query[rows], keys, values, visible, scale, soft_cap).to(query.dtype)
    return output


def _gather(cache: Tensor, block_ids: Tensor, slots: Tensor) -> Tensor:
    """Return the cached rows at logical positions `slots`: [S, num_kv_heads, D]."""
    block_size = cache.shape[1]
    return cache[block_ids[slots // block_size].long(), slots % block_size]


def _visible(positions: Tensor, slots: Tensor, window: int | None) -> Tensor:
    """Return the mask [Q, S]: not after the query, and no further back than the window."""
    distance = positions[:, None] - slots[None, :]
    return (distance >= 0) if window is None else (distance >= 0) & (distance < window)


def _attend(
    query: Tensor, keys: Tensor, values: Tensor, visible: Tensor, scale: float, soft_cap: float | None
) -> Tensor:
    """Return softmax(soft_cap(scale · q·k)) · v for queries [Q, H, D] and keys, values [S, num_kv_heads, D]."""
    exact = torch.promote_types(query.dtype, torch.float32)
    group = query.shape[1] // keys.shape[1]
    keys, values = (heads.to(exact).repeat_interleave(group, dim=1) for heads in (keys, values))
    scores = torch.einsum("qhd,shd->hqs", query.to(exact), keys) * scale
    if soft_cap is not None:
        scores = soft_cap * torch.tanh(scores / soft_cap)
    weights = torch.softmax(scores.masked_fill(~visible, float("-inf")), dim=-1)
    weights = weights.masked_fill(~visible.any(dim=-1, keepdim=True), 0.0)  # a row that sees nothing
    return torch.einsum("hqs,shd->qhd", weights, values)
