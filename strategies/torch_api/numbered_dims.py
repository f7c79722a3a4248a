"""Numbered dims: arguments that say which dim of a tensor is meant, by its number."""

import re
from collections.abc import Iterator

from eagerdiff.harness.internals.torch_tables import integer_parameters
from eagerdiff.strategies.torch_api.call import Argument, Call, Step, is_a
from eagerdiff.strategies.torch_api.options import native_name, written_parameters

_DIM = re.compile(r"(?:\w+_)?dims?\d?|axis|axes")


def varying_dim(call: Call) -> str:
    """Name the parameter of a call that numbers a dim, and is given a number from data or of the program's arguments.

    An empty string for none: a dim is a constant, or a size.
    """
    for step in call.steps:
        for at, argument in (*enumerate(step.args), *step.kwargs.items()):
            name = at if isinstance(at, str) else _name(step.function, at)
            if _DIM.fullmatch(name) and any(_varies(call, one) for one in _leaves(argument)):
                return f"{name} of {step.function} is no constant"
    return ""


def _name(called: str, position: int) -> str:
    """Return the name of a parameter that numbers dims wherever an overload takes an integer there; empty for none."""
    overloads = integer_parameters().get(native_name(called)) or [dict(enumerate(written_parameters(called)))]
    names = {one[position] for one in overloads if position in one}
    numbering = {name for name in names if _DIM.fullmatch(name)}
    return min(numbering) if numbering and names == numbering else ""


def _varies(call: Call, argument: Argument) -> bool:
    """Whether an argument is a number of the program's, or one that a tensor of no dims holds."""
    if is_a(argument, "tensor"):
        return call.tensors[argument["tensor"]].shape == ()
    return is_a(argument, "number") or (is_a(argument, "result") and _reads(call.steps[argument["result"]]))


def _reads(step: Step) -> bool:
    return step.function == "torch.Tensor.item"


def _leaves(argument: Argument) -> Iterator[Argument]:
    for word in ("list", "tuple"):
        if is_a(argument, word):
            for item in argument[word]:
                yield from _leaves(item)
            return
    yield argument
