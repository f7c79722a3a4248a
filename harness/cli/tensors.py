"""Tables of tensors: names from the reference's signature, shapes, dtypes, strides, sizes."""

import inspect
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.table import Table

    from eagerdiff.harness.model.operator import Inputs


def describe_signature(function: Callable[..., Any]) -> str:
    """Return a function's signature on one line, `(...)` where it cannot be inspected."""
    try:
        return str(inspect.signature(function))
    except (TypeError, ValueError):
        return "(...)"


def tensors(title: str, reference: Callable[..., Any], inputs: "Inputs") -> "Table":
    """Return a table with a row an argument: its name, shape and dtype; nested tensors get a row each."""
    from eagerdiff.harness.cli.console import table

    made = table(title, "argument", "shape", "dtype", "strides", "bytes", "range or value", right=["bytes"])
    for name, value in _named(reference, inputs):
        for path, leaf in _leaves(name, value):
            made.add_row(path, *_cells(leaf))
    return made


def _named(reference: Callable[..., Any], inputs: "Inputs") -> Iterator[tuple[str, Any]]:
    try:
        names = [p.name for p in inspect.signature(reference).parameters.values() if p.kind is not p.VAR_POSITIONAL]
    except (TypeError, ValueError):
        names = []
    names += [f"args[{index}]" for index in range(len(names), len(inputs.args))]
    yield from zip(names, inputs.args, strict=False)
    yield from inputs.options.items()


def _leaves(path: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, list | tuple):
        for index, item in enumerate(value):
            yield from _leaves(f"{path}[{index}]", item)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _leaves(f"{path}[{key!r}]", item)
    else:
        yield path, value


def _cells(value: Any) -> tuple[str, str, str, str, str]:
    import torch

    if not isinstance(value, torch.Tensor):
        return "", type(value).__name__, "", "", repr(value)[:60]
    dtype = str(value.dtype).removeprefix("torch.")
    size = f"{value.numel() * value.element_size():,}"
    return str(tuple(value.shape)), dtype, str(tuple(value.stride())), size, _range(value)


def _range(tensor: Any) -> str:
    if tensor.numel() == 0:
        return "empty"
    if tensor.is_complex():
        return ""
    values = tensor.detach().double()
    finite = values[values.isfinite()]
    odd = int(values.numel() - finite.numel())
    text = f"{finite.min().item():.4g} … {finite.max().item():.4g}" if finite.numel() else "none finite"
    return f"{text}, {odd} not finite" if odd else text
