"""Permutation in torch's operations, for a compiler to make of it what it can: sizes depend on sizes alone."""

import torch
from torch import Tensor

from eagerdiff.compiled.moe.align import align_blocks, group_routes


def moe_permute(
    x: Tensor, topk_ids: Tensor, topk_weights: Tensor, *, num_experts: int, block_m: int
) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]:
    """Sort routes, move rows there and back; arguments and result as the reference's."""
    num_tokens, top_k = topk_ids.shape
    here = (topk_ids >= 0) & (topk_ids < num_experts)
    sorted_routes, expert_offsets = group_routes(torch.where(here, topk_ids, -1), num_experts)
    block_expert, block_start = align_blocks(expert_offsets, num_tokens * top_k, block_m)
    tokens = sorted_routes // top_k
    here_sorted = here.flatten()[sorted_routes]
    permuted = torch.where(here_sorted[:, None], torch.index_select(x, 0, tokens), 0)
    weights = torch.where(here_sorted, topk_weights.flatten()[sorted_routes], 0)
    weighted = weights[:, None] * permuted
    combined = torch.zeros(x.shape, dtype=weighted.dtype, device=x.device).index_add(0, tokens, weighted).to(x.dtype)
    # Blocks with nothing to do are cut from behind the last expert's run.
    return (
        *(sorted_routes, expert_offsets, block_expert, torch.minimum(block_start, expert_offsets[-1])),
        *(permuted, combined),
    )
