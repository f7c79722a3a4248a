"""Routing: which experts each token goes to, and with what weights, in plain eager torch.

Shapes: T tokens, E experts, K = top_k, G groups, V words of the hash table, L experts that are local.
"""

import torch
from torch import Tensor


def moe_routing(
    router_logits: Tensor,
    *,
    top_k: int,
    scoring: str = "softmax",
    renormalize: bool = True,
    scaling: float = 1.0,
    selection_bias: Tensor | None = None,
    num_groups: int = 1,
    kept_groups: int = 1,
    capacity: int | None = None,
    expert_choice: bool = False,
    token_ids: Tensor | None = None,
    hash_table: Tensor | None = None,
    expert_map: Tensor | None = None,
    num_local: int | None = None,
    preferred: Tensor | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    """Return topk_weights [T, K] in the logits' dtype, topk_ids int64 [T, K] and expert_counts int64 [L].

    router_logits [T, E]: -inf masks an expert out for a token, and a row that holds NaN is routed nowhere. scoring:
    `softmax` over all experts, `sigmoid`, or `topk_softmax`, over the chosen alone. Slots stand in falling order of
    what they were chosen by: the score, plus selection_bias [E] if there is one, which no weight sees. Of num_groups
    runs of neighbouring experts a token goes to the kept_groups best: by their best expert, with a selection_bias by
    the sum of their two best (DeepSeek-V3, arXiv 2412.19437). renormalize: weights over their sum + 1e-20; scaling
    multiplies them in the end.

    Other ways of choosing: expert_choice, each expert takes its `capacity` best tokens (arXiv 2202.09368; K = E, slot e
    is expert e's); hash_table int64 [V, K], the experts of each of token_ids [T] (arXiv 2106.04426).

    A route that is not there has id -1 and weight 0: masked out; beyond its expert's `capacity`, first choices of all
    tokens before second ones (GShard, arXiv 2006.16668); or not local: expert_map int64 [E] gives ids below
    num_local (L, else E), or -1.
    Arguments may lie anyhow, expanded ones among them.
    preferred int64 [T, K]: what wins a tie, in this order, -1 for nothing; without it the first of equal experts.
    """
    usable = (router_logits > -torch.inf) & ~router_logits.isnan().any(dim=1, keepdim=True)
    scores = score(router_logits, usable, scoring)
    if expert_choice:
        topk_ids = choose_tokens(_selection(router_logits, usable, scoring, None), capacity or 0, preferred)
    elif hash_table is not None and token_ids is not None:
        topk_ids = hash_table[token_ids].where(usable.gather(1, hash_table[token_ids]), -1)
    else:
        selection = _selection(router_logits, usable, scoring, selection_bias)
        topk_ids = choose(selection, top_k, num_groups, kept_groups, selection_bias is not None, preferred)
    topk_weights = weigh(scores, topk_ids, scoring, renormalize) * scaling
    if capacity is not None and not expert_choice:
        topk_ids = drop(topk_ids, capacity, router_logits.shape[1])
    if expert_map is not None:
        topk_ids = expert_map[topk_ids.clamp_min(0)].where(topk_ids >= 0, -1)
    expert_counts = torch.bincount(topk_ids[topk_ids >= 0], minlength=num_local or router_logits.shape[1])
    return topk_weights.where(topk_ids >= 0, 0.0), topk_ids, expert_counts


def score(router_logits: Tensor, usable: Tensor, scoring: str) -> Tensor:
    """Return what weights are made of [T, E]; for `topk_softmax` the logits themselves."""
    logits = router_logits.where(usable, -torch.inf)
    if scoring == "topk_softmax":
        return logits
    return logits.sigmoid() if scoring == "sigmoid" else logits.softmax(dim=-1).where(usable, 0.0)


def _selection(router_logits: Tensor, usable: Tensor, scoring: str, selection_bias: Tensor | None) -> Tensor:
    """Return what experts are chosen by, float64 [T, E]: every dtype chooses alike. -inf where none may be chosen."""
    scores = score(router_logits.double(), usable, scoring)
    return (scores if selection_bias is None else scores + selection_bias.double()).where(usable, -torch.inf)


def choose(
    selection: Tensor, top_k: int, num_groups: int, kept_groups: int, by_two: bool, preferred: Tensor | None
) -> Tensor:
    """Return the ids [T, K] of the best of selection [T, E], -1 where there are no more."""
    out = torch.zeros_like(selection)
    if preferred is not None:
        selection, out = selection + _bonus(selection, preferred), _left_out(selection, preferred)
    if num_groups > 1:
        grouped = selection.unflatten(1, (num_groups, selection.shape[1] // num_groups))
        best = grouped.sort(dim=-1, descending=True).values[..., : 2 if by_two else 1]
        of_group = torch.where(best > -torch.inf, best, 0.0).sum(dim=-1).where(best[..., 0] > -torch.inf, -torch.inf)
        of_group = of_group - out.unflatten(1, (num_groups, -1)).amax(dim=-1)
        kept = of_group.sort(dim=-1, descending=True, stable=True).indices[:, :kept_groups]
        allowed = torch.zeros_like(of_group, dtype=torch.bool).scatter(1, kept, True)
        selection = grouped.where(allowed[..., None], -torch.inf).flatten(1)
    ordered = selection.sort(dim=-1, descending=True, stable=True)
    return ordered.indices[:, :top_k].where(ordered.values[:, :top_k] > -torch.inf, -1)


def choose_tokens(selection: Tensor, capacity: int, preferred: Tensor | None) -> Tensor:
    """Return ids [T, E]: column e holds e for the best tokens of expert e, -1 for the others."""
    if preferred is not None:
        selection = selection + _bonus(selection, preferred)
    ordered = selection.sort(dim=0, descending=True, stable=True)
    chosen = ordered.values[:capacity] > -torch.inf
    taken = torch.zeros_like(selection, dtype=torch.bool).scatter(0, ordered.indices[:capacity], chosen)
    return torch.arange(selection.shape[1], device=selection.device).where(taken, -1)


def _bonus(selection: Tensor, preferred: Tensor) -> Tensor:
    """Return a few float32 roundings of a row's largest score for the preferred, the first slot's the most.

    Each slot has two more than the next: scores that round to one float32 are one rounding apart at most.
    """
    num_tokens, num_slots = preferred.shape
    rounding = _rounding(selection)
    order = 8 + 2 * torch.arange(num_slots, 0, -1, device=selection.device, dtype=selection.dtype)
    num_experts = selection.shape[1]
    bonus = selection.new_zeros(num_tokens, num_experts + 1)
    # The last column catches what is no expert.
    place = preferred.where((preferred >= 0) & (preferred < num_experts), num_experts)
    return rounding * bonus.scatter(1, place, order.expand(num_tokens, num_slots))[:, :num_experts]


def _left_out(selection: Tensor, preferred: Tensor) -> Tensor:
    """Return a few float32 roundings for what would stand before the last of the preferred, and is not among them.

    Its group was not kept: of groups that are tied such a one is the last.
    """
    there = (preferred >= 0) & (preferred < selection.shape[1])
    at = preferred.where(there, 0)
    last = selection.gather(1, at).where(there, -torch.inf).amin(dim=1, keepdim=True)
    rounding = _rounding(selection)
    among = torch.zeros_like(selection).scatter_add(1, at, there.to(selection.dtype)) > 0
    return (16 * rounding).where((selection > last + 8 * rounding) & ~among, 0.0)


def _rounding(selection: Tensor) -> Tensor:
    """Return one float32 rounding of a row's largest score [T, 1]."""
    single = torch.finfo(torch.float32)
    return single.eps * selection.where(selection.isfinite(), 0.0).abs().amax(dim=1, keepdim=True) + single.tiny


def weigh(scores: Tensor, topk_ids: Tensor, scoring: str, renormalize: bool) -> Tensor:
    """Return the weights [T, K] of the chosen, 0 for -1."""
    chosen = topk_ids >= 0
    topk_weights = scores.gather(1, topk_ids.clamp_min(0))
    if scoring == "topk_softmax":
        return topk_weights.where(chosen, -torch.inf).softmax(dim=-1).where(chosen, 0.0)
    topk_weights = topk_weights.where(chosen, 0.0)
    return topk_weights / (topk_weights.sum(dim=-1, keepdim=True) + 1e-20) if renormalize else topk_weights


def drop(topk_ids: Tensor, capacity: int, num_experts: int) -> Tensor:
    """Return the ids [T, K] with -1 for routes beyond the first `capacity` of an expert, slot after slot."""
    in_order = topk_ids.T.flatten()
    taken = in_order[:, None] == torch.arange(num_experts, device=topk_ids.device)
    rank = (taken.cumsum(dim=0) * taken).sum(dim=1)
    return in_order.where(rank <= capacity, -1).view(topk_ids.shape[1], topk_ids.shape[0]).T
