"""The work-list: one expert after another over the tokens that chose it, whose number only the data knows."""

import torch
from torch import Tensor
from torch.nn.functional import silu

from compiled.moe.routing import route


def moe(
    x: Tensor, router_logits: Tensor, w_gate_up: Tensor, w_down: Tensor, *, top_k: int, renormalize: bool
) -> Tensor:
    """Compute the mixture of experts as model code does, for a compiler to make of it what it can."""
    topk_weights, topk_ids = route(router_logits, top_k, renormalize)
    output = torch.zeros(x.shape, dtype=topk_weights.dtype, device=x.device)
    for expert in range(w_down.shape[0]):
        tokens, slots = torch.where(topk_ids == expert)
        gate, up = (x[tokens] @ w_gate_up[expert].T).chunk(2, dim=-1)
        expert_output = (silu(gate) * up) @ w_down[expert].T
        output.index_add_(0, tokens, expert_output * topk_weights[tokens, slots, None])
    return output.to(x.dtype)
