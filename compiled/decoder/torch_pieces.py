"""Pieces in torch's operations, for a compiler to make of them what it can."""

from typing import Any

import torch
from torch import Tensor

from eagerdiff.compiled.decoder.model import Pieces
from eagerdiff.compiled.moe.routing import route
from eagerdiff.compiled.paged_attention.gather import gather_attention


def write_keys(keys: Tensor, cache: Tensor, slots: Tensor) -> None:
    """Write each token's key [T, 1, D] into its slot [T] of a cache [num_blocks, block_size, 1, D]."""
    block_size = cache.shape[1]
    cache[slots // block_size, slots % block_size] = keys


def attend_latent(
    query: Tensor, cache: Tensor, table: Tensor, lens: Tensor, starts: Tensor, scale: float, latent: int
) -> Tensor:
    """Attend queries [G, A, D] to keys whose first `latent` columns are the values: [G, A, latent]."""
    return gather_attention(query, cache, cache[..., :latent], table, lens, starts, scale=scale)[0]


def route_sigmoid(logits: Tensor, bias: Tensor, *, top_k: int, **options: Any) -> tuple[Tensor, Tensor]:
    """Route as DeepSeek-V3 does: weights, float32, and ids, int64 [G, K], of logits [G, E] and a bias [E]."""
    return route(logits, top_k, True, scoring="sigmoid", selection_bias=bias, **options)


def gather_experts(x: Tensor, w_gate_up: Tensor, w_down: Tensor, topk_weights: Tensor, topk_ids: Tensor) -> Tensor:
    """Gather each token's experts and multiply: no loop over experts, as decoding of few tokens has it.

    x [G, H], w_gate_up [E, 2I, H], w_down [E, H, I], weights and ids [G, K]; result [G, H].
    """
    gate, up = torch.einsum("gkjh,gh->gkj", w_gate_up[topk_ids], x).chunk(2, dim=-1)
    routed = torch.einsum("gkhi,gki->gkh", w_down[topk_ids], torch.nn.functional.silu(gate) * up)
    return (routed * topk_weights[..., None]).sum(dim=1)


PIECES = Pieces(write_keys, attend_latent, route_sigmoid, gather_experts)
