"""A call of torch as data: which functions, with which arguments, over tensors whose sizes are formulas."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, cast

import torch
from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from eagerdiff.strategies.programs.size import Shape, Size
from eagerdiff.strategies.torch_api.names import function
from eagerdiff.strategies.torch_api.surroundings import BATCH, SURROUNDINGS

Argument = Any
"""None, a bool, a number, a text, or a mapping of one word to a value, one of `_WORDS`.

`{"tensor": 0}` is the first tensor, `{"result": 0}` what the first step gave, `{"number": 0}` the first number among
the arguments, `{"size": "2*a"}` an integer that follows the tensors' sizes; `{"list": […]}` and `{"tuple": […]}` hold
others; `{"module": …}` is a step that constructs a module of `torch.nn`.
"""
Path = tuple[int | str, ...]
"""Where an argument stands: step, `args` or `kwargs`, position or name, and so on inwards."""
_CONSTANT_WORDS = ("complex", "float", "torch", "ellipsis", "module")
_WORDS = ("tensor", "result", "number", "size", "list", "tuple", "slice", *_CONSTANT_WORDS)
_CONSTANTS = (torch.dtype, torch.layout, torch.memory_format)
_NAME = re.compile(r"[A-Za-z_]\w{0,60}", re.ASCII)
_PARAMETER = re.compile(r"[A-Za-z_][\w.]{0,120}", re.ASCII)
FREE = ("int", "float")
"""Numbers that follow no size."""
MOST_TENSORS = 64
"""Tensors of one call: a transformer's parameters are among them."""
DEEPEST = 6


class TensorSpec(BaseModel):
    """Describe one tensor among the arguments."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    dtype: str = ""
    """Name of a torch dtype; empty where it is the case's."""
    shape: Shape = ()
    values: str = "normal"
    """What the values must be like for eager to take them; one of `values.KINDS`."""
    low: int = 0
    high: int = 1
    """For integers: the least and the greatest."""
    below: int | str | None = None
    """For integers that index something: its size."""
    literal: tuple[float | int | bool, ...] = ()
    """The very values, in order, where eager takes no others; then the shape holds integers alone."""

    @property
    def sizes(self) -> tuple[Size, ...]:
        """The shape as formulas."""
        return tuple(map(Size.of, self.shape))


class Step(BaseModel):
    """Call one function of torch, a method or a property, or build one module."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    function: str
    args: tuple[Argument, ...] = ()
    kwargs: dict[str, Argument] = Field(default_factory=dict[str, Argument])

    @field_validator("function")
    @classmethod
    def _known(cls, name: str) -> str:
        function(name)
        return name

    @model_validator(mode="after")
    def _data(self) -> "Step":
        for name in self.kwargs:
            if not _NAME.fullmatch(name):
                raise ValueError(f"not a name: {name[:40]!r}")
        for argument in (*self.args, *self.kwargs.values()):
            check(argument)
        return self


class ModuleSpec(BaseModel):
    """Describe a module whose parameters and buffers are arguments of the call."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    build: Step
    """The constructor; its arguments are constants."""
    parameters: dict[str, int] = Field(default_factory=dict[str, int])
    """Number of the tensor that stands for each parameter and buffer."""
    training: bool = True
    first: tuple[tuple[int, ...], ...] = ()
    """Shapes of what it is called with once before, where its parameters have no sizes until then."""

    @field_validator("parameters")
    @classmethod
    def _names(cls, parameters: dict[str, int]) -> dict[str, int]:
        for name in parameters:
            if not _PARAMETER.fullmatch(name):
                raise ValueError(f"not a parameter: {name[:40]!r}")
        return parameters


