"""The pytest plug-in: options, the tests of the catalog, and what a failed one says; idle until they are collected."""

import argparse
import os
from collections.abc import Generator
from typing import TYPE_CHECKING, Any, NoReturn

import pytest

from eagerdiff.harness.sinks import terminal

if TYPE_CHECKING:
    from eagerdiff.harness.campaign.differential import Check, Subject
    from eagerdiff.harness.catalog.catalog import Catalog
    from eagerdiff.harness.processes import WorkerPool
    from eagerdiff.harness.triage.known import Known

OPTIONS: dict[str, dict[str, Any]] = {
    "implementation": {
        "action": "append",
        "metavar": "NAME|MODULE:ATTRIBUTE",
        "help": "test only this implementation; may be repeated",
    },
    "device": {"action": "append", "metavar": "NAME", "help": "test on this device; may be repeated"},
    "budget": {"metavar": "DURATION", "help": "search each implementation for so long: 30s, 5m (default: a few cases)"},
}
SMOKE: dict[str, Any] = {"examples": 4, "max_cases": 2, "budget": 1.5}
"""The search of each implementation where no budget is given: the first few workloads, fewer where they are slow."""
PROPERTY = "eagerdiff_known"
STOOD_IN = "eagerdiff_stood_in"
CATALOG = pytest.StashKey["Catalog"]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Register the options under names that no one else has."""
    group = parser.getgroup(
        "eagerdiff", "differential tests (eagerdiff); for short --implementation, --device, --budget"
    )
    for name, option in OPTIONS.items():
        group.addoption(f"--eagerdiff-{name}", dest=f"eagerdiff_{name}", **option)
    group.addoption("--eagerdiff-seed", type=int, default=0, help="seed of the search")
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
    """Have `check` search as long, and from the seed, that the command line says."""
    budget, seed = config.getoption("eagerdiff_budget"), config.getoption("eagerdiff_seed")
    if budget or seed:
        from eagerdiff.harness.cli.project import BUDGET, SEED

        told = {BUDGET: budget, SEED: seed}
        os.environ.update({name: str(value) for name, value in told.items() if value})


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make one test of each operator × implementation × device for a test that asks for `differential_subject`."""
    if "differential_subject" not in metafunc.fixturenames:
        return
    from eagerdiff.harness.campaign.differential import subjects

    _budget(metafunc.config)
    catalog = catalog_of(metafunc.config)
    found = list(subjects(catalog, _implementations(metafunc.config, catalog), _devices(metafunc.config)))
    metafunc.parametrize("differential_subject", found, ids=[subject.id for subject in found])


def catalog_of(config: pytest.Config) -> "Catalog":
    """Load the catalog once a session; raise pytest.UsageError where the command line names what cannot be loaded."""
    if CATALOG not in config.stash:
        from eagerdiff.harness.catalog.plugin import typed
        from eagerdiff.harness.loading.loader import LoadError, load_apart

        try:
            catalog = load_apart(implementations=typed(config.getoption("eagerdiff_implementation") or []))
        except LoadError as error:
            raise pytest.UsageError(str(error)) from error
        for line in catalog.refused.values():
            raise pytest.UsageError(line)
        for line in catalog.problems:
            config.issue_config_time_warning(pytest.PytestWarning(f"eagerdiff: {line}"), stacklevel=2)
        config.stash[CATALOG] = catalog
    return config.stash[CATALOG]


def _implementations(config: pytest.Config, catalog: "Catalog") -> list[str]:
    from eagerdiff.harness.catalog.catalog import unknown

    known = {name for found in catalog.implementations.values() for name in found}
    known |= {f"{operator}/{name}" for operator, found in catalog.implementations.items() for name in found}
    chosen: list[str] = []
    for text in config.getoption("eagerdiff_implementation") or []:
        named = catalog.specs.get(text, [text])
        if missing := [name for name in named if name not in known]:
            raise pytest.UsageError(unknown("implementation", missing[0], known))
        chosen += named
    return chosen


