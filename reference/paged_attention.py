"""Paged attention by gathering each request's cache and attending in plain torch."""

from typing import Any

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
    """Attend each request's queries to its own cached keys.

    query [T, H, D]; key_cache [num_blocks, block_size, num_kv_heads, D]; value_cache the same with its own head_dim
    Dv, perhaps a view of key_cache (MLA); block_table int32 [B, max_blocks]: entries past a request's last block are
    never read; context_lens int32 [B]: keys in the cache, the queries' own included; query_start int32 [B + 1]:
    request b owns rows query_start[b] to query_start[b + 1], rows past the last bound belong to nobody and give zeros.

    A request's queries stand at the end of its context; where it is shorter than they are many, the first of them stand
    before its first key, and see none if they are causal. A causal query sees the keys up to its own; `window` is how
    many keys it sees at most, its own included; `tree_mask` bool [T, longest query] says which of its request's
    queries a row sees, by their number (speculative decoding), besides the context before them.
    A score is scale · q·k, then capped: soft_cap · tanh(score / soft_cap), then ALiBi's alibi_slopes[h] · (key -
    query position) is added. sinks [H] are scores of a key without a value. key_scale and value_scale, float32 () or
    [num_kv_heads], multiply what an fp8 cache holds. `num_splits` is a matter of speed and changes nothing.

    Return the output [T, H, Dv] in the query's dtype, in `output` where that is given, and the log-sum-exp [T, H] of
    the scores, the sink's included, base e. A query that sees no key gives zeros, and -inf or its sink; one that holds
    NaN gives NaN, if it sees any. Scores and sums are in float32 at least, as in every kernel.

    Arguments may lie anyhow: column-major tables, strided lengths, expanded sinks, offsets past 2**31 elements; of an
    output that is given no two elements are one.
    """
    exact = torch.promote_types(query.dtype, torch.float32)
    shape = (len(query), query.shape[1], value_cache.shape[-1])
    result = query.new_zeros(shape) if output is None else output.zero_()
    lse = query.new_full(shape[:2], float("-inf"), dtype=exact)
    bounds = query_start.tolist()
    for request, length in enumerate(context_lens.tolist()):
        rows = slice(bounds[request], bounds[request + 1])
        if rows.start == rows.stop:
            continue
        first = length - (rows.stop - rows.start)
        position_Q = torch.arange(first, length, device=query.device)
        # Keys that no query sees are not read: they may be freed, and hold anything.
        oldest = 0 if window is None else max(0, first - window + 1)
        slot_S = torch.arange(oldest, max(length, oldest), device=query.device)
        seen_QS = _see(position_Q, slot_S, causal, window)
        if tree_mask is not None:
            seen_QS &= _see_in_tree(tree_mask[rows], slot_S - first)
        q_QHD = query[rows].to(exact)
        k_SHD, v_SHD = (
            _gather(cache, block_table[request], slot_S, scale_of, q_QHD)
            for cache, scale_of in ((key_cache, key_scale), (value_cache, value_scale))
        )
        s_HQS = torch.einsum("qhd,shd->hqs", q_QHD, k_SHD) * scale
        if soft_cap is not None:
            s_HQS = soft_cap * torch.tanh(s_HQS / soft_cap)
        if alibi_slopes is not None:
            s_HQS = s_HQS + alibi_slopes.to(exact)[:, None, None] * (slot_S - position_Q[:, None])
        result[rows], lse[rows] = _attend(s_HQS.masked_fill(~seen_QS, float("-inf")), v_SHD, sinks, query.dtype)
    return result, lse


def _see(position_Q: Tensor, slot_S: Tensor, causal: bool, window: int | None) -> Tensor:
    """Return the mask [Q, S]: not after the query where that matters, and no further back than the window."""
    distance_QS = position_Q[:, None] - slot_S
    seen_QS = distance_QS >= 0 if causal else torch.ones_like(distance_QS, dtype=torch.bool)
    return seen_QS if window is None else seen_QS & (distance_QS < window)


def _see_in_tree(tree_QN: Tensor, number_S: Tensor) -> Tensor:
    """Return the mask [Q, S]: what is before the first query (numbers below 0), and of the queries what is marked."""
    return (number_S < 0) | tree_QN[:, number_S.clamp(min=0)]


def _gather(cache_NPKD: Tensor, block_ids: Tensor, slot_S: Tensor, scale: Tensor | None, q_QHD: Tensor) -> Tensor:
    """Return the cached rows at logical positions `slot_S`, one for each query head: [S, H, D] in the query's dtype."""
    block_size, kv_heads = cache_NPKD.shape[1], cache_NPKD.shape[2]
    rows_SKD = cache_NPKD[block_ids[slot_S // block_size].long(), slot_S % block_size].to(q_QHD.dtype)
    if scale is not None:
        rows_SKD = rows_SKD * scale.to(q_QHD.dtype).expand(kv_heads)[:, None]
    return rows_SKD.repeat_interleave(q_QHD.shape[1] // kv_heads, dim=1)


def _attend(s_HQS: Tensor, v_SHD: Tensor, sinks_H: Tensor | None, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
    """Return softmax(s) · v [Q, H, D] and log-sum-exp [Q, H]; a row that sees nothing gives 0 and -inf or its sink."""
    if sinks_H is not None:
        column_HQ1 = sinks_H.to(s_HQS.dtype)[:, None, None].expand(-1, s_HQS.shape[1], 1)
        s_HQS = torch.cat((s_HQS, column_HQ1), dim=-1)
    lse_HQ = torch.logsumexp(s_HQS, dim=-1)
    p_HQS = torch.softmax(s_HQS, dim=-1).masked_fill(lse_HQ.isneginf()[..., None], 0.0)
    out_QHD = torch.einsum("hqs,shd->qhd", p_HQS[..., : len(v_SHD)], v_SHD)
    return out_QHD.to(dtype), lse_HQ.T


def magnitude(
    query: Tensor, key_cache: Tensor, value_cache: Tensor, *rest: Tensor, **options: Any
) -> tuple[Tensor, Tensor]:
    """Return the softmax-weighted sum of |v| [T, H, Dv], and for the log-sum-exp the largest sum of absolute terms."""
    given = {name: value for name, value in options.items() if name != "output"}
    weighted, lse = paged_attention(query, key_cache, value_cache.abs(), *rest, **given)
    plain = {name: value for name, value in given.items() if name not in ("soft_cap", "alibi_slopes", "sinks")}
    _, reach = paged_attention(query.abs(), key_cache.abs(), value_cache, *rest, **plain)
    return weighted, lse.abs().maximum(reach).nan_to_num(neginf=0.0, posinf=0.0)
