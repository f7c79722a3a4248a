"""Reports: what is written holds what was found, opens offline and parses."""

import json
import os
import re
import shlex
from pathlib import Path
from xml.etree import ElementTree

import pytest

from eagerdiff import Finding, Oracle, Status, Verdict
from eagerdiff.harness.report import write
from eagerdiff.harness.report.first import first_of
from eagerdiff.harness.report.words import share, shortened
from eagerdiff.harness.results.results import Replay, Results, Row
from eagerdiff.harness.sinks.html import policy


def campaign(**changes: object) -> Results:
    finding = Finding(
        operator="moe",
        implementation="triton.<b>evil</b>",
        device="interpreted",
        verdict=Verdict(
            status=Status.WRONG_VALUE,
            reason="rows differ | 3 of 5",
            oracle=Oracle.RMSE,
            numbers={"rmse": 0.5, "worst": float("nan")},
        ),
        workload=[{"tokens": 3, "seed": 1}],
    )
    row = Row(
        operator="moe",
        implementation=finding.implementation,
        device="interpreted",
        mode="dynamic",
        cases=10,
        workloads=4,
        compiles=6,
        compiles_per_workload={1: 2, 2: 2},
        findings=1,
        new=1,
        skip_reasons={"no GPU here": 2},
        skipped=2,
        survived=1,
    )
    return Results(
        rows=[row, Row(operator="moe", implementation="x", device="cuda", problem="no GPU")], findings=[finding]
    ).model_copy(update=changes)


def test_kept_findings_that_changed_stand_before_the_fold_of_those_that_did_not(tmp_path: Path) -> None:
    statuses = {"kept_one": "PRESENT", "kept_two": "CHANGED", "kept_three": "GONE"}
    replays = [
        Replay(operator="moe", implementation="a", device="cpu", name=name, status=status)
        for name, status in statuses.items()
    ]
    write(campaign(replays=replays), tmp_path)
    page = (tmp_path / "index.html").read_text()
    section = page[page.index("Kept findings, replayed") :]
    shown, folded = section.split("1 still fails as recorded", 1)
    assert all(name in shown for name in ("kept_two", "kept_three"))
    assert "kept_one" not in shown
    assert "kept_one" in folded


def test_report_json_begins_with_the_version_and_the_totals(tmp_path: Path) -> None:
    write(campaign(), tmp_path)
    data = json.loads((tmp_path / "report.json").read_text())
    assert list(data)[:4] == ["version", "totals", "rows", "findings"]
    assert data["totals"] == {
        "cases": 10,
        "workloads": 4,
        "compiles": 6,
        "findings": 1,
        "new": 1,
        "skipped": 2,
        "survived": 1,
        "harness_errors": 0,
    }
    assert Results.model_validate(data).findings[0].signature == campaign().findings[0].signature


def test_the_page_needs_no_network_and_escapes_names(tmp_path: Path) -> None:
    write(campaign(), tmp_path)
    text = (tmp_path / "index.html").read_text()
    assert not re.findall(r"(?:https?:)?//[a-z]", text)
    (script,) = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)  # ours, the one that the policy lets run
    assert f"script-src {policy(script).rpartition(' ')[2]}" in text.replace("&#39;", "'")
    assert "<b>evil</b>" not in text
    assert "triton.&lt;b&gt;evil" in text
    assert "1 new finding in 10 cases" in text


def test_every_report_says_the_class(tmp_path: Path) -> None:
    crash = Verdict(status=Status.CRASHED, reason="SIGSEGV in case 0", oracle=Oracle.PROCESS)
    crashed = campaign().findings[0].model_copy(update={"verdict": crash})
    write(campaign(findings=[*campaign().findings, crashed, crashed]), tmp_path)
    texts = {name: (tmp_path / name).read_text() for name in ("index.html", "summary.md", "junit.xml")}
    assert [item["defect"] for item in json.loads((tmp_path / "report.json").read_text())["findings"]] == [
        "wrong value",
        "crash",
        "crash",
    ]
    assert all("By class: wrong value 1, crash 2." in texts[name] for name in ("index.html", "summary.md"))
    assert "<b>crash</b> moe" in texts["index.html"]
    assert "| new | crash | moe |" in texts["summary.md"]
    assert "crash: CRASHED SIGSEGV" in texts["junit.xml"]


