"""Paged attention as masked dense attention over a padded gather: no loop over requests where a compiler would break.

Shape suffixes: T query tokens, B requests, S padded positions of a context, N physical blocks, P slots of a block,
K key-value heads, G query heads a key-value head, D head_dim.
"""

import torch
from torch import Tensor


def gather_attention(
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
    """Compute paged attention with every context padded to the width of the block table; as the reference otherwise."""
    exact = torch.promote_types(query.dtype, torch.float32)
    request_T, position_T = _locate(query.shape[0], context_lens, query_start)
    block_size, kv_heads = key_cache.shape[1], key_cache.shape[2]
    slot_S = torch.arange(block_table.shape[1] * block_size, device=query.device)
    distance_TS = position_T[:, None] - slot_S
    seen_TS = distance_TS >= 0
    if window is not None:
        seen_TS = seen_TS & (distance_TS < window)

    # Block ids are only valid where something is seen.
    block_TS = block_table[request_T][:, slot_S // block_size].where(seen_TS, 0).long()
    hidden_TSKD = ~seen_TS[:, :, None, None]
    keys_TSKD, values_TSKD = (
        cache_NPKD[block_TS, slot_S % block_size].to(exact).masked_fill(hidden_TSKD, 0.0)
        for cache_NPKD in (key_cache, value_cache)
    )
    q_TKGD = query.to(exact).unflatten(1, (kv_heads, -1))
    s_TKGS = torch.einsum("tkgd,tskd->tkgs", q_TKGD, keys_TSKD) * scale
    if soft_cap is not None:
        s_TKGS = soft_cap * torch.tanh(s_TKGS / soft_cap)
    # Minus infinity would make a row that sees nothing NaN; its values are all zero.
    p_TKGS = torch.softmax(s_TKGS.masked_fill(~seen_TS[:, None, None, :], torch.finfo(exact).min), dim=-1)
    return torch.einsum("tkgs,tskd->tkgd", p_TKGS, values_TSKD).flatten(1, 2).to(query.dtype)


def _locate(num_tokens: int, context_lens: Tensor, query_start: Tensor) -> tuple[Tensor, Tensor]:
    """Return the request of each query token, and its position in that request's context: [T] each."""
    token_T = torch.arange(num_tokens, device=query_start.device)
    # The last bound not after the token; a request without queries shares its bound with the next.
    request_T = torch.searchsorted(query_start, token_T, right=True) - 1
    position_T = context_lens[request_T] - query_start[request_T + 1] + token_T
    return request_T, position_T
