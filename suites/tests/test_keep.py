"""Keeping what a campaign met: one finding of each new cause, with a script that shows it; what none shows is said."""

from pathlib import Path

import pytest

from eagerdiff.harness.cli.application import invoke
from eagerdiff.harness.corpus.evals import read_corpus
from eagerdiff.harness.model.verdict import Oracle, Status, Verdict
from eagerdiff.harness.results.results import Results, Row
from eagerdiff.harness.triage.finding import Finding

OPERATOR = """
from pathlib import Path
import torch
from hypothesis import strategies as st
from eagerdiff import Case, Extras, Implementation, Inputs, Operator, Showing, dynamic

class Halving(Case):
    rows: int = dynamic(1, ge=0)

def halve(x):
    return x / 2

def inputs(case, device):
    return Inputs((torch.arange(1.0, case.rows + 1, device=device),))

def implementation(name, expression):
    def source(case):
        return f"def implementation(x):\\n    return {expression}"

    def build(case):
        return eval(f"lambda x: {expression}")

    return Implementation(operator="halving", name=name, build=build, devices=("cpu",), source=source)

OPERATOR = Operator(
    name="halving", case=Halving, inputs=inputs, reference=halve,
    showing=Showing(source=lambda case: "def reference(x):\\n    return x / 2"),
    extras=Extras(corpus=Path(__file__).with_name("halving.yaml")),
    cases=lambda: st.builds(Halving, rows=st.integers(0, 9)),
    implementations=[
        implementation("right", "x / 2"),
        implementation("off", "x / 2 + 1"),
    ],
)
"""


SAID = "an element is off by more than its terms and eager's error allow"


def finding(implementation: str, rows: int, *, flaky: bool = False) -> Finding:
    wrong = Verdict(status=Status.WRONG_VALUE, reason=SAID, oracle=Oracle.ELEMENTWISE)
    workload = [{"seed": 0, "rows": count} for count in range(1, rows)]
    return Finding(
        operator="halving", implementation=implementation, device="cpu", verdict=wrong, workload=workload, flaky=flaky
    )


def reported(folder: Path, *findings: Finding) -> list[str]:
    """Write what a campaign leaves behind; return the arguments that keep what it met."""
    (folder / "halving.py").write_text(OPERATOR)
    (folder / "journal.jsonl").touch()
    rows = [Row(operator="halving", implementation="off", device="cpu")]
    (folder / "report.json").write_text(Results(rows=rows, findings=list(findings)).model_dump_json())
    return ["keep", str(folder), "--operator", f"{folder / 'halving.py'}:OPERATOR"]


def test_one_finding_of_each_new_cause_is_kept_and_what_no_script_shows_is_said(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    given = reported(tmp_path, finding("off", 4), finding("right", 3), finding("off", 3), finding("off", 2, flaky=True))
    assert invoke(given) == 1
    printed = capfd.readouterr().out
    assert "2 new causes, 1 kept" in printed
    assert "wrong value: halving/right\n  the script passes in a fresh process" in printed
    (entry,) = read_corpus(tmp_path / "halving.yaml").cases
    assert entry.name == "halving-off-cpu-wrong_value-1"
    assert len(entry.inputs.workload) == 2  # the smaller one of its cause
    assert "sys.exit(" in (tmp_path / "scripts/halving/halving_off_cpu_wrong_value_1.py").read_text()
    assert invoke(given) == 1  # what is kept is no longer new
    assert "1 new causes, 0 kept" in capfd.readouterr().out


def test_what_no_script_shows_is_kept_where_it_fails_again(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    given = reported(tmp_path, finding("off", 3))
    (tmp_path / "halving.py").write_text(OPERATOR.replace('return {expression}"', 'return x / 2"'))
    assert invoke(given) == 0
    assert "1 new causes, 1 kept" in capfd.readouterr().out
    assert [entry.name for entry in read_corpus(tmp_path / "halving.yaml").cases] == ["halving-off-cpu-wrong_value-1"]
    assert not (tmp_path / "scripts").exists()


@pytest.mark.slow
def test_what_the_time_did_not_suffice_for_is_taken_up_when_it_is_given_again(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    given = reported(tmp_path, finding("off", 3))
    assert invoke([*given, "--budget", "0s"]) == 2
    assert invoke([*given, "--budget", "1ms"]) == 1
    assert "no time was left to verify its script" in capfd.readouterr().out
    assert not (tmp_path / "halving.yaml").exists()
    assert invoke(given) == 0
    assert "1 new causes, 1 kept" in capfd.readouterr().out


def test_a_folder_without_a_report_is_one_line(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert invoke(["keep", str(tmp_path)]) == 2
    assert "journal.jsonl" in capfd.readouterr().err
