"""Experts spread over ranks, in one process: a plain mixture of experts over all ranks' tokens, split back by rank.

Shapes: T tokens of all ranks together, H hidden, E experts of all ranks together, I intermediate, K routes a token.
"""

from collections.abc import Sequence

import torch
from torch import Tensor
from torch.nn.functional import silu


def expert_parallel(
    x: Tensor,
    topk_ids: Tensor,
    topk_weights: Tensor,
    w_gate_up: Tensor,
    w_down: Tensor,
    *,
    tokens_per_rank: Sequence[int],
    experts_per_rank: Sequence[int],
) -> list[Tensor]:
    """Send each token through the experts that its routes name, wherever they live; return each rank's rows [T_r, H].

    x [T, H], the ranks' tokens one rank after another; topk_ids [T, K], int64, distinct in a row, -1 for a dropped
    route; topk_weights [T, K], float32 (float64 beside float64 inputs), of no meaning where the route is dropped;
    w_gate_up [E, 2I, H], gate rows first, and w_down [E, H, I], the ranks' experts one rank after another; x and the
    experts' weights share a dtype, which the outputs have too.

    Where experts live (`experts_per_rank`) changes no value. A token with no route left gives 0, whatever it holds.
    """
    output = x.new_zeros(x.shape)
    for expert in range(w_down.shape[0]):
        tokens, slots = torch.where(topk_ids == expert)
        gate, up = (x[tokens] @ w_gate_up[expert].T).chunk(2, dim=-1)
        expert_output = (silu(gate) * up) @ w_down[expert].T
        output.index_add_(0, tokens, expert_output * topk_weights[tokens, slots, None].to(x.dtype))
    return list(output.split(list(tokens_per_rank)))


def magnitude(
    x: Tensor,
    topk_ids: Tensor,
    topk_weights: Tensor,
    w_gate_up: Tensor,
    w_down: Tensor,
    *,
    tokens_per_rank: Sequence[int],
    experts_per_rank: Sequence[int],
) -> list[Tensor]:
    """Return the sum of the absolute terms of each output element, float64: |weight| x |down| x |activation|.

    Arguments and structure of the result, [T_r, H] a rank, as the reference's.
    """
    x, topk_weights, w_gate_up, w_down = (tensor.double() for tensor in (x, topk_weights, w_gate_up, w_down))
    output = torch.zeros_like(x)
    for expert in range(w_down.shape[0]):
        tokens, slots = torch.where(topk_ids == expert)
        gate, up = (x[tokens] @ w_gate_up[expert].T).chunk(2, dim=-1)
        terms = (silu(gate) * up).abs() @ w_down[expert].abs().T
        output.index_add_(0, tokens, terms * topk_weights[tokens, slots, None].abs())
    return list(output.split(list(tokens_per_rank)))
