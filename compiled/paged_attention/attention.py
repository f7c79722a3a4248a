"""Paged attention in Triton: what the kernel is launched with, a context whole or in parts."""

# pyright: basic, reportArgumentType=false, reportCallIssue=false, reportReturnType=false

import torch
import triton
from torch import Tensor

from eagerdiff.compiled.cascade_merge.merge import merge
from eagerdiff.compiled.paged_attention.kernel import attention_kernel
from eagerdiff.compiled.paged_attention.tiles import Tiles

NUM_SPLITS = 4
"""Parts of a context where the caller leaves their number open."""


def varlen_attention(*tensors: Tensor, num_splits: int = 0, **options) -> tuple[Tensor, Tensor]:
    """Compute paged attention in one pass, whatever `num_splits`; arguments and result as the reference's."""
    return _attend(1, *tensors, **options)


def split_attention(*tensors: Tensor, num_splits: int = 0, **options) -> tuple[Tensor, Tensor]:
    """Compute paged attention with each context split between `num_splits` programs; else as the reference."""
    return _attend(num_splits or NUM_SPLITS, *tensors, **options)


def invariant_attention(*tensors: Tensor, num_splits: int = 0, **options) -> tuple[Tensor, Tensor]:
    """Compute paged attention in one pass, by the same tiles whatever the batch; else as the reference."""
    return _attend(1, *tensors, fixed=True, **options)


def _attend(
    splits, query, key_cache, value_cache, block_table, context_lens, query_start, *, scale, causal=True, window=None,
    soft_cap=None, alibi_slopes=None, sinks=None, key_scale=None, value_scale=None, tree_mask=None, output=None,
    fixed=False,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    num_tokens, num_heads, head_dim = query.shape
    num_requests, num_kv_heads, value_dim = len(context_lens), key_cache.shape[2], value_cache.shape[3]
    output = query.new_empty((num_tokens, num_heads, value_dim)) if output is None else output
    lse = query.new_empty((num_tokens, num_heads), dtype=torch.float32)
    if num_tokens == 0:  # CUDA refuses an empty grid
        return output, lse
    group = num_heads // num_kv_heads
    room = block_table.numel() * key_cache.shape[1] * num_kv_heads
    tiles = Tiles.of(head_dim, value_dim, group, num_tokens, num_requests, room, fixed=fixed)
    value_tiles = triton.cdiv(value_dim, tiles.V)
    programs = num_kv_heads * triton.cdiv(group, tiles.heads) * value_tiles
    partial, maximum, total = _parts(splits, output, lse)
    # What is not there is not read; any tensor stands in for it.
    key_scale_K, value_scale_K = (_by_head(one, num_kv_heads, lse) for one in (key_scale, value_scale))

    def grid(chosen: dict[str, int]) -> tuple[int, int, int]:
        tokens = chosen["TILE_M"] // tiles.heads
        return num_tokens // tokens + num_requests + 1, programs, splits

    attention_kernel[grid](
        output, lse, partial, maximum, total, query, key_cache, value_cache, block_table, context_lens, query_start,
        _or(alibi_slopes, lse), _or(sinks, lse), key_scale_K, value_scale_K,
        lse if tree_mask is None else tree_mask.view(torch.uint8),
        num_tokens, num_requests, scale, soft_cap or 0.0, window or 0,
        *block_table.stride(), context_lens.stride(0), query_start.stride(0), _stride(alibi_slopes), _stride(sinks),
        *((0, 0) if tree_mask is None else tree_mask.stride()), *output.stride(), *query.stride(),
        *key_cache.stride(), *value_cache.stride(), key_scale_K.stride(0), value_scale_K.stride(0),
        HEAD_DIM=head_dim, VALUE_DIM=value_dim, GROUP=group, HEADS=tiles.heads,
        BLOCK_SIZE=key_cache.shape[1], CAUSAL=causal,
        WINDOWED=window is not None, SOFT_CAPPED=soft_cap is not None, ALIBI=alibi_slopes is not None,
        SINKS=sinks is not None, KEYS_SCALED=key_scale is not None, VALUES_SCALED=value_scale is not None,
        TREE=tree_mask is not None, SPLITS=splits, PREFILL=tiles.prefill, LARGE=tiles.large, VALUE_TILES=value_tiles,
        TILE_E=tiles.E, TILE_F=tiles.F, TILE_V=tiles.V,
    )  # fmt: skip
    if splits > 1:
        merge(output, lse, partial, maximum, total)
    return output, lse


def _parts(splits: int, output: Tensor, lse: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Return float32 scratch: sums [X, T, H, V], maxima and totals [X, T, H]; unused where nothing is split."""
    if splits == 1:
        return lse, lse, lse
    sums = lse.new_empty((splits, *output.shape))
    return sums, lse.new_full((splits, *lse.shape), float("-inf")), lse.new_empty((splits, *lse.shape))


def _by_head(scale: Tensor | None, num_kv_heads: int, other: Tensor) -> Tensor:
    """Return a scale [num_kv_heads], of stride 0 where one serves all."""
    return (other[0, 0] if scale is None else scale).expand(num_kv_heads)


def _stride(tensor: Tensor | None) -> int:
    return 0 if tensor is None else tensor.stride(0)


def _or(tensor: Tensor | None, other: Tensor) -> Tensor:
    return other if tensor is None else tensor
