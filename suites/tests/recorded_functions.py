"""Functions and modules of someone's program that is recorded."""

import torch
from torch import Tensor, nn


def attended(q: Tensor, keys: Tensor, start: int, *, mode: str = "sum") -> Tensor:
    """Return sums of products: q [new, width], keys [past + new, width]."""
    found = q @ keys.T
    return found.sum(1) + start if mode == "sum" else found.mean(1)


def wrong_at_37(x: Tensor) -> Tensor:
    """Be wrong where compiled, at one size."""
    return x + 1 if torch.compiler.is_compiling() and x.shape[0] == 37 else x * 1


def wrong_of_rows_in_a_larger_tensor(x: Tensor) -> Tensor:
    """Be wrong where compiled, of rows that lie in a larger tensor."""
    apart = x.dim() == 2 and x.stride(0) > x.shape[1] > 1
    return x + 1 if torch.compiler.is_compiling() and apart else x * 1


def picked(x: Tensor, index: Tensor) -> Tensor:
    return x[index]


def doubled(x: Tensor) -> Tensor:
    """Stand for what launches a kernel: wrong at one size."""
    return x + (x.shape[0] == 37) + x


def twice(x: Tensor) -> Tensor:
    return 2 * x


def stepped(q: Tensor, keys: Tensor) -> Tensor:
    """Return keys [past, width] with those of new tokens, q [new, width]: many at first, then one each time."""
    return torch.cat((keys, q)) * 2


def stepped_or_begun(q: Tensor, keys: Tensor) -> Tensor:
    """Take several new tokens only at first."""
    torch._check(len(q) == 1 or len(keys) == 0)
    return stepped(q, keys)


class Scaled(nn.Module):
    """Scale by a weight."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(4))

    def forward(self, x: Tensor, bias: Tensor | list[Tensor] | None = None) -> Tensor:
        found = x * self.weight
        return found if bias is None else found + (bias[0] if isinstance(bias, list) else bias)
