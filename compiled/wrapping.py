"""What is handed to the compiler: a function of its own for each build, called through others where a variant asks."""

import itertools
import types
from collections.abc import Callable, Mapping
from typing import Any

import torch

from eagerdiff.compiled.variant import Wrapping

Function = Callable[..., Any]
_serial = itertools.count()


def fresh(function: Function) -> types.FunctionType:
    """Return a copy of a function that shares nothing with it inside Dynamo.

    Dynamo keeps compiled code and its limit per code object, and what it learnt of sizes per (file, line, name).
    """
    plain = function if isinstance(function, types.FunctionType) else _nested(function)
    code = plain.__code__
    name = f"{code.co_name}_{next(_serial)}"
    renamed = code.replace(co_name=name)
    copy = types.FunctionType(renamed, plain.__globals__, name, plain.__defaults__, plain.__closure__)
    copy.__kwdefaults__ = plain.__kwdefaults__
    return copy


def wrapped(function: Function, wrapping: Wrapping) -> Function:
    """Return a function that calls another one as a variant asks, or that function itself."""
    return _WRAPPERS[wrapping](fresh(function)) if wrapping else function


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


_WRAPPERS: Mapping[Wrapping, Callable[[Function], Function]] = {"nested": _nested, "repeated": _repeated}
WRAPPER_SOURCES: Mapping[Wrapping, str] = {
    "": "",
    "nested": """

def call(*args, **options):
    return {name}(*args, **options)

""",
    "repeated": """
block = torch.compiler.nested_compile_region({name})


def call(*args, **options):
    block(*args, **options)
    return block(*args, **options)

""",
}
"""Source of `call`, by wrapping."""
