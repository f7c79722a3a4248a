"""What a user says of the arguments: bound to parameters, each as what is drawn of it."""

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from hypothesis.strategies import SearchStrategy
from torch import Tensor, nn

from eagerdiff.strategies.own_code.argument import (
    Always,
    Argument,
    Drawn,
    MadeBy,
    Making,
    SizeItself,
    SizeRange,
    TensorOf,
    tensor,
)
from eagerdiff.suites.own import annotations
from eagerdiff.suites.own.examples import described
from eagerdiff.suites.own.form import AS_THEY_COME, Form, spread


@dataclass
class Given:
    """Read what a user says of the arguments."""

    arguments: dict[str, Argument] = field(default_factory=dict[str, Argument])
    form: Form = AS_THEY_COME
    ranges: dict[str, SizeRange] = field(default_factory=dict[str, SizeRange])

    @classmethod
    def read(
        cls,
        code: Callable[..., Any],
        args: Sequence[Any],
        named: Mapping[str, Any],
        dynamic: Mapping[str, Mapping[int, str]] | None,
    ) -> "Given":
        """Bind arguments to parameters; raise ValueError in one line for what does not fit."""
        found = cls()
        target = code.forward if isinstance(code, nn.Module) else code
        try:
            signature = inspect.signature(target)
        except (TypeError, ValueError) as error:
            raise ValueError(f"{name_of(code)} has no signature that Python knows: wrap it in a function") from error
        found.ranges = {name: value for name, value in named.items() if isinstance(value, SizeRange)}
        rest = {name: value for name, value in named.items() if name not in found.ranges}
        rest = {**_described(code, signature, args, rest), **rest}
        try:
            bound = signature.bind(*args, **rest)
        except TypeError as error:
            raise ValueError(f"{name_of(code)}{signature} cannot be called so: {error}") from None
        values, found.form = spread(*_flat(bound, signature), _is_value)
        sizes = {size for value in values.values() for size in _names(value)} | set(found.ranges)
        for name, value in values.items():
            found.arguments[name] = _argument(name, value, sizes, dynamic)
        if dynamic is not None and (unknown := sorted(set(dynamic) - set(values))):
            raise ValueError(f"dynamic names {unknown[0]!r}, which is no argument: there is {', '.join(values)}")
        return found


def _described(
    code: Callable[..., Any], signature: inspect.Signature, args: Sequence[Any], named: Mapping[str, Any]
) -> dict[str, Any]:
    """Return what annotations and the docstring say of parameters that nobody gives and that have no default."""
    given = {*list(signature.parameters)[: len(args)], *named}
    told = annotations.described(code)
    return {
        name: told[name]
        for name, one in signature.parameters.items()
        if name in told and name not in given and one.default is one.empty
    }


def _flat(bound: inspect.BoundArguments, signature: inspect.Signature) -> tuple[dict[str, Any], list[str]]:
    """Return arguments by name, those of `*args` numbered; and which of them, the last ones, are given by name."""
    positional: dict[str, Any] = {}
    keyword: dict[str, Any] = {}
    for name, value in bound.arguments.items():
        kind = signature.parameters[name].kind
        if kind is inspect.Parameter.VAR_POSITIONAL:
            positional |= {f"{name}_{at}": item for at, item in enumerate(value)}
        elif kind is inspect.Parameter.VAR_KEYWORD:
            keyword |= value
        elif kind is inspect.Parameter.KEYWORD_ONLY or _skipped(name, bound, signature):
            keyword[name] = value
        else:
            positional[name] = value
    return positional | keyword, list(keyword)


def _skipped(name: str, bound: inspect.BoundArguments, signature: inspect.Signature) -> bool:
    """Whether a parameter before it was left to its default: then it can only be given by keyword."""
    before = list(signature.parameters)[: list(signature.parameters).index(name)]
    return any(one not in bound.arguments for one in before)


def _names(value: Any) -> set[str]:
    if isinstance(value, TensorOf):
        return value.names
    return {part for part in value if isinstance(part, str)} if _is_shape(value) else set()


def _is_value(value: Any) -> bool:
    """Whether something is an argument by itself, wherever it stands: what holds some is taken apart."""
    return isinstance(value, Argument | Tensor | SearchStrategy) or _is_shape(value)


def _is_shape(value: Any) -> bool:
    """Whether a tuple is a tensor's sizes: one that has a name; a tuple of numbers alone is a constant."""
    return (
        isinstance(value, tuple)
        and any(isinstance(part, str) or part is ... for part in value)
        and all((isinstance(part, int | str) and not isinstance(part, bool)) or part is ... for part in value)
    )


def _argument(name: str, value: Any, sizes: set[str], dynamic: Mapping[str, Mapping[int, str]] | None) -> Argument:
    if isinstance(value, Argument):
        return value
    if _is_shape(value):
        try:
            return tensor(*value)
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None
    if isinstance(value, Tensor):
        if dynamic is None:
            return Always(value)
        named = dynamic.get(name, {})
        if wrong := [dim for dim in named if not -value.dim() <= dim < value.dim()]:
            raise ValueError(f"dynamic: {name} has {value.dim()} dims, and no dim {wrong[0]}")
        places = {dim % value.dim(): size for dim, size in named.items()}
        return described(value, tuple(places.get(dim, size) for dim, size in enumerate(value.shape)))
    if isinstance(value, str) and value in sizes:
        return SizeItself(value)
    if isinstance(value, SearchStrategy):
        return Drawn(value)
    if callable(value) and not isinstance(value, type | nn.Module):
        return MadeBy(cast("Making", value))
    return Always(value)


def name_of(code: Any) -> str:
    """Return what some code is called, as a name of an operator."""
    text = getattr(code, "__name__", None) or type(code).__name__
    return re.sub(r"[^A-Za-z0-9_.+-]", "_", str(text)).strip("_.+-") or "checked"


def by_position(code: Any, arguments: Mapping[str, Argument]) -> tuple[list[Any], dict[str, Any]]:
    """Return arguments by parameter as those that are given by position, where `*args` follow, and by name."""
    parameters = inspect.signature(code.forward if isinstance(code, nn.Module) else code).parameters.values()
    rest = next((one.name for one in parameters if one.kind is inspect.Parameter.VAR_POSITIONAL), None)
    more = [name for name in arguments if rest is not None and re.fullmatch(rf"{re.escape(rest)}_\d+", name)]
    if not more:
        return [], dict(arguments)
    first = [one.name for one in parameters if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
    places = [*first, *more]
    return [arguments[name] for name in places], {
        name: value for name, value in arguments.items() if name not in places
    }
