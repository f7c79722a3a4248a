"""What the tests of many files need."""

import contextlib
import gc
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from eagerdiff import Mode, Stage
from eagerdiff.harness.campaign.differential import Subject
from eagerdiff.harness.processes import Worker, WorkerPool, pool
from eagerdiff.harness.pytest_plugin import catalog_of
from eagerdiff.suites.tests import template
from eagerdiff.suites.tests.device_process import EVERY, WITHOUT_GPU, Chosen
from eagerdiff.suites.tests.installation import commands, installed, tree, wheel
from eagerdiff.suites.tests.misbehaving import SPEC

__all__ = ["commands", "installed", "tree", "wheel"]  # fixtures of every test

CORE = (
    "blame",
    "campaign",
    "compile_model",
    "devices",
    "execution",
    "host_mlir",
    "host_operations",
    "host_tracking",
    "internals",
    "kernel_arithmetic",
    "kernel_inductor",
    "kernel_memory",
    "judge",
    "judge_acceptance",
    "ledger",
    "offline",
    "resuming",
    "search",
    "smoke",
    "targets",
    "tuning",
    "worker",
)
"""Files that must pass on every release of torch and Triton that is supported (`test_<name>.py`)."""


MODES = (Mode.DYNAMIC, Mode.UNBACKED, None)
"""Of what one back end compiles in several modes, the first of these is searched in a default run of the suite."""


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Collect no test of ours, but that of the catalog, where the command line names what is to be checked."""
    named = config.getoption("eagerdiff_operator") or config.getoption("eagerdiff_implementation")
    is_ours = collection_path.suffix == ".py" and collection_path.name != "test_differential.py"
    return True if named and is_ours else None


@pytest.fixture(scope="session", autouse=True)
def fork_servers_of_a_template() -> Iterator[None]:
    """Fork the fork servers of this process from one that has imported what they import (`template.py`)."""
    with pytest.MonkeyPatch.context() as patching:
        patching.setattr(pool, "start", template.start)
        yield


@pytest.fixture(params=WITHOUT_GPU)
def each_device(request: pytest.FixtureRequest) -> Iterator[None]:
    """Run a test on each device that runs kernels without a GPU."""
    yield from _chosen(request.param)


@pytest.fixture(params=EVERY)
def every_device(request: pytest.FixtureRequest) -> Iterator[None]:
    """Run a test on each device that runs kernels here: on a GPU too, where there is one."""
    yield from _chosen(request.param)


def _chosen(device: str) -> Iterator[None]:
    before, Chosen.device = Chosen.device, device
    yield
    Chosen.device = before


def pytest_sessionstart(session: pytest.Session) -> None:
    """Read torch's tables while the first files run, on a machine that has not: of later files several would wait."""
    if not session.config.getoption("numprocesses", None):  # one process, or one of several workers
        return
    read = "from eagerdiff.strategies.torch_api.table import entries; entries()"
    reading = subprocess.Popen([sys.executable, "-c", read], stderr=subprocess.DEVNULL, start_new_session=True)

    def end() -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(reading.pid, signal.SIGTERM)
        reading.wait()

    session.config.add_cleanup(end)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the core, what needs a GPU, and the searches that a default run of the suite leaves to `make test-all`."""
    for item in items:
        if item.path.stem.removeprefix("test_") in CORE:
            item.add_marker(pytest.mark.core)
        params: dict[str, object] = getattr(getattr(item, "callspec", None), "params", {})
        if params.get("every_device") == "cuda":
            item.add_marker(pytest.mark.cuda)
    searches = [(item, subject) for item in items if (subject := _subject(item)) is not None]
    chosen: dict[tuple[str, str, str, str], tuple[int, str]] = {}
    for _, subject in searches:
        rank, akin = _rank(config, subject)
        chosen[akin] = min(chosen.get(akin, rank), rank)
    for item, subject in searches:
        rank, akin = _rank(config, subject)
        if rank != chosen[akin] or _compiles(config, subject):
            item.add_marker(pytest.mark.slow)
    # Files of few tests first: they are those that start processes, and one of them at the end would run alone.
    tests = Counter(item.path for item in items)
    items.sort(key=lambda item: tests[item.path])


def pytest_collection_finish() -> None:
    """Keep the garbage collector from looking through all that was imported and collected, again and again."""
    gc.collect()
    gc.freeze()


def _subject(item: pytest.Item) -> Subject | None:
    found = getattr(item, "callspec", None)  # there is one of tests with parameters alone
    subject = found.params.get("differential_subject") if found is not None else None
    return subject if isinstance(subject, Subject) else None


def _compiles(config: pytest.Config, subject: Subject) -> bool:
    """Whether a search compiles with torch: in a default run of the suite the shortest programs alone do, in Python."""
    stage = catalog_of(config).implementation(subject.operator, subject.implementation).identity.stage
    return stage is not None and (subject.operator != "symbolic" or stage is Stage.AOT_INDUCTOR)


def _rank(config: pytest.Config, subject: Subject) -> tuple[tuple[int, str], tuple[str, str, str, str]]:
    """Return the place of a search among those akin to it, and what they have in common."""
    identity = catalog_of(config).implementation(subject.operator, subject.implementation).identity
    place = MODES.index(identity.mode) if identity.mode in MODES and not identity.variant else len(MODES)
    family, backend = (identity.family, identity.backend) if identity.stage else (subject.implementation, "")
    return (place, subject.implementation), (subject.operator, family, backend, subject.device)


# Two tests at a time on two cores: threads of one would wait for the other's.
torch.set_num_threads(1)


@pytest.fixture(scope="session")
def worker_pool(differential_worker_pool: WorkerPool) -> WorkerPool:
    """Fork servers with the whole catalog, the same for all files: one takes seconds to start."""
    return differential_worker_pool


@pytest.fixture(scope="module")
def workers(worker_pool: WorkerPool) -> Iterator[dict[str, Worker]]:
    """A worker that interprets kernels and one of the processor, for one file's tests."""
    with Worker("interpreted", worker_pool=worker_pool) as interpreted, Worker("cpu", worker_pool=worker_pool) as cpu:
        yield {"interpreted": interpreted, "cpu": cpu}


@pytest.fixture(scope="session")
def misbehaving_pool() -> Iterator[WorkerPool]:
    """A fork server whose implementations misbehave."""
    with WorkerPool([SPEC]) as worker_pool:
        worker_pool.fork_server("cpu")
        yield worker_pool
