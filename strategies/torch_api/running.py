"""Running a call of torch on given tensors: what probing does, thousands of times."""

import functools
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from eagerdiff.strategies.torch_api.call import Argument, ModuleSpec, Step
from eagerdiff.strategies.torch_api.names import function, is_property, property_name


def run(steps: Sequence[Step], tensors: Sequence[Tensor], module: ModuleSpec | None = None) -> Any:
    """Return what the last step gives, of tensors of any shapes; raise what any step raises.

    A method of Python's operators that returns NotImplemented raises TypeError, as the operator would.
    `module`: what the last step calls, built once and called with the tensors that stand for its parameters.
    """
    results: list[Any] = []
    for at, step in enumerate(steps):
        args = [value_of(argument, tensors, results) for argument in step.args]
        if module is not None and at == len(steps) - 1:
            kwargs = {name: value_of(argument, tensors, results) for name, argument in step.kwargs.items()}
            parameters = {name: tensors[number] for name, number in module.parameters.items()}
            return torch.func.functional_call(built(module), parameters, tuple(args), kwargs)
        if is_property(step.function):
            results.append(getattr(args[0], property_name(step.function)))
            continue
        kwargs = {name: value_of(argument, tensors, results) for name, argument in step.kwargs.items()}
        result = function(step.function)(*args, **kwargs)
        if result is NotImplemented:  # as Python makes of it where the operator is written
            raise TypeError(f"unsupported operands of {step.function}")
        results.append(result)
    return results[-1]


@functools.lru_cache(maxsize=8)
def _built(text: str) -> torch.nn.Module:
    module = ModuleSpec.model_validate_json(text)
    made = _constructed(module.build).train(module.training)
    if module.first:
        made(*map(torch.zeros, module.first))
    return made


def _constructed(step: Step) -> torch.nn.Module:
    kwargs = {name: value_of(argument, ()) for name, argument in step.kwargs.items()}
    return function(step.function)(*(value_of(one, ()) for one in step.args), **kwargs)


def built(module: ModuleSpec) -> torch.nn.Module:
    """Return a module as it is constructed, in the mode that it is to be called in."""
    return _built(module.model_dump_json())


def value_of(argument: Argument, tensors: Sequence[Tensor], results: Sequence[Any] = ()) -> Any:
    """Return what an argument stands for, of tensors of any shapes; sizes and numbers are none until they are drawn."""
    if not isinstance(argument, dict):
        return argument
    ((word, value),) = argument.items()
    if word in ("list", "tuple", "slice", "complex"):
        items = [value_of(item, tensors, results) for item in value]
        return {"list": list, "tuple": tuple, "slice": lambda of: slice(*of), "complex": lambda of: complex(*of)}[word](
            items
        )
    if word == "ellipsis":
        return ...
    if word == "module":
        return _constructed(Step.model_validate(value))
    if word in ("tensor", "result"):
        return (tensors if word == "tensor" else results)[value]
    return getattr(torch, value) if word == "torch" else float(value)
