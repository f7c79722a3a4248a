"""What is handed to the compiler: a function of its own for each build, called through others where a variant asks."""

import itertools
import types
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch

Function = Callable[..., Any]
_serial = itertools.count()


def fresh(function: Function) -> Function:
    """Return a copy of a function that shares nothing with it inside Dynamo; a module as it is.

    Dynamo keeps compiled code and its limit per code object, and what it learnt of sizes per (file, line, name).
    """
    if isinstance(function, torch.nn.Module):
        return function
    plain = function if isinstance(function, types.FunctionType) else _nested(function)
    code = plain.__code__
    name = f"{code.co_name}_{next(_serial)}"
    renamed = code.replace(co_name=name)
    copy = types.FunctionType(renamed, plain.__globals__, name, plain.__defaults__, plain.__closure__)
    copy.__kwdefaults__ = plain.__kwdefaults__
    return copy


@dataclass(frozen=True, kw_only=True)
class Wrapping:
    """Describe what stands around a function where it is compiled."""

    wrap: Callable[[Function], Function]
    """Return what is compiled in a function's place."""
    source: str
    """The same as source that defines `call` of a function of the name `{name}`."""
    breaks: bool = False
    """Whether it is about graph breaks, and says nothing of a function that has none."""

    def around(self, function: Function) -> Function:
        """Return a function that calls a fresh copy of another one."""
        return self.wrap(fresh(function))


def _nested(function: Function) -> types.FunctionType:
    def call(*args: Any, **options: Any) -> Any:
        return function(*args, **options)

    return call


def _repeated(function: Function) -> types.FunctionType:
    block = torch.compiler.nested_compile_region(function)

    def call(*args: Any, **options: Any) -> Any:
        block(*args, **options)
        return block(*args, **options)

    return call


NESTED = Wrapping(
    wrap=_nested,
    source="""

def call(*args, **options):
    return {name}(*args, **options)

""",
    breaks=True,
)
"""Called by the function that is compiled."""
REPEATED = Wrapping(
    wrap=_repeated,
    source="""
block = torch.compiler.nested_compile_region({name})


def call(*args, **options):
    block(*args, **options)
    return block(*args, **options)

""",
)
"""A region of its own, called twice."""
