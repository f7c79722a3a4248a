"""Permutation: routes in order of their experts, in blocks, the tokens' rows behind them, and all back together.

Shapes: T tokens, K routes a token, R = T * K routes, E experts, H hidden, B blocks at most. Route t * K + slot is
token t's slot-th; it is here where its id is one of the E experts'.
"""

import torch
from torch import Tensor

Permutation = tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]


def moe_permute(x: Tensor, topk_ids: Tensor, topk_weights: Tensor, *, num_experts: int, block_m: int) -> Permutation:
    """Sort the routes of topk_ids int64 [T, K] by expert and move the rows of x [T, H] there and back.

    Ids below 0 and from num_experts on are of routes that are not here: what x and topk_weights [T, K], float32, hold
    for them alone is not read. Arguments may lie anyhow. Returns

    - sorted_routes int64 [R]: by expert, each expert's in their own order; those that are not here last;
    - expert_offsets int64 [E + 1]: expert e's are sorted_routes[expert_offsets[e] : expert_offsets[e + 1]];
    - block_expert, block_start int64 [B]: `cut_blocks`;
    - permuted [R, H]: row i is that of sorted_routes[i]'s token, 0 where the route is not here;
    - combined [T, H]: the weighted sum of each token's permuted rows, as if experts changed nothing.
    """
    num_tokens, top_k = topk_ids.shape
    runs: list[list[int]] = [[] for _ in range(num_experts + 1)]
    for route, chosen in enumerate(topk_ids.flatten().tolist()):
        runs[chosen if 0 <= chosen < num_experts else num_experts].append(route)
    sorted_routes = torch.tensor([route for run in runs for route in run], dtype=torch.int64, device=x.device)
    expert_offsets = torch.tensor([0, *(len(run) for run in runs[:-1])], device=x.device).cumsum(dim=0)

    tokens = sorted_routes // max(1, top_k)
    here = torch.arange(len(sorted_routes), device=x.device) < expert_offsets[-1]
    permuted = x[tokens].where(here[:, None], 0.0)
    rows = permuted[sorted_routes.argsort()].view(num_tokens, top_k, x.shape[1])
    weights = topk_weights.where((topk_ids >= 0) & (topk_ids < num_experts), 0.0)
    combined = (weights[:, :, None] * rows).sum(dim=1).to(x.dtype)
    return sorted_routes, expert_offsets, *cut_blocks(expert_offsets, len(sorted_routes), block_m), permuted, combined


def cut_blocks(expert_offsets: Tensor, num_routes: int, block_m: int) -> tuple[Tensor, Tensor]:
    """Return block_expert and block_start int64 [B]: the runs of expert_offsets [E + 1] in blocks of block_m routes.

    Each block is one expert's, the last of a run may be short. B = min(R, ceil(R / block_m) + E) is enough for any ids;
    blocks with nothing to do have expert E, and start where the routes that are here end.
    """
    offsets = expert_offsets.tolist()
    num_experts = len(offsets) - 1
    blocks = [
        (expert, start)
        for expert in range(num_experts)
        for start in range(offsets[expert], offsets[expert + 1], block_m)
    ]
    idle = min(num_routes, -(-num_routes // block_m) + num_experts) - len(blocks)
    table = torch.tensor(blocks + [(num_experts, offsets[-1])] * idle, dtype=torch.int64, device=expert_offsets.device)
    return table.view(-1, 2)[:, 0].contiguous(), table.view(-1, 2)[:, 1].contiguous()
