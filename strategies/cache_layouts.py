"""Memory layouts of a paged cache: how keys and values [num_blocks, block_size, num_kv_heads, D] lie in memory."""

import torch
from torch import Tensor

from eagerdiff.strategies.layouts import spread


def lay_out_caches(keys: Tensor, values: Tensor, layout: str) -> tuple[Tensor, Tensor]:
    """Return keys and values [num_blocks, block_size, num_kv_heads, D] with the strides of a layout.

    What lies between their rows is NaN. nhd: contiguous; hnd: heads before slots; interleaved: unbound from one buffer,
    or halves of its rows where their widths differ; padded_head: rows further apart than their width, those of values
    further than those of keys; layer_slice: one layer of a buffer of three; latent: values are the first columns of
    keys; far: the last block 2**31 elements behind the first (`spread`). Raises ValueError for another layout.
    """
    if layout == "nhd":
        return keys, values
    if layout == "hnd":
        return _heads_first(keys), _heads_first(values)
    if layout == "interleaved":
        if keys.shape == values.shape:
            return torch.stack((keys, values), dim=1).unbind(1)  # pyright: ignore[reportReturnType]
        both = torch.cat((keys, values), dim=-1)
        return both[..., : keys.shape[-1]], both[..., keys.shape[-1] :]
    if layout == "padded_head":
        return _pad_rows(keys, 8), _pad_rows(values, 16)
    if layout == "layer_slice":
        return _pick_layer(keys), _pick_layer(values)
    if layout == "latent":
        return keys, keys[..., : values.shape[-1]]
    if layout == "far":
        return tuple(spread(keys, values))  # pyright: ignore[reportReturnType]
    raise ValueError(f"no layout of a cache: {layout!r}")


def _heads_first(cache: Tensor) -> Tensor:
    return cache.transpose(1, 2).contiguous().transpose(1, 2)


def _pad_rows(cache: Tensor, padding: int) -> Tensor:
    """Return a view whose rows lie `padding` poisoned elements further apart."""
    return torch.nn.functional.pad(cache, (0, padding), value=float("nan"))[..., : cache.shape[-1]]


def _pick_layer(cache: Tensor) -> Tensor:
    """Return the middle one of three layers that share each block; the others are poison."""
    other = torch.full_like(cache, float("nan"))
    return torch.stack((other, cache, other), dim=1)[:, 1]
