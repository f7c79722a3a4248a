"""Operations that a program registers for a GPU with `torch.library`: called where a tensor is on it."""

import functools
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, ClassVar

import torch
from torch.library import Library
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from eagerdiff.harness.internals.torch_placement import HOOKS
from eagerdiff.harness.sanitizer.gpu_only import KERNELS

_KEY = "CUDA"
_ANY = "CompositeExplicitAutograd"
"""That of `torch.library.custom_op` where no device is named."""
_UNSEEN = HOOKS["unseen"].reach()
Kernel = Callable[..., Any]


class Registered(TorchDispatchMode):
    """Call what a program registered for a GPU where a tensor is on it, or is to be.

    `on_gpu` says so of a call's tensors, `within` opens what the program's own code sees.
    """

    called: ClassVar[set[str]] = set()
    """Operations of which what was registered was called, `aten::add.Tensor`."""

    def __init__(
        self, on_gpu: Callable[[Sequence[Any]], bool], within: Callable[[], AbstractContextManager[object]]
    ) -> None:
        super().__init__()
        self._on_gpu = on_gpu
        self._within = within
        self._kernels: dict[str, list[tuple[Library, Kernel]]] = {}
        """Of each operation those that were registered, the last one first asked."""

    def install(self) -> None:
        """Keep what is registered for a GPU from here on out of the dispatcher, which has none."""
        implement, destroy = Library.impl, HOOKS["destroy"].reach()

        def impl(library: Library, op_name: Any, fn: Any, dispatch_key: str = "", **options: Any) -> None:
            key = dispatch_key or library.dispatch_key
            if key != _KEY or not callable(fn):
                own = self._seen(fn) if key == _ANY and callable(fn) else fn
                implement(library, op_name, own, dispatch_key, **options)
                return
            name = op_name if isinstance(op_name, str) else op_name.name()
            full = name if "::" in name else f"{library.ns}::{name}"
            self._kernels.setdefault(full, []).append((library, fn))

        def destroyed(library: Library) -> None:
            for kernels in self._kernels.values():
                kernels[:] = [one for one in kernels if one[0] is not library]
            destroy(library)

        Library.impl = impl  # pyright: ignore[reportAttributeAccessIssue]
        HOOKS["destroy"].replace(destroyed)

    def _seen(self, fn: Kernel) -> Kernel:
        """Return a program's own operation of any device, which sees there what the program sees."""

        @functools.wraps(fn)
        def called(*args: Any, **kwargs: Any) -> Any:
            with self._within():
                return fn(*args, **kwargs)

        return called

    def __torch_dispatch__(
        self, func: Any, types: Sequence[type], args: Sequence[Any] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        """Call what was registered, or the processor's."""
        kwargs = kwargs or {}
        found = self._kernels.get(func.name())
        if not found:
            return KERNELS.get(func.name(), func)(*args, **kwargs)
        with _UNSEEN():  # autograd comes here within the program's modes, to which tensors do not say where they are
            there = self._on_gpu(tree_leaves((args, kwargs)))
        if not there:
            return func(*args, **kwargs)
        _, kernel = found[-1]
        self.called.add(func.name())
        with self._within():
            return kernel(*args, **{name: _there(value) for name, value in kwargs.items()})


def _there(argument: Any) -> Any:
    return torch.device("cuda", 0) if isinstance(argument, torch.device) else argument
