"""`eagerdiff report`: a report is what its data say, whoever renders it and when."""

import json
from pathlib import Path

import pytest

from eagerdiff.harness.catalog.provenance import home
from eagerdiff.harness.cli.application import invoke
from eagerdiff.harness.report import write
from eagerdiff.harness.results.results import VERSION, schema
from eagerdiff.harness.triage.note import Kind, Note
from eagerdiff.suites.tests.test_report import campaign

FILES = ("index.html", "summary.md", "junit.xml", "report.json")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    results, out = campaign(), tmp_path / "report"
    results.add_up()
    cause = results.causes[0].cause
    results.notes = [Note(name="rows", kind=Kind.DEFECT, says="Rows are told apart by a maintainer.", causes=(cause,))]
    write(results, out)
    (out / "findings").mkdir()
    (out / "findings" / "one.py").write_text("raise SystemExit(1)\n")
    return out


def test_it_is_rendered_again_byte_by_byte_with_its_scripts(folder: Path, tmp_path: Path) -> None:
    before = {name: (folder / name).read_bytes() for name in FILES}
    assert b"Rows are told apart by a maintainer." in before["report.json"]
    assert invoke(["report", str(folder), "--out", str(tmp_path / "again")]) == 0
    assert {name: (tmp_path / "again" / name).read_bytes() for name in FILES} == before
    assert (tmp_path / "again" / "findings" / "one.py").exists()


def test_the_data_alone_are_enough(folder: Path) -> None:
    page = (folder / "index.html").read_text()
    for name in FILES[:-1]:
        (folder / name).unlink()
    assert invoke(["report", str(folder)]) == 0
    assert (folder / "index.html").read_text() == page


def test_a_report_from_before_what_came_since_is_rendered(folder: Path) -> None:
    path = folder / "report.json"
    data = json.loads(path.read_text())
    for later in ("past", "coverage", "pairs", "excuses", "detections", "metrics", "causes", "broken"):
        del data[later]
    path.write_text(json.dumps(data))
    assert invoke(["report", str(folder)]) == 0
    assert "rows differ" in (folder / "index.html").read_text()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (json.dumps({"version": VERSION + 1}), "a newer eagerdiff wrote it"),
        ('{"version": 1, "rows": 3}', "rows"),
        ("[]", "report.json"),
        ("{", "report.json"),
    ],
)
def test_what_is_no_report_of_ours_is_said_in_a_line(
    folder: Path, text: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "report.json").write_text(text)
    assert invoke(["report", str(folder)]) == 2
    told = capsys.readouterr().err
    assert said in told
    assert len(told.strip().splitlines()) == 1


def test_the_schema_is_the_one_that_is_published() -> None:
    assert (home() / "docs" / "report.schema.json").read_text() == schema()
