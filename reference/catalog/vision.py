"""Vision: boxes and grids."""

import torch
from torch import Tensor


def nms(boxes: Tensor, scores: Tensor, threshold: float) -> Tensor:
    """Return which boxes stay, int64 [kept], those with greater scores first.

    boxes [count, 4] as (x1, y1, x2, y2), scores [count]; a box goes whose intersection with one that stays and has a
    greater score is more than threshold of their union.
    """
    order = scores.sort(descending=True, stable=True).indices
    low, high = (
        torch.maximum(boxes[:, None, :2], boxes[None, :, :2]),
        torch.minimum(boxes[:, None, 2:], boxes[None, :, 2:]),
    )
    shared = (high - low).clamp_min(0).prod(-1)
    area = (boxes[:, 2:] - boxes[:, :2]).prod(-1)
    union = area[:, None] + area[None] - shared
    over = torch.where(union > 0, shared / union, 0.0) > threshold
    kept: list[int] = []
    for box in order.tolist():
        if not bool(over[kept, box].any()):
            kept.append(box)
    return torch.tensor(kept, dtype=torch.int64, device=boxes.device)


def bev_pool(
    features: Tensor, cells: Tensor, starts: Tensor, lengths: Tensor, grid: tuple[int, int, int, int]
) -> Tensor:
    """Sum points into cells of a grid (batch, z, x, y): [*grid, channels], zeros where none is.

    features [points, channels]; cells int [points, 4] as (x, y, z, batch); starts and lengths int [intervals] say
    which points, one behind the other, are of one cell, which is that of the first (BEVFusion, arXiv 2205.13542).
    """
    found = features.new_zeros((*grid, features.shape[-1]))
    for start, length in zip(starts.tolist(), lengths.tolist(), strict=True):
        x, y, z, batch = cells[start].tolist()
        found[batch, z, x, y] = features[start : start + length].sum(0)
    return found
