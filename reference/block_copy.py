"""Copying whole blocks of a paged cache (vLLM's copy_blocks): what copy on write does to memory."""

from torch import Tensor


def block_copy(key_cache: Tensor, value_cache: Tensor, pairs: Tensor) -> None:
    """Copy blocks of both caches in place.

    key_cache and value_cache [num_blocks, block_size, num_kv_heads, D]; pairs int64 [P, 2]: (from, to). No block is
    the target of two pairs, or source of one and target of another. Arguments may lie anyhow, but that no two elements
    of a cache are one.
    """
    for cache in (key_cache, value_cache):
        cache[pairs[:, 1]] = cache[pairs[:, 0]]
