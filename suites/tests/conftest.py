"""What the tests of many files need."""

from collections.abc import Iterator

import pytest
import torch

from eagerdiff.harness.processes import Worker, WorkerPool

CORE = (
    "campaign",
    "compile_model",
    "devices",
    "execution",
    "internals",
    "interpreter_arithmetic",
    "interpreter_inductor",
    "interpreter_memory",
    "judge",
    "judge_acceptance",
    "ledger",
    "offline",
    "search",
    "smoke",
    "tuning",
    "worker",
)
"""Files that must pass on every release of torch and Triton that is supported (`test_<name>.py`)."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the core."""
    for item in items:
        if item.path.stem.removeprefix("test_") in CORE:
            item.add_marker(pytest.mark.core)


# Two tests at a time on two cores: threads of one would wait for the other's.
torch.set_num_threads(1)


@pytest.fixture(scope="module")
def worker_pool() -> Iterator[WorkerPool]:
    """Fork servers for the workers of one file's tests."""
    with WorkerPool() as worker_pool:
        yield worker_pool


@pytest.fixture(scope="module")
def workers(worker_pool: WorkerPool) -> Iterator[dict[str, Worker]]:
    """A worker that interprets kernels and one of the processor, for one file's tests."""
    with Worker("interpreted", worker_pool=worker_pool) as interpreted, Worker("cpu", worker_pool=worker_pool) as cpu:
        yield {"interpreted": interpreted, "cpu": cpu}
