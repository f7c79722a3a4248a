"""One pass of the decoder over a batch: latent attention with a paged cache, dense and routed experts, early exit.

Shape suffixes: T tokens, H hidden, A heads, N nope columns, R rotary columns, L latent columns, V vocabulary,
E experts, K experts a token.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from eagerdiff.reference.cache_write import cache_write
from eagerdiff.reference.moe import act, moe, route
from eagerdiff.reference.paged_attention import paged_attention

EPSILON = 1e-6


@dataclass(frozen=True)
class Batch:
    """Hold what one pass is given, requests one after another."""

    tokens: Tensor
    """[T], int64."""
    positions: Tensor
    """[T], int64: place in its request."""
    slots: Tensor
    """[T], int64: block · block_size + slot."""
    block_table: Tensor
    """[B, max_blocks], int32."""
    context_lens: Tensor
    """[B], int32, the tokens of this pass included."""
    query_start: Tensor
    """[B + 1], int32."""


@dataclass(frozen=True)
class Decisions:
    """Hold what an output chose, which wins where it is worse by no more than `slack`."""

    routes: Tensor
    """[M, T, K], int64, of the M layers with experts."""
    exits: Tensor
    """[T], int64."""
    slack: float


def forward(
    weights: Mapping[str, Any],
    cache: Sequence[Tensor],
    batch: Batch,
    *,
    exit_margin: float | None,
    preferred: Decisions | None,
    **routing: Any,
) -> tuple[Tensor, Tensor, Tensor]:
    """Return logits [T, V], routes [M, T, K] in order of their ids, and how many layers each token passed [T].

    Each layer's cache [num_blocks, block_size, 1, L + R] is written in place. A token leaves after the first layer
    whose two best logits are more than exit_margin apart: its state stays as it is, and later layers write their keys
    from it (CALM, arXiv 2207.07061). Its routes there are -1.
    """
    layers = weights["layers"]
    x_TH = weights["embed"][batch.tokens]
    exits_T = torch.full_like(batch.tokens, len(layers))
    routes: list[Tensor] = []
    for index, layer in enumerate(layers):
        going_T = exits_T > index
        h_TH = x_TH + attend(layer, cache[index], rms_norm(x_TH, layer["attention_norm"]), weights["rope"], batch)
        y_TH = rms_norm(h_TH, layer["mlp_norm"])
        if "router" in layer:
            wanted = None if preferred is None else preferred.routes[len(routes)]
            mixed_TH, ids_TK = mix(layer, y_TH, wanted, 0.0 if preferred is None else preferred.slack, **routing)
            routes.append(ids_TK.sort(dim=1).values.where(going_T[:, None], -1))
        else:
            mixed_TH = act(y_TH, layer["gate_up"], None, "swiglu") @ layer["down"].T
        x_TH = torch.where(going_T[:, None], h_TH + mixed_TH, x_TH)
        if exit_margin is not None and index + 1 < len(layers):
            leaves_T = leave(head(weights, x_TH), exit_margin, index + 1, preferred)
            exits_T = torch.where(going_T & leaves_T, index + 1, exits_T)
    no_routes = exits_T.new_zeros(0, len(exits_T), routing["top_k"])
    return head(weights, x_TH), torch.stack(routes) if routes else no_routes, exits_T


def attend(layer: Mapping[str, Tensor], cache: Tensor, x_TH: Tensor, rope: Tensor, batch: Batch) -> Tensor:
    """Return multi-head latent attention [T, H] (DeepSeek-V2, arXiv 2405.04434), the up-projections absorbed."""
    uk_ANL, uv_AVL = layer["key_up"], layer["value_up"]
    heads, nope, latent = uk_ANL.shape
    angles_TR = rope[batch.positions]
    kv_TD = x_TH @ layer["kv"].T
    key_TD = torch.cat((rms_norm(kv_TD[:, :latent], layer["kv_norm"]), rotate(kv_TD[:, latent:], angles_TR)), dim=1)
    # The values are the first columns of the keys: what is written is the key.
    cache_write(key_TD[:, None], key_TD[:, None, :latent], cache, cache[..., :latent], batch.slots)
    q_TAD = (x_TH @ layer["query"].T).unflatten(1, (heads, -1))
    q_TAR = rotate(q_TAD[..., nope:], angles_TR[:, None])
    q_TAL = torch.einsum("tan,anl->tal", q_TAD[..., :nope], uk_ANL)
    o_TAL, _ = paged_attention(
        torch.cat((q_TAL, q_TAR), dim=-1),
        cache,
        cache[..., :latent],
        batch.block_table,
        batch.context_lens,
        batch.query_start,
        scale=q_TAD.shape[-1] ** -0.5,
    )
    return torch.einsum("tal,avl->tav", o_TAL, uv_AVL).flatten(1) @ layer["output"].T


def rotate(x: Tensor, angles: Tensor) -> Tensor:
    """Turn pairs of neighbouring columns [..., R] by their angles, given as R / 2 cosines, then R / 2 sines."""
    cosine, sine = angles.chunk(2, dim=-1)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack((even * cosine - odd * sine, even * sine + odd * cosine), dim=-1).flatten(-2)


def mix(
    layer: Mapping[str, Tensor], y_TH: Tensor, preferred: Tensor | None, slack: float, **routing: Any
) -> tuple[Tensor, Tensor]:
    """Return the mixture of experts [T, H] and its routes [T, K]: DeepSeek-V3's (arXiv 2412.19437)."""
    logits_TE = y_TH @ layer["router"].T
    bias_TE = layer["bias"].expand_as(logits_TE)
    if preferred is not None:
        chosen_TE = torch.zeros_like(bias_TE).scatter(1, preferred.clamp_min(0), 1.0)
        bias_TE = bias_TE + slack * chosen_TE
    routing = {**routing, "scoring": "sigmoid", "renormalize": True, "selection_bias": bias_TE}
    _, ids_TK = route(logits_TE, **routing)
    shared = {"shared_gate_up": layer["shared_gate_up"], "shared_down": layer["shared_down"]}
    return moe(y_TH, logits_TE, layer["gate_up"], layer["down"], **shared, **routing), ids_TK


def leave(logits_TV: Tensor, margin: float, index: int, preferred: Decisions | None) -> Tensor:
    """Return who leaves [T]: whose two best logits are far enough apart."""
    best_T2 = logits_TV.topk(2, dim=-1).values
    apart_T = best_T2[:, 0] - best_T2[:, 1]
    if preferred is not None:
        apart_T = apart_T + torch.where(preferred.exits == index, preferred.slack, -preferred.slack)
    return apart_T > margin


def head(weights: Mapping[str, Any], x_TH: Tensor) -> Tensor:
    """Return logits [T, V]."""
    return rms_norm(x_TH, weights["norm"]) @ weights["head"].T


def rms_norm(x: Tensor, weight: Tensor) -> Tensor:
    """Divide rows [..., D] by their root mean square, times weight [D]."""
    return x * torch.rsqrt(x.square().mean(dim=-1, keepdim=True) + EPSILON) * weight
