"""Paged attention by scaled_dot_product_attention over padded batches: what serving did before block tables.

Shape suffixes: T query tokens, B requests, Q queries of the longest request, S keys of the longest context, H query
heads, K key-value heads, D head_dim.
"""

import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention

from eagerdiff.compiled.paged_attention.padding import longest, pad_queries, unpad_rows


def sdpa_attention(
    query: Tensor,
    key_cache: Tensor,
    value_cache: Tensor,
    block_table: Tensor,
    context_lens: Tensor,
    query_start: Tensor,
    *,
    scale: float,
    causal: bool = True,
    window: int | None = None,
    soft_cap: None = None,
    alibi_slopes: Tensor | None = None,
    tree_mask: Tensor | None = None,
    num_splits: int = 0,
) -> tuple[Tensor, None]:
    """Compute paged attention by one dense call; arguments and output [T, H, Dv] as the reference's.

    Contexts are copied out of the cache into [B, K, S, D] first, as a padded cache would hold them; a mask says which
    keys a query sees.
    """
    if query.shape[0] == 0 or block_table.shape[0] == 0:
        return query.new_zeros(*query.shape[:2], value_cache.shape[-1]), None
    most = longest(query_start)
    number_Q = torch.arange(most, device=query.device)
    slot_S = torch.arange(block_table.shape[1] * key_cache.shape[1], device=query.device)
    queries_B = query_start[1:] - query_start[:-1]
    position_BQ = (context_lens - queries_B)[:, None] + number_Q
    distance_BQS = position_BQ[:, :, None] - slot_S
    seen_BQS = (slot_S < context_lens[:, None, None]) & (number_Q < queries_B[:, None])[:, :, None]
    if causal:
        seen_BQS = seen_BQS & (distance_BQS >= 0)
    if window is not None:
        seen_BQS = seen_BQS & (distance_BQS < window)
    if tree_mask is not None and tree_mask.shape[1]:
        row_BQ1 = (query_start[:-1, None] + number_Q).clamp(max=query.shape[0] - 1)[:, :, None]
        asked_BQS = number_Q[:, None] - distance_BQS
        column_BQS = asked_BQS.clamp(0, tree_mask.shape[1] - 1)
        seen_BQS = seen_BQS & ((asked_BQS < 0) | tree_mask[row_BQ1, column_BQS])
    mask_BHQS = seen_BQS[:, None]
    if alibi_slopes is not None:
        bias_BHQS = -alibi_slopes[:, None, None] * distance_BQS[:, None]
        mask_BHQS = bias_BHQS.masked_fill(~mask_BHQS, float("-inf")).to(query.dtype)
    k_BKSD, v_BKSD = (_copy_contexts(cache, block_table, slot_S, seen_BQS.any(1)) for cache in (key_cache, value_cache))
    q_BHQD = pad_queries(query, query_start, most)
    out_BHQD = scaled_dot_product_attention(q_BHQD, k_BKSD, v_BKSD, mask_BHQS, scale=scale, enable_gqa=True)
    sees_BQ = seen_BQS.any(2)  # a query of NaN that sees nothing gives 0, as any other does
    return unpad_rows(out_BHQD.where(sees_BQ[:, None, :, None], 0.0), query_start, query.shape[0]), None


def _copy_contexts(cache: Tensor, block_table: Tensor, slot_S: Tensor, seen_BS: Tensor) -> Tensor:
    """Return contexts [B, K, S, D], zero where no query looks: block ids are only valid elsewhere."""
    block_size = cache.shape[1]
    block_BS = block_table[:, slot_S // block_size].where(seen_BS, 0).long()
    return cache[block_BS, slot_S % block_size].where(seen_BS[:, :, None, None], 0.0).transpose(1, 2)
