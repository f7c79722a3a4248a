"""Paged attention as masked dense attention over a padded gather: no loop over requests where a compiler would break.

Shape suffixes: T query tokens, B requests, S padded positions of a context, N physical blocks, P slots of a block,
K key-value heads, G query heads a key-value head, D head_dim, Q queries of a request.
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
    causal: bool = True,
    window: int | None = None,
    soft_cap: float | None = None,
    alibi_slopes: Tensor | None = None,
    sinks: Tensor | None = None,
    key_scale: Tensor | None = None,
    value_scale: Tensor | None = None,
    tree_mask: Tensor | None = None,
    num_splits: int = 0,
    output: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """Compute paged attention with every context padded to the width of the block table; as the reference otherwise."""
    exact = torch.promote_types(query.dtype, torch.float32)
    heads = (key_cache.shape[2], query.shape[1] // key_cache.shape[2])
    request_T, length_T, position_T, number_T = _locate(query.shape[0], context_lens, query_start)
    slot_S = torch.arange(block_table.shape[1] * key_cache.shape[1], device=query.device)
    distance_TS = position_T[:, None] - slot_S
    seen_TS = slot_S < length_T[:, None]
    if causal:
        seen_TS = seen_TS & (distance_TS >= 0)
    if window is not None:
        seen_TS = seen_TS & (distance_TS < window)
    if tree_mask is not None:
        seen_TS = seen_TS & _look_up_tree(tree_mask, number_T[:, None] - distance_TS)

    keys_TSKD, values_TSKD = (
        _take_context(cache_NPKD, block_table, request_T, slot_S, seen_TS, exact)
        for cache_NPKD in (key_cache, value_cache)
    )
    s_TKGS = torch.einsum("tkgd,tskd->tkgs", query.to(exact).unflatten(1, heads), keys_TSKD) * scale
    if key_scale is not None:
        s_TKGS = s_TKGS * key_scale.expand(heads[0])[:, None, None]
    if soft_cap is not None:
        s_TKGS = soft_cap * torch.tanh(s_TKGS / soft_cap)
    if alibi_slopes is not None:
        s_TKGS = s_TKGS - alibi_slopes.to(exact).view(*heads, 1) * distance_TS[:, None, None]
    s_TKGS = s_TKGS.masked_fill(~seen_TS[:, None, None], float("-inf"))
    # A last column, of the sinks or of nothing: there is a maximum even where there is no key.
    column_TKG1 = s_TKGS.new_full((query.shape[0], *heads, 1), float("-inf"))
    if sinks is not None:
        somebody_T111 = (request_T < context_lens.shape[0])[:, None, None, None]
        column_TKG1 = torch.where(somebody_T111, sinks.to(exact).view(*heads, 1), column_TKG1)
    s_TKGS = torch.cat((s_TKGS, column_TKG1), dim=-1)
    m_TKG1 = s_TKGS.amax(dim=-1, keepdim=True)
    p_TKGS = torch.exp(s_TKGS - m_TKG1.masked_fill(m_TKG1.isneginf(), 0.0))
    l_TKG1 = p_TKGS.sum(dim=-1, keepdim=True)
    p_TKGS = p_TKGS / l_TKG1.masked_fill(l_TKG1 == 0.0, 1.0)
    lse_TKG = (m_TKG1 + torch.log(l_TKG1))[..., 0]
    out_TKGD = torch.einsum("tkgs,tskd->tkgd", p_TKGS[..., : slot_S.shape[0]], values_TSKD)
    if value_scale is not None:
        out_TKGD = out_TKGD * value_scale.expand(heads[0])[:, None, None]
    result = out_TKGD.flatten(1, 2).to(query.dtype)
    return (result if output is None else output.copy_(result)), lse_TKG.flatten(1, 2)


def plain_attention(
    query: Tensor,
    key_cache: Tensor,
    value_cache: Tensor,
    block_table: Tensor,
    context_lens: Tensor,
    query_start: Tensor,
) -> tuple[Tensor, Tensor]:
    """Compute causal paged attention and nothing besides, of tensors alone: what `torch.export` takes.

    Arguments and result as the reference's; the scale is 1 over the root of D.
    """
    scale = query.shape[2] ** -0.5
    return gather_attention(query, key_cache, value_cache, block_table, context_lens, query_start, scale=scale)


def _locate(num_tokens: int, context_lens: Tensor, query_start: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Return of each query token its request, that one's context, its position there and its number: [T] each.

    Tokens past the last request's are those of one more, number B, with an empty context.
    """
    token_T = torch.arange(num_tokens, device=query_start.device)
    # The last bound not after the token; a request without queries shares its bound with the next.
    request_T = torch.searchsorted(query_start, token_T, right=True) - 1
    length_T = torch.nn.functional.pad(context_lens, (0, 1))[request_T]
    # Where nothing is seen, any end will do; a pad with a size for its value would make a constant of the size.
    end_T = torch.nn.functional.pad(query_start, (0, 1))[request_T + 1]
    return request_T, length_T, length_T - end_T + token_T, token_T - query_start[request_T]


def _look_up_tree(tree_TQ: Tensor, number_TS: Tensor) -> Tensor:
    """Return the mask [T, S]: all that comes before the queries (numbers below 0), and of those what is marked."""
    marked_TQ = torch.nn.functional.pad(tree_TQ, (0, 1), value=False)
    return (number_TS < 0) | marked_TQ.gather(1, number_TS.clamp(0, tree_TQ.shape[1]))


def _take_context(
    cache_NPKD: Tensor, table_BC: Tensor, request_T: Tensor, slot_S: Tensor, seen_TS: Tensor, dtype: torch.dtype
) -> Tensor:
    """Return each token's context [T, S, K, D], zero where it is not seen: block ids are only valid elsewhere."""
    block_size = cache_NPKD.shape[1]
    padded_BC = torch.nn.functional.pad(table_BC, (0, 0, 0, 1))
    block_TS = padded_BC[request_T][:, slot_S // block_size].where(seen_TS, 0).long()
    rows_TSKD = cache_NPKD[block_TS, slot_S % block_size].to(dtype)
    return rows_TSKD.masked_fill(~seen_TS[:, :, None, None], 0.0)
