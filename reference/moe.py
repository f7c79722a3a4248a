"""Mixture of experts: top-k routing, SwiGLU experts, weighted combine, in plain eager torch.

Shapes: T tokens, H hidden, E experts, I intermediate, K = top_k.
"""

import torch
from torch import Tensor
from torch.nn.functional import silu


def moe(
    x: Tensor,
    router_logits: Tensor,
    w_gate_up: Tensor,
    w_down: Tensor,
    *,
    top_k: int,
    renormalize: bool,
) -> Tensor:
    """Send each token through its top_k SwiGLU experts and add up what they give, weighted by the router.

    x [T, H]; router_logits [T, E], float32 (float64 beside float64 inputs); w_gate_up [E, 2I, H], gate rows first;
    w_down [E, H, I]; x and the weights share a dtype, which the output [T, H] has too.

    A logit of -inf masks an expert out for a token: such a route is dropped, and a token with no route left gives 0
    whatever its row of x holds (padding, and experts that live elsewhere). Where the k-th and the next logit tie, any
    choice is right, so callers give tied experts the same weights. NaN logits are outside the domain.
    """
    topk_weights, topk_ids = route(router_logits, top_k, renormalize)
    output = x.new_zeros(x.shape)
    for expert in range(w_down.shape[0]):
        tokens, slots = torch.where(topk_ids == expert)
        if tokens.numel() == 0:
            continue
        gate, up = (x[tokens] @ w_gate_up[expert].T).chunk(2, dim=-1)
        expert_output = (silu(gate) * up) @ w_down[expert].T
        output.index_add_(0, tokens, expert_output * topk_weights[tokens, slots, None].to(x.dtype))
    return output


def route(router_logits: Tensor, top_k: int, renormalize: bool) -> tuple[Tensor, Tensor]:
    """Return topk_weights [T, K], in the logits' dtype, and topk_ids [T, K], int64, -1 for a dropped route.

    The experts are chosen by logit, not by softmax: equal in exact arithmetic, but rounding cannot make ties there, so
    that every dtype chooses the same experts.
    """
    topk_logits, topk_ids = router_logits.topk(top_k, dim=-1)
    kept = topk_logits > -torch.inf
    topk_weights = router_logits.softmax(dim=-1).gather(-1, topk_ids).where(kept, 0.0)
    if renormalize:
        total = topk_weights.sum(dim=-1, keepdim=True)
        topk_weights = topk_weights / total.where(total > 0, 1.0)
    return topk_weights, topk_ids.where(kept, -1)


def magnitude(
    x: Tensor,
    router_logits: Tensor,
    w_gate_up: Tensor,
    w_down: Tensor,
    *,
    top_k: int,
    renormalize: bool,
) -> Tensor:
    """Return the sum of the absolute terms of each output element [T, H], float64: weight x |down| x |activation|.

    What cancels inside the gate and up projections is left to eager's own error: carried through both products, a bound
    on it would forgive a hundred times what rounding does.
    """
    x, router_logits, w_gate_up, w_down = (tensor.double() for tensor in (x, router_logits, w_gate_up, w_down))
    topk_weights, topk_ids = route(router_logits, top_k, renormalize)
    output = torch.zeros_like(x)
    for expert in range(w_down.shape[0]):
        tokens, slots = torch.where(topk_ids == expert)
        gate, up = (x[tokens] @ w_gate_up[expert].T).chunk(2, dim=-1)
        terms = (silu(gate) * up).abs() @ w_down[expert].abs().T
        output.index_add_(0, tokens, terms * topk_weights[tokens, slots, None])
    return output
