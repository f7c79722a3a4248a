"""Write new keys and values into a paged cache in Triton, quantising to fp8 on the way.

Shape suffixes: T tokens, K key-value heads, D columns of a key or value, N physical blocks, P slots of a block.
"""

# pyright: basic, reportArgumentType=false, reportCallIssue=false

import torch
import triton
import triton.language as tl
from torch import Tensor

_TILE = 1024
"""Elements of a token's row that one program takes."""


# A batch or a pool of one has strides of its own.
@triton.jit(do_not_specialize=["stride_row_T", "stride_cache_N", "stride_slot"])
def write_kernel(
    rows_TKD, cache_NPKD, slot_T, scale_K, stride_row_T, stride_row_K, stride_row_D, stride_cache_N, stride_cache_P,
    stride_cache_K, stride_cache_D, stride_slot, stride_scale, num_heads,
    LARGEST: tl.constexpr, HEAD_DIM: tl.constexpr, BLOCK_SIZE: tl.constexpr, QUANTIZED: tl.constexpr,
    TILE_K: tl.constexpr, TILE_D: tl.constexpr,
):  # fmt: skip
    """Write one token's row for a tile of heads; grid (T, tiles of heads)."""
    token = tl.program_id(0).to(tl.int64)
    slot = tl.load(slot_T + token * stride_slot)
    if slot < 0:  # padding
        return
    head_K = tl.program_id(1) * TILE_K + tl.arange(0, TILE_K).to(tl.int64)
    column_D = tl.arange(0, TILE_D).to(tl.int64)
    live_KD = (head_K < num_heads)[:, None] & (column_D < HEAD_DIM)[None, :]
    row_K = rows_TKD + (token * stride_row_T + head_K * stride_row_K)
    x_KD = tl.load(row_K[:, None] + column_D[None, :] * stride_row_D, mask=live_KD, other=0.0)
    if QUANTIZED:
        scale = tl.load(scale_K + head_K * stride_scale, mask=head_K < num_heads, other=1.0)
        x_KD = tl.div_rn(x_KD.to(tl.float32), tl.broadcast_to(scale[:, None], [TILE_K, TILE_D]))
        x_KD = tl.where(tl.abs(x_KD) > LARGEST, tl.where(x_KD < 0, -LARGEST, LARGEST), x_KD)
    cell_K = cache_NPKD + (
        slot // BLOCK_SIZE * stride_cache_N + slot % BLOCK_SIZE * stride_cache_P + head_K * stride_cache_K
    )
    cell_KD = cell_K[:, None] + column_D[None, :] * stride_cache_D
    tl.store(cell_KD, x_KD.to(cache_NPKD.dtype.element_ty), live_KD)


def cache_write(
    key: Tensor,
    value: Tensor,
    key_cache: Tensor,
    value_cache: Tensor,
    slot_mapping: Tensor,
    *,
    key_scale: Tensor | None = None,
    value_scale: Tensor | None = None,
) -> None:
    """Write each token's key and value into its slot; arguments as the reference's, of any strides.

    key [T, num_kv_heads, D], value [T, num_kv_heads, Dv]; slot_mapping [T]: below 0 for padding.
    """
    if len(slot_mapping) == 0:  # CUDA refuses an empty grid
        return
    for rows, cache, scale in ((key, key_cache, key_scale), (value, value_cache, value_scale)):
        _, num_heads, head_dim = rows.shape
        tile_D = triton.next_power_of_2(head_dim)
        tile_K = min(triton.next_power_of_2(num_heads), max(1, _TILE // tile_D))
        scale_K = (rows.new_ones((), dtype=torch.float32) if scale is None else scale).expand(num_heads)
        write_kernel[(len(rows), triton.cdiv(num_heads, tile_K))](
            rows, cache, slot_mapping, scale_K, *rows.stride(), *cache.stride(), *slot_mapping.stride(),
            *scale_K.stride(), num_heads,
            LARGEST=torch.finfo(cache.dtype).max, HEAD_DIM=head_dim, BLOCK_SIZE=cache.shape[1],
            QUANTIZED=cache.dtype != rows.dtype, TILE_K=tile_K, TILE_D=tile_D,
        )  # fmt: skip