def test_junit_fails_new_findings_and_skips_what_did_not_run(tmp_path: Path) -> None:
    write(campaign(), tmp_path)
    suite = ElementTree.parse(tmp_path / "junit.xml").getroot()[0]
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("2", "1", "1")


def test_junit_does_not_fail_a_known_finding(tmp_path: Path) -> None:
    known = campaign().findings[0].model_copy(update={"new": False})
    write(campaign(findings=[known]), tmp_path)
    suite = ElementTree.parse(tmp_path / "junit.xml").getroot()[0]
    assert suite.get("failures") == "0"
    assert "known" in (suite[0].findtext("system-out") or "")


def test_a_campaign_of_nothing_is_a_valid_report(tmp_path: Path) -> None:
    write(Results(interrupted=True), tmp_path)
    assert "Nothing was judged in 0 s, interrupted" in (tmp_path / "summary.md").read_text()
    assert "interrupted" in (tmp_path / "index.html").read_text()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_is_an_os_error(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(OSError, match="denied"):
        write(campaign(), tmp_path / "report")


def test_a_file_in_place_of_the_folder_is_an_os_error(tmp_path: Path) -> None:
    (tmp_path / "report").write_text("a file")
    with pytest.raises(OSError, match="exists"):
        write(campaign(), tmp_path / "report")


def test_a_small_share_is_not_said_to_be_none() -> None:
    assert [share(*pair) for pair in ((0, 9), (2, 5435), (3, 12), (0, 0))] == ["0.0 %", "< 0.1 %", "25.0 %", "–"]


def test_what_broke_and_has_no_script_is_searched_again() -> None:
    results = campaign(seed=20261128)
    results.findings[0].script_note = "passes in a fresh process"
    (entry,) = first_of(results).entries
    assert entry.said == "no script: passes in a fresh process"
    (command,) = entry.commands
    assert shlex.split(command) == [
        *("eagerdiff", "run", "moe", "--implementation", "triton.<b>evil</b>"),
        *("--device", "interpreted", "--seed", "20261128"),
    ]


def test_findings_of_one_cause_are_one_row(tmp_path: Path) -> None:
    verdict = Verdict(status=Status.RAISED, reason="no", exceptions=("E",), origin="torch.nn.functional:<i>loss</i>")
    findings = [
        Finding(operator="torch_api", implementation=way, device="cpu", verdict=verdict, workload=[{}], about=(name,))
        for way in ("dynamo.dynamic", "aot_eager.dynamic")
        for name in ("op_db:a", "op_db:b", "op_db:c")
    ]
    write(campaign(findings=findings), tmp_path)
    (cause,) = json.loads((tmp_path / "report.json").read_text())["causes"]
    assert (cause["findings"], len(cause["parts"]), len(cause["ways"])) == (6, 3, 2)
    page = (tmp_path / "index.html").read_text()
    first, _, rest = page.partition('<h2 id="findings">')
    assert first.count("torch.nn.functional:&lt;i&gt;loss&lt;/i&gt;") == 1
    assert "and 5 findings more of this cause" in first
    assert rest.count("torch.nn.functional:&lt;i&gt;loss&lt;/i&gt;") == 1
    assert "op_db:a, op_db:b, op_db:c" in page


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a guard failed", "a guard failed"),
        ("Constraints violated (a)! - You marked it", "Constraints violated (a)! …"),
        ("x" * 60, "x" * 28 + " …"),
    ],
)
def test_what_broke_is_cut_between_words(text: str, told: str) -> None:
    assert shortened(text, 30) == told
    assert len(told) <= 30
