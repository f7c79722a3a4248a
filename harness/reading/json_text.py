"""JSON of someone else's, within bounds."""

import json
import re
from typing import Any, NoReturn

from eagerdiff.harness.reading.bounds import Bounds, Unreadable, checked, in_words
from eagerdiff.harness.reading.file import decoded

_STRING = re.compile(rb'"(?:[^"\\]|\\.)*+"?', re.DOTALL)
_MARKS = (b"[", b"{", b",", b":")
"""Before each value but the first stands one of these."""


def parse_json(text: bytes, bounds: Bounds) -> Any:
    """Return what a JSON text holds; raise Unreadable for anything that is malformed, twofold or out of bounds."""
    if len(text) > bounds.size:
        raise Unreadable(f"is larger than {in_words(bounds.size)}")
    if _marks(text) > bounds.nodes and _marks(_STRING.sub(b"", text)) > bounds.nodes:  # before any memory is taken
        raise Unreadable(f"holds more than {bounds.nodes:,} values")
    constant = None if bounds.nonfinite else _refuse
    try:
        data: Any = json.loads(decoded(text), object_pairs_hook=_object, parse_constant=constant)
    except RecursionError as error:
        raise Unreadable(f"nests deeper than {bounds.depth} levels") from error
    except Unreadable:
        raise
    except ValueError as error:
        raise Unreadable(f"is not JSON: {error}") from error
    return checked(data, bounds)


def _marks(text: bytes) -> int:
    return sum(map(text.count, _MARKS))


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise Unreadable(f"holds {twice[:60]!r} twice in one mapping")
    return found


def _refuse(name: str) -> NoReturn:
    raise Unreadable(f"holds a number that is not finite: {name}")
