"""Sort routes by expert and cut each expert's run into blocks of tokens, with no host synchronisation.

A route is t * K + slot: token t's slot-th choice. Shapes: R = T * K routes, E experts, B blocks at most.
"""

from typing import NamedTuple

import torch
from torch import Tensor


class Groups(NamedTuple):
    """Routes grouped by expert."""

    sorted_routes: Tensor
    """[R], int64: routes in order of their expert, the dropped ones last."""
    expert_offsets: Tensor
    """[E + 1], int64: expert e's run is sorted_routes[expert_offsets[e] : expert_offsets[e + 1]]."""


class Blocks(NamedTuple):
    """Blocks of at most BLOCK_M routes that share an expert."""

    block_expert: Tensor
    """[B], int64: the block's expert, or E for a block with nothing to do."""
    block_start: Tensor
    """[B], int64: where the block begins in sorted_routes."""


def group_routes(topk_ids: Tensor, num_experts: int) -> Groups:
    """Group the routes of topk_ids [T, K], int64, by expert; ids below 0 are dropped routes."""
    expert_of_route = torch.where(topk_ids < 0, num_experts, topk_ids).flatten()
    sorted_experts, sorted_routes = torch.sort(expert_of_route, stable=True)
    boundaries = torch.arange(num_experts + 1, device=topk_ids.device)
    return Groups(sorted_routes, torch.searchsorted(sorted_experts, boundaries))


def align_blocks(expert_offsets: Tensor, num_routes: int, block_m: int) -> Blocks:
    """Cut the runs into blocks of block_m routes, as many as the worst routing needs: the grid depends on sizes alone.

    expert_offsets int64 [E + 1], as `group_routes` gives them.
    """
    num_experts = expert_offsets.shape[0] - 1
    # Each expert with a route may have one block that is not full.
    most = min(num_routes, -(-num_routes // block_m) + num_experts)
    expert_tokens = expert_offsets[1:] - expert_offsets[:-1]
    last_block = torch.cumsum((expert_tokens + block_m - 1) // block_m, dim=0)
    blocks = torch.arange(most, device=expert_offsets.device)
    block_expert = torch.searchsorted(last_block, blocks, right=True)
    first_block = torch.cat([last_block.new_zeros(1), last_block])
    block_start = expert_offsets[block_expert] + (blocks - first_block[block_expert]) * block_m
    return Blocks(block_expert, block_start)
