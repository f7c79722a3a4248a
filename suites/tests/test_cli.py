"""The command line: what it prints, how fast it helps, and that every mistake is one line and exit code 2."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from eagerdiff import Catalog, Extras
from eagerdiff.harness.catalog.plugin import Spec
from eagerdiff.harness.cli import listing
from eagerdiff.harness.cli.application import invoke
from eagerdiff.harness.cli.baselines import command
from eagerdiff.harness.cli.conduct import keep_new
from eagerdiff.harness.corpus.evals import keep, read_corpus
from eagerdiff.harness.model.verdict import Oracle, Status, Verdict
from eagerdiff.harness.processes import Task, Worker
from eagerdiff.harness.results.results import Results
from eagerdiff.harness.sinks.file_name import module_stem
from eagerdiff.harness.triage.finding import Finding
from eagerdiff.suites.tests import misbehaving

ROOT = Path(__file__).resolve().parents[2]
OPERATOR = """
from pathlib import Path
import torch
from hypothesis import strategies as st
from eagerdiff import Case, Cost, Extras, Implementation, Inputs, Operator, dynamic, static

class Doubling(Case):
    dtype: str = static("float32")
    rows: int = dynamic(1, ge=0)

def double(x, *, times=2):
    return times * x

def inputs(case, device):
    return Inputs((torch.arange(1.0, case.rows + 1, device=device),))

def build_wrong(case):
    return lambda x: torch.where(torch.arange(len(x)) == 4, 0, 2 * x)

OPERATOR = Operator(
    name="doubling", case=Doubling, inputs=inputs, reference=double,
    cases=lambda: st.builds(Doubling, rows=st.integers(0, 9), seed=st.integers(0, 9)),
    cost=lambda case: Cost(flops=case.rows, bytes=8 * case.rows),
    implementations=[
        Implementation(operator="doubling", name="right", build=lambda case: lambda x: x + x, devices=("cpu",)),
        Implementation(operator="doubling", name="wrong", build=build_wrong, devices=("cpu",)),
    ],
)
"""


@pytest.fixture
def toy(tmp_path: Path) -> str:
    (tmp_path / "toy.py").write_text(OPERATOR)
    return f"{tmp_path / 'toy.py'}:OPERATOR"


def test_help_is_quick_and_does_not_import_torch() -> None:
    code = """
import sys, time
from eagerdiff.harness.cli.application import invoke
assert invoke(["--help"]) == invoke(["run", "--help"]) == invoke(["nightly", "--help"]) == 0
print("torch" in sys.modules, "pydantic_evals" in sys.modules, time.process_time())
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    torch_there, evals_there, seconds = done.stdout.split()[-3:]
    assert (torch_there, evals_there) == ("False", "False")
    assert float(seconds) < 0.5  # of this process alone, however busy the machine


