"""Functions of others: three lines each, every result read, and the page is what the results say."""

import ast
import importlib.util
import inspect
import textwrap
from pathlib import Path
from types import ModuleType

import pytest

from eagerdiff.suites.others import readings, record
from eagerdiff.suites.others.readings import Reading
from eagerdiff.suites.others.record import Met, Row
from eagerdiff.suites.others.table import strangers

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "suites" / "corpus" / "scripts"
LEAST = 20
MOST_LINES = 3

in_repository = pytest.mark.skipif(
    not record.RESULTS.is_file(), reason="results lie in the repository, not in the wheel"
)


def page_maker() -> ModuleType:
    spec = importlib.util.spec_from_file_location("others_page", ROOT / "docs" / "others.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", strangers())
def test_a_check_is_three_lines_at_most(name: str) -> None:
    (function,) = ast.parse(textwrap.dedent(inspect.getsource(strangers()[name]))).body
    assert isinstance(function, ast.FunctionDef)
    body = [line for line in function.body if not isinstance(line, ast.Import | ast.ImportFrom)]
    assert sum(1 + (line.end_lineno or 0) - line.lineno for line in body) <= MOST_LINES
    assert "check(" in ast.unparse(body[-1])


def test_there_are_twenty_and_more() -> None:
    assert len(strangers()) >= LEAST


@in_repository
def test_each_result_is_of_the_table_and_none_could_not_be_checked() -> None:
    rows = record.read()
    assert [name for name in strangers() if name in rows] == list(rows)
    assert {name: row.broken for name, row in rows.items() if row.broken} == {}
    assert [name for name, row in rows.items() if not any(row.ways.values())] == []
    unjudged = [name for name, row in rows.items() if not all(row.ways.values()) and not row.left_out]
    assert unjudged == []


@in_repository
def test_each_finding_is_read_and_each_reading_is_of_a_finding() -> None:
    rows, said = record.read(), readings.read()
    read = [(row.name, met.says, readings.reading_of(row, met, said)) for row, met in readings.findings(rows)]
    assert [(name, says) for name, says, reading in read if reading is None] == []
    assert [one for one in said if one not in [reading for *_, reading in read]] == []
    assert all((SCRIPTS / one.script).is_file() for one in said if one.script)


@in_repository
def test_the_page_is_what_the_results_say() -> None:
    assert (ROOT / "docs" / "others.md").read_text() == page_maker().page()


def test_a_finding_that_nobody_has_read_is_seen() -> None:
    reading = Reading(of=("a.f",), way="export", said="q // 2", kind="by design", says="…", change="…")
    met = Met("export.named", "RAISED", "export constraint", "Constraints violated: q // 2 <= q", "q=3")
    row = Row("a.f", "a", "1.0", "2.13.0", findings=[met])
    assert readings.reading_of(row, met, (reading,)) is reading
    others = [Met("dynamo.dynamic", *list(vars(met).values())[1:]), Met(met.way, met.status, met.defect, "else", "")]
    assert [readings.reading_of(row, other, (reading,)) for other in others] == [None, None]
    assert readings.reading_of(Row("a.g", "a", "1.0", "2.13.0"), met, (reading,)) is None


def test_results_are_read_as_they_were_written(tmp_path: Path) -> None:
    row = Row("a.f", "a", "1.0", "2.13.0", {"export": 3}, ["said"], [Met("export", "RAISED", "x", "y", "z", ["w"])])
    record.write([row], tmp_path / "rows.jsonl")
    assert record.read(tmp_path / "rows.jsonl") == {"a.f": row}
