"""What the tests of many files need."""

from collections.abc import Iterator

import pytest
import torch

from harness.processes import Nursery

# Two tests at a time on two cores: threads of one would wait for the other's.
torch.set_num_threads(1)


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    """Zygotes for the workers of one file's tests."""
    with Nursery() as nursery:
        yield nursery