MISTAKES: dict[str, tuple[list[str], str]] = {
    "unknown command": (["frobnicate"], "frobnicate"),
    "unknown option": (["run", "moe", "--fast"], "--fast"),
    "missing argument": (["run"], "operator"),
    "unknown operator": (["run", "paged_atention"], "did you mean paged_attention?"),
    "unknown operator to show": (["show", "mooe"], "did you mean moe?"),
    "unknown operator for nightly": (["nightly", "--operator", "mooe", "--out", "{tmp}/r"], "did you mean moe?"),
    "unknown implementation": (["run", "{toy}", "--implementation", "rihgt"], "did you mean"),
    "broken implementation": (["run", "{toy}", "--implementation", "no_such_module:X"], "no_such_module:X"),
    "negative budget": (["nightly", "--budget", "-5s", "--out", "{tmp}/r"], "positive"),
    "unparsable budget": (["run", "{toy}", "--budget", "soon"], "'soon'"),
    "no such device": (["run", "{toy}", "--device", "gpu"], "'gpu'"),
    "device that is not there": (["run", "{toy}", "--device", "cuda"], "not available"),
    "nothing to run": (["run", "{toy}", "--device", "interpreted", "--budget", "1s"], "nothing to run"),
    "report folder is a file": (["nightly", "--out", "{tmp}/toy.py"], "toy.py"),
    "report folder not writable": (["nightly", "--out", "/proc/report"], "/proc/report"),
    "json file is a folder": (["run", "{toy}", "--json", "{tmp}"], "is a folder"),
    "no corpus": (["replay", "{tmp}/none.yaml"], "none.yaml"),
    "malformed corpus": (["replay", "{tmp}/toy.py"], "toy.py"),
    "no case file": (["show", "{toy}", "{tmp}/none.yaml"], "none.yaml"),
    "malformed case": (["show", "{toy}", "--case", "{rows: ["], "not YAML"),
    "case of something else": (["show", "{toy}", "--case", "{rows: -1}"], "rows"),
    "case with an unknown field": (["show", "{toy}", "--case", "{colour: red}"], "colour"),
    "case twice": (["show", "{toy}", "{tmp}/toy.py", "--case", "{}"], "not both"),
    "no faults": (["selfcheck", "--operator", "{toy}"], "no faults"),
    "unknown fault": (["selfcheck", "--operator", "{toy}", "--fault", "F0"], "F0"),
    "baselines without a suite": (["selfcheck", "--operator", "{toy}", "--baselines"], "no project publishes a suite"),
    "record of one fault": (["selfcheck", "--operator", "block_copy", "--record", "--fault", "F0"], "all faults"),
    "negative baseline budget": (["selfcheck", "--baselines", "--baseline-budget", "-1s"], "positive"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_one_line_and_exit_code_2(
    mistake: str, toy: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    if mistake == "device that is not there" and Path("/dev/nvidia0").exists():
        pytest.skip("this machine has the device")
    arguments, says = MISTAKES[mistake]
    code = invoke([part.replace("{toy}", toy).replace("{tmp}", str(tmp_path)) for part in arguments])
    errors = capfd.readouterr().err.strip().splitlines()
    assert code == 2
    assert [says in line and line.startswith("eagerdiff: ") for line in errors] == [True], errors


def test_an_internal_error_is_one_line_with_the_saved_traceback(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EAGERDIFF_CACHE", str(tmp_path))
    monkeypatch.setattr("eagerdiff.harness.cli.options.read_catalog", lambda: 1 / 0)
    assert invoke(["list"]) == 2
    (line,) = capfd.readouterr().err.splitlines()
    (saved,) = (tmp_path / "tracebacks").iterdir()
    assert "internal error: ZeroDivisionError" in line
    assert str(saved) in line
    assert listing.__file__ in saved.read_text()


def test_version_and_bare_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke(["--version"]) == 0
    assert capsys.readouterr().out.startswith("eagerdiff ")
    assert invoke([]) == 0
    assert "selfcheck" in capsys.readouterr().out


def test_list_names_every_implementation_and_leaves_torch_to_the_load_process() -> None:
    code = "import sys; from eagerdiff.harness.cli.application import invoke; assert invoke(['list']) == 0\n"
    code += "assert 'torch' not in sys.modules"
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert all(name in printed for name in ("symbolic", "paged_attention", "moe", "triton.varlen", "interpreted"))


def test_show_describes_an_operator_with_the_shapes_of_an_example(toy: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke(["show", "paged_attention"]) == 0
    printed = capsys.readouterr().out
    assert all(name in printed for name in ("key_cache", "int32", "triton.varlen", "relations:", "head_dim", "static"))
    assert invoke(["show", toy]) == 0
    assert "doubling" in capsys.readouterr().out


def test_show_describes_a_case(toy: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke(["show", toy, "--case", "{rows: 3}"]) == 0
    printed = capsys.readouterr().out
    assert all(text in printed for text in ("(3,)", "float32", "1 … 3", "3 FLOPs, 24 bytes"))
    (tmp_path / "workload.yaml").write_text("- {rows: 2}\n- {rows: 0}\n")
    assert invoke(["show", toy, str(tmp_path / "workload.yaml")]) == 0
    printed = capsys.readouterr().out
    assert all(text in printed for text in ("case 0", "case 1", "(2,)", "empty"))


def test_run_finds_shrinks_and_reports(toy: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    written, report = tmp_path / "results.json", tmp_path / "report"
    options = ["--budget", "12s", "--json", str(written), "--out", str(report)]
    assert invoke(["run", toy, "--implementation", "wrong", *options]) == 1
    printed = capfd.readouterr()
    results = json.loads(written.read_text())
    (row,) = results["rows"]
    (finding,) = results["findings"]
    assert (row["implementation"], row["cases"] > 0, row["new"]) == ("wrong", True, 1)
    (case,) = finding["workload"]
    assert case["rows"] in range(5, 10)  # 5, where the machine has time for it
    told = ("NEW doubling wrong cpu: WRONG_VALUE", f"rows={case['rows']}", "oracle", "seed")
    assert all(text in printed.out for text in told)
    assert printed.err == ""
    assert json.loads((report / "report.json").read_text())["totals"]["new"] == 1
    assert (report / "index.html").exists()


@pytest.mark.slow
def test_an_interrupted_nightly_leaves_a_valid_report(toy: str, tmp_path: Path) -> None:
    report = tmp_path / "report"
    command = [sys.executable, "-m", "eagerdiff.harness.cli", "nightly", "--operator", toy, "--implementation", "right"]
    process = subprocess.Popen(
        [*command, "--budget", "5m", "--out", str(report)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    journal = report / "journal.jsonl"
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and not (journal.exists() and '"verdict"' in journal.read_text()):
        time.sleep(0.2)
    os.kill(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    results = json.loads((report / "report.json").read_text())
    assert process.returncode == 0, err
    assert results["interrupted"]
    assert results["totals"]["cases"] > 0
    assert "Traceback" not in out + err
    assert "interrupted" in out


@pytest.mark.slow
def test_a_campaign_from_scratch_knows_nothing_that_was_kept(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    corpus = tmp_path / "doubling.yaml"
    (tmp_path / "toy.py").write_text(
        OPERATOR.replace('name="doubling",', f'name="doubling", extras=Extras(corpus=Path({str(corpus)!r})),')
    )
    verdict = Verdict(status=Status.WRONG_VALUE, oracle=Oracle.EXACT, reason="kept")
    keep([Finding(operator="doubling", implementation="wrong", device="cpu", verdict=verdict, workload=[{}])], corpus)
    options = ["--operator", f"{tmp_path / 'toy.py'}:OPERATOR", "--implementation", "wrong", "--budget", "5s"]
    assert invoke(["nightly", *options, "--from-scratch", "--out", str(tmp_path / "report")]) == 1
    printed = capfd.readouterr().out
    assert "NEW doubling wrong" in printed
    assert "replaying" not in printed


def test_what_is_kept_has_its_script_beside_it(tmp_path: Path) -> None:
    corpus, report = tmp_path / "kept" / "doubling.yaml", tmp_path / "report"
    verdict = Verdict(status=Status.WRONG_VALUE, oracle=Oracle.EXACT, reason="differs")
    finding = Finding(operator="doubling", implementation="a:b", device="cpu", verdict=verdict, workload=[{}])
    shown = finding.model_copy(update={"script": "findings/shown.py"})
    (report / "findings").mkdir(parents=True)
    (report / shown.script).write_text("raise SystemExit(1)")
    known = shown.model_copy(update={"kept": True, "implementation": "known"})
    doubling = replace(misbehaving.OPERATOR, extras=Extras(corpus=corpus))
    catalog = Catalog(operators={"doubling": doubling}, implementations={"doubling": {}})
    keep_new(Results(findings=[shown, known]), catalog, report)
    (kept,) = read_corpus(corpus).cases
    (script,) = (corpus.parent / "scripts" / "doubling").iterdir()
    assert script.stem == module_stem(str(kept.name))
    assert script.read_text() == "raise SystemExit(1)"


@pytest.mark.slow
def test_replay_says_what_became_of_kept_findings(toy: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with Worker("cpu") as worker:
        verdict = worker.run(Task(operator=Spec(toy), implementation="wrong", workload=[{"rows": 5}])).first_failure
    assert verdict is not None
    present = Finding(
        operator="doubling", implementation="wrong", device="cpu", verdict=verdict, workload=[{"rows": 5}]
    )
    corpus = tmp_path / "doubling.yaml"
    keep([present], corpus)
    keep([present.model_copy(update={"implementation": "right"})], corpus)
    keep([present.model_copy(update={"implementation": "removed"})], corpus)
    assert invoke(["replay", str(corpus), "--operator", toy]) == 0
    lines = [line.split() for line in capfd.readouterr().out.splitlines() if line.startswith(" doubling")]
    assert [(line[1], line[4]) for line in lines] == [("wrong", "PRESENT"), ("right", "GONE"), ("removed", "SKIPPED")]
    raised = Verdict(status=Status.RAISED, reason="it raised once", oracle=Oracle.PROCESS)
    keep([present.model_copy(update={"verdict": raised})], corpus)
    assert invoke(["replay", str(corpus), "--operator", toy]) == 1
    assert "CHANGED" in capfd.readouterr().out


def test_an_offline_device_compiles_and_runs_nothing() -> None:
    """In a process of its own: the compiler answers for the driver there."""
    command = [sys.executable, "-m", "eagerdiff.harness.cli", "run", "paged_attention", "--device", "offline:sm_90"]
    given = [*command, "--implementation", "examples/one_query.py:IMPLEMENTATION"]
    environment = {name: value for name, value in os.environ.items() if name != "TRITON_INTERPRET"}
    done = subprocess.run(given, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stderr
    row = next(line.split() for line in done.stdout.splitlines() if "one_query" in line)
    assert row[1:3] == ["attend", "sm_90"]
    assert int(row[4]) > 0, "registers"


def test_the_command_of_a_record_names_no_file() -> None:
    typed = ["selfcheck", "--json", "/a/file", "--baselines", "--json=/a/file", "--budget", "3s"]
    assert command(typed) == "eagerdiff selfcheck --baselines --budget 3s"
