"""Tracking: one issue follows a week of nights, of a server that is recorded; what goes wrong is one line."""

import json
import re
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

import pytest

from eagerdiff.harness.cli.application import invoke
from eagerdiff.harness.cli.ending import exit_code
from eagerdiff.harness.history import past_of
from eagerdiff.harness.report import page, summary, write
from eagerdiff.harness.report.words import headline
from eagerdiff.harness.results.results import Results, Row
from eagerdiff.harness.tracking.tracking import LINES, MARK, MOST
from eagerdiff.suites.tests.forge import Forge, answering
from eagerdiff.suites.tests.hostile import HOSTILE
from eagerdiff.suites.tests.nights import WEEK, night


@pytest.fixture
def forge(monkeypatch: pytest.MonkeyPatch) -> Iterator[Forge]:
    with answering(monkeypatch) as made:
        yield made


def results_of(last: int) -> Results:
    """Return what the week's night of that number reports."""
    tonight = WEEK[last]
    rows = [
        Row(operator=ran.operator, implementation=ran.implementation, device="cpu", cases=ran.cases, workloads=1)
        for ran in tonight.ran
    ]
    rows = rows or [Row(operator="moe", implementation="kernel", device="cpu", problem="interrupted")]
    made = Results(
        rows=rows, past=past_of(WEEK[: last + 1]), started=tonight.when, interrupted=tonight.interrupted, elapsed=270
    )
    made.add_up()
    return made


TOLD = [
    (1, "opened", "1 finding of the nights fails", ["kernel"], []),
    (1, "updated", "2 findings of the nights fail", ["compiler", "kernel"], ["compiler"]),
    (1, "updated", "2 findings of the nights fail", ["compiler", "shaky"], ["kernel", "shaky"]),
    (0, "closed", "nothing of the nights fails", [], ["compiler", "shaky"]),
    (2, "left alone", "nothing of the nights fails", [], []),
    (1, "opened again", "1 finding of the nights fails", ["kernel"], ["kernel"]),
    (0, "updated", "2 findings of the nights fail", ["compiler", "kernel"], ["compiler"]),
]
"""Night by night: exit code, what becomes of the issue, its title, what is left, what its comment says has turned."""


