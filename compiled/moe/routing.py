"""Top-k routing in plain torch, shared by the implementations."""

import torch
from torch import Tensor


def route(
    router_logits: Tensor,
    top_k: int,
    renormalize: bool,
    *,
    scoring: str = "softmax",
    scaling: float = 1.0,
    selection_bias: Tensor | None = None,
    num_groups: int = 1,
    kept_groups: int = 1,
    token_ids: Tensor | None = None,
    hash_table: Tensor | None = None,
    expert_map: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """Return topk_weights [T, K], float32, and topk_ids [T, K], int64, -1 for a route that is not there.

    The arguments are those of the operator moe_routing.
    """
    usable = (router_logits > float("-inf")) & ~torch.isnan(router_logits).any(dim=-1, keepdim=True)
    logits = torch.where(usable, router_logits, float("-inf"))
    if hash_table is not None and token_ids is not None:
        topk_ids = hash_table[token_ids]
        kept = torch.gather(usable, -1, topk_ids)
    else:
        # By logit where that is the same: rounding makes no ties there.
        by_logit = scoring != "sigmoid" and selection_bias is None
        choice = logits if by_logit else torch.where(usable, _scores(logits, scoring), float("-inf"))
        if selection_bias is not None:
            choice = choice + selection_bias
        if num_groups > 1:
            choice = _keep_groups(choice, num_groups, kept_groups, selection_bias is not None)
        best, topk_ids = torch.topk(choice, top_k, dim=-1)
        kept = best > float("-inf")
    chosen = torch.where(kept, torch.gather(logits, -1, topk_ids), float("-inf"))
    if scoring == "sigmoid":
        topk_weights = torch.sigmoid(chosen)
        if renormalize:
            topk_weights = topk_weights / (topk_weights.sum(dim=-1, keepdim=True) + 1e-20)
    elif scoring == "topk_softmax" or (
        renormalize and num_groups == 1 and selection_bias is None and token_ids is None
    ):
        # Softmax over the chosen alone is softmax over all, renormalised. Row maxima keep exp in range; a row that is
        # dropped whole has none.
        peak = chosen.amax(dim=-1, keepdim=True)
        scores = torch.exp(chosen - torch.where(peak > float("-inf"), peak, 0.0))
        topk_weights = scores / torch.where(peak > float("-inf"), scores.sum(dim=-1, keepdim=True), 1.0)
    else:
        topk_weights = torch.where(kept, torch.gather(_scores(logits, scoring), -1, topk_ids), 0.0)
        if renormalize:
            topk_weights = topk_weights / (topk_weights.sum(dim=-1, keepdim=True) + 1e-20)
    topk_weights, topk_ids = topk_weights * scaling, torch.where(kept, topk_ids, -1)
    if expert_map is not None:
        topk_ids = torch.where(kept, expert_map[topk_ids.clamp_min(0)], -1)
        topk_weights = torch.where(topk_ids >= 0, topk_weights, 0.0)
    return topk_weights, topk_ids


def _scores(logits: Tensor, scoring: str) -> Tensor:
    if scoring == "sigmoid":
        return torch.sigmoid(logits)
    return logits if scoring == "topk_softmax" else torch.softmax(logits, dim=-1)


def _keep_groups(choice: Tensor, num_groups: int, kept_groups: int, by_two: bool) -> Tensor:
    """Put -inf for the experts outside of each token's best groups."""
    grouped = choice.unflatten(1, (num_groups, choice.shape[1] // num_groups))
    best = torch.topk(grouped, min(2 if by_two else 1, grouped.shape[2]), dim=-1).values
    there = best > float("-inf")
    of_group = torch.where(there[..., 0], torch.where(there, best, 0.0).sum(dim=-1), float("-inf"))
    groups = torch.topk(of_group, kept_groups, dim=-1).indices
    allowed = torch.zeros_like(of_group, dtype=torch.bool).scatter(1, groups, True)
    return torch.where(allowed[..., None], grouped, float("-inf")).flatten(1)
