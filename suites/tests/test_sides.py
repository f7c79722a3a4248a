"""Nights side by side: what fails under one torch and passes under another, as page, summary and exit code say it."""

import json
import re
import sys
from pathlib import Path

import pytest

from eagerdiff.harness.catalog.provenance import home
from eagerdiff.harness.cli.application import invoke
from eagerdiff.harness.report.sides import sides_headline, sides_page, sides_summary
from eagerdiff.harness.results.results import Replay, Results, Row
from eagerdiff.harness.results.sides import VERSION, Crossed, Side, Sides, Told, schema
from eagerdiff.suites.tests.hostile import HOSTILE
from eagerdiff.suites.tests.nights import HALVING

OLD, HERE, NEW = "torch 2.11.0", "torch 2.13.0", "torch 2.15.0"
OTHER = "SIDE"
"""What the environment of the other Python has: there the kernel is wrong."""


def crossed(what: str, told: dict[str, str], *, new: bool = True) -> Crossed:
    return Crossed(
        operator="moe",
        implementation="inductor.dynamic",
        device="cpu",
        defect="wrong value",
        what=what,
        new=new,
        script=f"torch-2.13.0/findings/{what}.py",
        met=[HERE],
        told={
            side: Told(state=state, why="" if state == "gone" else f"AssertionError: {what}")
            for side, state in told.items()
        },
    )


def three(*causes: Crossed) -> Sides:
    names = (HERE, OLD, NEW)
    return Sides(
        sides=[Side(name=name, folder=name.replace(" ", "-"), code=0) for name in names],
        crossed=list(causes),
    )


def night(cases: int, failures: int, status: str) -> Results:
    row = Row(operator="moe", implementation="inductor.dynamic", device="cpu", cases=cases, failures=failures)
    alike = Row(operator="moe", implementation="eager", device="cpu", cases=9)
    replays = [
        Replay(operator="moe", implementation="a", device="cpu", name=name, status=state)
        for name, state in (("turned", status), ("stays", "PRESENT"), ("waits", "WAITING"))
    ]
    made = Results(rows=[row, alike], replays=replays, elapsed=3, environment={"triton": "3.7.1"})
    made.add_up()
    return made


def nights() -> dict[str, Results]:
    return {HERE: night(7, 0, "GONE"), OLD: night(8, 2, "PRESENT"), NEW: night(9, 0, "GONE")}


def test_the_headline_says_what_is_worse_under_which() -> None:
    sides = three(
        crossed("mended", {HERE: "gone", OLD: "present", NEW: "gone"}),
        crossed("broken", {HERE: "gone", OLD: "gone", NEW: "present"}),
        crossed("broken too", {HERE: "gone", OLD: "other", NEW: "present"}),
        crossed("here", {HERE: "present", OLD: "gone", NEW: "present"}),
        crossed("everywhere", {HERE: "present", OLD: "present", NEW: "present"}),
        crossed("not asked", {}),
    )
    assert sides_headline(sides) == (
        f"1 cause fails under {HERE} and passes under another; 1 cause fails under {OLD} and passes under {HERE}; "
        f"2 causes fail under {NEW} and pass under {HERE}"
    )
    sides.interrupted = True
    assert sides_headline(sides).endswith(", interrupted")
    assert sides_headline(three()) == "No script fails under one torch and passes under another"


def test_what_differs_stands_first_and_every_cell_says_why() -> None:
    sides = three(
        crossed("everywhere", {HERE: "present", OLD: "present", NEW: "present"}),
        crossed("unasked", {}),
        crossed("broken", {HERE: "gone", OLD: "other", NEW: "present"}),
    )
    shown = sides_page(sides, nights())
    order = [shown.index(f"wrong value: {what}") for what in ("broken", "unasked", "everywhere")]
    assert order == sorted(order)
    row = shown[order[0] : shown.index("</tr>", order[0])]
    assert re.findall(r'<td class="n (\w+)" title="([^"]*)">([^<]*)</td>', row) == [
        ("judged", "passes; its night met it", "passes"),
        ("none", "AssertionError: broken", "cannot tell"),
        ("new", "AssertionError: broken", "fails"),
    ]
    assert 'href="torch-2.13.0/findings/broken.py"' in row
    assert "For 1 no time was left" in shown
    without = crossed("alone", {}).model_copy(update={"script": "", "met": [NEW]})
    shown = sides_page(three(without), nights())
    row = shown[shown.index("wrong value: alone") :]
    assert re.findall(r'title="([^"]*)">([^<]*)</td>', row)[:3] == [
        ("no script shows it", "–"),
        ("no script shows it", "–"),
        ("no script shows it; its night met it", "met"),
    ]
    assert "torch-2.11.0/index.html" in shown


def test_kept_findings_that_stand_otherwise_and_rows_that_fail_under_one_are_told() -> None:
    shown = sides_page(three(), nights())
    assert ("turned" in shown, "stays" in shown, "waits" in shown) == (True, False, False)
    assert "1 fail, or pass, under all" in shown
    told = sides_summary(three(), nights())
    assert "| moe | turned | gone | present | gone |" in told
    assert "| cases judged | 16 | 17 | 18 |" in told


