"""A program as data: typed inputs, a list of operations, outputs. Reading one executes nothing."""

import re
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from eagerdiff.strategies.programs.size import Shape, Size
from eagerdiff.strategies.programs.value_type import KINDS, Type

MOST_NODES = 64


class Input(BaseModel):
    """Describe one argument: a tensor, or a Python number where `kind` says so."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Literal["tensor", "int", "float"] = "tensor"
    dtype: str = "float32"
    shape: Shape = ()
    """Its sizes; for a Python integer its symbol alone."""
    below: int | str | None = None
    """For integer tensors that index something: its size."""

    @field_validator("dtype")
    @classmethod
    def _known(cls, name: str) -> str:
        if name not in KINDS:
            raise ValueError(f"unknown dtype {name!r}: use one of {', '.join(KINDS)}")
        return name

    @property
    def type(self) -> Type:
        """The type of the value that the program receives."""
        sizes = tuple(map(Size.of, self.shape))
        if self.kind == "int":
            return Type("int64", plain=True, number=sizes[0])
        if self.kind == "float":
            return Type("float64", plain=True)
        return Type(self.dtype, sizes, None if self.below is None else Size.of(self.below))


class Node(BaseModel):
    """Apply one operation; its results are the next values."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    op: str
    args: tuple[int, ...] = ()
    """Values by number: inputs first, then every node's results in order."""
    attrs: dict[str, Any] = Field(default_factory=dict)
    """Attributes by name: integers, floats, booleans, strings that the operation knows, tuples of those."""

    @field_validator("attrs")
    @classmethod
    def _tuples(cls, attrs: dict[str, Any]) -> dict[str, Any]:
        return {name: _frozen(value) for name, value in attrs.items()}


_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,39}", re.ASCII)


def _frozen(value: Any) -> Any:
    """Return an attribute; raise ValueError for a text that is no word: attributes become source, which is run."""
    if isinstance(value, list | tuple):
        return tuple(map(_frozen, value))
    if isinstance(value, str) and not _WORD.fullmatch(value):
        raise ValueError(f"not a word: {value[:40]!r}")
    if not isinstance(value, str | int | float | None):
        raise ValueError(f"not an attribute: a {type(value).__name__}")
    return value


class Program(BaseModel):
    """Hold a program: straight-line code over values that are numbered, inputs first."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    inputs: tuple[Input, ...] = ()
    nodes: tuple[Node, ...] = Field((), max_length=MOST_NODES)
    outputs: tuple[int, ...] = ()
    gradients: bool = False
    """Whether gradients of the outputs' sum with respect to every floating-point input are outputs too."""

    def __hash__(self) -> int:
        return hash(self.model_dump_json())
