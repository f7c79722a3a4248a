"""The pytest plug-in: options, the tests of the catalog, and what a failed one says; idle until they are collected."""

import argparse
import os
from collections.abc import Generator
from typing import TYPE_CHECKING, Any

import pytest

from eagerdiff.harness.pytest_plugin.asked import (
    MARK,
    MARK_HELP,
    Asked,
    asked_by,
    asked_of,
    budget_of,
    catalog_for,
    catalog_of,
    shard_of,
    subjects_of,
)
from eagerdiff.harness.sinks import terminal

if TYPE_CHECKING:
    from eagerdiff.harness.campaign.differential import Subject
    from eagerdiff.harness.processes import WorkerPool
    from eagerdiff.harness.pytest_plugin.checking import PluggedCheck
    from eagerdiff.harness.triage.known import Known

__all__ = ["catalog_of"]

OPTIONS: dict[str, dict[str, Any]] = {
    "operator": {
        "action": "append",
        "metavar": "NAME|MODULE:ATTRIBUTE",
        "help": "check this operator; may be repeated",
    },
    "implementation": {
        "action": "append",
        "metavar": "NAME|MODULE:ATTRIBUTE",
        "help": "test only this implementation; may be repeated",
    },
    "device": {"action": "append", "metavar": "NAME", "help": "test on this device; may be repeated"},
    "budget": {"metavar": "DURATION", "help": "search each implementation for so long: 30s, 5m (default: a few cases)"},
}
PROPERTY = "eagerdiff_known"
STOOD_IN = "eagerdiff_stood_in"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Register the options under names that no one else has."""
    group = parser.getgroup("eagerdiff", "differential tests (eagerdiff); for short --operator, --implementation, …")
    for name, option in OPTIONS.items():
        group.addoption(f"--eagerdiff-{name}", dest=f"eagerdiff_{name}", **option)
    group.addoption(
        "--eagerdiff-shard", metavar="I/N", help="draw only this part of each search, 2/4, as `nightly --shard` does"
    )
    group.addoption("--eagerdiff-seed", type=int, help="seed of the search (default: 0)")
    group.addoption(
        "--eagerdiff-sanitize",
        action="store_true",
        help="run every test's Triton kernels on this machine, with no GPU, and fail a test whose kernels do wrong",
    )


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests(
    early_config: pytest.Config, parser: pytest.Parser, args: list[str]
) -> Generator[None, object, object]:
    """Check kernels, where that is asked for, before a conftest imports Triton.

    Register the short options too, where they are used and no plug-in or conftest has claimed them.
    """
    if early_config.known_args_namespace.eagerdiff_sanitize:
        from eagerdiff.harness.sanitizer import pytest_sanitizer

        early_config.pluginmanager.register(pytest_sanitizer.begin(early_config), "eagerdiff-sanitizer")
    result = yield
    group = parser.getgroup("eagerdiff")
    for name, option in OPTIONS.items():
        if any(arg == f"--{name}" or arg.startswith(f"--{name}=") for arg in args):
            try:
                group.addoption(f"--{name}", dest=f"eagerdiff_{name}", **option)
            except (ValueError, argparse.ArgumentError):  # it is someone else's: only the long name is ours
                continue
    return result


def pytest_configure(config: pytest.Config) -> None:
    """Have `check` search as long, and from the seed, that the command line says; name the mark."""
    config.addinivalue_line("markers", MARK_HELP)
    budget, seed = config.getoption("eagerdiff_budget"), config.getoption("eagerdiff_seed")
    if budget or seed is not None:
        from eagerdiff.harness.cli.project import BUDGET, SEED

        told = {BUDGET: budget, SEED: seed}
        os.environ.update({name: str(value) for name, value in told.items() if value is not None})


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make one test of each operator × implementation × device that a test asks for by `differential_subject`."""
    if "differential_subject" not in metafunc.fixturenames:
        return
    wrong, found = "", list["Subject"]()
    try:
        budget_of(metafunc.config)
        shard_of(metafunc.config)
        found = subjects_of(metafunc.config, list(metafunc.definition.iter_markers(MARK)))
    except pytest.UsageError as error:
        wrong = terminal.line(f"{metafunc.definition.nodeid}: {error}")
    if wrong:  # said outside of the handler: pytest shows what was handled too
        pytest.fail(wrong, pytrace=False)
    metafunc.parametrize("differential_subject", found, ids=[subject.id for subject in found])


