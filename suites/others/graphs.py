"""Of torch_geometric: convolutions over edges, softmax and sums by group, pooling, batches of graphs made dense."""
# pyright: reportMissingImports=false

from typing import Any

import torch

from eagerdiff import check
from eagerdiff.suites.own.checked import Checked

EDGES = torch.tensor([[0, 1, 2, 3], [1, 2, 3, 4]])
GROUPS = torch.tensor([0, 0, 1, 1, 1, 3, 3, 3, 3])


def gcn_conv(**asked: Any) -> Checked:
    from torch_geometric.nn import GCNConv

    return check(GCNConv(8, 4).eval(), torch.randn(6, 8), EDGES, **asked)


def gat_conv(**asked: Any) -> Checked:
    from torch_geometric.nn import GATConv

    return check(GATConv(8, 4, heads=2).eval(), torch.randn(6, 8), EDGES, **asked)


def top_k_pooling(**asked: Any) -> Checked:
    from torch_geometric.nn import TopKPooling

    return check(TopKPooling(3).eval(), torch.randn(9, 3), EDGES, batch=GROUPS, **asked)


def global_mean_pool(**asked: Any) -> Checked:
    from torch_geometric.nn import global_mean_pool

    return check(global_mean_pool, torch.randn(9, 3), GROUPS, **asked)


def softmax(**asked: Any) -> Checked:
    from torch_geometric.utils import softmax

    return check(softmax, torch.randn(9, 3), GROUPS, **asked)


def scatter(**asked: Any) -> Checked:
    from torch_geometric.utils import scatter

    return check(scatter, torch.randn(9, 3), GROUPS, reduce="mean", **asked)


def segment(**asked: Any) -> Checked:
    from torch_geometric.utils import segment

    return check(segment, torch.randn(9, 3), torch.tensor([0, 2, 5, 9]), **asked)


def to_dense_batch(**asked: Any) -> Checked:
    from torch_geometric.utils import to_dense_batch

    return check(to_dense_batch, torch.randn(9, 3), GROUPS, **asked)
