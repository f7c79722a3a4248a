"""Neighbours: calls that differ from one in a single thing, a constant or a setting, and must not answer for it.

It imports torch alone: its source stands in repro scripts.
"""

import contextlib
import copy
import types
from collections.abc import Callable, Generator, Mapping
from typing import Any

import torch

Function = Callable[..., Any]
RANDOM = "fallback_random"
CONSTANT = "another constant"


@contextlib.contextmanager
def default_dtype(dtype: torch.dtype) -> Generator[None]:
    """Have floats be of a dtype where nothing says which."""
    before = torch.get_default_dtype()
    torch.set_default_dtype(dtype)
    try:
        yield
    finally:
        torch.set_default_dtype(before)


@contextlib.contextmanager
def deterministic() -> Generator[None]:
    """Compute with deterministic algorithms."""
    before = torch.are_deterministic_algorithms_enabled()
    torch.use_deterministic_algorithms(True)
    try:
        yield
    finally:
        torch.use_deterministic_algorithms(before)


SETTINGS: Mapping[str, Callable[[], contextlib.AbstractContextManager[Any]]] = {
    "autocast": lambda: torch.autocast("cpu", dtype=torch.bfloat16),
    "default dtype": lambda: default_dtype(torch.float64),
    "no gradients": torch.no_grad,
    "inference": torch.inference_mode,
    "deterministic": deterministic,
}
"""What a process sets for all that it computes, by name."""
NEIGHBOURS = (CONSTANT, *SETTINGS, RANDOM)
"""Another constant in the code, another setting of torch, another one of Inductor."""


class AmongNeighbours:
    """Call compiled code where all that is on disk is of a neighbour of it, which was compiled and called."""

    def __init__(
        self, function: Function, make: Callable[..., Function], first: int, renew: Callable[[], None]
    ) -> None:
        """Take an eager function, what compiles one with options of Inductor's, the number of the first neighbour, and
        what empties the disk."""
        self.function = function
        self.make = make
        self.compiled = make(function)
        self.number = first
        self.renew = renew

    def __call__(self, *args: Any, **options: Any) -> Any:
        """Call a neighbour on copies of the arguments, the next one each time, then the code itself."""
        name = NEIGHBOURS[self.number % len(NEIGHBOURS)]
        self.number += 1
        self.renew()
        torch.compiler.reset()
        with torch.random.fork_rng(devices=()), SETTINGS.get(name, contextlib.nullcontext)():
            self.call(name, *copy.deepcopy(args), **options)
        torch.compiler.reset()
        return self.compiled(*args, **options)

    def call(self, name: str, *args: Any, **options: Any) -> None:
        """Compile and call a neighbour, and its backward, where there is one that eager runs."""
        function = with_another_constant(self.function) if name == CONSTANT else self.function
        if function is not None and takes(function, *copy.deepcopy(args), **options):
            more = {RANDOM: True} if name == RANDOM else {}
            pass_back(self.make(function, **more)(*args, **options))


def with_another_constant(function: Function) -> Function | None:
    """Return a copy of a function with the last Python number in its code changed; None where it has none.

    A float goes before an integer, with another of which eager may not take the arguments.
    """
    if not isinstance(function, types.FunctionType):
        return None
    constants = list(function.__code__.co_consts)
    for kind in (float, int):
        for at in reversed(range(len(constants))):
            if type(constants[at]) is kind:
                constants[at] += 1
                code = function.__code__.replace(co_consts=tuple(constants))
                return types.FunctionType(
                    code, function.__globals__, function.__name__, function.__defaults__, function.__closure__
                )
    return None


def takes(function: Function, *args: Any, **options: Any) -> bool:
    """Whether eager runs a function on some arguments."""
    try:
        function(*args, **options)
    except Exception:  # noqa: BLE001 - that is the answer
        return False
    return True


def pass_back(output: Any) -> None:
    """Run the backward of what a call gave: its graph is kept on disk once both are compiled."""
    outputs = output if isinstance(output, (tuple, list)) else (output,)
    ends = [one for one in outputs if isinstance(one, torch.Tensor) and one.requires_grad]
    torch.autograd.backward(ends, [torch.ones_like(end) for end in ends])