class Shared:
    """Hold what tests of one catalog share: the processes from which workers are forked, and what corpora know."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._pools: dict[Asked, WorkerPool] = {}
        self._known: dict[Asked, Known] = {}

    def pool(self, asked: Asked) -> "WorkerPool":
        """Return the pool of what was asked for."""
        from eagerdiff.harness.processes.catalog_tasks import worker_pool

        if asked not in self._pools:
            self._pools[asked] = worker_pool(catalog_for(self._config, asked))
        return self._pools[asked]

    def known(self, asked: Asked) -> "Known":
        """Return the failures that the corpora of what was asked for hold; a malformed corpus is an error."""
        from eagerdiff.harness.cli.keeping import own_corpus
        from eagerdiff.harness.corpus.replaying import corpora, known

        if asked not in self._known:
            self._known[asked] = known(corpora(catalog_for(self._config, asked), own_corpus()))
        return self._known[asked]

    def close(self) -> None:
        """End all processes."""
        for pool in self._pools.values():
            pool.close()


@pytest.fixture(scope="session")
def differential_shared(pytestconfig: pytest.Config) -> Generator[Shared]:
    """Keep what tests share for the whole session."""
    shared = Shared(pytestconfig)
    yield shared
    shared.close()


@pytest.fixture(scope="session")
def differential_worker_pool(differential_shared: Shared, pytestconfig: pytest.Config) -> "WorkerPool":
    """Return the pool of the catalog with what the command line names."""
    return differential_shared.pool(asked_of(pytestconfig))


@pytest.fixture
def differential_check(
    differential_subject: "Subject", differential_shared: Shared, request: pytest.FixtureRequest, record_property: Any
) -> "Generator[PluggedCheck]":
    """Search a subject as long as the command line or the project says; what a corpus knows is counted, no failure.

    Call its `verify()`, or look at its `findings`.
    """
    from eagerdiff.harness.processes import Worker
    from eagerdiff.harness.pytest_plugin.checking import PluggedCheck

    subject, config = differential_subject, request.config
    asked = asked_by(config, list(request.node.iter_markers(MARK)))
    pool, known = differential_shared.pool(asked), differential_shared.known(asked)
    with Worker(subject.device, worker_pool=pool) as worker:
        check = PluggedCheck(catalog_for(config, asked), subject, worker, known, config=config)
        pool.fork_server(subject.device)  # importing torch is no part of the budget
        check.search_as_told()
        if check.broken:  # an error of the test, no failure of what it is about
            pytest.fail(f"harness error: {terminal.line(check.broken)}", pytrace=False)
        for cause, count in check.met.items():
            record_property(PROPERTY, f"{subject.id}: same cause as {cause} × {count}")
        for what, count in check.stood_in.items():
            record_property(STOOD_IN, f"{subject.id}: {what} × {count}")
        yield check


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Count the known findings that were met, and what was judged on a device that stands in."""
    reports = [
        report for found in terminalreporter.stats.values() for report in found if hasattr(report, "user_properties")
    ]
    sections = {
        PROPERTY: "eagerdiff: known findings (in the corpus, not failures)",
        STOOD_IN: "eagerdiff: what a device does not take (judged on the one that stands in for it)",
    }
    for property_name, title in sections.items():
        told = {value for report in reports for name, value in report.user_properties if name == property_name}
        if told:
            terminalreporter.section(title)
        for text in sorted(told):
            terminalreporter.write_line(terminal.line(text))
