"""Top-k routing in plain torch, shared by the implementations."""

import torch
from torch import Tensor


def route(router_logits: Tensor, top_k: int, renormalize: bool) -> tuple[Tensor, Tensor]:
    """Return topk_weights [T, K], float32, and topk_ids [T, K], int64, -1 where the logit is -inf."""
    topk_logits, topk_ids = torch.topk(router_logits, top_k, dim=-1)
    kept = topk_logits > float("-inf")
    if renormalize:
        # Softmax over the chosen alone is softmax over all, renormalised. Row maxima keep exp in range; a row that is
        # dropped whole has none.
        peak = torch.where(kept[:, :1], topk_logits[:, :1], 0.0)
        scores = torch.exp(topk_logits - peak)
        topk_weights = scores / torch.where(kept[:, :1], scores.sum(dim=-1, keepdim=True), 1.0)
    else:
        topk_weights = torch.gather(torch.softmax(router_logits, dim=-1), -1, topk_ids)
        topk_weights = torch.where(kept, topk_weights, 0.0)
    return topk_weights, torch.where(kept, topk_ids, -1)
