"""Paged attention by FlexAttention: a block mask names the physical blocks of each request, nothing is gathered.

As `torch.nn.attention.experimental._paged_attention` and vLLM's back end do it: keys and values are the whole cache as
one sequence, and the mask asks which position of a request a physical slot holds.

Shape suffixes: T query tokens, B requests, Q queries of the longest request, N physical blocks, C columns of the block
table, H query heads, D head_dim.
"""

from collections.abc import Callable
from typing import Any, cast

import torch
from torch import Tensor
from torch.nn.attention.flex_attention import BlockMask, flex_attention

from eagerdiff.compiled.paged_attention.padding import longest, pad_queries, unpad_rows

_ROWS = 128
"""Queries that an entry of the block mask stands for."""


def build(case: Any) -> Callable[..., tuple[Tensor, None]]:
    """Compile FlexAttention for a workload, its sizes dynamic from the first call on.

    What is built has arguments and output as the reference's; see `paged`.
    """
    return paged(torch.compile(flex_attention, dynamic=True, fullgraph=True))


def paged(attention: Callable[..., Any]) -> Callable[..., tuple[Tensor, None]]:
    """Return paged attention by `flex_attention` or what compiles it.

    Its arguments and output [T, H, Dv] are as the reference's; in place of the log-sum-exp it returns None.
    """

    def attend(query: Tensor, *rest: Tensor, num_splits: int = 0, **options: Any) -> tuple[Tensor, None]:
        *_, table, _, bounds = rest
        if len(query) == 0 or len(table) == 0:
            return query.new_zeros(*query.shape[:2], rest[1].shape[-1]), None
        return flex_paged_attention(attention, query, *rest, most=longest(bounds), **options), None

    return attend


def flex_paged_attention(
    attention: Callable[..., Any],
    query: Tensor,
    key_cache: Tensor,
    value_cache: Tensor,
    block_table: Tensor,
    context_lens: Tensor,
    query_start: Tensor,
    *,
    scale: float,
    most: int,
    causal: bool = True,
    window: int | None = None,
    soft_cap: float | None = None,
    alibi_slopes: Tensor | None = None,
    tree_mask: Tensor | None = None,
) -> Tensor:
    """Compute paged attention [T, H, Dv]; arguments as the reference's, `most` the most queries of any request.

    What is masked is weighted by 0 and not skipped: every slot of a block that is read must hold a finite number.
    """
    block_size = key_cache.shape[1]
    queries_B = query_start[1:] - query_start[:-1]
    first_B = context_lens - queries_B
    used_BC = torch.arange(block_table.shape[1], device=query.device) * block_size < context_lens[:, None]
    position_BN = _first_positions(block_table, used_BC, key_cache.shape[0], block_size)

    def see(b: Tensor, h: Tensor, q: Tensor, slot: Tensor) -> Tensor:
        start = position_BN[b, slot // block_size]
        distance = first_B[b] + q - start - slot % block_size
        seen = (start >= 0) & (start + slot % block_size < context_lens[b])
        if causal:
            seen = seen & (distance >= 0)
        if window is not None:
            seen = seen & (distance < window)
        if tree_mask is not None and tree_mask.shape[1]:
            row = (query_start[b] + q).clamp(max=tree_mask.shape[0] - 1)
            seen = seen & ((distance > q) | tree_mask[row, (q - distance).clamp(0, tree_mask.shape[1] - 1)])
        return seen

    def change(score: Tensor, b: Tensor, h: Tensor, q: Tensor, slot: Tensor) -> Tensor:
        if soft_cap is not None:
            score = soft_cap * torch.tanh(score / soft_cap)
        if alibi_slopes is not None:
            distance = first_B[b] + q - position_BN[b, slot // block_size] - slot % block_size
            score = score - alibi_slopes[h] * distance
        return score

    tiles = (most + _ROWS - 1) // _ROWS
    blocks = BlockMask.from_kv_blocks(
        used_BC.sum(1).int()[:, None, None].expand(-1, 1, tiles),
        _widened(block_table.where(used_BC, 0), key_cache.shape[0])[:, None, None].expand(-1, 1, tiles, -1),
        BLOCK_SIZE=(_ROWS, block_size),
        mask_mod=see,
        seq_lengths=(most, key_cache.shape[0] * block_size),
        compute_q_blocks=False,
    )
    q_BHQD = pad_queries(query, query_start, most)
    k_1KSD, v_1KSD = (cache.flatten(0, 1).transpose(0, 1)[None] for cache in (key_cache, value_cache))
    found = attention(
        q_BHQD,
        k_1KSD,
        v_1KSD,
        score_mod=change if soft_cap is not None or alibi_slopes is not None else None,
        block_mask=blocks,
        scale=scale,
        enable_gqa=True,
    )
    return unpad_rows(cast("Tensor", found), query_start, query.shape[0])


def _first_positions(table_BC: Tensor, used_BC: Tensor, num_blocks: int, block_size: int) -> Tensor:
    """Return the position [B, N] of the first token that a physical block holds for a request; below 0 for none."""
    start_BC = (torch.arange(table_BC.shape[1], device=table_BC.device) * block_size).expand(table_BC.shape)
    home_BC = table_BC.where(used_BC, num_blocks).long()
    starts = torch.full((table_BC.shape[0], num_blocks + 1), -1, dtype=torch.long, device=table_BC.device)
    return starts.scatter(1, home_BC, start_BC)[:, :-1]


def _widened(table_BC: Tensor, num_blocks: int) -> Tensor:
    """Return the table with a column a physical block, [B, N], as the mask is checked; what is cut off is not used."""
    more = max(0, num_blocks - table_BC.shape[1])
    return torch.nn.functional.pad(table_BC, (0, more))[:, :num_blocks]
