"""Functions of `torch.nn.functional` that torch's other tables lack, with samples by what their signatures ask for."""

import inspect
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

import torch

from eagerdiff.strategies.torch_api.schemas import Sample, samples

_WORDS = (("Tensor", "Tensor"), ("list", "List[int]"), ("float", "number"), ("bool", "bool"), ("str", "str"))
"""Words of an annotation, the most telling first, and what a schema calls that; whatever else is an integer."""


@dataclass(frozen=True)
class _Argument:
    """Describe a parameter as a schema does."""

    name: str
    type: str
    kwarg_only: bool
    default: bool

    def has_default_value(self) -> bool:
        """Whether it may be left out."""
        return self.default


@dataclass(frozen=True)
class Functional:
    """Hold one function."""

    name: str

    @property
    def function(self) -> Any:
        """The function itself."""
        return getattr(torch.nn.functional, self.name)

    def samples(self) -> Iterator[tuple[Any, Sample]]:
        """Return the function with a few samples that eager takes."""
        arguments = [_argument(one) for one in inspect.signature(self.function).parameters.values()]
        yield from ((self.function, sample) for sample in samples(self.function, arguments))


def _argument(one: inspect.Parameter) -> _Argument:
    said = inspect.formatannotation(one.annotation)
    default = one.default is not inspect.Parameter.empty
    kind = next((word for found, word in _WORDS if found in said), "int")
    if kind == "Tensor" and default:
        kind = "Optional[Tensor]"
    return _Argument(one.name, kind, one.kind is inspect.Parameter.KEYWORD_ONLY, default)


def functionals(known: Collection[str]) -> list[Functional]:
    """Return the public functions that take a tensor and are not known by another table's name."""
    found = inspect.getmembers(torch.nn.functional, callable)
    names = [name for name, one in found if name not in known and not name.startswith("_") and _takes_tensors(one)]
    return [Functional(name) for name in names]


def _takes_tensors(one: Any) -> bool:
    try:
        parameters = inspect.signature(one).parameters.values()
    except (TypeError, ValueError):  # a builtin: the schemas have it
        return False
    first = next(iter(parameters), None)
    return not isinstance(one, type) and first is not None and "Tensor" in inspect.formatannotation(first.annotation)
