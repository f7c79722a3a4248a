"""Sorting, the greatest elements, and what appears once."""

from torch import Tensor


def sort(x: Tensor, descending: bool) -> tuple[Tensor, Tensor]:
    """Return rows [..., width] in order, and int64 places from which they came; equal ones stay in order."""
    found = x.sort(dim=-1, descending=descending, stable=True)
    return found.values, found.indices


def topk(x: Tensor, k: int) -> Tensor:
    """Return the k greatest of rows [..., width], the greatest first: [..., k]."""
    return x.sort(-1, descending=True).values[..., :k]


def unique(x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Return elements of x [count] once each in order, which one each is, and how often each appears (int64)."""
    values, inverse, counts = x.unique(sorted=True, return_inverse=True, return_counts=True)
    return values, inverse, counts


def cummax(x: Tensor) -> Tensor:
    """Return the greatest of each element of rows [..., width] and those before it."""
    return x.cummax(-1).values


def topk_ids(scores: Tensor, lengths: Tensor, k: int, descending: bool) -> Tensor:
    """Return scores of the k first of each row of scores [rows, width] in order, NaN where there are fewer: [rows, k].

    A row has lengths[row] scores, int [rows].
    """
    found = scores.new_full((scores.shape[0], k), float("nan"))
    for row, length in enumerate(lengths.tolist()):
        first = scores[row, :length].sort(descending=descending).values[:k]
        found[row, : len(first)] = first
    return found
