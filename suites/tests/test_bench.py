"""`eagerdiff bench`: a stranger's commits through asv, what changed with its spread, and errors in one line."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("asv")

from eagerdiff.harness.cli.application import invoke
from eagerdiff.suites.bench.changes import FLOOR, Row, Value
from eagerdiff.suites.bench.own import Clock, benchmarks
from eagerdiff.suites.bench.project import BenchError, Project, root_of
from eagerdiff.suites.bench.telling import table, value_of

OPERATOR = """
import torch
from hypothesis import strategies as st
from eagerdiff import Case, Implementation, Inputs, Operator, Workload, dynamic

class Adding(Case):
    rows: int = dynamic(1, ge=0)

def inputs(case, device):
    return Inputs((torch.ones(case.rows, device=device),))

def add(x):
    return x + 1

def added(x):
    return x + 1

OPERATOR = Operator(
    name="adding", case=Adding, inputs=inputs, reference=add, cases=lambda: st.builds(Adding),
    workloads={"growing": Workload((Adding(rows=40_000), Adding(rows=80_000)))},
    implementations=[Implementation(operator="adding", name="added", devices=("cpu",), build=lambda case: added)],
)
"""
SLOWER = OPERATOR.replace("def added(x):\n    return", "def added(x):\n    x = 2 * x * 2 * 0.5 * 0.5\n    return")


def row(before: tuple[float, ...], after: tuple[float, ...], gate: float = FLOOR) -> Row:
    old, new = (Value(sorted(some)[len(some) // 2], some) for some in (before, after))
    return Row("adding/added:growing time_pass", "seconds", old, new, gate)


def git(folder: Path, *arguments: str) -> str:
    identity = ["-c", "user.email=a@example.org", "-c", "user.name=A"]
    command = ["git", *identity, *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout.strip()


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "theirs"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    for number, text in enumerate((OPERATOR, SLOWER)):
        (folder / "ops.py").write_text(text)
        git(folder, "add", "ops.py")
        git(folder, "commit", "-q", "-m", f"commit {number}")
    monkeypatch.chdir(folder)
    return folder


def test_a_time_has_changed_where_the_spread_of_neither_side_reaches_the_other() -> None:
    still = (1.0, 1.01, 1.02, 1.03, 1.04)
    assert row(still, tuple(1.1 * one for one in still)).word == "worse"
    assert row(still, tuple(0.9 * one for one in still)).word == "better"
    assert row(still, tuple(1.015 * one for one in still)).word == ""  # less than the floor
    noisy = (0.7, 0.9, 1.1, 1.3, 1.5)
    assert row(noisy, tuple(1.1 * one for one in noisy)).word == ""


def test_a_count_has_changed_where_it_differs_at_all() -> None:
    def counted(before: float, after: float) -> str:
        return Row("adding/added:growing track_compiles", "compilations", Value(before), Value(after), 0.0).word

    assert [counted(*pair) for pair in ((10, 11), (11, 10), (0, 1), (3, 3))] == ["worse", "better", "worse", ""]


def test_the_table_says_the_worst_first_with_its_spread_and_counts_the_rest() -> None:
    still = (1.0, 1.01, 1.02, 1.03, 1.04)
    rows = [row(still, still), row(still, tuple(one / 2 for one in still)), row(still, tuple(3 * one for one in still))]
    lines = list(table(rows, "aaa", "bbb"))
    assert [line.partition(":")[0] for line in lines[:2]] == ["worse", "better"]
    assert "1.02 s [1 to 1.04] → 3.06 s [3.02 to 3.1] (+200.0%)" in lines[0]
    assert lines[2] == "1 of 3 figures are the same, aaa before and bbb after"
    assert value_of(Value(7), "compilations") == "7 compilations"


def test_a_clock_that_stands_still_tells_asv_what_was_sampled(tmp_path: Path) -> None:
    (tmp_path / "ops.py").write_text(OPERATOR)
    classes = benchmarks([f"{tmp_path / 'ops.py'}:OPERATOR"])
    timed, counted = classes["Time"], classes["Count"]
    assert timed.params == (["adding/added:growing"],)  # type: ignore[attr-defined]
    clock = timed.timer  # type: ignore[attr-defined]
    assert isinstance(clock, Clock)
    assert clock() == 0
    timed().time_pass("adding/added:growing")  # type: ignore[attr-defined]
    assert 0 < clock() < 1
    with pytest.raises(NotImplementedError, match="this commit has no adding/gone"):
        timed().time_pass("adding/gone:growing")  # type: ignore[attr-defined]
    assert "track_compiles" in vars(counted)
    assert "track_microseconds" not in vars(counted)  # `Time` has samples of it
    assert "track_registers" not in vars(counted)  # no kernel: asv would list it as n/a


def test_a_configuration_is_written_beside_the_results(repository: Path) -> None:
    project = Project.written(root_of(repository), ["ops.py:OPERATOR"], [], 4)
    assert project.config == repository / ".eagerdiff" / "asv" / "asv.conf.json"
    assert "ops.py:OPERATOR" in (project.config.parent / "benchmarks" / "own.py").read_text()
    assert git(repository, "status", "--porcelain") == ""
    first, last = (git(repository, "rev-parse", name) for name in ("HEAD~1", "HEAD"))
    assert project.commits("HEAD~1..HEAD") == [last]
    assert [*project.commits("HEAD~1"), *project.commits("main")] == [first, last]
    with pytest.raises(BenchError, match="git knows no nowhere"):
        project.commits("nowhere")


def test_what_cannot_be_measured_is_one_line(
    repository: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    assert invoke(["bench"]) == 2
    assert "name what is measured: eagerdiff bench my_ops.py:OPERATOR" in capfd.readouterr().err
    monkeypatch.chdir(repository.parent)
    assert invoke(["bench", "theirs/ops.py:OPERATOR"]) == 2
    assert "this is no git repository" in capfd.readouterr().err
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert invoke(["bench"]) == 2
    assert "pip install 'eagerdiff[benchmarks]'" in capfd.readouterr().err


@pytest.mark.slow
@pytest.mark.timeout(1500)
def test_a_commit_that_is_slower_is_told_with_its_spread(repository: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    command = [sys.executable, "-m", "eagerdiff.harness.cli", "bench", "ops.py:OPERATOR", "--rounds", "2"]
    done = subprocess.run(
        command, cwd=repository, env=os.environ | {"HOME": str(home)}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1, done.stdout + done.stderr
    announced, *_ = done.stdout.splitlines()
    assert announced.startswith("1 subjects (implementation and workload), 2 commits, 2 rounds in turn: about ")
    (worse,) = [line for line in done.stdout.splitlines() if "growing pass: " in line]
    assert worse.startswith("worse: adding/added:growing pass: ")
    assert worse.count(" to ") == 2  # the spread of either side
    assert any("worse" in line and "growing operations: " in line for line in done.stdout.splitlines())
    assert "n/a" not in done.stdout
    assert (home / ".asv-machine.json").exists()
    assert (repository / ".eagerdiff" / "asv" / "html" / "index.html").exists()
    assert git(repository, "status", "--porcelain") == ""
