"""Linear attention: a state of keys by values goes through the sequence, is let decay, and is asked by queries."""

import torch
from torch import Tensor

from eagerdiff.reference.catalog.precision import wide


def recurrent(
    q: Tensor, k: Tensor, v: Tensor, decay: Tensor | None = None, initial: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """Return o [batch, tokens, heads, values] and the last state [batch, heads, keys, values], in float32 or wider.

    q, k [batch, tokens, heads, keys], q by 1 / √keys; v [batch, tokens, heads, values]; initial is a state. S is
    exp(decay) · S + k vᵀ, where decay is [batch, tokens, heads], a key's own [batch, tokens, heads, keys], or None
    (arXiv 2006.16236, 2312.06635).
    """
    state, out = _first(q, v, initial), list[Tensor]()
    for t in range(q.shape[1]):
        if decay is not None:
            by_key = decay[:, t, ..., None] if decay.ndim == 3 else decay[:, t]
            state = state * wide(by_key)[..., None].exp()
        state = state + wide(k[:, t])[..., None] * wide(v[:, t])[..., None, :]
        out.append(_asked(q, state, t))
    return _together(out, v), state


def delta_rule(q: Tensor, k: Tensor, v: Tensor, beta: Tensor, initial: Tensor | None = None) -> tuple[Tensor, Tensor]:
    """Return o and the last state as `recurrent` does, where S is mended by beta · (v - S k) (arXiv 2406.06484).

    beta [batch, tokens, heads], the rest as for `recurrent`.
    """
    state, out = _first(q, v, initial), list[Tensor]()
    for t in range(q.shape[1]):
        key = wide(k[:, t])
        missing = (wide(v[:, t]) - (state * key[..., None]).sum(-2)) * wide(beta[:, t])[..., None]
        state = state + key[..., None] * missing[..., None, :]
        out.append(_asked(q, state, t))
    return _together(out, v), state


def retention(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """Return o [batch, tokens, heads, values] of heads that decay by 1 - 2^(-5 - head) each token (arXiv 2307.08621).

    q, k [batch, tokens, heads, keys] and v as o: as `recurrent` takes them.
    """
    heads = torch.arange(q.shape[2], dtype=torch.promote_types(q.dtype, torch.float32), device=q.device)
    return recurrent(q, k, v, torch.log1p(-torch.exp2(-5 - heads)).expand(q.shape[:3]))[0]


def _first(q: Tensor, v: Tensor, initial: Tensor | None) -> Tensor:
    if initial is not None:
        return wide(initial)
    return wide(q.new_zeros(q.shape[0], q.shape[2], q.shape[3], v.shape[3]))


def _asked(q: Tensor, state: Tensor, t: int) -> Tensor:
    return (wide(q[:, t]) * q.shape[-1] ** -0.5)[..., None].mul(state).sum(-2)


def _together(out: list[Tensor], v: Tensor) -> Tensor:
    return torch.stack(out, 1).to(v.dtype) if out else torch.zeros_like(v)
