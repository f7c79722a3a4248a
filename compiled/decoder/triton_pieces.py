"""Pieces that are the shipped Triton kernels: cache write, paged attention, routing, grouped GEMMs."""

from typing import Any

from torch import Tensor

from eagerdiff.compiled.cache_write import write
from eagerdiff.compiled.decoder.model import Pieces
from eagerdiff.compiled.moe import grouped_gemm
from eagerdiff.compiled.moe_routing import kernel as routing
from eagerdiff.compiled.paged_attention import attention


def write_keys(keys: Tensor, cache: Tensor, slots: Tensor) -> None:
    """Write each token's key [T, 1, D] into its slot [T] of a cache [num_blocks, block_size, 1, D].

    The kernel wants a value too: the key's first column, once more.
    """
    write.cache_write(keys, keys[..., :1], cache, cache[..., :1], slots)


def attend_latent(
    query: Tensor, cache: Tensor, table: Tensor, lens: Tensor, starts: Tensor, scale: float, latent: int
) -> Tensor:
    """Attend queries [G, A, D] to keys whose first `latent` columns are the values: [G, A, latent]."""
    return attention.varlen_attention(query, cache, cache[..., :latent], table, lens, starts, scale=scale)[0]


def attend_split(
    query: Tensor, cache: Tensor, table: Tensor, lens: Tensor, starts: Tensor, scale: float, latent: int
) -> Tensor:
    """Attend as `attend_latent` does, each context in two parts: [G, A, latent]."""
    return attention.split_attention(query, cache, cache[..., :latent], table, lens, starts, scale=scale, num_splits=2)[
        0
    ]


def route_sigmoid(logits: Tensor, bias: Tensor, *, top_k: int, **options: Any) -> tuple[Tensor, Tensor]:
    """Route as DeepSeek-V3 does: weights, float32, and ids, int64 [G, K], of logits [G, E] and a bias [E]."""
    weights, ids, _ = routing.moe_routing(logits, top_k=top_k, scoring="sigmoid", selection_bias=bias, **options)
    return weights, ids


PIECES = Pieces(write_keys, attend_latent, route_sigmoid, grouped_gemm.routed_experts)
SPLIT_PIECES = Pieces(write_keys, attend_split, route_sigmoid, grouped_gemm.routed_experts)