def test_a_night_without_a_report_says_why() -> None:
    sides = three()
    sides.sides[1].problem = "no report.json"
    found = nights()
    del found[OLD]
    shown = sides_page(sides, found)
    assert "no report.json" in shown
    assert "torch-2.11.0/index.html" not in shown


@pytest.mark.parametrize("text", HOSTILE)
def test_what_stands_in_findings_is_not_obeyed(text: str) -> None:
    one = crossed(text, {HERE: "present", OLD: "gone"}).model_copy(update={"script": text, "implementation": text})
    sides = three(one)
    shown, told = sides_page(sides, nights()), sides_summary(sides, nights())
    assert "<script" not in shown.lower()
    assert [line for line in told.splitlines() if line.startswith("|") and line.count(" | ") not in (3, 4)] == []


def other_python(folder: Path) -> str:
    """Return this Python by another name, with an environment in which the kernel is wrong."""
    command = folder / "other"
    command.write_text(f'#!/bin/sh\n{OTHER}=1 exec {sys.executable} "$@"\n')
    command.chmod(0o755)
    return str(command)


def kernel(folder: Path) -> str:
    wrong = f"float(__import__('os').environ.get('{OTHER}', 0))"
    text = HALVING.replace("x / 2 + {WRONG}", f"x / 2 + {wrong}").replace('f"def', '"def').replace("WRONG", wrong)
    (folder / "halving.py").write_text(text)
    return f"{folder / 'halving.py'}:OPERATOR"


@pytest.mark.slow
def test_a_night_under_two_tells_what_is_worse_in_which(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    given = ["nightly", "--operator", kernel(tmp_path), "--budget", "3s", "--out", "report"]
    assert invoke([*given, "--torch", other_python(tmp_path)]) == 1
    said = capfd.readouterr().out
    assert "night 2 of 2: torch" in said
    sides = Sides.model_validate_json((tmp_path / "report" / "sides.json").read_text())
    assert [side.code for side in sides.sides] == [0, 1]
    (cause,) = sides.crossed
    here, there = (side.name for side in sides.sides)
    assert (cause.passing, cause.failing, cause.met, cause.new) == ([here], [there], [there], True)
    assert (tmp_path / "report" / cause.script).exists()
    assert f"1 cause fails under {there} and passes under {here}" in said
    before = (tmp_path / "report" / "index.html").read_text()
    assert invoke(["report", "report", "--out", "again"]) == 0
    assert (tmp_path / "again" / "index.html").read_text() == before
    assert (tmp_path / "again" / cause.script).exists()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--torch", "no-such-python"], "no such python: no-such-python"),
        (["--torch", sys.executable, "--keep"], "leave it out with --torch"),
    ],
)
def test_a_mistake_is_one_line(given: list[str], said: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert invoke(["nightly", *given, "--out", str(tmp_path)]) == 2
    told = capfd.readouterr().err
    assert said in told
    assert len(told.splitlines()) == 1


def test_a_python_without_what_eagerdiff_needs_is_one_line(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "packages").mkdir()
    (tmp_path / "packages" / "torch.py").write_text("__version__ = '9.9.9'\n")
    command = tmp_path / "other"
    command.write_text(f'#!/bin/sh\nPYTHONPATH={tmp_path}/packages exec {sys.executable} -S "$@"\n')
    command.chmod(0o755)
    assert invoke(["nightly", "--torch", str(command), "--out", str(tmp_path / "report")]) == 2
    told = capfd.readouterr().err
    assert re.search(r"other cannot run eagerdiff: ModuleNotFoundError: .* \(install it there", told)
    assert len(told.splitlines()) == 1


def test_sides_that_name_folders_elsewhere_are_not_read(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    data = Sides(sides=[Side(name=HERE, folder="../elsewhere", code=0)])
    (tmp_path / "sides.json").write_text(data.model_dump_json())
    assert invoke(["report", str(tmp_path)]) == 0
    assert "is no folder beside the page" in (tmp_path / "index.html").read_text()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "sides.json"),
        ("[]", "sides.json"),
        (json.dumps({"sides": 3}), "sides.json"),
        (json.dumps({"version": VERSION + 1}), "a newer eagerdiff wrote it"),
    ],
)
def test_a_file_that_cannot_be_read_is_one_line(
    text: str, said: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "sides.json").write_text(text)
    assert invoke(["report", str(tmp_path)]) == 2
    told = capfd.readouterr().err
    assert said in told
    assert len(told.splitlines()) == 1


@pytest.mark.skipif(not (home() / "docs").is_dir(), reason="the schema lies in the repository, not in the wheel")
def test_the_schema_is_the_one_that_is_published() -> None:
    assert (home() / "docs" / "sides.schema.json").read_text() == schema()
