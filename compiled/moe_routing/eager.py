"""Routing in torch's operations, for a compiler to make of it what it can."""

from typing import Any

import torch
from torch import Tensor

from eagerdiff.compiled.moe.routing import route


def moe_routing(
    router_logits: Tensor,
    *,
    top_k: int,
    renormalize: bool,
    capacity: int | None = None,
    num_local: int | None = None,
    **options: Any,
) -> tuple[Tensor, Tensor, Tensor]:
    """Route tokens; arguments and result as the reference's, without expert choice."""
    topk_weights, topk_ids = route(router_logits, top_k, renormalize, **options)
    num_experts = router_logits.shape[1]
    if capacity is not None:
        in_order = topk_ids.T.flatten()
        taken = (in_order[:, None] == torch.arange(num_experts, device=topk_ids.device)).to(torch.int64)
        rank = (torch.cumsum(taken, dim=0) * taken).sum(dim=1).view(top_k, -1).T
        topk_ids = torch.where(rank <= capacity, topk_ids, -1)
        topk_weights = torch.where(topk_ids >= 0, topk_weights, 0.0)
    experts = torch.arange(num_experts if num_local is None else num_local, device=topk_ids.device)
    return topk_weights, topk_ids, (topk_ids.flatten()[:, None] == experts).sum(dim=0)
