"""Functions of torch by their dotted names: names come from data, so only computations on tensors are found."""

import functools
import types
from collections.abc import Callable
from typing import Any

import torch
from torch.overrides import get_overridable_functions, resolve_name

from eagerdiff.harness.internals.torch_tables import is_native

_NAMESPACES = (
    "torch.nn.functional",
    "torch.linalg",
    "torch.fft",
    "torch.special",
    "torch.signal.windows",
    "torch.masked",
    "torch.functional",
)
"""Modules all of whose functions compute on tensors."""
_FILES = ("from_file",)
"""Functions of torch that open files."""
_METHODS = (types.MethodDescriptorType, types.FunctionType)
_GETTER = ".__get__"


class UnknownFunction(ValueError):
    """Say that a name is no function of the installed torch that a call may name."""


@functools.cache
def function(name: str) -> Callable[..., Any]:
    """Return what a name stands for: `torch.add`, `torch.Tensor.expand`, `torch.ops.aten.add.Tensor`.

    `torch.Tensor.mT.__get__` is a function that reads the property. Raises UnknownFunction for a name that torch does
    not have, or that is not among the overridable functions, the namespaces of functions and torch's own operators.
    """
    found = _of_module(name) or _operator(name) or _of_torch(name) or _of_tensors(name) or _overridable().get(name)
    if found is None:
        raise UnknownFunction(f"{name[:80]!r} is no function of torch {torch.__version__} that a call may name")
    return found


def is_property(name: str) -> bool:
    """Whether a name stands for a property of tensors."""
    return name.endswith(_GETTER)


def property_name(name: str) -> str:
    """Return the attribute that `torch.Tensor.mT.__get__` reads."""
    return name.removesuffix(_GETTER).rpartition(".")[2]


def _of_torch(name: str) -> Callable[..., Any] | None:
    """Look among torch's native functions, which may be wrapped, and those of `torch.functional` that `torch` has."""
    namespace, _, last = name.rpartition(".")
    if namespace != "torch" or last.startswith("__") or last in _FILES:
        return None
    return getattr(torch, last, None) if is_native(last) or last in torch.functional.__all__ else None


def _of_tensors(name: str) -> Callable[..., Any] | None:
    namespace, _, last = name.rpartition(".")
    found = getattr(torch.Tensor, last, None) if namespace == "torch.Tensor" else None
    return found if isinstance(found, _METHODS) and not last.startswith("__") else None


def _of_module(name: str) -> Callable[..., Any] | None:
    namespace, _, last = name.rpartition(".")
    if namespace == "torch.nn":
        found = getattr(torch.nn, last, None)
        return found if isinstance(found, type) and issubclass(found, torch.nn.Module) else None
    if namespace not in _NAMESPACES or last.startswith("__"):
        return None
    home = functools.reduce(getattr, namespace.split(".")[1:], torch)
    found = getattr(home, last, None)
    return found if isinstance(found, types.FunctionType | types.BuiltinFunctionType) else None


def _operator(name: str) -> Callable[..., Any] | None:
    parts = name.split(".")
    if parts[:3] not in (["torch", "ops", "aten"], ["torch", "ops", "prims"]) or len(parts) not in (4, 5):
        return None
    found: Any = torch.ops
    for part in parts[2:]:
        if part.startswith("__") or not hasattr(found, part):
            return None
        found = getattr(found, part)
    return found


@functools.cache
def _overridable() -> dict[str, Callable[..., Any]]:
    """Return torch's overridable functions by name: what takes tensors, and opens no file."""
    return {
        name: found
        for functions in get_overridable_functions().values()
        for found in functions
        if (name := resolve_name(found))
    }
