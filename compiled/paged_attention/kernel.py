"""The attention kernel: grouped queries of any length over a block table, each context whole or split.

Rows of a tile are (query token, head of the group) pairs, as in vLLM's unified attention; the parts of a split context
leave partial softmaxes to merge (Flash-Decoding).

Shape suffixes: T query tokens, H query heads, K key-value heads, B requests, N physical blocks, P slots of a block,
C columns of the block table, D head_dim as a large and a small part E and F, V value_dim (each padded to a power of two
inside), M rows of a tile (token, head of the group), S keys of a tile, X parts of a context, Q queries of a request.
Offsets are 64-bit: caches exceed 2**31 elements.
"""

# pyright: basic, reportArgumentType=false

import triton
import triton.language as tl

from eagerdiff.compiled.paged_attention.tiles import CONFIGS, KEY, prune

# Numbers that change from call to call are not specialised: a growing context compiles once.
_VARYING = [
    "num_tokens", "num_requests", "window", "stride_table_B", "stride_table_C", "stride_lens", "stride_start",
    "stride_slopes", "stride_sinks", "stride_tree_T", "stride_tree_Q",
]  # fmt: skip


@triton.jit
def _find_request(tile, query_start_B, stride_start, num_requests, TOKENS: tl.constexpr):
    """Return the last request whose first tile, query_start[b] // TOKENS + b, is not after `tile`.

    Rows past the last request's are those of one more, number `num_requests`.
    """
    low = tl.zeros((), tl.int32)
    high = num_requests + 1 + tl.zeros((), tl.int32)
    while high - low > 1:
        middle = (low + high) // 2
        first_tile = tl.load(query_start_B + middle.to(tl.int64) * stride_start) // TOKENS + middle
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
    q_ME, q_MF, m_M, l_M, position_M, live_M, slope_M, tree_M, first, last, first_query, table_C, key_NPD, value_NPV,
    scale, soft_cap, window, stride_table_C, stride_tree_Q,
    stride_key_N, stride_key_P, stride_key_D, stride_value_N, stride_value_P, stride_value_V,
    HEAD_DIM: tl.constexpr, VALUES: tl.constexpr, BLOCK_SIZE: tl.constexpr, CAUSAL: tl.constexpr,
    WINDOWED: tl.constexpr, SOFT_CAPPED: tl.constexpr, ALIBI: tl.constexpr, TREE: tl.constexpr,
    TILE_E: tl.constexpr, TILE_F: tl.constexpr, TILE_V: tl.constexpr, TILE_M: tl.constexpr, TILE_S: tl.constexpr,
):  # fmt: skip
    """Attend over keys first to last - 1 of a request, from row maxima and sums [M] on.

    Return the unscaled sum [M, V], row maxima and sums [M]. The request's own queries stand at `first_query` and after.
    """
    column_E = tl.arange(0, TILE_E).to(tl.int64)
    column_F = TILE_E + tl.arange(0, TILE_F).to(tl.int64)
    column_V = tl.arange(0, TILE_V).to(tl.int64)
    acc_MV = tl.zeros([TILE_M, TILE_V], tl.float32)
    for start in range((first // TILE_S) * TILE_S, last, TILE_S):
        position_S = start + tl.arange(0, TILE_S)
        live_S = (position_S >= first) & (position_S < last)
        block_S = tl.load(table_C + (position_S // BLOCK_SIZE).to(tl.int64) * stride_table_C, mask=live_S, other=0)
        block_S = block_S.to(tl.int64)
        slot_S = (position_S % BLOCK_SIZE).to(tl.int64)

        key_S = key_NPD + (block_S * stride_key_N + slot_S * stride_key_P)
        live_SE = live_S[:, None] & (column_E < HEAD_DIM)[None, :]
        k_SE = tl.load(key_S[:, None] + column_E[None, :] * stride_key_D, mask=live_SE, other=0.0).to(q_ME.dtype)
        s_MS = tl.dot(q_ME, tl.trans(k_SE), input_precision="ieee")
        if HEAD_DIM > TILE_E:
            live_SF = live_S[:, None] & (column_F < HEAD_DIM)[None, :]
            k_SF = tl.load(key_S[:, None] + column_F[None, :] * stride_key_D, mask=live_SF, other=0.0).to(q_ME.dtype)
            s_MS += tl.dot(q_MF, tl.trans(k_SF), input_precision="ieee")
        s_MS *= scale
        if SOFT_CAPPED:
            s_MS = soft_cap * _tanh(s_MS / soft_cap)
        distance_MS = position_M[:, None] - position_S[None, :]
        if ALIBI:
            s_MS -= slope_M[:, None] * distance_MS
        seen_MS = live_M[:, None] & live_S[None, :]
        if CAUSAL:
            seen_MS = seen_MS & (distance_MS >= 0)
        if WINDOWED:
            seen_MS = seen_MS & (distance_MS < window)
        if TREE:
            query_S = position_S - first_query
            asked_MS = seen_MS & (query_S >= 0)[None, :]
            tree_MS = tree_M[:, None] + query_S.to(tl.int64)[None, :] * stride_tree_Q
            seen_MS = seen_MS & (tl.load(tree_MS, mask=asked_MS, other=1) != 0)
        s_MS = tl.where(seen_MS, s_MS, float("-inf"))

        new_m_M = tl.maximum(m_M, tl.max(s_MS, 1))
        # A row that has seen nothing keeps -inf; 0 stands in for it, as -inf - -inf is NaN.
        pivot_M = tl.where(new_m_M == float("-inf"), 0.0, new_m_M)
        p_MS = tl.exp(s_MS - pivot_M[:, None])
        rescale_M = tl.exp(m_M - pivot_M)
        l_M = l_M * rescale_M + tl.sum(p_MS, 1)
        value_S = value_NPV + (block_S * stride_value_N + slot_S * stride_value_P)
        # Masked to 0, not merely weighted by 0: freed slots may hold NaN.
        live_SV = live_S[:, None] & (column_V < VALUES)[None, :]
        v_SV = tl.load(value_S[:, None] + column_V[None, :] * stride_value_V, mask=live_SV, other=0.0).to(q_ME.dtype)
        acc_MV = acc_MV * rescale_M[:, None]
        acc_MV += tl.dot(p_MS.to(v_SV.dtype), v_SV, input_precision="ieee")
        m_M = new_m_M
    return acc_MV, m_M, l_M


@triton.autotune(configs=CONFIGS, key=KEY, prune_configs_by={"early_config_prune": prune})
@triton.jit(do_not_specialize=_VARYING)
def attention_kernel(
    output_THV, lse_TH, partial_XTHV, maximum_XTH, total_XTH, query_THD, key_NPKD, value_NPKV, table_BC,
    context_lens_B, query_start_B, slopes_H, sinks_H, key_scale_K, value_scale_K, tree_TQ,
    num_tokens, num_requests, scale, soft_cap, window, stride_table_B, stride_table_C, stride_lens, stride_start,
    stride_slopes, stride_sinks, stride_tree_T, stride_tree_Q,
    stride_output_T, stride_output_H, stride_output_V, stride_query_T, stride_query_H, stride_query_D,
    stride_key_N, stride_key_P, stride_key_K, stride_key_D,
    stride_value_N, stride_value_P, stride_value_K, stride_value_V, stride_key_scale, stride_value_scale,
    HEAD_DIM: tl.constexpr, VALUE_DIM: tl.constexpr, GROUP: tl.constexpr, HEADS: tl.constexpr,
    BLOCK_SIZE: tl.constexpr, CAUSAL: tl.constexpr, WINDOWED: tl.constexpr, SOFT_CAPPED: tl.constexpr,
    ALIBI: tl.constexpr, SINKS: tl.constexpr, KEYS_SCALED: tl.constexpr, VALUES_SCALED: tl.constexpr,
    TREE: tl.constexpr, SPLITS: tl.constexpr, PREFILL: tl.constexpr, LARGE: tl.constexpr, VALUE_TILES: tl.constexpr,
    TILE_E: tl.constexpr, TILE_F: tl.constexpr, TILE_V: tl.constexpr, TILE_M: tl.constexpr, TILE_S: tl.constexpr,
):  # fmt: skip
    """Attend for a tile of query rows, HEADS of the group of a key-value head, a tile of value columns and a part of
    the context.

    Grid (tiles of rows, K · cdiv(GROUP, HEADS) · VALUE_TILES, SPLITS).
    """
    TOKENS: tl.constexpr = TILE_M // HEADS
    HEAD_TILES: tl.constexpr = (GROUP + HEADS - 1) // HEADS
    tile = tl.program_id(0)
    kv_head = tl.program_id(1) // (VALUE_TILES * HEAD_TILES)
    first_head = tl.program_id(1) // VALUE_TILES % HEAD_TILES * HEADS
    first_value = tl.program_id(1) % VALUE_TILES * TILE_V
    split = tl.program_id(2)
    num_heads = tl.num_programs(1) // (VALUE_TILES * HEAD_TILES) * GROUP
    request = _find_request(tile, query_start_B, stride_start, num_requests, TOKENS)
    somebody = request < num_requests
    start_B = query_start_B + request.to(tl.int64) * stride_start
    row_start = tl.load(start_B)
    row_end = tl.load(start_B + stride_start, mask=somebody, other=0)
    query_len = tl.where(somebody, row_end, num_tokens) - row_start
    first_token = (tile - row_start // TOKENS - request) * TOKENS
    if first_token >= query_len:
        return

    # The queries stand at the end of the context.
    context_len = tl.load(context_lens_B + request.to(tl.int64) * stride_lens, mask=somebody, other=0)
    first_query = context_len - query_len
    last = context_len
    if CAUSAL:
        last = tl.minimum(context_len, first_query + first_token + TOKENS)
    first = tl.zeros((), tl.int32)
    if WINDOWED:
        first = tl.maximum(0, first_query + first_token - window + 1)
    if SPLITS > 1:
        share = tl.cdiv(tl.cdiv(tl.maximum(last - first, 0), TILE_S), SPLITS) * TILE_S
        first = first + split * share
        last = tl.minimum(last, first + share)
        if (first >= last) & (split > 0):  # its maximum stays -inf: the merge does not look further
            return

    row_M = tl.arange(0, TILE_M)
    token_M = first_token + row_M // HEADS
    member_M = first_head + row_M % HEADS
    live_M = (row_M < TOKENS * HEADS) & (token_M < query_len) & (member_M < GROUP)
    head_M = kv_head * GROUP + member_M.to(tl.int64)
    index_M = (row_start + token_M).to(tl.int64)
    query_M = query_THD + (index_M * stride_query_T + head_M * stride_query_H)
    column_E = tl.arange(0, TILE_E).to(tl.int64)
    live_ME = live_M[:, None] & (column_E < HEAD_DIM)[None, :]
    q_ME = tl.load(query_M[:, None] + column_E[None, :] * stride_query_D, mask=live_ME, other=0.0)
    q_MF = q_ME
    if HEAD_DIM > TILE_E:
        column_F = TILE_E + tl.arange(0, TILE_F).to(tl.int64)
        live_MF = live_M[:, None] & (column_F < HEAD_DIM)[None, :]
        q_MF = tl.load(query_M[:, None] + column_F[None, :] * stride_query_D, mask=live_MF, other=0.0)

    m_M = tl.full([TILE_M], float("-inf"), tl.float32)
    l_M = tl.zeros([TILE_M], tl.float32)
    if SINKS:  # a key without a value, seen once
        sunk_M = live_M & somebody & (split == 0)
        m_M = tl.load(sinks_H + head_M * stride_sinks, mask=sunk_M, other=float("-inf")).to(tl.float32)
        l_M = tl.where(m_M > float("-inf"), 1.0, 0.0)
    slope_M = m_M
    if ALIBI:
        slope_M = tl.load(slopes_H + head_M * stride_slopes, mask=live_M, other=0.0).to(tl.float32)
    if KEYS_SCALED:
        scale *= tl.load(key_scale_K + kv_head * stride_key_scale)
    acc_MV, m_M, l_M = _attend(
        q_ME, q_MF, m_M, l_M, first_query + token_M, live_M, slope_M, tree_TQ + index_M * stride_tree_T,
        first, last, first_query, table_BC + request.to(tl.int64) * stride_table_B,
        key_NPKD + kv_head.to(tl.int64) * stride_key_K,
        value_NPKV + (kv_head.to(tl.int64) * stride_value_K + first_value * stride_value_V),
        scale, soft_cap, window, stride_table_C, stride_tree_Q,
        stride_key_N, stride_key_P, stride_key_D, stride_value_N, stride_value_P, stride_value_V,
        HEAD_DIM, VALUE_DIM - first_value, BLOCK_SIZE, CAUSAL, WINDOWED, SOFT_CAPPED, ALIBI, TREE,
        TILE_E, TILE_F, TILE_V, TILE_M, TILE_S,
    )  # fmt: skip
    if VALUES_SCALED:
        acc_MV *= tl.load(value_scale_K + kv_head * stride_value_scale)

    column_V = first_value + tl.arange(0, TILE_V).to(tl.int64)
    live_MV = live_M[:, None] & (column_V < VALUE_DIM)[None, :]
    # Rows' maxima and sums are those of every tile of their columns: one of the programs writes them.
    once_M = live_M & (first_value == 0)
    if SPLITS > 1:
        part_M = (split.to(tl.int64) * num_tokens + index_M) * num_heads + head_M
        tl.store(partial_XTHV + part_M[:, None] * VALUE_DIM + column_V[None, :], acc_MV, mask=live_MV)
        # A maximum passes NaN over: the merge must not take such a row for one that saw nothing.
        tl.store(maximum_XTH + part_M, tl.where(l_M == l_M, m_M, l_M), mask=once_M)
        tl.store(total_XTH + part_M, l_M, mask=once_M)
    else:
        out_MV = acc_MV / tl.where(l_M == 0.0, 1.0, l_M)[:, None]
        output_M = output_THV + (index_M * stride_output_T + head_M * stride_output_H)
        output_MV = output_M[:, None] + column_V[None, :] * stride_output_V
        tl.store(output_MV, out_MV.to(output_THV.dtype.element_ty), live_MV)
        tl.store(lse_TH + index_M * num_heads + head_M, m_M + tl.log(l_M), once_M)
