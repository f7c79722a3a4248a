"""Shapes specs: what `torch.compile(shapes_spec=…)` takes, declared instead of marked."""

import functools
import inspect
from collections.abc import Mapping, Sequence
from typing import Any

from eagerdiff.harness.internals.hook import Hook

_HOME = "torch.fx.experimental.dynamic_spec"
HOOKS = {
    name: Hook("torch", f"{_HOME}:{name}", why, since="2.13")
    for name, why in {
        "ShapesSpec": "declares the sizes of a compiled function",
        "TensorSpec": "declares the sizes of a tensor",
        "ShapeVar": "names a size that changes",
        "IntVar": "names a number that changes",
    }.items()
}


@functools.cache
def takes_shapes_spec() -> bool:
    """Whether `torch.compile` has the argument (not before torch 2.13)."""
    import torch

    return "shapes_spec" in inspect.signature(torch.compile).parameters


def specify(names: Sequence[str], dims: Mapping[Any, Mapping[int, str]], args: Sequence[Any]) -> Any:
    """Return the spec of a function's parameters, by position: dims of equal names are one variable.

    Python integers are variables of their own; what else is there is static.
    """
    import torch

    shapes_spec, tensor_spec, shape_var, int_var = (HOOKS[name].reach() for name in HOOKS)
    variables = {name: shape_var(name) for named in dims.values() for name in named.values()}
    found: dict[str, Any] = {}
    for at, (name, arg) in enumerate(zip(names, args, strict=True)):
        if isinstance(arg, torch.Tensor):
            named = dims.get(at, {})
            found[name] = tensor_spec([variables[named[dim]] if dim in named else None for dim in range(arg.dim())])
        elif type(arg) is int:
            found[name] = int_var(name)
    return shapes_spec(found)