def test_one_issue_follows_the_week(forge: Forge, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for last, (code, done, title, left, turned) in enumerate(TOLD):
        results = results_of(last)
        assert exit_code(results) == code
        write(results, tmp_path)
        forge.comments.clear()
        assert invoke(["track", str(tmp_path)]) == 0
        (issue,) = forge.issues
        assert f"tracking issue {done}: https://forge/1" in capfd.readouterr().out
        assert issue["title"] == f"eagerdiff: {title}"
        assert issue["state"] == ("open" if left else "closed")
        assert named(issue["body"].partition("## Found by nights, not fixed\n")[2].partition("\n# ")[0]) == left
        assert [named(comment) for comment in forge.comments] == [turned] * bool(turned)
        assert headline(results) in (tmp_path / "summary.md").read_text()
        if done != "left alone":
            assert summary(results) in issue["body"]
            assert "[its run](https://forge/acme/kernels/actions/runs/7)" in issue["body"]
        said = page(results)
        assert all(told in said for told in (escape(headline(results)), *states(results)))


def states(results: Results) -> set[str]:
    assert results.past is not None
    return {f"{one.state.value} since" for one in results.past.standings if one.turned}


def named(listed: str) -> list[str]:
    return sorted(line.split()[2] for line in listed.splitlines() if line.startswith("- moe"))


def test_a_night_is_told_once(forge: Forge, tmp_path: Path) -> None:
    write(results_of(0), tmp_path)
    assert invoke(["track", str(tmp_path)]) == 0
    write(results_of(1), tmp_path)
    assert [invoke(["track", str(tmp_path)]) for _ in range(3)] == [0, 0, 0]
    assert len(forge.comments) == 1


def test_what_a_person_closed_stays_closed_until_more_breaks(forge: Forge, tmp_path: Path) -> None:
    write(results_of(0), tmp_path)
    assert invoke(["track", str(tmp_path)]) == 0
    forge.issues[0]["state"] = "closed"
    same = results_of(0)
    same.past = past_of([WEEK[0], night(2, "F--")])
    write(same, tmp_path)
    assert invoke(["track", str(tmp_path)]) == 0
    assert forge.issues[0]["state"] == "closed"
    write(results_of(2), tmp_path)  # one has returned
    assert invoke(["track", str(tmp_path)]) == 0
    assert forge.issues[0]["state"] == "open"


def test_issues_of_others_are_left_alone(forge: Forge, tmp_path: Path) -> None:
    theirs: dict[str, Any] = {"html_url": "https://forge/x", "state": "open", "labels": ["eagerdiff"]}
    forge.issues += [
        {"number": 1, "body": "mine, with the label", **theirs},
        {"number": 2, "body": MARK, "pull_request": {"url": "x"}, **theirs},
        {"number": 3, "body": None, **theirs},
        {"number": 4, "body": MARK, **theirs, "labels": ["another"]},
    ]
    before = json.dumps(forge.issues)
    write(results_of(0), tmp_path)
    assert invoke(["track", str(tmp_path)]) == 0
    assert json.dumps(forge.issues[:4]) == before
    assert [issue["number"] for issue in forge.issues] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("kept", [True, False])
def test_a_night_that_judged_nothing_opens_the_issue_and_closes_none(forge: Forge, tmp_path: Path, kept: bool) -> None:
    if kept:
        write(results_of(0), tmp_path)
        assert invoke(["track", str(tmp_path)]) == 0
    write(Results(past=past_of([WEEK[0], night(2, "P--", commit="b")] if kept else []), started="now"), tmp_path)
    assert invoke(["track", str(tmp_path)]) == 0
    (issue,) = forge.issues
    assert issue["state"] == "open"
    assert issue["title"] == "eagerdiff: nothing was judged"


def test_a_night_cut_short_closes_nothing(forge: Forge, tmp_path: Path) -> None:
    write(results_of(2), tmp_path)
    assert invoke(["track", str(tmp_path)]) == 0
    cut = results_of(3)
    cut.interrupted = True
    write(cut, tmp_path)
    assert invoke(["track", str(tmp_path)]) == 0
    assert forge.issues[0]["state"] == "open"


def test_what_others_wrote_stays_text_and_within_what_an_issue_takes(forge: Forge, tmp_path: Path) -> None:
    one = night(1, "F--")
    one.seen = [
        one.seen[0].model_copy(update={"name": f"entry {index}", "what": HOSTILE["address"] + HOSTILE["html"]})
        for index in range(600)
    ]
    results = results_of(0)
    results.past = past_of([one])
    write(results, tmp_path)
    assert invoke(["track", str(tmp_path)]) == 0
    body = forge.issues[0]["body"]
    assert len(body) <= MOST + 100
    assert "Cut here" in body
    assert f"- and {600 - LINES:,} more" in body
    outside = re.sub(r"(`+).+?\1", "", body.replace(MARK, ""))
    assert "@everyone" not in outside
    assert "<" not in outside


@pytest.mark.parametrize(
    ("settings", "given", "said"),
    [
        ({"GITHUB_TOKEN": ""}, [], "GITHUB_TOKEN is not set"),
        ({"GITHUB_TOKEN": "a\nb"}, [], "GITHUB_TOKEN is not set"),
        ({"GITHUB_TOKEN": "old"}, [], "the token in GITHUB_TOKEN is not valid"),
        ({"GITHUB_REPOSITORY": ""}, [], "which repository?"),
        ({}, ["--repository", "kernels"], "write owner/name"),
        ({}, ["--repository", "a/b/c"], "write owner/name"),
        ({}, ["--label", "a,b"], "is no label"),
        ({"GITHUB_API_URL": "file:///etc"}, [], "is no address of an API"),
        ({"GITHUB_API_URL": "http://127.0.0.1:1"}, [], "no answer"),
    ],
)
def test_what_is_missing_is_said_in_one_line(
    settings: dict[str, str],
    given: list[str],
    said: str,
    forge: Forge,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    write(results_of(0), tmp_path)
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    assert invoke(["track", str(tmp_path), *given]) == 2
    (line,) = capfd.readouterr().err.splitlines()
    assert said in line
    assert forge.issues == []


@pytest.mark.parametrize(
    ("fails", "code", "asked"),
    [([502, 503], 0, 4), ([500] * 3, 2, 3), ([404], 2, 1), ([301], 2, 1), ([200, 502], 2, 2), ([403], 2, 1)],
)
def test_what_a_server_could_not_answer_is_asked_again_but_nothing_is_opened_twice(
    fails: list[int], code: int, asked: int, forge: Forge, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    write(results_of(0), tmp_path)
    forge.fails = fails
    assert invoke(["track", str(tmp_path)]) == code
    assert len(forge.asked) == asked
    assert len(capfd.readouterr().err.splitlines()) == (code == 2)


@pytest.mark.parametrize("says", [b"", b"[", b"{}", b"[3]", b'[{"number": "x"}]', b"\xff", b"[" * 5000])
def test_an_answer_that_is_none_is_one_line(
    says: bytes, forge: Forge, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    write(results_of(0), tmp_path)
    forge.says = says
    assert invoke(["track", str(tmp_path)]) == 2
    (line,) = capfd.readouterr().err.splitlines()
    assert line.startswith("eagerdiff: acme/kernels: the server's answer ")
