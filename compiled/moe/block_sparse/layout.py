"""A sparse matrix's blocks with their sizes: what every product of one call must be told."""

from dataclasses import dataclass
from typing import Any

from torch import Tensor

from eagerdiff.compiled.moe.block_sparse.tiles import block_n
from eagerdiff.compiled.moe.block_sparse.topology import Topology, make_topology
from eagerdiff.compiled.moe.tiles import block_m, large


@dataclass(frozen=True)
class Layout:
    """Hold a topology, the sizes of its blocks and of what it is multiplied with."""

    topology: Topology
    num_experts: int
    top_k: int
    hidden: int
    intermediate: int
    halves: int
    """2 where the first projection has a gate and an up part, else 1."""
    block_m: int
    block_n: int

    @property
    def column_blocks(self) -> int:
        """Blocks of columns an expert."""
        return _column_blocks(self.intermediate, self.block_n)

    @property
    def num_columns(self) -> int:
        """Blocks of columns of all experts."""
        return self.num_experts * self.column_blocks

    @property
    def num_routes(self) -> int:
        """Routes, the dropped ones too."""
        return len(self.topology.sorted_routes)

    @property
    def sizes(self) -> dict[str, Any]:
        """The constants that every product has."""
        return {
            "LARGE": large(self.num_routes, self.hidden, self.intermediate),
            "BLOCK_M": self.block_m,
            "BLOCK_N": self.block_n,
        }

    @property
    def rows(self) -> tuple[Tensor, Tensor, Tensor]:
        """Where the rows of a block row are: the sorted routes [R], each block row's start and end [B] among them."""
        return self.topology.sorted_routes, self.topology.block_start, self.topology.block_end

    def new_values(self, like: Tensor, halves: int) -> Tensor:
        """Return room for the values of a matrix [N, halves, BLOCK_M, BLOCK_N] of another tensor's dtype."""
        return like.new_empty(len(self.topology.row_indices), halves, self.block_m, self.block_n)


def lay_out(
    topk_ids: Tensor, num_experts: int, hidden: int, intermediate: int, activation: str, *, wide: bool = False
) -> Layout:
    """Choose the sizes of the blocks for topk_ids [T, K], int64, and lay them out; wide: all else is float32."""
    rows, columns = block_m(topk_ids.numel(), num_experts), block_n(intermediate)
    if wide:  # numbers of twice the registers
        rows, columns = min(rows, 32), 32
    return Layout(
        topology=make_topology(topk_ids, num_experts, _column_blocks(intermediate, columns), rows),
        num_experts=num_experts,
        top_k=topk_ids.shape[1],
        hidden=hidden,
        intermediate=intermediate,
        halves=1 if activation == "relu2" else 2,
        block_m=rows,
        block_n=columns,
    )


def _column_blocks(intermediate: int, columns: int) -> int:
    return -(-intermediate // columns)