def _devices(config: pytest.Config) -> list[str]:
    from eagerdiff.harness import devices

    names: list[str] = config.getoption("eagerdiff_device") or []
    for name in names:
        try:
            reason = devices.parse(name).unavailable()
        except ValueError as error:
            raise pytest.UsageError(str(error)) from error
        if reason:
            raise pytest.UsageError(f"device {name} is not available: {reason}")
    return names


def _budget(config: pytest.Config) -> float | None:
    from eagerdiff.harness.cli.duration import parse_duration

    try:
        return parse_duration(text) if (text := config.getoption("eagerdiff_budget")) else None
    except ValueError as error:
        raise pytest.UsageError(f"budget: {error}") from error


@pytest.fixture(scope="session")
def differential_worker_pool(pytestconfig: pytest.Config) -> "Generator[WorkerPool]":
    """Keep the processes from which workers are forked, for the whole session."""
    from eagerdiff.harness.corpus.replaying import worker_pool as pool_of

    with pool_of(catalog_of(pytestconfig)) as worker_pool:
        yield worker_pool


@pytest.fixture(scope="session")
def differential_known(pytestconfig: pytest.Config) -> "Known":
    """Return the failures that the corpora hold; a malformed corpus is an error."""
    from eagerdiff.harness.cli.keeping import own_corpus
    from eagerdiff.harness.corpus.replaying import corpora, known

    return known(corpora(catalog_of(pytestconfig), own_corpus()))


@pytest.fixture
def differential_check(
    differential_subject: "Subject",
    differential_worker_pool: "WorkerPool",
    differential_known: "Known",
    pytestconfig: pytest.Config,
    record_property: Any,
) -> "Generator[Check]":
    """Search a subject for as long as the command line says; known findings are counted and do not fail."""
    from eagerdiff.harness.campaign.differential import Check
    from eagerdiff.harness.processes import Worker

    seconds, seed = _budget(pytestconfig), int(pytestconfig.getoption("eagerdiff_seed") or 0)
    with Worker(differential_subject.device, worker_pool=differential_worker_pool) as worker:
        check = Check(catalog_of(pytestconfig), differential_subject, worker, differential_known)
        differential_worker_pool.fork_server(differential_subject.device)  # importing torch is no part of the budget
        if seconds:
            check.search(seed=seed, batches=None, budget=seconds)
        else:
            check.search(seed=seed, **SMOKE)
        if check.broken:  # an error of the test, no failure of what it is about
            pytest.fail(f"harness error: {terminal.line(check.broken)}", pytrace=False)
        for known, count in check.met.items():
            record_property(PROPERTY, f"{differential_subject.id}: same cause as {known} × {count}")
        for what, count in check.stood_in.items():
            record_property(STOOD_IN, f"{differential_subject.id}: {what} × {count}")
        yield check


def leave_unjudged(check: "Check", config: pytest.Config) -> NoReturn:
    """Skip the test of what supports nothing that was drawn; fail it else, where it was asked for by name."""
    if not check.skipped and config.getoption("eagerdiff_implementation"):
        pytest.fail("no case was judged, and nothing that was drawn was turned down", pytrace=False)
    pytest.skip(f"no case was judged: {terminal.line(', '.join(check.skipped)) or 'nothing was drawn'}")


def explain(check: "Check", config: pytest.Config) -> str:
    """Return what a failed test shows: each finding's verdict, numbers, shrunk workload, seed and script."""
    from eagerdiff.harness.cli.summary import describe
    from eagerdiff.harness.repro import Writer, write_script

    cache: Any = getattr(config, "cache", None)  # where `-p no:cacheprovider` is given, there is no such attribute
    lines: list[str] = []
    for finding in check.findings:
        if cache is None:
            finding.script_note = "pytest's cache is off"
        else:
            folder = cache.mkdir("eagerdiff")
            with Writer(finding.device, check.worker.worker_pool) as writer:
                write_script(finding, folder, writer.drafts(check.task, finding))
            finding.script = finding.script and str(folder / finding.script)
        seed = f"search seed {config.getoption('eagerdiff_seed')}"
        lines.append(f"{describe(finding, workloads=True)}\n  {seed}; again in a fresh process: {finding.reproduced}")
    return terminal.lines("\n".join(lines))


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
