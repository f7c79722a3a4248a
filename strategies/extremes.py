"""Numbers that arithmetic loses: NaN, infinities, the largest, the least, and a zero with a sign."""

import torch
from torch import Tensor

_EXTREMES = (float("nan"), float("inf"), float("-inf"), 3.0e38, -0.0, 1.0e-40)


def strew(values: Tensor, generator: torch.Generator) -> None:
    """Put an extreme number in place of about every eighth element, in place; values float32, of any shape."""
    chosen = torch.tensor(_EXTREMES)[torch.randint(len(_EXTREMES), values.shape, generator=generator)]
    values.copy_(chosen.where(torch.rand(values.shape, generator=generator) < 0.125, values))
