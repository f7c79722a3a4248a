"""What an installed package has: how a script imports it, or makes it anew."""

import base64
import inspect
import pickle
import zlib
from collections.abc import Callable
from typing import Any

MOST_PICKLED = 4000
"""Characters of an object in a script."""


def imported(code: Callable[..., Any]) -> tuple[str, str] | None:
    """Return how something of an installed package is imported, and what it is called then; None for any other.

    An object, or a method of one, is made anew from its pickle, where that is short.
    """
    if (named := of_package(code)) is not None:
        module, name = named
        return f"from {module} import {name.partition('.')[0]}", name
    held = getattr(code, "__self__", code)
    if inspect.isclass(held) or inspect.isroutine(held) or of_package(type(held)) is None:
        return None
    text = pickled(held, MOST_PICKLED)
    return (text, "made" if held is code else f"made.{code.__name__}") if text else None


def of_package(code: Any) -> tuple[str, str] | None:
    """Return the module and the name within it by which an installed package has a function or a class."""
    module, name = inspect.getmodule(code), getattr(code, "__qualname__", "")
    if module is None or "site-packages" not in (getattr(module, "__file__", None) or "") or not name:
        return None
    found: Any = module
    for part in name.split("."):
        found = getattr(found, part, None)
    return (module.__name__, name) if found is code else None


def pickled(value: Any, most: int) -> str:
    """Return source that makes an object anew, called `made`; empty where its pickle is longer, or there is none."""
    try:
        data = base64.b85encode(zlib.compress(pickle.dumps(value), 9)).decode()
    except Exception:  # noqa: BLE001 - whatever its class raises, there is none
        return ""
    unpacked = f"pickle.loads(zlib.decompress(base64.b85decode({data!r})))"
    return f"import base64, pickle, zlib\nmade = {unpacked}  # a {type(value).__name__}" if len(data) <= most else ""
