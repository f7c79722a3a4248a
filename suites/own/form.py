"""How values in a row become a call: by position or by name, each in the tuple, list or dict that holds it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any, cast

FLAT = "*args"
"""The call that takes its values as they come."""


@dataclass(frozen=True)
class Form:
    """Write a call of `args`."""

    text: str = FLAT
    """What stands between the parentheses: `(args[0], args[1]), args[2], dim=args[3]`."""
    classes: Mapping[str, type] = field(default_factory=dict[str, type])
    """What else it names: classes of what holds values."""

    def caller(self) -> Callable[[Callable[..., Any], tuple[Any, ...]], Any]:
        """Return a function that calls another with values in a row."""
        return eval(f"lambda function, args: function({self.text})", dict(self.classes))

    def bound(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function of values in a row; the function itself where it takes them so."""
        caller = self.caller()
        return function if self.text == FLAT else lambda *args: caller(function, args)

    def source(self, name: str) -> str:
        """Return source that defines `program`, of values in a row, by a function's name."""
        if self.text == FLAT:
            return "" if name == "program" else f"program = {name}"
        imports = [f"from {one.__module__} import {one.__name__}" for one in self.classes.values()]
        return "\n".join([*imports, "", "def program(*args):", f"    return {name}({self.text})"])


AS_THEY_COME = Form()
"""By position, each by itself."""


def spread(
    values: Mapping[str, Any], keywords: Sequence[str], is_value: Callable[[Any], bool]
) -> tuple[dict[str, Any], Form]:
    """Return arguments in a row, and the form of the call: what holds values is taken apart, `x` into `x_0`, `x_1`.

    A tuple, list, dict, named tuple or dataclass is taken apart where something in it `is_value`.
    """
    row = _Row(is_value)
    parts: list[str] = []
    for name, value in values.items():
        text = row.written(name, value)
        parts.append(f"{name}={text}" if name in keywords else text)
    flat = len(row.found) == len(values) and not keywords
    return row.found, AS_THEY_COME if flat else Form(", ".join(parts), row.classes)


class _Row:
    def __init__(self, is_value: Callable[[Any], bool]) -> None:
        self.is_value = is_value
        self.found: dict[str, Any] = {}
        self.classes: dict[str, type] = {}

    def written(self, name: str, value: Any) -> str:
        """Put an argument, or what it holds, into the row, and return how the call writes it."""
        parts = None if self.is_value(value) else _parts(value)
        if parts is None or not _holds(value, self.is_value):
            self.found[name] = value
            return f"args[{len(self.found) - 1}]"
        texts = {key: self.written(f"{name}_{_word(key)}", part) for key, part in parts.items()}
        if type(value) is tuple:
            return f"({''.join(f'{text}, ' for text in texts.values())})"
        if type(value) is list:
            return f"[{', '.join(texts.values())}]"
        if type(value) is dict:
            return "{" + ", ".join(f"{key!r}: {text}" for key, text in texts.items()) + "}"
        self.classes[type(value).__name__] = type(value)
        return f"{type(value).__name__}({', '.join(f'{key}={text}' for key, text in texts.items())})"


def _parts(value: Any) -> dict[Any, Any] | None:
    """Return what something holds, by place or by name; None for what is no container."""
    if type(value) in (tuple, list):
        return dict(enumerate(cast("Sequence[Any]", value)))
    if type(value) is dict:
        return cast("dict[Any, Any]", value)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return cast("Any", value)._asdict()
    if is_dataclass(value) and not isinstance(value, type) and "<locals>" not in type(value).__qualname__:
        return {one.name: getattr(value, one.name) for one in fields(value) if one.init}
    return None


def _holds(value: Any, is_value: Callable[[Any], bool]) -> bool:
    parts = _parts(value)
    return is_value(value) or (parts is not None and any(_holds(part, is_value) for part in parts.values()))


def _word(key: Any) -> str:
    return "".join(letter if letter.isalnum() else "_" for letter in str(key)).lower()
