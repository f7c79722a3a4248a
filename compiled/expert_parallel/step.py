"""One rank's part of a step: send its tokens to where their experts live, run its own experts, put together what comes
back.

A route is t * K + slot: token t's slot-th choice. Shapes: T tokens of this rank, K routes a token, R = T * K routes,
S routes sent, V routes received, W ranks, L experts of this rank.
"""

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import silu

Exchange = Callable[[Tensor, list[int] | None, list[int] | None], Tensor]
"""Send rows to every rank and return those received, in order of the sender: (rows, rows to receive from each rank,
rows to send to each); without counts as many rows for each."""


class Dispatched(NamedTuple):
    """What a rank has after the tokens were exchanged."""

    tokens: Tensor
    """[V, H]: received rows, in order of the sender and of its experts."""
    expert_ids: Tensor
    """[V], int64: which of this rank's experts each is for, from 0."""
    sent_routes: Tensor
    """[S], int64: the routes of this rank's tokens that were sent, in order of their expert."""
    sent: list[int]
    """Rows sent to each rank."""
    received: list[int]
    """Rows received from each rank."""


def run_step(
    exchange: Exchange,
    rank: int,
    experts_per_rank: Sequence[int],
    x: Tensor,
    topk_ids: Tensor,
    topk_weights: Tensor,
    w_gate_up: Tensor,
    w_down: Tensor,
) -> Tensor:
    """Return the rows [T, H] of this rank's tokens.

    x [T, H], topk_ids [T, K] and topk_weights [T, K] are this rank's tokens, ids those of all ranks' experts;
    w_gate_up [L, 2I, H] and w_down [L, H, I] are this rank's experts. Every rank must call this, tokens or none.
    """
    dispatched = dispatch(exchange, rank, experts_per_rank, x, topk_ids)
    output = run_experts(dispatched.tokens, dispatched.expert_ids, w_gate_up, w_down)
    back = exchange(output, dispatched.sent, dispatched.received)
    return combine(back, dispatched.sent_routes, topk_ids, topk_weights)


def dispatch(exchange: Exchange, rank: int, experts_per_rank: Sequence[int], x: Tensor, topk_ids: Tensor) -> Dispatched:
    """Exchange how many rows of x [T, H] go where, then the rows and the experts that they are for.

    topk_ids int64 [T, K], those of all ranks' experts; below 0 is dropped.
    """
    first_expert = [0, *accumulate(experts_per_rank)]
    num_routes, num_experts = topk_ids.numel(), first_expert[-1]
    # Experts lie rank after rank: routes in order of their expert are in order of their rank. Dropped ones come last.
    expert_of_route = torch.where(topk_ids < 0, num_experts, topk_ids).flatten()
    sorted_experts, sorted_routes = torch.sort(expert_of_route, stable=True)
    first_route = torch.searchsorted(sorted_experts, torch.tensor(first_expert, device=x.device))
    send_counts = first_route[1:] - first_route[:-1]
    sent, received = sizes(send_counts), sizes(exchange(send_counts, None, None))
    total = sum(sent)
    torch._check(total <= num_routes)
    sent_routes = sorted_routes[:total]
    tokens = exchange(x[sent_routes // topk_ids.shape[1]], received, sent)
    expert_ids = exchange(sorted_experts[:total], received, sent)
    return Dispatched(tokens, expert_ids - first_expert[rank], sent_routes, sent, received)


def sizes(counts: Tensor) -> list[int]:
    """Read counts [W] as sizes; a compiler is told that they are."""
    found: list[int] = counts.tolist()
    for count in found:
        torch._check(count >= 0)
    return found


def run_experts(tokens: Tensor, expert_ids: Tensor, w_gate_up: Tensor, w_down: Tensor) -> Tensor:
    """Run each row [V, H] through its expert, one expert after another."""
    output = torch.empty_like(tokens)
    for expert in range(w_down.shape[0]):
        (rows,) = torch.where(expert_ids == expert)
        gate, up = (tokens[rows] @ w_gate_up[expert].T).chunk(2, dim=-1)
        output[rows] = (silu(gate) * up) @ w_down[expert].T
    return output


def combine(back: Tensor, sent_routes: Tensor, topk_ids: Tensor, topk_weights: Tensor) -> Tensor:
    """Put the rows that came back [S, H] in their routes' places and add up each token's, weighted; dropped are 0."""
    num_tokens, top_k = topk_ids.shape
    routed = back.new_zeros((num_tokens * top_k, back.shape[1]))
    routed[sent_routes] = back
    weights = torch.where(topk_ids < 0, 0.0, topk_weights)
    return (routed.view(num_tokens, top_k, back.shape[1]) * weights[..., None]).sum(dim=1).to(back.dtype)
