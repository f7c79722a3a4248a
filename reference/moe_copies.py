"""A mixture whose experts are all the first one, in float64: a dense MLP, times the sum of a token's weights.

Shapes: T tokens, H hidden, E experts, I intermediate, J = 2I (I where nothing is gated).
"""

from typing import Any

import torch
from torch import Tensor

from eagerdiff.reference.moe import act, choose_experts, dequantize, unpack


def moe_of_copies(x: Tensor, router_logits: Tensor, w_gate_up: Tensor, w_down: Tensor, **options: Any) -> Tensor:
    """Return what `moe` must give [T, H], float64, where every expert is the first; arguments are `moe`'s.

    It groups no tokens by expert. Raises ValueError for weight_first: an activation of weighted x is not linear.
    """
    if options.get("weight_first"):
        raise ValueError("weight_first: what an expert gives is not linear in the routes' weights")
    topk_weights, topk_ids = choose_experts(router_logits, **options)
    x = dequantize(x, options.get("x_scale"), 1, options.get("scale_block", 128), torch.float64).double()
    output = _first_expert(x, w_gate_up, w_down, options) * topk_weights.sum(dim=-1, keepdim=True)
    output = output.where((topk_ids >= 0).any(dim=-1, keepdim=True), 0.0)  # rows that are routed nowhere may hold NaN
    if options.get("shared_gate_up") is None:
        return output
    shared = act(x, options["shared_gate_up"].double(), None, options.get("activation", "swiglu"))
    return output + shared @ options["shared_down"].double().T


def _first_expert(x: Tensor, w_gate_up: Tensor, w_down: Tensor, options: dict[str, Any]) -> Tensor:
    """Return what the first expert gives for every token [T, H], from x [T, H] in float64."""
    block, exact = options.get("scale_block", 128), torch.float64
    gate_up_bias, down_bias = options.get("gate_up_bias"), options.get("down_bias")
    gate_up = unpack(w_gate_up, options.get("gate_up_scale"), 0, block, x.shape[1], exact).double()
    bias = None if gate_up_bias is None else gate_up_bias[0].double()
    hidden = act(x, gate_up, bias, options.get("activation", "swiglu"))
    output = hidden @ unpack(w_down, options.get("down_scale"), 0, block, hidden.shape[1], exact).double().T
    return output if down_bias is None else output + down_bias[0].double()
