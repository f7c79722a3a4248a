"""Of many parameters of one kind a default run of the suite takes a few, and `make test-all` all."""

from collections.abc import Collection, Iterable
from typing import Any

import pytest


def others_slow(values: Iterable[Any], usual: Collection[Any]) -> list[Any]:
    """Return the values as parameters of a test, all but the usual ones marked slow."""
    return [pytest.param(value, marks=() if value in usual else pytest.mark.slow) for value in values]
