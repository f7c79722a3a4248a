"""Indexing, and what finds places."""

import torch
from torch import Tensor


def index_select(x: Tensor, index: Tensor) -> Tensor:
    """Return columns: x [rows, columns], index int64 [count]; the result [rows, count]."""
    return x.index_select(1, index)


def embedding(weight: Tensor, ids: Tensor) -> Tensor:
    """Return rows of weight [count, width] by ids int64 [...]: [..., width]."""
    return torch.nn.functional.embedding(ids, weight)


def masked_select(x: Tensor, mask: Tensor) -> Tensor:
    """Return the elements of x, of any shape, where mask, of the same shape, is true, in order: [count]."""
    return x[mask]


def nonzero(x: Tensor) -> Tensor:
    """Return places of what is not zero, in order: x of any shape, int64 [count, dims]."""
    return x.nonzero()


def isin(x: Tensor, among: Tensor) -> Tensor:
    """Return which elements of x, of any shape, are among others [count]: bool."""
    return (x[..., None] == among).any(-1)


def roll(x: Tensor, shift: int) -> Tensor:
    """Move the columns of x [rows, columns] by shift, around."""
    place = torch.arange(x.shape[1], device=x.device)
    return x[:, (place - shift) % max(1, x.shape[1])]


def diag(x: Tensor, offset: int) -> Tensor:
    """Return the diagonal of x [rows, columns], offset to the right of the main one."""
    return torch.diagonal(x, offset).clone()
