"""Rotary position embeddings (arXiv 2104.09864)."""

import torch
from torch import Tensor


def rotate(x: Tensor, cos: Tensor, sin: Tensor, *, interleaved: bool = False) -> Tensor:
    """Rotate pairs of x [..., head_dim] by angles whose cos and sin are [..., width]; the result as x.

    The pairs are (i, i + width) of the first 2 · width elements, or (2i, 2i + 1) where interleaved; the rest stay.
    """
    width = cos.shape[-1]
    turned, rest = x[..., : 2 * width], x[..., 2 * width :]
    left, right = (turned[..., ::2], turned[..., 1::2]) if interleaved else turned.chunk(2, -1)
    found = (left * cos - right * sin, right * cos + left * sin)
    joined = torch.stack(found, -1).flatten(-2) if interleaved else torch.cat(found, -1)
    return torch.cat((joined, rest), -1)


def rope(q: Tensor, k: Tensor, cos: Tensor, sin: Tensor) -> tuple[Tensor, Tensor]:
    """Rotate q and k [batch, heads, length, head_dim], of heads of their own; fixed cos, sin [length, head_dim/2]."""
    cos, sin = cos.detach(), sin.detach()
    return rotate(q, cos, sin), rotate(k, cos, sin)


def rotate_heads(x: Tensor, cos: Tensor, sin: Tensor, interleaved: bool = False) -> Tensor:
    """Rotate x [batch, length, heads, head_dim] by angles [length, width] of its positions (see `rotate`)."""
    return rotate(x, cos[:, None], sin[:, None], interleaved=interleaved)


def rope_at(q: Tensor, k: Tensor, cos: Tensor, sin: Tensor, positions: Tensor) -> tuple[Tensor, Tensor]:
    """Rotate q, k [batch, heads, length, head_dim] by rows of cos, sin [longest, width] at [batch, length]."""
    at = positions.long()
    return rope(q, k, cos[at][:, None], sin[at][:, None])
