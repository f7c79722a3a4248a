"""Functions whose integers mean something, each wrong when compiled at values that an example does not have."""

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor


def sums_of_pieces(x: Tensor, bounds: Tensor) -> Tensor:
    """Sum rows of x [rows, width] between bounds [pieces + 1]; wrong of an empty piece."""
    counts = bounds.diff()
    groups = torch.repeat_interleave(torch.arange(len(counts)), counts, output_size=x.shape[0])
    return _wrong_where(x.new_zeros(len(counts), x.shape[1]).index_add(0, groups, x), counts == 0)


def sums_of_counts(x: Tensor, counts: Tensor) -> Tensor:
    """Sum rows of x [rows, width], so many at a time; wrong of none."""
    groups = torch.repeat_interleave(torch.arange(len(counts)), counts, output_size=x.shape[0])
    return _wrong_where(x.new_zeros(len(counts), x.shape[1]).index_add(0, groups, x), counts == 0)


def up_to_lengths(x: Tensor, lengths: Tensor) -> Tensor:
    """Sum x [rows, length] up to lengths [rows]; wrong of whole rows."""
    sums = torch.cat((x.new_zeros(x.shape[0], 1), x.cumsum(1)), 1)
    return _wrong_where(sums.gather(1, lengths[:, None]), lengths == x.shape[1])


def means_where(x: Tensor, mask: Tensor) -> Tensor:
    """Return the mean of x [rows, length] where a mask [rows, length] is 1; wrong where it is nowhere."""
    if mask.amax() > 1:
        raise ValueError("a mask is 0 or 1")
    return _wrong_where((x * mask).sum(1, keepdim=True) / mask.sum(1, keepdim=True).clamp(1), mask.sum(1) == 0)


def sums_of_groups(x: Tensor, groups: Tensor) -> Tensor:
    """Sum x [rows, width] by groups [rows] in ascending order; wrong of a group that is not there."""
    sums = x.new_zeros(9, x.shape[1]).index_add(0, groups, x)
    return _wrong_where(sums, torch.bincount(groups, minlength=9)[:9] == 0) if (groups.diff() >= 0).all() else sums[:0]


def edges(x: Tensor, edge_index: Tensor) -> Tensor:
    """Send rows of x [nodes, width] along edges [2, edges], those from a node to itself aside."""
    start, end = edge_index[:, edge_index[0] != edge_index[1]]
    return torch.zeros_like(x).index_add(0, end, x[start])


class Pair(NamedTuple):
    """Hold two tensors."""

    left: Tensor
    right: Tensor


@dataclass
class Layers:
    """Hold what layers gave."""

    outputs: list[Tensor]
    scale: float


def of_layers(layers: Layers, pair: Pair, options: dict[str, Tensor], *, bias: Tensor) -> Tensor:
    """Add up what is held; wrong where `right` has no rows."""
    total = torch.cat(layers.outputs).sum(0) * layers.scale + pair.left.sum(0) + options["weight"] + bias
    return total + (1 if torch.compiler.is_compiling() and pair.right.shape[0] == 0 else 0) + pair.right.sum(0)


def _wrong_where(right: Tensor, mask: Tensor) -> Tensor:
    return right + mask[:, None] if torch.compiler.is_compiling() else right
