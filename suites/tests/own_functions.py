"""Functions and modules of someone's own, right ones and ones that compiled code gets wrong."""

import torch
import torch.nn.functional as F
from torch import Tensor, nn

SCALE = 2.0


def chosen_rows(x: Tensor, idx: Tensor) -> Tensor:
    """Return rows of x [length, width] by number."""
    return x[idx] * SCALE


def scaled(x: Tensor) -> Tensor:
    return _twice(x) + 1


def _twice(x: Tensor) -> Tensor:
    return x * SCALE


def wrong_when_compiled(x: Tensor) -> Tensor:
    return scaled(x) + 1 if torch.compiler.is_compiling() else scaled(x)


def wrong_when_empty(x: Tensor) -> Tensor:
    if torch.compiler.is_compiling() and x.shape[0] == 0:
        return x.new_zeros(1)
    return x.sum(1)


def branching(x: Tensor) -> Tensor:
    """Branch on a size: each side is a graph.

    x: [rows, 4]
    """
    return x + 1 if x.shape[0] > 20 else x - 1


def table(x: Tensor, *, ids: Tensor, weight: Tensor) -> Tensor:
    return F.embedding(ids, weight).sum(0) + x.mean()


def noisy(x: Tensor) -> Tensor:
    return F.dropout(x, 0.5)


def last_of_three(x: Tensor) -> Tensor:
    """Refuse fewer than three rows."""
    return x[2] + x[-3]


class Normed(nn.Module):
    """A linear layer and a norm that counts what it has seen."""

    def __init__(self, width: int = 6) -> None:
        super().__init__()
        self.linear = nn.Linear(4, width)
        self.norm = nn.BatchNorm1d(width)

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(self.norm(self.linear(x)))


class Forgetful(nn.Module):
    """Keep a running sum, but not where it is compiled."""

    total: Tensor

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("total", torch.zeros(4))

    def forward(self, x: Tensor) -> Tensor:
        if not torch.compiler.is_compiling():
            self.total += x.sum(0).detach()
        return x * 2


def make_example() -> dict[str, Tensor]:
    return {"x": torch.randn(7, 5), "idx": torch.tensor([0, 3, 6])}
