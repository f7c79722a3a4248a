"""What one sample of torch's tables calls, as data with the sample's own sizes."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import torch
from pydantic import ValidationError
from torch import Tensor
from torch.overrides import TorchFunctionMode, resolve_name
from torch.utils._pytree import tree_leaves

from eagerdiff.strategies.torch_api.call import Argument, ModuleSpec, Step
from eagerdiff.strategies.torch_api.names import UnknownFunction, function

_OPERATORS = (type(torch.ops.aten.add), type(torch.ops.aten.add.Tensor))
"""What `torch.ops` holds: packets of overloads, and overloads."""


_CONSTRUCTED = "_constructed_with"
"""Where a module that is made meanwhile keeps its constructor's arguments."""


def remember_constructors() -> None:
    """Have every module that this process makes from now on remember what it was constructed with."""

    def new(kind: type[torch.nn.Module], *args: Any, **kwargs: Any) -> torch.nn.Module:
        made = object.__new__(kind)
        made.__dict__[_CONSTRUCTED] = (args, kwargs)
        return made

    setattr(torch.nn.Module, "__new__", new)  # noqa: B010 - no type has room for it


class Inexpressible(Exception):
    """Say in a few words what of a sample is no data."""


@dataclass
class Recorded:
    """Hold the steps of a sample's call, and the tensors that it is given."""

    steps: list[Step]
    tensors: list[Tensor]
    module: ModuleSpec | None = None

    @property
    def fixed(self) -> frozenset[int]:
        """Numbers of the tensors whose sizes the module decides."""
        return frozenset(self.module.parameters.values()) if self.module else frozenset()


