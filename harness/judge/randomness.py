"""Random numbers of the reference: drawn once in its own dtype, and used again where it runs in float64."""

from collections.abc import Callable, Iterator
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor
from torch.overrides import TorchFunctionMode
from torch.utils import _pytree as pytree

RANDOM: frozenset[Any] = frozenset(
    {
        *(torch.rand, torch.randn, torch.randint, torch.randperm, torch.normal, torch.poisson),
        *(torch.rand_like, torch.randn_like, torch.randint_like, torch.bernoulli, torch.multinomial),
        *(torch.dropout, torch.alpha_dropout),
        *(F.dropout, F.dropout1d, F.dropout2d, F.alpha_dropout, F.feature_alpha_dropout, F.gumbel_softmax, F.rrelu),
        *(Tensor.bernoulli, Tensor.multinomial, Tensor.bernoulli_, Tensor.uniform_, Tensor.normal_, Tensor.random_),
        *(Tensor.exponential_, Tensor.geometric_, Tensor.cauchy_, Tensor.log_normal_),
    }
)
"""What draws from a generator: a stream in float64 is another one than in float32."""


class Recording(TorchFunctionMode):
    """Keep what every random function gives, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.drawn: list[Any] = []

    def __torch_function__(
        self, func: Callable[..., Any], types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        result = func(*args, **(kwargs or {}))
        if func in RANDOM:
            self.drawn.append(pytree.tree_map_only(Tensor, lambda tensor: tensor.detach().clone(), result))
        return result


def replayed(func: Callable[..., Any], args: tuple[Any, ...], drawn: Iterator[Any]) -> Any:
    """Return in float64 what a random function gave before, written in place where it writes.

    Raises RuntimeError where the reference draws more often in float64 than it did before.
    """
    value = next(drawn, None)
    if value is None:
        raise RuntimeError("the reference draws more random numbers in float64")
    wide = pytree.tree_map_only(Tensor, lambda tensor: tensor.double() if tensor.is_floating_point() else tensor, value)
    return args[0].copy_(wide) if func.__name__.endswith("_") else wide
