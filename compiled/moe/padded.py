"""The traditional baselines: every expert padded to the fullest one, and one-hot dispatch tensors (GShard).

Shapes: T tokens, K = top_k, E experts, C tokens of the fullest expert, H hidden.
"""

from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import one_hot

from eagerdiff.compiled.moe.experts import act, add_shared
from eagerdiff.compiled.moe.routing import route


def moe(x: Tensor, router_logits: Tensor, w_gate_up: Tensor, w_down: Tensor, **options: Any) -> Tensor:
    """Compute the mixture of experts by `bmm` over tokens gathered to [E, C, H], C being read from the device."""
    routed = _routed(x, router_logits, w_gate_up, **options)
    if routed is None:
        return x.new_zeros(x.shape)
    tokens, experts, places, weights, capacity = routed
    gathered = x.new_zeros(len(w_down), capacity, x.shape[1])
    rows = x[tokens]
    gathered[experts, places] = (rows * weights[:, None]).to(x.dtype) if options.get("weight_first") else rows
    outputs = _bmm(gathered, w_gate_up, w_down, **options)[experts, places].to(weights.dtype)
    output = torch.zeros(x.shape, dtype=weights.dtype, device=x.device)
    output.index_add_(0, tokens, outputs if options.get("weight_first") else outputs * weights[:, None])
    return _finish(output.to(x.dtype), x, **options)


def moe_dispatch(x: Tensor, router_logits: Tensor, w_gate_up: Tensor, w_down: Tensor, **options: Any) -> Tensor:
    """Compute the mixture of experts with a dispatch and a combine tensor [T, E, C] (GShard, arXiv 2006.16668)."""
    routed = _routed(x, router_logits, w_gate_up, **options)
    if routed is None:
        return x.new_zeros(x.shape)
    tokens, experts, places, weights, capacity = routed
    combine = torch.zeros(len(x), len(w_down), capacity, dtype=weights.dtype, device=x.device)
    combine[tokens, experts, places] = weights
    dispatch = torch.zeros_like(combine)
    dispatch[tokens, experts, places] = 1.0
    first, last = (combine, dispatch) if options.get("weight_first") else (dispatch, combine)
    # What is sent nowhere is multiplied by 0: NaN would survive that.
    sent = torch.zeros(len(x), dtype=torch.bool, device=x.device)
    sent[tokens] = True
    clean = torch.where(sent[:, None], x, 0.0).to(weights.dtype)
    gathered = torch.einsum("tec,th->ech", first, clean).to(x.dtype)
    outputs = _bmm(gathered, w_gate_up, w_down, **options).to(weights.dtype)
    return _finish(torch.einsum("tec,ech->th", last, outputs).to(x.dtype), x, **options)


def _routed(
    x: Tensor,
    router_logits: Tensor,
    w_gate_up: Tensor,
    *,
    top_k: int,
    renormalize: bool,
    activation: str = "swiglu",
    weight_first: bool = False,
    gate_up_bias: Tensor | None = None,
    down_bias: Tensor | None = None,
    shared_gate_up: Tensor | None = None,
    shared_down: Tensor | None = None,
    **routing: Any,
) -> tuple[Tensor, Tensor, Tensor, Tensor, int] | None:
    """Return token, expert, place within it and weight of each route [R], and the fullest expert's count.

    None where the result is 0 whatever the experts are: there are no tokens.
    """
    if len(x) == 0:
        return None
    topk_weights, topk_ids = route(router_logits, top_k, renormalize, **routing)
    tokens, slots = torch.where(topk_ids >= 0)
    experts = topk_ids[tokens, slots]
    taken = one_hot(experts, len(w_gate_up))
    places = (taken.cumsum(dim=0) * taken).sum(dim=1) - 1
    capacity = int(taken.sum(dim=0).max())
    return tokens, experts, places, topk_weights[tokens, slots], capacity


def _bmm(
    gathered: Tensor,
    w_gate_up: Tensor,
    w_down: Tensor,
    *,
    activation: str = "swiglu",
    gate_up_bias: Tensor | None = None,
    down_bias: Tensor | None = None,
    **others: Any,
) -> Tensor:
    gate_up = torch.bmm(gathered, w_gate_up.mT)
    if gate_up_bias is not None:
        gate_up = gate_up + gate_up_bias[:, None]
    outputs = torch.bmm(act(gate_up, activation), w_down.mT)
    return outputs if down_bias is None else outputs + down_bias[:, None]


def _finish(
    output: Tensor,
    x: Tensor,
    *,
    activation: str = "swiglu",
    shared_gate_up: Tensor | None = None,
    shared_down: Tensor | None = None,
    **others: Any,
) -> Tensor:
    return add_shared(output, x, shared_gate_up, shared_down, activation)
