"""What the tests of many files need."""

from collections.abc import Iterator

import pytest

from harness.processes import Nursery


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    """Zygotes for the workers of one file's tests."""
    with Nursery() as nursery:
        yield nursery