class Call(BaseModel):
    """Hold steps in order, of which the last one gives the result; each may take what earlier ones gave."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    steps: tuple[Step, ...] = Field(min_length=1, max_length=16)
    tensors: tuple[TensorSpec, ...] = Field(default=(), max_length=MOST_TENSORS)
    numbers: tuple[str, ...] = Field(default=(), max_length=8)
    """The Python numbers among the arguments: `int`, `float`, or the formula of the size that one follows."""
    module: ModuleSpec | None = None
    """What the last step calls, where it is a module: the step's function is its class."""
    within: str = ""
    """What the steps stand within; one of SURROUNDINGS, or nothing."""

    @field_validator("within")
    @classmethod
    def _surrounding(cls, name: str) -> str:
        if name and name not in SURROUNDINGS:
            raise ValueError(f"unknown surrounding {name[:40]!r}: use one of {', '.join(SURROUNDINGS)}")
        return name

    @field_validator("numbers")
    @classmethod
    def _formulas(cls, numbers: tuple[str, ...]) -> tuple[str, ...]:
        for number in numbers:
            if number not in FREE:
                Size.of(number)
        return numbers

    def __hash__(self) -> int:
        return hash(self.model_dump_json())

    @property
    def mapped(self) -> tuple[int, ...]:
        """Numbers of the tensors whose first dim `vmap` maps over."""
        return tuple(at for at, spec in enumerate(self.tensors) if spec.shape[:1] == (BATCH,))

    @property
    def symbols(self) -> tuple[str, ...]:
        """Every symbol of the sizes, sorted."""
        formulas = [size for tensor in self.tensors for size in tensor.sizes]
        formulas += [Size.of(value["size"]) for _, value in self.arguments() if is_a(value, "size")]
        return tuple(sorted({symbol for formula in formulas for symbol in formula.symbols}))

    def arguments(self) -> Iterator[tuple[Path, Argument]]:
        """Return every argument that is no list or tuple, with where it stands."""
        for index, step in enumerate(self.steps):
            for position, argument in enumerate(step.args):
                yield from _leaves(argument, (index, "args", position))
            for name, argument in step.kwargs.items():
                yield from _leaves(argument, (index, "kwargs", name))

    def replaced(self, changes: Mapping[Path, Argument], **others: Any) -> "Call":
        """Return the call with other arguments in some places, and other fields."""
        steps = [
            step.model_copy(
                update={
                    "args": tuple(
                        _replaced(argument, (index, "args", position), changes)
                        for position, argument in enumerate(step.args)
                    ),
                    "kwargs": {
                        name: _replaced(argument, (index, "kwargs", name), changes)
                        for name, argument in step.kwargs.items()
                    },
                }
            )
            for index, step in enumerate(self.steps)
        ]
        return self.model_copy(update={"steps": tuple(steps), **others})


def is_a(argument: Argument, word: str) -> bool:
    """Whether an argument is a mapping of that word."""
    return isinstance(argument, dict) and word in argument


def check(argument: Argument, depth: int = 0) -> None:
    """Raise ValueError for what is no argument: it becomes source, which is run."""
    if depth > DEEPEST:
        raise ValueError(f"arguments nested more than {DEEPEST} deep")
    if isinstance(argument, str) and (len(argument) > 80 or not argument.isprintable() or not argument.isascii()):
        raise ValueError(f"not a text of at most 80 plain characters: {argument[:40]!r}")
    if argument is None or isinstance(argument, bool | int | float | str):
        return
    if not isinstance(argument, dict) or len(cast("dict[str, Any]", argument)) != 1:
        raise ValueError(f"not an argument: a {type(argument).__name__}")
    ((word, value),) = cast("dict[str, Any]", argument).items()
    if word not in _WORDS:
        raise ValueError(f"unknown argument {str(word)[:40]!r}: use one of {', '.join(_WORDS)}")
    _CHECKS.get(word, _check_items)(value, depth)


def _check_items(value: Any, depth: int) -> None:
    if not isinstance(value, list | tuple) or len(cast("list[Any]", value)) > 64:
        raise ValueError("not a list of at most 64 arguments")
    for item in cast("list[Any]", value):
        check(item, depth + 1)


def _check_number(value: Any, depth: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < MOST_TENSORS:
        raise ValueError(f"not a number of a tensor, a step or an argument: {str(value)[:40]!r}")


def _check_size(value: Any, depth: int) -> None:
    if not isinstance(value, int | str):
        raise ValueError("not a size")
    Size.of(value)


def _check_constant(value: Any, depth: int) -> None:
    if not isinstance(value, str) or not isinstance(getattr(torch, value, None), _CONSTANTS):
        raise ValueError(f"not a dtype, layout or memory format: {str(value)[:40]!r}")


def _check_float(value: Any, depth: int) -> None:
    if value not in ("nan", "inf", "-inf"):
        raise ValueError(f"not a float that JSON lacks: {str(value)[:40]!r}")


def _check_module(value: Any, depth: int) -> None:
    step = Step.model_validate(value)
    if not isinstance(function(step.function), type):
        raise ValueError(f"not a module: {step.function[:40]!r}")
    for argument in (*step.args, *step.kwargs.values()):
        check(argument, depth + 1)


_CHECKS: Mapping[str, Callable[[Any, int], None]] = {
    "tensor": _check_number,
    "result": _check_number,
    "number": _check_number,
    "size": _check_size,
    "torch": _check_constant,
    "float": _check_float,
    "module": _check_module,
}


def _leaves(argument: Argument, path: Path) -> Iterator[tuple[Path, Argument]]:
    for word in ("list", "tuple", "slice"):
        if is_a(argument, word):
            for position, item in enumerate(argument[word]):
                yield from _leaves(item, (*path, word, position))
            return
    yield path, argument


def _replaced(argument: Argument, path: Path, changes: Mapping[Path, Argument]) -> Argument:
    if path in changes:
        return changes[path]
    for word in ("list", "tuple", "slice"):
        if is_a(argument, word):
            items: Sequence[Argument] = argument[word]
            return {word: [_replaced(item, (*path, word, at), changes) for at, item in enumerate(items)]}
    return argument
