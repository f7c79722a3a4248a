"""The fields of a case as a table: what each is, its range, its default, and what it goes with."""

import types
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal, Union, get_args, get_origin

from eagerdiff.harness.model.case import Case

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo
    from rich.table import Table


def fields(case: type[Case]) -> "Table":
    """Return a table with a row a field; a text below the field in its class is its meaning."""
    from eagerdiff.harness.cli.console import table

    made = table("case", "field", "kind", "values", "default", "meaning")
    for name, field in case.model_fields.items():
        kind = "static" if name in case.static_fields() else "dynamic"
        made.add_row(name, kind, values(field), _default(field), " ".join((field.description or "").split()))
    return made


def values(field: "FieldInfo") -> str:
    """Say what a field may be: its choices, or its type and bounds."""
    bounds = {name: value for one in field.metadata for name, value in _bounds(one)}
    said = _named(field.annotation)
    low = f"{bounds['ge']} …" if "ge" in bounds else f"above {bounds['gt']}" if "gt" in bounds else ""
    high = f" {bounds['le']}" if "le" in bounds else f" below {bounds['lt']}" if "lt" in bounds else ""
    multiple = f"multiples of {bounds['multiple_of']}" if "multiple_of" in bounds else ""
    return ", ".join(filter(None, (said, (low or ("…" if high else "")) + high, multiple)))


def _bounds(constraint: Any) -> Iterator[tuple[str, Any]]:
    for name in ("ge", "gt", "le", "lt", "multiple_of"):
        if getattr(constraint, name, None) is not None:
            yield name, getattr(constraint, name)


def _named(annotation: Any) -> str:
    """Name a type as a reader of YAML would."""
    origin, inside = get_origin(annotation), get_args(annotation)
    if origin is Literal:
        return ", ".join(map(str, inside))
    if origin in (Union, types.UnionType):
        return " or ".join("null" if one is type(None) else _named(one) for one in inside)
    if origin is tuple:
        return f"list of {_named(inside[0])}" if inside[1:] == (...,) else f"[{', '.join(map(_named, inside))}]"
    if origin is dict:
        return f"{_named(inside[1])} by name"
    return {bool: "true, false", int: "integer", float: "number", str: "text"}.get(annotation) or annotation.__name__


def _default(field: "FieldInfo") -> str:
    if field.is_required():
        return "required"
    return "empty" if field.default_factory else repr(field.default)
