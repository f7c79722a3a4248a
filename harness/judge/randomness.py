"""Random numbers of the reference: drawn once in its own dtype, and used again where it runs in float64."""

from collections.abc import Iterator, Sequence
from typing import Any

import torch
from torch import Tensor
from torch.utils import _pytree as pytree
from torch.utils._python_dispatch import TorchDispatchMode


class Recording(TorchDispatchMode):
    """Keep what every operator that draws from a generator gives, in order; what is made of it is not random."""

    supports_higher_order_operators = True

    def __init__(self) -> None:
        super().__init__()
        self.drawn: list[Any] = []

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        result = func(*args, **(kwargs or {}))
        if _draws(func):
            self.drawn.append(pytree.tree_map_only(Tensor, lambda tensor: tensor.detach().clone(), result))
        return result


class Replaying(TorchDispatchMode):
    """Give in float64 what was drawn before: a stream in float64 is another one than in float32.

    Raises RuntimeError where more is drawn than before.
    """

    supports_higher_order_operators = True

    def __init__(self, drawn: Sequence[Any]) -> None:
        super().__init__()
        self._drawn: Iterator[Any] = iter(drawn)

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        if not _draws(func):
            return func(*args, **(kwargs or {}))
        value = next(self._drawn, None)
        if value is None:
            raise RuntimeError("the reference draws more random numbers in float64")
        wide = pytree.tree_map_only(Tensor, _wide, value)
        return args[0].copy_(wide) if func._schema.name.endswith("_") else wide


def _draws(func: Any) -> bool:
    return torch.Tag.nondeterministic_seeded in getattr(func, "tags", ())  # `torch.cond` and its like have none


def _wide(tensor: Tensor) -> Tensor:
    return tensor.double() if tensor.is_floating_point() else tensor.clone()
