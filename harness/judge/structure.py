"""Structure: nested outputs as a flat list of named leaves."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, cast

import torch

from eagerdiff.harness.internals.traced_tensors import traced_kind
from eagerdiff.harness.model.verdict import Oracle, Status, Verdict


@dataclass(frozen=True)
class Leaf:
    """Name one value inside a nested output."""

    path: str
    """`` for the output itself, else such as `[0]`, `.weights` or `['lse']`."""
    value: Any
    paired: bool = False
    """Whether these are the parts of complex numbers."""


def flatten(value: Any, path: str = "") -> list[Leaf]:
    """List the leaves of nested tuples, lists, mappings and dataclasses in a fixed order."""
    if isinstance(value, Mapping):
        items = cast("Mapping[Any, Any]", value).items()
        return [leaf for key, item in items for leaf in flatten(item, f"{path}[{key!r}]")]
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        named = cast(Any, value)
        return [leaf for name in named._fields for leaf in flatten(getattr(named, name), f"{path}.{name}")]
    if isinstance(value, (tuple, list)):
        items = enumerate(cast("Sequence[Any]", value))
        return [leaf for index, item in items for leaf in flatten(item, f"{path}[{index}]")]
    if is_dataclass(value) and not isinstance(value, type):
        return [leaf for item in fields(value) for leaf in flatten(getattr(value, item.name), f"{path}.{item.name}")]
    return [_leaf(path, value)]


def tensors_by_path(value: Any) -> dict[str, torch.Tensor]:
    """Return the tensors among the leaves of a nested value."""
    return {leaf.path: leaf.value for leaf in flatten(value) if isinstance(leaf.value, torch.Tensor)}


def _leaf(path: str, value: Any) -> Leaf:
    """Return a leaf; complex numbers are judged as pairs of real ones, in a last dim of 2."""
    if isinstance(value, torch.Tensor) and value.is_complex():
        return Leaf(path, torch.view_as_real(value.detach().resolve_conj()), paired=True)
    return Leaf(path, value)


def kind(value: Any) -> str:
    """Name the shape of a nested value with its leaves' kinds: `tuple(tensor, none)`."""
    if isinstance(value, Mapping):
        items = cast("Mapping[Any, Any]", value).items()
        return "dict(" + ", ".join(f"{key!r}: {kind(item)}" for key, item in items) + ")"
    if isinstance(value, (tuple, list)):
        inner = ", ".join(kind(item) for item in cast("Sequence[Any]", value))
        return f"{'list' if isinstance(value, list) else 'tuple'}({inner})"
    if is_dataclass(value) and not isinstance(value, type):
        inner = ", ".join(f"{item.name}: {kind(getattr(value, item.name))}" for item in fields(value))
        return f"{type(value).__name__}({inner})"
    return _leaf_kind(value)


def _leaf_kind(value: Any) -> str:
    if isinstance(value, torch.Tensor):
        return "complex tensor" if value.is_complex() else "tensor"
    if value is None:
        return "None"
    if isinstance(value, (bool, torch.SymBool)):
        return "bool"
    if isinstance(value, (int, torch.SymInt)):
        return "int"
    return "float" if isinstance(value, (float, torch.SymFloat)) else type(value).__name__


def check_structure(output: Any, expected: Any) -> Verdict | None:
    """Refuse an output whose nesting or kind of leaves differs from the expected one's; None where it fits."""
    got, want = kind(output), kind(expected)
    if got == want:
        return None
    return _refuse(Status.WRONG_SHAPE, "", "structure", _shorten(got), _shorten(want))


def check_tensor(path: str, output: torch.Tensor, expected: torch.Tensor) -> Verdict | None:
    """Refuse a tensor of another dtype, shape, device or layout, or one without values; None where it fits."""
    if traced := traced_kind(output):
        return _refuse(Status.WRONG_VALUE, path, "values", f"a {traced} without values", "ones")
    if output.dtype != expected.dtype:
        return _refuse(Status.WRONG_DTYPE, path, "dtype", _name(output.dtype), _name(expected.dtype))
    if output.shape != expected.shape:
        return _refuse(Status.WRONG_SHAPE, path, "shape", list(output.shape), list(expected.shape))
    if output.device.type != expected.device.type:
        return _refuse(Status.WRONG_SHAPE, path, "device", output.device.type, expected.device.type)
    if output.layout != expected.layout:
        return _refuse(Status.WRONG_SHAPE, path, "layout", output.layout, expected.layout)
    return None


def _refuse(status: Status, path: str, what: str, got: object, expected: object) -> Verdict:
    reason = f"{what} {got} where eager gives {expected}"
    return Verdict(
        status=status, reason=reason, oracle=Oracle.STRUCTURE, output=path, got=str(got), expected=str(expected)
    )


def _name(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")


def _shorten(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:77]}..."
