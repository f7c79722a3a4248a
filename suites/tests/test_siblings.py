"""No failure is hidden: what failed says so in its row, in every report, and with whose entry it is one."""

import io
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from rich.console import Console

from eagerdiff.harness.campaign import Campaign, Progress
from eagerdiff.harness.campaign.differential import Check, Subject
from eagerdiff.harness.catalog.catalog import load
from eagerdiff.harness.cli.summary import print_summary
from eagerdiff.harness.processes import Worker, WorkerPool
from eagerdiff.harness.report import write
from eagerdiff.harness.results.results import Results, Row
from eagerdiff.harness.triage.known import Known
from eagerdiff.suites.tests.campaigns import Stopper
from eagerdiff.suites.tests.siblings import SPEC


@pytest.fixture(scope="module")
def worker_pool() -> Iterator[WorkerPool]:
    with WorkerPool([SPEC]) as worker_pool:
        worker_pool.fork_server("cpu")
        yield worker_pool


@pytest.fixture(scope="module")
def results(worker_pool: WorkerPool) -> Results:
    """Search all siblings, one after the other, until each failed and the turn in which the last one did is over."""
    last: list[str] = []

    def enough(told: Progress) -> bool:
        rows = [target.tally.row for target in campaign.targets]
        if all(one.cases > 0 if one.implementation == "right" else one.failures > 0 for one in rows):
            last.append(told.implementation)
        return told.implementation not in last[:1] and bool(last)

    stopper = Stopper(enough)
    campaign = stopper.target = Campaign(
        load([SPEC]), budget=60.0, slots=1, shrink_seconds=2.0, worker_pool=worker_pool, progress=stopper
    )
    return campaign.run()


def row(results: Results, implementation: str) -> Row:
    return next(row for row in results.rows if row.implementation == implementation)


@pytest.mark.parametrize("name", ["acme.first", "acme.second"])
def test_of_two_broken_implementations_of_one_third_party_both_are_reported(results: Results, name: str) -> None:
    found = row(results, name)
    assert found.failures > 0
    assert (found.findings, found.new, found.same_cause) == (1, 1, [])
    assert [finding.implementation for finding in results.findings].count(name) == 1


def test_a_failure_that_is_one_with_anothers_shows_in_its_own_row(results: Results) -> None:
    rows = [row(results, name) for name in ("stages.dynamo", "stages.aot")]
    told, other = sorted(rows, key=lambda found: -found.findings)
    assert (told.findings, told.same_cause) == (1, [])
    assert (other.findings, other.new) == (0, 0)
    (cause,) = other.same_cause
    assert cause.failures == other.failures > 0
    assert cause.place == f"siblings/{told.implementation} on cpu"
    assert other.failed_anew


def test_what_is_right_did_not_fail(results: Results) -> None:
    found = row(results, "right")
    assert found.cases > 0
    assert not found.failed
    assert not found.failed_anew


def test_every_report_says_which_failed_and_with_whom(results: Results, tmp_path: Path) -> None:
    write(results, tmp_path)
    cases = {case.get("name"): case for case in ElementTree.parse(tmp_path / "junit.xml").getroot()[0]}
    assert sorted(str(name) for name, case in cases.items() if case.find("failure") is not None) == [
        "acme.first[cpu]",
        "acme.second[cpu]",
        "stages.aot[cpu]",
        "stages.dynamo[cpu]",
    ]
    printed = io.StringIO()
    print_summary(Console(file=printed, width=240), results)
    texts = [printed.getvalue(), *((tmp_path / name).read_text() for name in ("index.html", "summary.md", "junit.xml"))]
    assert all("same cause as siblings/stages." in text for text in texts)
    read = Results.model_validate_json((tmp_path / "report.json").read_text())
    assert sum(len(row.same_cause) for row in read.rows) == 1


@pytest.mark.parametrize("name", ["acme.second", "right"])
def test_what_the_corpus_knows_of_one_does_not_excuse_the_other(
    results: Results, worker_pool: WorkerPool, name: str
) -> None:
    first = next(finding for finding in results.findings if finding.implementation == "acme.first")
    with Worker("cpu", worker_pool=worker_pool) as worker:
        check = Check(load([SPEC]), Subject("siblings", name, "cpu"), worker, Known(frozenset({first.signature})))
        check.search(batches=2)
    assert bool(check.findings) == (name != "right")
    assert not check.met


@pytest.mark.slow
def test_a_known_failure_of_another_stage_is_said_in_the_row(results: Results, worker_pool: WorkerPool) -> None:
    stages = [finding.signature for finding in results.findings if finding.implementation.startswith("stages.")]
    unknown = "stages.aot" if stages[0].implementation == "stages.dynamo" else "stages.dynamo"
    with Worker("cpu", worker_pool=worker_pool) as worker:
        check = Check(load([SPEC]), Subject("siblings", unknown, "cpu"), worker, Known(frozenset(stages)))
        check.search(batches=2)
    assert not check.findings
    assert list(check.met) == stages
    assert str(next(iter(check.met))).startswith("siblings/stages.")
