"""The work-list: one expert after another over the tokens that chose it, whose number only the data knows."""

from typing import Any

import torch
from torch import Tensor

from eagerdiff.compiled.moe.experts import act, add_shared
from eagerdiff.compiled.moe.routing import route


def moe(
    x: Tensor,
    router_logits: Tensor,
    w_gate_up: Tensor,
    w_down: Tensor,
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
) -> Tensor:
    """Compute the mixture of experts as model code does, for a compiler to make of it what it can.

    Arguments and result [T, H] as the reference's.
    """
    topk_weights, topk_ids = route(router_logits, top_k, renormalize, **routing)
    output = torch.zeros(x.shape, dtype=topk_weights.dtype, device=x.device)
    for expert in range(w_down.shape[0]):
        tokens, slots = torch.where(topk_ids == expert)
        weights = topk_weights[tokens, slots, None]
        rows = (x[tokens] * weights).to(x.dtype) if weight_first else x[tokens]
        gate_up = rows @ w_gate_up[expert].T
        if gate_up_bias is not None:
            gate_up = gate_up + gate_up_bias[expert]
        expert_output = act(gate_up, activation) @ w_down[expert].T
        if down_bias is not None:
            expert_output = expert_output + down_bias[expert]
        output.index_add_(0, tokens, expert_output.to(output.dtype) if weight_first else expert_output * weights)
    return add_shared(output.to(x.dtype), x, shared_gate_up, shared_down, activation)
