"""What the tests of many files need."""

from collections.abc import Iterator

import pytest
import torch

from eagerdiff.harness.processes import Nursery, Worker

# Two tests at a time on two cores: threads of one would wait for the other's.
torch.set_num_threads(1)


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    """Zygotes for the workers of one file's tests."""
    with Nursery() as nursery:
        yield nursery


@pytest.fixture(scope="module")
def workers(nursery: Nursery) -> Iterator[dict[str, Worker]]:
    """A worker that interprets kernels and one of the processor, for one file's tests."""
    with Worker("interpreted", nursery=nursery) as interpreted, Worker("cpu", nursery=nursery) as cpu:
        yield {"interpreted": interpreted, "cpu": cpu}
