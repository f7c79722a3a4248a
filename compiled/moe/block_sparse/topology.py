"""Which blocks of a sparse matrix [rows of the routes, columns of all experts] are there, from the routing alone.

The rows are the routes sorted by expert, each expert's run padded to whole blocks of BLOCK_M; the columns are every
expert's intermediate columns, padded to whole blocks of BLOCK_N. A block row has its own expert's columns. As
MegaBlocks has it (arXiv 2211.15841): compressed rows, and the transposed order as offsets into the same values.
Shapes: R routes, E experts, C blocks of columns an expert, B block rows at most, N = B * C blocks at most.
"""

from typing import NamedTuple

import torch
from torch import Tensor

from eagerdiff.compiled.moe.align import align_blocks, group_routes


class Topology(NamedTuple):
    """The blocks that are there, row after row; as many as the worst routing needs, so that nobody waits for a count.

    Kernels read the fields one by one: their order is that of the kernels' arguments.
    """

    sorted_routes: Tensor
    """[R], int64: routes in order of their expert, the dropped ones last."""
    block_start: Tensor
    """[B], int64: the first row of sorted_routes in the block row."""
    block_end: Tensor
    """[B], int64: one past the last; what the block row holds beyond is padding."""
    offsets: Tensor
    """[B + 1], int64: block row b's blocks are offsets[b] to offsets[b + 1]; those of unused rows are none."""
    column_indices: Tensor
    """[N], int64: the block's column among E * C; E * C where there is no block."""
    row_indices: Tensor
    """[N], int64: the block's row."""


class Transposed(NamedTuple):
    """The same blocks, column after column."""

    offsets: Tensor
    """[E * C + 1], int64: block column c's blocks are block_offsets[offsets[c] : offsets[c + 1]], in order of row."""
    block_offsets: Tensor
    """[N], int64: where among the values, which stay row after row."""


def make_topology(topk_ids: Tensor, num_experts: int, column_blocks: int, block_m: int) -> Topology:
    """Lay out the blocks for topk_ids [T, K], int64, -1 for a dropped route, with column_blocks an expert."""
    num_routes = topk_ids.numel()
    groups = group_routes(topk_ids, num_experts)
    blocks = align_blocks(groups.expert_offsets, num_routes, block_m)
    used = blocks.block_expert < num_experts
    expert_end = groups.expert_offsets[(blocks.block_expert + 1).clamp_max(num_experts)]
    block_end = torch.where(used, torch.minimum(blocks.block_start + block_m, expert_end), blocks.block_start)
    row_blocks = torch.cumsum(used * column_blocks, dim=0)
    index = torch.arange(used.numel() * column_blocks, device=topk_ids.device)
    row_indices = index // column_blocks
    # Past the last expert's columns where the row is not used: its expert is num_experts.
    column_indices = blocks.block_expert[row_indices] * column_blocks + index % column_blocks
    column_indices = column_indices.clamp_max(num_experts * column_blocks)
    offsets = torch.cat([row_blocks.new_zeros(1), row_blocks])
    return Topology(groups.sorted_routes, blocks.block_start, block_end, offsets, column_indices, row_indices)


def transpose(topology: Topology, num_columns: int) -> Transposed:
    """Order the blocks by their column, of num_columns = E * C, then by their row."""
    sorted_columns, block_offsets = torch.sort(topology.column_indices, stable=True)
    boundaries = torch.arange(num_columns + 1, device=sorted_columns.device)
    return Transposed(torch.searchsorted(sorted_columns, boundaries), block_offsets)
