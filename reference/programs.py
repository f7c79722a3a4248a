"""Drawn programs, run in plain eager torch; with their gradients, where asked for."""

import functools
import hashlib
import linecache
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor
from torch.compiler import set_stance

from eagerdiff.reference.ties import PreferredChoices

Function = Callable[..., tuple[Any, ...]]


def programs(
    *args: Any, source: str, gradients: bool = False, random: bool = False, choices: Sequence[Tensor] = ()
) -> tuple[Any, ...]:
    """Run a program on its arguments, with no compiler; raise what it raises.

    `source` defines one function of the arguments; `gradients` appends the gradients of `differentiated`; `random` says
    that it draws random numbers, which are others in float64; `choices` are indices, int64 [...] as the result
    that they stand for, by which ties are broken (`PreferredChoices`).
    """
    # Called from eager, `torch.cond` compiles itself with Dynamo: the truth would come from what is under test.
    with set_stance("force_eager"), PreferredChoices(choices) if choices else nullcontext():
        function = function_of(source)
        return differentiated(function)(*args) if gradients else function(*args)


@functools.lru_cache(maxsize=256)
def function_of(source: str) -> Function:
    """Return the function that a rendered program defines, with its source where debuggers and compilers look."""
    name = f"<program {hashlib.sha256(source.encode()).hexdigest()[:12]}>"
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    names: dict[str, Any] = {"torch": torch, "F": F}
    exec(compile(source, name, "exec"), names)
    return names["program"]


def differentiated(function: Function) -> Function:
    """Return a function that gives the outputs, then the gradients of their sum by every floating-point tensor.

    A gradient is None where nothing depends on the tensor.
    """

    def with_gradients(*args: Any) -> tuple[Any, ...]:
        leaves = [
            arg.detach().requires_grad_() if isinstance(arg, Tensor) and arg.is_floating_point() else arg
            for arg in args
        ]
        wanted = [leaf for leaf in leaves if isinstance(leaf, Tensor) and leaf.requires_grad]
        with torch.enable_grad():
            outputs = function(*leaves)
            ends = [out for out in outputs if isinstance(out, Tensor) and out.requires_grad]
            ones = [torch.ones_like(end) for end in ends]
            found = torch.autograd.grad(ends, wanted, ones, allow_unused=True) if ends and wanted else ()
        found = found or (None,) * len(wanted)
        return *(out.detach() if isinstance(out, Tensor) else out for out in outputs), *found

    return with_gradients
