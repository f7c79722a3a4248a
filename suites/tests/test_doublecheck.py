"""The second look: a pass that was too lenient is caught in float64, rounding is not, nor is a folder of no report."""

from pathlib import Path

import pytest

from eagerdiff import Workload
from eagerdiff.harness.campaign.events import Judged, Started, TargetKey
from eagerdiff.harness.campaign.journal import Journal
from eagerdiff.harness.cli.application import invoke
from eagerdiff.harness.model.outcome import Outcome
from eagerdiff.harness.model.verdict import Oracle, Status, Verdict, passed
from eagerdiff.harness.results.results import Results, Row
from eagerdiff.harness.triage.finding import Finding
from eagerdiff.strategies.programs.cases import ProgramCase
from eagerdiff.strategies.programs.program import Input, Node, Program
from eagerdiff.strategies.programs.widening import in_float64

OPERATOR = """
import torch
from hypothesis import strategies as st
from eagerdiff import Case, Implementation, Inputs, Judging, Operator, Workload, dynamic, static

class Halving(Case):
    dtype: str = static("float32")
    rows: int = dynamic(1, ge=0)

def halve(x):
    return x / 2

def inputs(case, device):
    return Inputs((torch.arange(1.0, case.rows + 1, dtype=getattr(torch, case.dtype), device=device) / 3,))

def in_float64(workload):
    return Workload(tuple(case.model_copy(update={"dtype": "float64"}) for case in workload.cases))

def implementation(name, function):
    return Implementation(operator="halving", name=name, build=lambda case: function, devices=("cpu",))

OPERATOR = Operator(
    name="halving", case=Halving, inputs=inputs, reference=halve, judging=Judging(in_float64=in_float64),
    cases=lambda: st.builds(Halving, rows=st.integers(0, 9)),
    implementations=[
        implementation("rounding", lambda x: (x / 6) * 3),
        implementation("off", lambda x: x / 2 + 1e-7),
    ],
)
"""
WORKLOAD = [{"seed": 0, "dtype": "float32", "rows": rows} for rows in (3, 4)]


def reported(folder: Path, implementation: str, verdict: Verdict, *findings: Finding) -> list[str]:
    """Write what a campaign with one workload leaves behind; return the arguments that look at it."""
    (folder / "halving.py").write_text(OPERATOR)
    target = TargetKey("halving", implementation, "cpu")
    with Journal(folder / "journal.jsonl") as journal:
        journal.note(Started(target=target, batch=0, digest="d", workload=WORKLOAD))
        journal.note(Judged(target=target, digest="d", outcome=Outcome(verdicts=[passed(), verdict])))
    rows = [Row(operator="halving", implementation=implementation, device="cpu")]
    (folder / "report.json").write_text(Results(rows=rows, findings=list(findings)).model_dump_json())
    return ["doublecheck", str(folder), "--operator", f"{folder / 'halving.py'}:OPERATOR"]


@pytest.mark.parametrize(
    ("implementation", "code", "said"),
    [pytest.param("rounding", 0, "PASSED", marks=pytest.mark.slow), ("off", 1, "MISSED")],
)
def test_a_close_pass_is_looked_at_in_float64(
    implementation: str, code: int, said: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    close = passed(numbers={"excess": 0.9})
    assert invoke(reported(tmp_path, implementation, close)) == code
    printed = capfd.readouterr().out
    assert "1 of 1 close passes, 0 wrong values" in printed
    assert said in printed


def test_what_passed_with_ease_is_left_alone(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert invoke(reported(tmp_path, "off", passed(numbers={"excess": 0.1}))) == 0
    assert "0 of 0 close passes" in capfd.readouterr().out


@pytest.mark.slow
def test_a_finding_that_only_rounds_passes_in_float64(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    wrong = Verdict(status=Status.WRONG_VALUE, reason="off", oracle=Oracle.ELEMENTWISE)
    finding = Finding(operator="halving", implementation="rounding", device="cpu", verdict=wrong, workload=WORKLOAD)
    assert invoke(reported(tmp_path, "rounding", passed(), finding)) == 0
    assert "finding, in float64 PASSED: 1" in capfd.readouterr().out


def test_a_folder_without_a_report_is_one_line(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert invoke(["doublecheck", str(tmp_path)]) == 2
    assert "journal.jsonl" in capfd.readouterr().err


def test_a_program_is_widened_with_its_casts() -> None:
    program = Program(
        inputs=(Input(dtype="bfloat16", shape=("a",)), Input(dtype="int64", shape=("a",))),
        nodes=(Node(op="to", args=(0,), attrs={"dtype": "float16"}),),
        outputs=(2,),
    )
    case = ProgramCase(program=program, sizes={"a": 3})
    wide = in_float64(Workload((case,)))
    assert wide is not None
    changed = wide.cases[0].program  # pyright: ignore[reportAttributeAccessIssue]
    assert [given.dtype for given in changed.inputs] == ["float64", "int64"]
    assert changed.nodes[0].attrs == {"dtype": "float64"}
    assert in_float64(wide) is None
