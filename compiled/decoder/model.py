"""One pass of a DeepSeek-V3-shaped decoder over a batch, put together from pieces.

Shape suffixes: T tokens, G tokens that still go on, H hidden, A heads, N nope columns, R rotary columns, L latent
columns, D = L + R, K experts a token, B requests, C columns of the block table.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import torch
from torch import Tensor


class Pieces(NamedTuple):
    """Hold what a layer is put together from."""

    write: Callable[[Tensor, Tensor, Tensor], None]
    """Write keys [T, 1, D] into a cache [num_blocks, block_size, 1, D] at slots [T]."""
    attend: Callable[..., Tensor]
    """Attend queries [G, A, D] to a cache through a block table; query, cache, table, lengths, starts, scale, L."""
    route: Callable[..., tuple[Tensor, Tensor]]
    """Return weights, float32, and ids, int64 [G, K], of router logits [G, E] and a selection bias [E]."""
    experts: Callable[..., Tensor]
    """Return experts' outputs [G, H]; x, w_gate_up, w_down, weights, ids."""


def build_pass(pieces: Pieces, *, exit_margin: float | None, **routing: Any) -> Callable[..., Any]:
    """Return the pass, which writes the cache in place and returns logits, routes and exits as the reference's."""

    def run_pass(
        weights: Any,
        cache: list[Tensor],
        tokens: Tensor,
        positions: Tensor,
        slots: Tensor,
        owners: Tensor,
        block_table: Tensor,
        context_lens: Tensor,
        query_start: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor]:
        layers = weights["layers"]
        x_TH = weights["embed"][tokens]
        angles_TR = weights["rope"][positions]
        exits_T = torch.full_like(tokens, len(layers))
        routes: list[Tensor] = []
        for index, layer in enumerate(layers):
            y_TH = rms_norm(x_TH, layer["attention_norm"])
            pieces.write(make_keys(layer, y_TH, angles_TR), cache[index], slots)
            if exit_margin is None or index == 0:
                h_TH = x_TH + attend(
                    pieces, layer, cache[index], y_TH, angles_TR, block_table, context_lens, query_start
                )
                x_TH, ids_TK = mix(pieces, layer, h_TH, routing)
            else:
                # Tokens that go on are requests of one query each: those of one request no longer end its context.
                going_G = torch.nonzero(exits_T > index)[:, 0]
                h_GH = x_TH[going_G] + attend(
                    pieces, layer, cache[index], y_TH[going_G], angles_TR[going_G], block_table[owners[going_G]],
                    (positions[going_G] + 1).to(torch.int32), count_up(going_G),
                )  # fmt: skip
                x_GH, ids_GK = mix(pieces, layer, h_GH, routing)
                x_TH = torch.index_copy(x_TH, 0, going_G, x_GH)
                ids_TK = None if ids_GK is None else spread(ids_GK, going_G, tokens)
            if ids_TK is not None:
                routes.append(ids_TK)
            if exit_margin is not None and index + 1 < len(layers):
                leaves_T = leave(head(weights, x_TH), exit_margin) & (exits_T > index)
                exits_T = torch.where(leaves_T, index + 1, exits_T)
        no_routes = exits_T.new_zeros(0, tokens.shape[0], routing["top_k"])
        return head(weights, x_TH), torch.stack(routes) if routes else no_routes, exits_T

    return run_pass


def make_keys(layer: Any, y_TH: Tensor, angles_TR: Tensor) -> Tensor:
    """Return what the cache holds [T, 1, D]: the normed latent, then the rotated columns."""
    kv_TD = y_TH @ layer["kv"].T
    latent = layer["kv_norm"].shape[0]
    parts = (rms_norm(kv_TD[:, :latent], layer["kv_norm"]), rotate(kv_TD[:, latent:], angles_TR))
    return torch.cat(parts, dim=1)[:, None]


