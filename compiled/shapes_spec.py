"""Sizes that are declared to `torch.compile`, in a spec, rather than marked on the inputs."""

import inspect
from collections.abc import Callable, Mapping
from typing import Any

import torch

from eagerdiff.harness.internals.shapes_spec import specify

__eagerdiff_glue__ = True
"""What this module raises itself is a harness error, not a finding about the compiler (docs/judge.md)."""

Function = Callable[..., Any]


class SpecifiedCall:
    """Call a function of positional arguments that is compiled with a spec: of its first arguments, whose ranks it
    needs."""

    def __init__(self, function: Function, dims: Mapping[Any, Any], settings: Mapping[str, Any]) -> None:
        self._function = function
        self._dims = {at: dict(named) for at, named in dims.items()}
        self._settings = {name: value for name, value in settings.items() if name != "dynamic"}
        self._compiled: Function | None = None

    def __call__(self, *args: Any) -> Any:
        """Compile where it is the first call, and call."""
        if self._compiled is None:
            spec = specify(list(inspect.signature(self._function).parameters), self._dims, args)
            self._compiled = torch.compile(self._function, shapes_spec=spec, **self._settings)
        return self._compiled(*args)


def specified_source(name: str, dims: Mapping[Any, Any], settings: str) -> str:
    """Return source of `implementation`, which compiles the function of a name with a spec at its first call."""
    named = {at: dict(one) for at, one in dims.items() if one}
    return _SPECIFIED.format(name=name, dims=named, settings=settings.replace(" dynamic=None,", ""))


_SPECIFIED = """
import inspect
from torch.fx.experimental.dynamic_spec import IntVar, ShapesSpec, ShapeVar, TensorSpec

DIMS = {dims}
VARS = {{name: ShapeVar(name) for named in DIMS.values() for name in named.values()}}
COMPILED = []


def spec_of(at, name, arg):
    if isinstance(arg, torch.Tensor):
        return TensorSpec([VARS.get(DIMS.get(at, {{}}).get(dim)) for dim in range(arg.dim())])
    return IntVar(name) if type(arg) is int else None


def implementation(*args, **options):
    names = inspect.signature({name}).parameters
    spec = ShapesSpec({{name: spec_of(at, name, arg) for at, (name, arg) in enumerate(zip(names, args))}})
    if not COMPILED:
        COMPILED.append(torch.compile({name}, shapes_spec=spec, {settings}))
    return COMPILED[0](*args)
"""
