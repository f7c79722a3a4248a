"""What a stranger's kernel does not take, told in one line."""

from collections.abc import Mapping
from typing import Any


def first(limits: Mapping[str, Any]) -> str | None:
    """Return the first reason whose condition holds, or None."""
    return next((reason for reason, holds in limits.items() if holds), None)


def impossible(case: Any) -> dict[str, Any]:
    """List what no serving engine asks for, and no engine's kernel answers."""
    pairs = zip(case.query_lens, case.context_lens, strict=True)
    return {
        "there is nothing to attend": sum(case.query_lens) == 0,
        "a request has more queries than keys": any(queries > length for queries, length in pairs),
    }
