"""The record of faults found by ours and by baseline suites: written whole, read with what has changed since."""

from dataclasses import replace
from pathlib import Path

import pytest

from eagerdiff import Extras, Operator
from eagerdiff.harness.catalog import catalog
from eagerdiff.harness.mutation.records import FILE, read_records, write_record
from eagerdiff.harness.report import write
from eagerdiff.harness.results.attempt import Attempt, BaselineAttempt, SuiteUse
from eagerdiff.harness.results.detection import Pair, Reading, Record
from eagerdiff.harness.results.results import Results
from eagerdiff.suites.tests.rows import operator_of, reference

FAULT = """
- {{id: {id}, operator: rows, implementation: x, file: compiled/__init__.py, text: a, replacement: b, seen: c, what: d}}
"""

USE = SuiteUse(suite="peer, test", implementation="x", rule="exact", cases=9, refused=2, too_large=3, note="scaled")


def operator_with(folder: Path, *ids: str) -> Operator:
    (folder / "some.yaml").write_text("".join(FAULT.format(id=name) for name in ids))
    return replace(
        operator_of(reference),
        extras=Extras(faults=folder),
    )


def record_of(*results: tuple[str, bool, bool], operator: str = "rows") -> Record:
    def pair(name: str, ours: bool, theirs: bool) -> Pair:
        attempt = Attempt(id=name, operator=operator, implementation="x", device="cpu", found=ours, seconds=2.0)
        peer = BaselineAttempt(id=name, found=theirs, seconds=4.0, cases=3, of=9, suite="peer, test" if theirs else "")
        return Pair(ours=attempt, theirs=peer)

    return Record(
        operator=operator, made="2026-11-21T12:00:00+00:00", command="eagerdiff selfcheck --record",
        environment={"torch": "2.13.0"}, budget=30.0, baseline_budget=60.0, suites=[USE],
        pairs=[pair(*result) for result in results],
    )  # fmt: skip


def test_a_record_adds_up_both_sides() -> None:
    record = record_of(("a", True, True), ("b", True, False), ("c", False, True), ("d", True, False))
    assert (record.ours.found, record.theirs.found, record.only_ours, record.only_theirs) == (3, 2, 2, 1)
    assert (record.ours.median, record.theirs.median, record.ours.total) == (2.0, 4.0, 8.0)
    assert record_of(("a", False, False)).theirs.median is None


def test_a_record_is_read_as_it_was_written(tmp_path: Path) -> None:
    operator = operator_with(tmp_path, "a", "b")
    record = record_of(("a", True, False), ("b", True, True))
    assert write_record(record, operator) == tmp_path / FILE
    assert read_records([operator]) == ([Reading(record=record)], [])


def test_faults_planted_or_removed_since_make_a_record_stale(tmp_path: Path) -> None:
    operator = operator_with(tmp_path, "a", "new", "newer")
    write_record(record_of(("a", True, True), ("old", True, True)), operator)
    (reading,), _ = read_records([operator])
    assert reading.stale
    assert (reading.added, reading.gone) == (["new", "newer"], ["old"])


def test_a_malformed_record_is_one_line_and_costs_no_report(tmp_path: Path) -> None:
    operator = operator_with(tmp_path, "a")
    (tmp_path / FILE).write_text('{"operator": 3}')
    readings, (problem,) = read_records([operator])
    assert readings == []
    assert FILE in problem
    assert "\n" not in problem


def test_an_operator_without_a_record_has_none(tmp_path: Path) -> None:
    assert read_records([operator_with(tmp_path, "a"), operator_of(reference)]) == ([], [])


@pytest.mark.parametrize("stale", [False, True])
def test_the_reports_show_the_table(stale: bool, tmp_path: Path) -> None:
    record = record_of(("found-by-both", True, True), ("found-by-ours", True, False), operator="<b>rows</b>")
    reading = Reading(record=record, added=["new"] if stale else [])
    write(Results(detections=[reading]), tmp_path)
    page, summary = ((tmp_path / name).read_text() for name in ("index.html", "summary.md"))
    section = page[page.index("Planted faults") :]
    for text in (
        "found-by-both",
        "found-by-ours",
        "not in 4",
        "2026-11-21",
        "eagerdiff selfcheck --record",
        "torch",
        "scaled",
    ):
        assert text in section
    for text in ("3 too large", "2 fail without a fault"):
        assert text in section
    assert "<b>rows</b>" not in page
    assert ("1 fault added" in section, "stale" in section) == (stale, stale)
    assert "| 2 | 2 | 1 | 1 | 0 | 2026-11-21" in summary


def test_a_report_without_records_has_no_such_section(tmp_path: Path) -> None:
    write(Results(), tmp_path)
    assert "Planted faults" not in (tmp_path / "index.html").read_text() + (tmp_path / "summary.md").read_text()


def test_every_shipped_record_is_of_faults_that_there_are_and_of_grids_that_there_are() -> None:
    operators = catalog.load().operators
    readings, problems = read_records(operators.values())
    assert problems == []
    assert readings
    for reading in readings:
        assert reading.gone == []
        suites = {suite.name for suite in operators[reading.record.operator].extras.baseline_suites}
        assert {use.suite for use in reading.record.suites} <= suites
