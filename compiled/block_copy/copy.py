"""Copy whole blocks of a paged cache in Triton, whatever their strides.

Shape suffixes: N physical blocks, P slots of a block, K key-value heads, D columns of a key or value.
"""

# pyright: basic, reportArgumentType=false, reportCallIssue=false

import triton
import triton.language as tl
from torch import Tensor

_TILE = 1024
"""Elements that one program copies."""


@triton.jit(do_not_specialize=["stride_N", "stride_pair", "stride_side"])
def copy_kernel(
    cache_NPKD, pairs, stride_N, stride_P, stride_K, stride_D, stride_pair, stride_side, elements,
    HEADS: tl.constexpr, HEAD_DIM: tl.constexpr, TILE: tl.constexpr,
):  # fmt: skip
    """Copy a tile of one block; grid (pairs, tiles). `elements` is those of a block."""
    pair = tl.program_id(0).to(tl.int64)
    source = tl.load(pairs + pair * stride_pair)
    target = tl.load(pairs + pair * stride_pair + stride_side)
    element = tl.program_id(1).to(tl.int64) * TILE + tl.arange(0, TILE)
    column, head, slot = element % HEAD_DIM, element // HEAD_DIM % HEADS, element // (HEAD_DIM * HEADS)
    offset = slot * stride_P + head * stride_K + column * stride_D
    live = element < elements
    data = tl.load(cache_NPKD + source * stride_N + offset, mask=live)
    tl.store(cache_NPKD + target * stride_N + offset, data, mask=live)


def block_copy(key_cache: Tensor, value_cache: Tensor, pairs: Tensor) -> None:
    """Copy blocks of both caches in place; arguments as the reference's.

    key_cache and value_cache [num_blocks, block_size, num_kv_heads, D] and pairs int64 [P, 2], all of any strides.
    """
    if len(pairs) == 0:  # CUDA refuses an empty grid
        return
    for cache in (key_cache, value_cache):
        elements = cache.shape[1:].numel()
        copy_kernel[(len(pairs), triton.cdiv(elements, _TILE))](
            cache, pairs, *cache.stride(), *pairs.stride(), elements,
            HEADS=cache.shape[2], HEAD_DIM=cache.shape[3], TILE=_TILE,
        )  # fmt: skip
