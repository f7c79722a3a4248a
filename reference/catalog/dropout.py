"""Dropout (arXiv 1207.0580): what it makes of elements that it keeps, whichever these are."""

import torch
from torch import Tensor


def kept(x: Tensor, p: float) -> Tensor:
    """Return x / (1 - p), of x of any shape, in its dtype."""
    return x / (1 - p)


def completed(dropped: Tensor, x: Tensor, p: float) -> Tensor:
    """Fill in what dropout made zero, so that all is as `kept` says: dropped and x of any shape, the same.

    The same holds of gradients: those of kept elements come through `dropped`.
    """
    return torch.where(dropped != 0, dropped, kept(x, p))
