"""Counted work: what a call runs, whatever else the machine does."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch.utils import _pytree as pytree
from torch.utils._python_dispatch import TorchDispatchMode


@dataclass(frozen=True)
class Work:
    """Hold what one call ran."""

    operations: int
    """Operations of torch that compute or move something: views and assertions about sizes do neither."""
    elements: int
    """Elements of the tensors that they read and gave."""
    waits: int = 0
    """Operations whose value or size the program needs to go on (`item`, `nonzero`): on a GPU it waits for each, and
    with one no call is a CUDA graph."""


def work_of(call: Callable[[], object]) -> Work:
    """Count the work of a call; what is to compile has compiled before, for nothing is traced meanwhile.

    Code that Inductor generates runs past the count, but for the operations that it leaves to torch.
    """
    with _Counting() as counting:
        call()
    return Work(counting.operations, counting.elements, counting.waits)


_WAITED_FOR = (torch.Tag.data_dependent_output, torch.Tag.dynamic_output_shape)


class _Counting(TorchDispatchMode):
    supports_higher_order_operators = True

    def __init__(self) -> None:
        super().__init__()
        self.operations = self.elements = self.waits = 0

    @classmethod
    def is_infra_mode(cls) -> bool:
        """Let Dynamo call what it has compiled: under another mode it calls eager."""
        return True

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        result = func(*args, **(kwargs or {}))
        tensors = [leaf for leaf in pytree.tree_leaves((args, kwargs, result)) if isinstance(leaf, torch.Tensor)]
        views = getattr(func, "is_view", False) or str(func).startswith("aten._unsafe_view")
        if tensors and not views:
            self.operations += 1
            self.elements += sum(tensor.numel() for tensor in tensors)
            self.waits += any(tag in _WAITED_FOR for tag in getattr(func, "tags", ()))
        return result
