"""A case: one call, as data."""

from collections.abc import Mapping
from typing import Any, Literal, Self

import yaml
from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypeVar

from eagerdiff.harness.reading import CASE, parse_yaml

DType = Literal[
    "float64",
    "float32",
    "float16",
    "bfloat16",
    "float8_e4m3fn",
    "float8_e5m2",
    "int64",
    "int32",
    "int8",
    "uint8",
    "bool",
]
"""Names of torch dtypes; `getattr(torch, name)` is the dtype."""


def static(default: Any = ..., **options: Any) -> Any:
    """Declare a field that selects a compiled artifact: head_dim, dtype, window on or off."""
    return Field(default, json_schema_extra={"static": True}, **options)


def dynamic(default: Any = ..., **options: Any) -> Any:
    """Declare a field that may vary under one artifact: batch, lengths, routing."""
    return Field(default, json_schema_extra={"static": False}, **options)


class Case(BaseModel):
    """Describe one call of an operator without holding a tensor.

    Subclass it once an operator. Every field is `static(...)` or `dynamic(...)`; a plain field is dynamic. A text below
    a field is its meaning, which `eagerdiff show` prints: what it is, and which other fields it goes with.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=True, use_attribute_docstrings=True)

    seed: int = dynamic(0, ge=0, lt=2**63)
    """Seeds everything random about the tensors."""

    @classmethod
    def static_fields(cls) -> tuple[str, ...]:
        """Return the names of the static fields, in order of declaration."""
        return tuple(name for name, field in cls.model_fields.items() if _is_static(field.json_schema_extra))

    @property
    def static_key(self) -> tuple[tuple[str, Any], ...]:
        """The static fields and their values: equal keys may share one compiled artifact."""
        return tuple((name, getattr(self, name)) for name in self.static_fields())

    def to_yaml(self) -> str:
        """Return the case as YAML; `from_yaml` gives an equal case back."""
        return yaml.safe_dump(self.model_dump(mode="json"), sort_keys=False)

    @classmethod
    def from_yaml(cls, text: str) -> Self:
        """Read a case from YAML; raise ValueError, or `pydantic.ValidationError` for a field that does not fit."""
        return cls.model_validate(parse_yaml(text, CASE))


class RecordedCase(Case):
    """Hold a case as data where its type is not loaded: whatever fields it has."""

    model_config = ConfigDict(extra="allow")


CaseT = TypeVar("CaseT", bound=Case, default=Any)
"""The case type of an operator, and of what computes it; a bare `Operator` takes any."""


def _is_static(extra: Any) -> bool:
    return isinstance(extra, Mapping) and extra.get("static") is True
