"""Optional parameters of torch's functions: which there are, and values that no sample has.

Which values a parameter takes nobody says in a table: eager is asked with each call that is drawn, and what it refuses
the compiled code must refuse too.
"""

import functools
import inspect
import keyword
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

from eagerdiff.harness.internals.torch_tables import native_schemas
from eagerdiff.strategies.torch_api.call import Argument, is_a
from eagerdiff.strategies.torch_api.names import function
from eagerdiff.strategies.torch_api.table import entries

Kind = Literal["bool", "int", "float", "str", "tensor", "ints", "dtype", "memory_format"]
DOMAINS: Mapping[Kind, tuple[Argument, ...]] = MappingProxyType(
    {
        "bool": (True, False),
        "int": (1, 0, -1, 2, 3, 7),
        "float": (0.5, 0.0, 1.0, -1.0, 2.0, 3.0, 1, 2, -0.25, {"float": "inf"}, {"float": "-inf"}, {"float": "nan"}),
        "ints": ({"list": [0]}, {"list": [-1]}, {"list": [0, 1]}, {"list": [2, 1]}, {"list": []}, {"list": [1, 1, 1]}),
        "dtype": tuple({"torch": name} for name in ("float64", "float32", "int64", "bool", "complex64", "bfloat16")),
        "memory_format": tuple({"torch": f"{name}_format"} for name in ("contiguous", "preserve")),
    }
)
"""Values by kind; of texts there is a pool, and tensors are made."""
_NAMED: Mapping[str, Kind | None] = MappingProxyType(
    {
        "dtype": "dtype",
        "memory_format": "memory_format",
        **dict.fromkeys(("out", "device", "layout", "pin_memory", "generator", "names", "requires_grad", "inplace")),
    }
)
"""Parameters whose kind is told by their name, or that are left alone."""
_KINDS: tuple[tuple[str, Kind], ...] = (
    ("List[int]", "ints"),
    ("Tensor", "tensor"),
    ("bool", "bool"),
    ("number", "float"),
    ("float", "float"),
    ("int", "int"),
    ("str", "str"),
)
"""Words of a schema's or an annotation's type, the most telling first."""
_QUOTED = re.compile(r"""(?<!\w)['"]([A-Za-z_]\w{1,30})['"](?!\w)""")
RANDOM = ("training", "train", "dropout", "dropout_p")
"""Parameters that make a function draw random numbers."""


@dataclass(frozen=True)
class Parameter:
    """Describe a parameter that may be left out."""

    name: str
    kind: Kind
    position: int
    """Among the arguments by position; -1 where it is given by its name alone."""


@functools.cache
def parameters(name: str) -> tuple[Parameter, ...]:
    """Return the parameters of a function, by its dotted name, that may be left out; those of all overloads."""
    found: dict[tuple[str, Kind], Parameter] = {}
    for one in (*_of_schemas(name), *_of_signature(name)):
        found.setdefault((one.name, one.kind), one)
    return tuple(found.values())


def _of_schemas(name: str) -> Iterator[Parameter]:
    for schema in _schemas().get(native_name(name), ()):
        for at, one in enumerate(schema.arguments):
            kind = _kind(one.name, str(one.type))
            optional = one.has_default_value() or str(one.type).startswith("Optional")
            # What one overload requires, another leaves out: `p` of a norm is a number or a text.
            if kind is not None and (optional or kind == "str"):
                yield Parameter(one.name, kind, -1 if one.kwarg_only else at)


def written_parameters(name: str) -> Mapping[str, inspect.Parameter]:
    """Return the parameters of what torch writes in Python; none of a builtin without a signature."""
    try:
        return inspect.signature(function(name)).parameters
    except (TypeError, ValueError):
        return {}


def _of_signature(name: str) -> Iterator[Parameter]:
    for at, (own, one) in enumerate(written_parameters(name).items()):
        if one.default is inspect.Parameter.empty or one.kind is inspect.Parameter.VAR_KEYWORD:
            continue
        said = str(one.annotation) if one.default is None else type(one.default).__name__
        if (kind := _kind(own, said)) is not None:
            yield Parameter(own, kind, -1 if one.kind is inspect.Parameter.KEYWORD_ONLY else at)


def _kind(name: str, said: str) -> Kind | None:
    if name in _NAMED:
        return _NAMED[name]
    return next((kind for word, kind in _KINDS if word in said), None)


@functools.cache
def _schemas() -> Mapping[str, Sequence[Any]]:
    return native_schemas()


def native_name(name: str) -> str:
    """Return what the native operator of a function is called: `torch.linalg.cond` is `linalg_cond`."""
    parts = name.removeprefix("torch.").split(".")
    if parts[:2] == ["ops", "aten"]:
        return parts[2]
    prefix = f"{parts[0]}_" if parts[0] in ("linalg", "fft", "special") else ""
    return prefix + parts[-1].removesuffix("_")


@functools.cache
def texts(name: str, parameter: str) -> tuple[str, ...]:
    """Return texts that a parameter may take: of its function's documentation, and of all samples' that bear its name.

    Where there are none, every text of every sample.
    """
    documented = _QUOTED.findall(getattr(function(name), "__doc__", None) or "")
    own = {other.name for other in parameters(name)}
    said = [word for word in documented if word not in own and not keyword.iskeyword(word)]
    return tuple(dict.fromkeys((*said, *_sampled().get(parameter, ())))) or _sampled()[""]


@functools.cache
def _sampled() -> Mapping[str, tuple[str, ...]]:
    """Return the texts of all samples by the parameter's name; under the empty name all of them."""
    found: dict[str, dict[str, None]] = {"": {}}
    for entry in entries().values():
        for template in entry.templates:
            for step in template.call.steps:
                by_position = {one.position: one.name for one in parameters(step.function) if one.kind == "str"}
                given = [(by_position.get(at, ""), one) for at, one in enumerate(step.args)]
                for name, value in (*given, *step.kwargs.items()):
                    if isinstance(value, str):
                        found.setdefault(name, {})[value] = None
                        found[""][value] = None
    return {name: tuple(words) for name, words in found.items()}


def values(name: str, parameter: Parameter) -> tuple[Argument, ...]:
    """Return values of a parameter of a function; those of tensors are made of the call's."""
    return texts(name, parameter.name) if parameter.kind == "str" else DOMAINS.get(parameter.kind, ())


def replaceable(argument: Argument) -> bool:
    """Whether what stands at a position may be another value: no tensor, and nothing that follows a size."""
    return not any(is_a(argument, word) for word in ("tensor", "result", "size", "number"))
