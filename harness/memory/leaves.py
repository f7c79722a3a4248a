"""Tensors inside the arguments of a call."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import torch

from eagerdiff.harness.model.operator import Inputs


@dataclass(frozen=True)
class NamedTensor:
    """Name a tensor by the argument it belongs to."""

    argument: int | str
    """Position, or name of the option."""
    path: str
    """Such as `args[0]` or `options['cache'][1]`."""
    tensor: torch.Tensor


def tensors(inputs: Inputs) -> list[NamedTensor]:
    """List every tensor of a call, containers walked, in a fixed order."""
    found: list[NamedTensor] = []
    for position, value in enumerate(inputs.args):
        _walk(value, position, f"args[{position}]", found)
    for name, value in inputs.options.items():
        _walk(value, name, f"options[{name!r}]", found)
    return found


def _walk(value: Any, argument: int | str, path: str, found: list[NamedTensor]) -> None:
    if isinstance(value, torch.Tensor):
        found.append(NamedTensor(argument, path, value))
    elif isinstance(value, Mapping):
        for key, item in cast("Mapping[Any, Any]", value).items():
            _walk(item, argument, f"{path}[{key!r}]", found)
    elif isinstance(value, (tuple, list)):
        for index, item in enumerate(cast("Sequence[Any]", value)):
            _walk(item, argument, f"{path}[{index}]", found)


def replace_tensors(inputs: Inputs, change: Callable[[torch.Tensor], torch.Tensor]) -> Inputs:
    """Return the call with every tensor changed; containers are rebuilt, other values kept as they are."""
    args = tuple(_replace(value, change) for value in inputs.args)
    return Inputs(args, {name: _replace(value, change) for name, value in inputs.options.items()})


def _replace(value: Any, change: Callable[[torch.Tensor], torch.Tensor]) -> Any:
    if isinstance(value, torch.Tensor):
        return change(value)
    if isinstance(value, dict):
        return {key: _replace(item, change) for key, item in cast("dict[Any, Any]", value).items()}
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        named = cast(Any, value)
        return named._replace(**{name: _replace(getattr(named, name), change) for name in named._fields})
    if isinstance(value, (tuple, list)):
        items = [_replace(item, change) for item in cast("Sequence[Any]", value)]
        return items if isinstance(value, list) else tuple(items)
    return value