def attend(
    pieces: Pieces, layer: Any, cache: Tensor, y_GH: Tensor, angles_GR: Tensor, table_BC: Tensor, lens_B: Tensor,
    starts: Tensor,
) -> Tensor:  # fmt: skip
    """Return latent attention [G, H] over the cache, the up-projections absorbed into query and output."""
    heads, nope, latent = layer["key_up"].shape
    q_GAX = (y_GH @ layer["query"].T).unflatten(1, (heads, -1))
    q_GAL = torch.einsum("gan,anl->gal", q_GAX[..., :nope], layer["key_up"])
    q_GAD = torch.cat((q_GAL, rotate(q_GAX[..., nope:], angles_GR[:, None])), dim=-1)
    scale = (nope + angles_GR.shape[1]) ** -0.5
    o_GAL = pieces.attend(q_GAD, cache, table_BC, lens_B, starts, scale, latent)
    return torch.einsum("gal,avl->gav", o_GAL, layer["value_up"]).flatten(1) @ layer["output"].T


def mix(pieces: Pieces, layer: Any, h_GH: Tensor, routing: Any) -> tuple[Tensor, Tensor | None]:
    """Add the MLP, dense or of routed experts and a shared one: [G, H].

    Return that and the routes, int64 [G, K] in order of their ids; None where the MLP is dense.
    """
    y_GH = rms_norm(h_GH, layer["mlp_norm"])
    if "router" not in layer:
        return h_GH + swiglu(y_GH, layer["gate_up"], layer["down"]), None
    topk_weights, topk_ids = pieces.route(y_GH @ layer["router"].T, layer["bias"], **routing)
    routed_GH = pieces.experts(y_GH, layer["gate_up"], layer["down"], topk_weights, topk_ids)
    shared_GH = swiglu(y_GH, layer["shared_gate_up"], layer["shared_down"])
    return h_GH + routed_GH + shared_GH, torch.sort(topk_ids, dim=1).values


def spread(ids_GK: Tensor, going_G: Tensor, tokens: Tensor) -> Tensor:
    """Return routes [T, K] of all tokens, -1 for those that went no further."""
    nowhere_TK = ids_GK.new_full((tokens.shape[0], ids_GK.shape[1]), -1)
    return torch.index_copy(nowhere_TK, 0, going_G, ids_GK)


def count_up(going_G: Tensor) -> Tensor:
    """Return the bounds 0, 1, … G, int32 [G + 1], of requests of one query each; going [G]."""
    return torch.arange(going_G.shape[0] + 1, dtype=torch.int32, device=going_G.device)


def leave(logits: Tensor, margin: float) -> Tensor:
    """Return whose two best logits are further apart than a margin, bool [T]; logits [T, V]."""
    best = torch.topk(logits, 2, dim=-1).values
    return best[:, 0] - best[:, 1] > margin


def head(weights: Any, x: Tensor) -> Tensor:
    """Return logits [T, V] of x [T, H]."""
    return rms_norm(x, weights["norm"]) @ weights["head"].T


def swiglu(x: Tensor, gate_up: Tensor, down: Tensor) -> Tensor:
    """Return a gated MLP [..., H] of x [..., H]; gate_up [2I, H], gate rows first, down [H, I]."""
    gate, up = (x @ gate_up.T).chunk(2, dim=-1)
    return (torch.nn.functional.silu(gate) * up) @ down.T


def rotate(x: Tensor, angles: Tensor) -> Tensor:
    """Turn neighbouring pairs of columns [..., R]; angles [..., R] are R / 2 cosines, then R / 2 sines."""
    cosine, sine = angles.chunk(2, dim=-1)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack((even * cosine - odd * sine, even * sine + odd * cosine), dim=-1).flatten(-2)


def rms_norm(x: Tensor, weight: Tensor) -> Tensor:
    """Divide rows [..., D] by their root mean square, times weight [D]."""
    return torch.nn.functional.rms_norm(x, weight.shape, weight, 1e-6)