@dataclass
class Encoder:
    """Turn arguments into data; tensors are numbered as they are met."""

    tensors: list[Tensor] = field(default_factory=list[Tensor])
    results: dict[int, int] = field(default_factory=dict[int, int])
    """Step by identity of what it gave."""
    closed: bool = False
    """Whether a tensor that is not known yet is one that no call gave."""

    def argument(self, value: Any) -> Argument:
        """Return one argument as data; raise Inexpressible for what has no such form."""
        if isinstance(value, Tensor):
            return self._tensor(value)
        if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
            return {"float": str(value)}
        if value is None or isinstance(value, bool | int | float | str):
            return value
        if isinstance(value, complex):
            return {"complex": [value.real, value.imag]}
        if isinstance(value, torch.dtype | torch.layout | torch.memory_format):
            return {"torch": str(value).removeprefix("torch.")}
        if isinstance(value, torch.device):
            return value.type
        if value is Ellipsis:
            return {"ellipsis": []}
        if isinstance(value, slice):
            return {"slice": [self.argument(part) for part in (value.start, value.stop, value.step)]}
        if isinstance(value, list | tuple):
            word = "list" if isinstance(value, list) else "tuple"
            return {word: [self.argument(item) for item in cast("Iterable[Any]", value)]}
        if isinstance(value, torch.nn.Module) and _CONSTRUCTED in value.__dict__:
            args, kwargs = value.__dict__[_CONSTRUCTED]
            return {"module": self.step(f"torch.nn.{type(value).__name__}", args, kwargs).model_dump(mode="json")}
        raise Inexpressible(f"an argument of type {type(value).__name__}")

    def step(self, name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Step:
        """Return one call as data; raise Inexpressible where an argument has no such form."""
        try:
            return Step(
                function=name,
                args=tuple(self.argument(value) for value in args),
                kwargs={key: self.argument(value) for key, value in kwargs.items()},
            )
        except ValidationError as error:
            raise Inexpressible(str(error.errors()[0]["msg"])[:160]) from error

    def _tensor(self, value: Tensor) -> Argument:
        if id(value) in self.results:
            return {"result": self.results[id(value)]}
        for at, known in enumerate(self.tensors):
            if known is value:
                return {"tensor": at}
        if self.closed:
            raise Inexpressible("a tensor that no call gave")
        if value.layout is not torch.strided:
            raise Inexpressible("a tensor that is not strided")
        self.tensors.append(value)
        return {"tensor": len(self.tensors) - 1}


_Called = tuple[Any, tuple[Any, ...], dict[str, Any], Any]
"""A function, its arguments by position and by name, and what it gave."""


class _Recorder(TorchFunctionMode):
    """Note every call of torch, outermost ones alone."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[_Called] = []

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        result = func(*args, **(kwargs or {}))
        self.calls.append((func, args, kwargs or {}, result))
        return result


def record(name: str, operation: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Recorded:
    """Return what `operation(*args, **kwargs)` calls: itself by its dotted name, else what it calls in turn.

    `name` is what the table calls it. Raises Inexpressible.
    """
    encoder = Encoder()
    if path := dotted(name, operation):
        return Recorded([encoder.step(path, args, kwargs)], encoder.tensors)
    with _Recorder() as recorder:
        given = operation(*args, **kwargs)
    for leaf in tree_leaves((args, kwargs)):
        if isinstance(leaf, Tensor):
            encoder.argument(leaf)
    encoder.closed = True
    steps: list[Step] = []
    for called, positional, options, result in _needed(recorder.calls, given):
        steps.append(encoder.step(_resolved(called), positional, options))
        if isinstance(result, Tensor) and not any(result is known for known in encoder.tensors):
            encoder.results[id(result)] = len(steps) - 1
    if not steps:
        raise Inexpressible("what it gives comes of no call of torch")
    return Recorded(steps, encoder.tensors)


def _resolved(called: Any) -> str:
    """Return the dotted name of a function that a mode saw; `?` where it has none."""
    own = getattr(called, "__name__", "?")
    if getattr(torch, own, None) is called:
        return f"torch.{own}"
    return (resolve_name(called) or "?").replace("torch.torch.", "torch.")


def record_module(
    kind: type[torch.nn.Module], constructor: Any, forward: Any, dtype: torch.dtype, *, training: bool
) -> Recorded:
    """Return what a module of torch takes, its parameters and buffers among the tensors; raise Inexpressible.

    `constructor` and `forward` hold `args` and `kwargs`.
    """
    name = f"torch.nn.{kind.__name__}"
    encoder = Encoder()
    step = encoder.step(name, forward.args, forward.kwargs)
    build = Encoder(closed=True).step(name, constructor.args, constructor.kwargs)
    module = kind(*constructor.args, **constructor.kwargs).to(dtype)
    parameters: dict[str, int] = {}
    first = ()
    if any(map(torch.nn.parameter.is_lazy, module.parameters())):
        module(*forward.args, **forward.kwargs)  # its parameters have no sizes before
        first = tuple(tuple(arg.shape) for arg in forward.args)
    for own, tensor in (*module.named_parameters(), *module.named_buffers()):
        parameters[own] = len(encoder.tensors)
        encoder.tensors.append(tensor.detach())
    spec = ModuleSpec(build=build, parameters=parameters, training=training, first=first)
    return Recorded([step], encoder.tensors, spec)


def _needed(calls: Sequence[_Called], given: Any) -> list[_Called]:
    """Return the calls that a result comes of, and all that write to their arguments' names; in order."""
    wanted = {id(leaf) for leaf in tree_leaves(given) if isinstance(leaf, Tensor)}
    found: list[_Called] = []
    for call in reversed(calls):
        if wanted & {id(leaf) for leaf in tree_leaves(call[3]) if isinstance(leaf, Tensor)}:
            found.append(call)
            wanted |= {id(leaf) for leaf in tree_leaves(call[1:3]) if isinstance(leaf, Tensor)}
    return found[::-1]


def dotted(name: str, operation: Any) -> str:
    """Return the dotted name of a function that the tables call `name`; an empty string where it has none."""
    if isinstance(operation, _OPERATORS):
        return f"torch.ops.{operation}"
    module, own = getattr(operation, "__module__", ""), getattr(operation, "__qualname__", "")
    for path in (
        f"torch.{name}",
        f"torch.Tensor.{name}",
        f"torch.{name.replace('special_', 'special.')}",
        f"{module}.{own}",
    ):
        try:
            if function(path) is operation:
                return path
        except UnknownFunction:
            continue
    return ""
