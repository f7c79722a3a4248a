"""Paged attention in Triton: grouped-query decode, verification and prefill over a block table, whole or split.

Rows of a tile are (query token, head of the group) pairs, as in vLLM's unified attention; `split_decode` divides a
long context between programs and merges their partial softmaxes (Flash-Decoding).

Shape suffixes: T query tokens, H query heads, K key-value heads, B requests, N physical blocks, P slots of a block,
C columns of the block table, D head_dim (padded to a power of two inside kernels), M rows of a tile (token, head of
the group), S keys of a tile, X splits of a context. Offsets are 64-bit: caches exceed 2**31 elements.
"""

# pyright: basic, reportArgumentType=false

import torch
import triton
import triton.language as tl
from torch import Tensor

NUM_SPLITS = 3
"""Programs that share one context in `split_decode`."""

# Numbers that change from call to call are not specialised: a growing context compiles once.
_VARYING = ["num_tokens", "num_requests", "window", "stride_table_B"]


@triton.jit
def _find_request(tile, query_start_B, num_requests, TOKENS: tl.constexpr):
    """Return the last request whose first tile, query_start[b] // TOKENS + b, is not after `tile`."""
    low = tl.zeros((), tl.int32)
    high = num_requests + tl.zeros((), tl.int32)
    while high - low > 1:
        middle = (low + high) // 2
        first_tile = tl.load(query_start_B + middle) // TOKENS + middle
        if first_tile <= tile:
            low = middle
        else:
            high = middle
    return low


@triton.jit
def _tanh(x):
    """Return tanh: a series near 0, where the quotient cancels; exp of negatives alone, so that nothing overflows."""
    near = tl.where(tl.abs(x) < 0.25, x, 0.0)
    square = near * near
    series = near * (1 + square * (-1 / 3 + square * (2 / 15 + square * (-17 / 315 + square * (62 / 2835)))))
    decay = tl.exp(-2 * tl.abs(x))
    quotient = (1 - decay) / (1 + decay)
    return tl.where(tl.abs(x) < 0.25, series, tl.where(x < 0, -quotient, quotient))


