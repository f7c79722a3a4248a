"""Writing new keys and values into a paged cache (vLLM's reshape_and_cache)."""

import torch
from torch import Tensor


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
    """Write each token's key and value into its slot of the caches, in place.

    key [T, num_kv_heads, D]; value [T, num_kv_heads, Dv]; key_cache [num_blocks, block_size, num_kv_heads, D] and
    value_cache the same with Dv; slot_mapping int64 [T]: block · block_size + slot, all different, or -1 for a token
    that is padding and is not written. key_scale and value_scale, float32 () or [num_kv_heads], divide what an fp8
    cache holds; what is beyond its largest number becomes that number, infinity too, and NaN stays NaN. Arguments may
    lie anyhow, expanded ones among them, but that no two elements of a cache are one.
    """
    kept = slot_mapping >= 0
    slots = slot_mapping[kept]
    for rows, cache, scale in ((key, key_cache, key_scale), (value, value_cache, value_scale)):
        size = cache.shape[1]
        cache[slots // size, slots % size] = _quantized(rows[kept], scale, cache.dtype)


def _quantized(rows: Tensor, scale: Tensor | None, dtype: torch.dtype) -> Tensor:
    """Return rows [T, K, D] in a cache's dtype; a cast that narrows saturates."""
    if dtype == rows.dtype:
        return rows
    scaled = rows.float() if scale is None else rows.float() / scale.expand(rows.shape[1])[:, None]
    largest = torch.finfo(dtype).max
    return scaled.clamp(-largest, largest).to(dtype)
