"""What pages of drawn code share: gradients taken outside what is compiled, as training does, and limits."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Generic

import torch

from eagerdiff import CaseT, Implementation
from eagerdiff.compiled.torch_compile import MODES
from eagerdiff.reference.programs import differentiated, programs
from eagerdiff.strategies.programs.rendering import IMPORTS

IGNORED = ("source", "gradients", "random")
"""Options of the reference that compiled code does not take."""
MOST_INTERPRETED = 1024
"""Elements of one tensor on the interpreter: a reduction launches a program for every row or two."""
UNPADDED = tuple(mode for mode in MODES if not mode.padded)
"""Padding changes what most code gives: buckets are tested by `symbolic`."""


@dataclass(frozen=True, kw_only=True)
class DrawnCode(Generic[CaseT]):
    """Say what the code of a case is, and whether gradients of its outputs' sum are taken."""

    source: Callable[[CaseT], str]
    """Source of a function called `program`."""
    taken: Callable[[CaseT], bool]

    def around(self, case: CaseT, compiled: Callable[..., Any]) -> Callable[..., Any]:
        """Return what calls compiled code: the code itself, or what takes gradients through it."""
        if not self.taken(case):
            return compiled

        def with_gradients(*args: Any, **_: Any) -> Any:
            return differentiated(compiled)(*args)

        return with_gradients

    def in_scripts(self, implementation: Implementation[CaseT]) -> Implementation[CaseT]:
        """Take gradients in an implementation's scripts too."""

        def text(case: CaseT) -> str:
            assert implementation.source is not None
            compiled = implementation.source(case)
            return f"{compiled}\nimplementation = differentiated(implementation)\n" if self.taken(case) else compiled

        return replace(implementation, source=text)

    def standalone(self, case: CaseT) -> str:
        """Return standalone source that defines a case's code as `reference`, and gradients where they are taken."""
        text = f"{IMPORTS}\n\n{self.source(case)}"
        if not self.taken(case):
            return f"{text}\nreference = program\n"
        wrapper = inspect.getsource(differentiated)
        return f"{text}\nfrom torch import Tensor\n\n{wrapper}\nreference = differentiated(program)\n"

    def listing(self, case: CaseT) -> str:
        """Return a case's code, and whether its gradients are taken."""
        return self.source(case) + ("# and the gradients of its outputs' sum\n" if self.taken(case) else "")


def magnitude(*args: Any, **options: Any) -> tuple[Any, ...] | None:
    """Return the scale of the terms of each gradient: of the largest gradient, and of the ones that are passed back.

    A gradient of exactly 0 is often a difference of equal terms (`cosine_similarity(x, x)`). Other outputs: None.
    """
    if not options["gradients"]:
        return None
    found = programs(*args, **options)
    count = sum(isinstance(arg, torch.Tensor) and arg.is_floating_point() for arg in args)
    gradients = [item for item in found[len(found) - count :] if item is not None]
    largest = max((float(item.abs().nan_to_num(0, 0, 0).max()) for item in gradients if item.numel()), default=0.0)
    scale = max(1.0, largest)
    return tuple(
        None if at < len(found) - count or item is None else item.abs() + scale for at, item in enumerate(found)
    )
