"""Ties: operations that take one of several equal elements, and need not all take the same one.

torch promises an order of equal elements only where `stable=True` (`torch.sort`, `torch.argsort`); which of them
`torch.topk`, `torch.kthvalue`, `torch.median`, `torch.nanmedian` and `torch.mode` name is the kernel's own affair ("not
necessarily the first occurrence": https://docs.pytorch.org/docs/stable/generated/torch.median.html). `torch.max`,
`torch.min`, `torch.argmax` and `torch.argmin` promise the first, and are not among them.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode

DIM = {"sort": 1, "argsort": 1, "topk": 2, "kthvalue": 2, "median": 1, "nanmedian": 1, "mode": 1}
"""Operations that choose, each with the position of its `dim`."""


class PreferredChoices(TorchFunctionMode):
    """Let operations that choose among equal elements take those that are preferred.

    `preferred` holds int64 tensors of indices, each in the shape of some result. One is taken only where it chooses
    equal values, and no element twice: elsewhere the operation's own choice stands. `taken` counts those that were.
    """

    def __init__(self, preferred: Sequence[Tensor]) -> None:
        super().__init__()
        self.preferred = [choice for choice in preferred if choice.dtype is torch.int64]
        self.taken = 0

    def __torch_function__(  # what overrides a method of torch has its name
        self,
        func: Callable[..., Any],
        types: Sequence[type],
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        """Call a function of torch, and break its ties."""
        options = dict(kwargs or {})
        result = func(*args, **options)
        name = getattr(func, "__name__", "")
        if name not in DIM or options.get("stable") or "out" in options or not isinstance(args[0], Tensor):
            return result
        dim = options.get("dim", args[DIM[name]] if len(args) > DIM[name] else -1)
        own = result if name == "argsort" else result[1] if isinstance(result, tuple) else None
        if not isinstance(own, Tensor) or not isinstance(dim, int):
            return result
        for choice in self.preferred:
            if choice.shape == own.shape and not choice.equal(own):
                unordered = name == "topk" and options.get("sorted", args[4] if len(args) > 4 else True) is False
                values = _chosen(args[0], dim, own, choice, unordered)
                if values is not None:
                    self.taken += 1
                    return choice.clone() if name == "argsort" else type(result)((values, choice.clone()))
        return result


def _chosen(given: Tensor, dim: int, own: Tensor, choice: Tensor, unordered: bool) -> Tensor | None:
    """Return the values that indices choose along a dim; None where they do not choose as `own` does, but for ties.

    Chosen elements that are `unordered` may come in any order.
    """
    dropped = own.dim() < given.dim()
    indices, others = (choice.unsqueeze(dim), own.unsqueeze(dim)) if dropped else (choice, own)
    length = given.shape[dim] if given.dim() else 1
    if bool(((indices < 0) | (indices >= length)).any()):
        return None
    values, expected = given.gather(dim, indices), given.gather(dim, others)
    one, other = (values.sort(dim).values, expected.sort(dim).values) if unordered else (values, expected)
    equal = (one == other) | (one.isnan() & other.isnan())
    distinct = indices.dim() == 0 or bool((indices.sort(dim).values.diff(dim=dim) != 0).all())
    if not bool(equal.all()) or not distinct:
        return None
    return values.squeeze(dim) if dropped else values