@triton.jit
def _attend(
    q_MD, position_M, first, last, table_C, key_NPD, value_NPD, scale, soft_cap, window,
    stride_key_N, stride_key_P, stride_key_D, stride_value_N, stride_value_P, stride_value_D,
    HEAD_DIM: tl.constexpr, BLOCK_SIZE: tl.constexpr, WINDOWED: tl.constexpr, SOFT_CAPPED: tl.constexpr,
    TILE_D: tl.constexpr, TILE_M: tl.constexpr, TILE_S: tl.constexpr,
):  # fmt: skip
    """Attend over keys first to last - 1 of a request; return the unscaled sum [M, D], row maxima and sums [M]."""
    dim_D = tl.arange(0, TILE_D)
    in_head_D = dim_D < HEAD_DIM
    m_M = tl.full([TILE_M], float("-inf"), tl.float32)
    l_M = tl.zeros([TILE_M], tl.float32)
    acc_MD = tl.zeros([TILE_M, TILE_D], tl.float32)
    for start in range((first // TILE_S) * TILE_S, last, TILE_S):
        position_S = start + tl.arange(0, TILE_S)
        live_S = (position_S >= first) & (position_S < last)
        block_S = tl.load(table_C + position_S // BLOCK_SIZE, mask=live_S, other=0).to(tl.int64)
        slot_S = (position_S % BLOCK_SIZE).to(tl.int64)
        live_SD = live_S[:, None] & in_head_D[None, :]

        key_offset_S = block_S * stride_key_N + slot_S * stride_key_P
        k_SD = tl.load(key_NPD + key_offset_S[:, None] + dim_D[None, :] * stride_key_D, mask=live_SD, other=0.0)
        s_MS = tl.dot(q_MD, tl.trans(k_SD), input_precision="ieee") * scale
        if SOFT_CAPPED:
            s_MS = soft_cap * _tanh(s_MS / soft_cap)
        seen_MS = live_S[None, :] & (position_S[None, :] <= position_M[:, None])
        if WINDOWED:
            seen_MS = seen_MS & (position_M[:, None] - position_S[None, :] < window)
        s_MS = tl.where(seen_MS, s_MS, float("-inf"))

        new_m_M = tl.maximum(m_M, tl.max(s_MS, 1))
        # A row that has seen nothing keeps -inf; 0 stands in for it, as -inf - -inf is NaN.
        pivot_M = tl.where(new_m_M == float("-inf"), 0.0, new_m_M)
        p_MS = tl.exp(s_MS - pivot_M[:, None])
        rescale_M = tl.exp(m_M - pivot_M)
        l_M = l_M * rescale_M + tl.sum(p_MS, 1)
        value_offset_S = block_S * stride_value_N + slot_S * stride_value_P
        # Masked to 0, not merely weighted by 0: freed slots may hold NaN.
        v_SD = tl.load(value_NPD + value_offset_S[:, None] + dim_D[None, :] * stride_value_D, mask=live_SD, other=0.0)
        acc_MD = acc_MD * rescale_M[:, None]
        acc_MD += tl.dot(p_MS.to(v_SD.dtype), v_SD, input_precision="ieee")
        m_M = new_m_M
    return acc_MD, m_M, l_M


@triton.jit(do_not_specialize=_VARYING)
def attention_kernel(
    output_THD, partial_XTHD, maximum_XTH, total_XTH, query_THD, key_NPKD, value_NPKD, table_BC, context_lens_B,
    query_start_B, num_tokens, num_requests, scale, soft_cap, window, stride_table_B,
    stride_output_T, stride_output_H, stride_query_T, stride_query_H, stride_query_D,
    stride_key_N, stride_key_P, stride_key_K, stride_key_D,
    stride_value_N, stride_value_P, stride_value_K, stride_value_D,
    HEAD_DIM: tl.constexpr, GROUP: tl.constexpr, BLOCK_SIZE: tl.constexpr, WINDOWED: tl.constexpr,
    SOFT_CAPPED: tl.constexpr, SPLITS: tl.constexpr,
    TILE_D: tl.constexpr, TILE_M: tl.constexpr, TILE_S: tl.constexpr,
):  # fmt: skip
    """Attend for one tile of query rows, one key-value head and one split of the context; grid (tiles, K, SPLITS)."""
    TOKENS: tl.constexpr = TILE_M // GROUP
    tile = tl.program_id(0)
    kv_head = tl.program_id(1)
    split = tl.program_id(2)
    request = _find_request(tile, query_start_B, num_requests, TOKENS)
    row_start = tl.load(query_start_B + request)
    query_len = tl.load(query_start_B + request + 1) - row_start
    first_token = (tile - row_start // TOKENS - request) * TOKENS
    if first_token >= query_len:
        return

    # The queries stand at the end of the context.
    context_len = tl.load(context_lens_B + request)
    first_position = context_len - query_len + first_token
    last = tl.minimum(context_len, first_position + TOKENS)
    first = tl.zeros((), tl.int32)
    if WINDOWED:
        first = tl.maximum(0, first_position - window + 1)
    if SPLITS > 1:
        share = tl.cdiv(tl.cdiv(tl.maximum(last - first, 0), TILE_S), SPLITS) * TILE_S
        first = first + split * share
        last = tl.minimum(last, first + share)
        if first >= last:  # its maximum stays -inf: `merge_kernel` does not look further
            return

    row_M = tl.arange(0, TILE_M)
    token_M = first_token + row_M // GROUP
    live_M = (row_M < TOKENS * GROUP) & (token_M < query_len)
    head_M = kv_head * GROUP + row_M % GROUP
    dim_D = tl.arange(0, TILE_D)
    live_MD = live_M[:, None] & (dim_D < HEAD_DIM)[None, :]
    index_M = (row_start + token_M).to(tl.int64)
    query_offset_M = index_M * stride_query_T + head_M * stride_query_H
    q_MD = tl.load(query_THD + query_offset_M[:, None] + dim_D[None, :] * stride_query_D, mask=live_MD, other=0.0)
    acc_MD, m_M, l_M = _attend(
        q_MD, context_len - query_len + token_M, first, last, table_BC + request.to(tl.int64) * stride_table_B,
        key_NPKD + kv_head.to(tl.int64) * stride_key_K, value_NPKD + kv_head.to(tl.int64) * stride_value_K,
        scale, soft_cap, window,
        stride_key_N, stride_key_P, stride_key_D, stride_value_N, stride_value_P, stride_value_D,
        HEAD_DIM, BLOCK_SIZE, WINDOWED, SOFT_CAPPED, TILE_D, TILE_M, TILE_S,
    )  # fmt: skip
    if SPLITS > 1:
        part_M = (split.to(tl.int64) * num_tokens + index_M) * (tl.num_programs(1) * GROUP) + head_M
        tl.store(partial_XTHD + part_M[:, None] * HEAD_DIM + dim_D[None, :], acc_MD, mask=live_MD)
        tl.store(maximum_XTH + part_M, m_M, mask=live_M)
        tl.store(total_XTH + part_M, l_M, mask=live_M)
    else:
        out_MD = acc_MD / tl.where(l_M == 0.0, 1.0, l_M)[:, None]
        output_offset_M = index_M * stride_output_T + head_M * stride_output_H
        tl.store(
            output_THD + output_offset_M[:, None] + dim_D[None, :], out_MD.to(output_THD.dtype.element_ty), live_MD
        )


@triton.jit(do_not_specialize=["num_tokens"])
def merge_kernel(
    output_THD, partial_XTHD, maximum_XTH, total_XTH, num_tokens, stride_output_T, stride_output_H,
    NUM_HEADS: tl.constexpr, HEAD_DIM: tl.constexpr, SPLITS: tl.constexpr,
    TILE_D: tl.constexpr, TILE_H: tl.constexpr, TILE_X: tl.constexpr,
):  # fmt: skip
    """Merge the splits' partial softmaxes for one query token and a tile of heads; grid (T, tiles)."""
    token = tl.program_id(0).to(tl.int64)
    head_H = tl.program_id(1) * TILE_H + tl.arange(0, TILE_H)
    split_X = tl.arange(0, TILE_X)
    dim_D = tl.arange(0, TILE_D)
    live_H = head_H < NUM_HEADS
    in_head_D = dim_D < HEAD_DIM
    part_XH = ((split_X * num_tokens + token) * NUM_HEADS)[:, None] + head_H[None, :]
    m_XH = tl.load(maximum_XTH + part_XH, mask=(split_X < SPLITS)[:, None] & live_H[None, :], other=float("-inf"))
    # A split that saw nothing left its sums unwritten.
    live_XH = m_XH > float("-inf")
    l_XH = tl.load(total_XTH + part_XH, mask=live_XH, other=0.0)
    acc_XHD = tl.load(
        partial_XTHD + part_XH[:, :, None] * HEAD_DIM + dim_D[None, None, :],
        mask=live_XH[:, :, None] & in_head_D[None, None, :],
        other=0.0,
    )
    m_H = tl.max(m_XH, 0)
    weight_XH = tl.exp(m_XH - tl.where(m_H == float("-inf"), 0.0, m_H)[None, :])
    total_H = tl.sum(weight_XH * l_XH, 0)
    out_HD = tl.sum(weight_XH[:, :, None] * acc_XHD, 0) / tl.where(total_H == 0.0, 1.0, total_H)[:, None]
    output_HD = output_THD + token * stride_output_T + head_H[:, None] * stride_output_H + dim_D[None, :]
    tl.store(output_HD, out_HD.to(output_THD.dtype.element_ty), mask=live_H[:, None] & in_head_D[None, :])


def decode(
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
    """Compute paged attention in one pass; arguments and result as the reference's."""
    tensors = (query, key_cache, value_cache, block_table, context_lens, query_start)
    return _launch(1, *tensors, scale, window, soft_cap)


def split_decode(
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
    """Compute paged attention with each context split between NUM_SPLITS programs."""
    tensors = (query, key_cache, value_cache, block_table, context_lens, query_start)
    return _launch(NUM_SPLITS, *tensors, scale, window, soft_cap)


def _launch(
    splits, query, key_cache, value_cache, block_table, context_lens, query_start, scale, window, soft_cap
) -> Tensor:
    num_tokens, num_heads, head_dim = query.shape
    num_requests, num_kv_heads, block_size = len(context_lens), key_cache.shape[2], key_cache.shape[1]
    output_THD = query.new_empty((num_tokens, num_heads, head_dim))
    if num_tokens == 0:  # CUDA refuses an empty grid
        return output_THD
    group = num_heads // num_kv_heads
    # tl.dot takes no fewer than 16 rows.
    tile_M, tile_D = max(16, triton.next_power_of_2(group)), max(16, triton.next_power_of_2(head_dim))
    # Longer rows take half the keys: on an H200 64 keys of 128 halves read at 99 % of the copy rate, 32 at 82 %.
    tile_S = 64 if tile_D * query.element_size() <= 256 else 32
    partial_XTHD, maximum_XTH, total_XTH = _partial(splits, output_THD)
    tiles = num_tokens // (tile_M // group) + num_requests
    attention_kernel[(tiles, num_kv_heads, splits)](
        output_THD, partial_XTHD, maximum_XTH, total_XTH, query, key_cache, value_cache, block_table, context_lens,
        query_start, num_tokens, num_requests, scale, soft_cap or 0.0, window or 0, block_table.stride(0),
        output_THD.stride(0), output_THD.stride(1), *query.stride(), *key_cache.stride(), *value_cache.stride(),
        HEAD_DIM=head_dim, GROUP=group, BLOCK_SIZE=block_size, WINDOWED=window is not None,
        SOFT_CAPPED=soft_cap is not None, SPLITS=splits, TILE_D=tile_D, TILE_M=tile_M, TILE_S=tile_S,
    )  # fmt: skip
    if splits > 1:
        tile_H = min(16, triton.next_power_of_2(num_heads))
        merge_kernel[(num_tokens, triton.cdiv(num_heads, tile_H))](
            output_THD, partial_XTHD, maximum_XTH, total_XTH, num_tokens, output_THD.stride(0), output_THD.stride(1),
            NUM_HEADS=num_heads, HEAD_DIM=head_dim, SPLITS=splits,
            TILE_D=tile_D, TILE_H=tile_H, TILE_X=triton.next_power_of_2(splits),
        )  # fmt: skip
    return output_THD


def _partial(splits: int, output_THD: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Return float32 scratch for the splits: sums [X, T, H, D], maxima and totals [X, T, H]; unused for one split."""
    if splits == 1:
        return output_THD, output_THD, output_THD
    sums = output_THD.new_empty((splits, *output_THD.shape), dtype=torch.float32)
    return sums, sums.new_full(sums.shape[:-1], float("-inf")), sums.new_empty(sums.shape[:-1])
