"""What a third party's kernel does not take, told in one line."""

from collections.abc import Mapping
from typing import Any


def first(limits: Mapping[str, Any]) -> str | None:
    """Return the first reason whose condition holds, or None."""
    return next((reason for reason, holds in limits.items() if holds), None)
