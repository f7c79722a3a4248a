"""A failure of ours is never somebody else's, and what judged nothing is no success, wherever a run is told of."""

import json
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from eagerdiff.harness.cli.application import invoke
from eagerdiff.harness.processes.pool import ForkServer, WorkerStartError

TOY = """
from hypothesis import strategies as st
import torch
from eagerdiff import Case, Implementation, Inputs, Operator, dynamic

class Doubling(Case):
    rows: int = dynamic(1, ge=0)

def double(x):
    return 2 * x

def inputs(case, device):
    return Inputs((torch.arange(1.0, case.rows + 1, device=device),))

def look_up(case):
    return {"inductor": double}["no_such_back_end"]

def refuse(case):
    raise KeyError("no_such_back_end")

def cases():
    return st.builds(Doubling, rows=st.integers(0, 9))

def made(name, **options):
    options = {"build": lambda case: double, "devices": ("cpu",)} | options
    return Implementation(operator="doubling", name=name, **options)

OPERATOR = Operator(
    name="doubling", case=Doubling, inputs=inputs, reference=double, cases=cases,
    implementations=[
        made("right"),
        made("missing", build=look_up),
        made("raising", supports=refuse),
        made("picky", supports=lambda case: "never"),
        made("hanging", build=lambda case: lambda x: __import__("time").sleep(1000)),
    ],
)
"""


PLUGIN = """
from eagerdiff import Implementation

def refuse(case):
    raise KeyError("no_such_back_end")

RAISING, PICKY = (
    Implementation(operator="block_copy", name=name, build=refuse, devices=("cpu",), supports=supports)
    for name, supports in (("raising", refuse), ("picky", lambda case: "never"))
)
"""


@pytest.fixture
def toy(tmp_path: Path) -> str:
    (tmp_path / "toy.py").write_text(TOY)
    return f"{tmp_path / 'toy.py'}:OPERATOR"


BROKEN = {
    "missing": "build raised KeyError: 'no_such_back_end'",
    "raising": "supports raised KeyError: 'no_such_back_end'",
}


def test_what_breaks_of_ours_is_told_apart_everywhere(
    toy: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "report"
    chosen = [word for name in (*BROKEN, "picky", "right") for word in ("--implementation", name)]
    assert invoke(["run", toy, *chosen, "--budget", "12s", "--keep", "--out", str(out)]) == 2
    printed = capfd.readouterr()
    told = [line for line in printed.err.splitlines() if "never judged" in line]
    assert told == [
        f"eagerdiff: doubling missing was never judged: harness error: {BROKEN['missing']}",
        "eagerdiff: doubling picky was never judged: nothing that was drawn is supported: never",
        f"eagerdiff: doubling raising was never judged: harness error: {BROKEN['raising']}",
    ]
    assert all(f"HARNESS ERROR doubling {name} cpu: {said}" in printed.out for name, said in BROKEN.items())
    assert "NEW" not in printed.out
    report = json.loads((out / "report.json").read_text())
    assert (report["findings"], report["totals"]["findings"]) == ([], 0)
    assert report["totals"]["harness_errors"] >= 2
    tests = {
        case.get("name"): [child.tag for child in case]
        for case in ElementTree.parse(out / "junit.xml").iter("testcase")
    }
    assert tests == {"missing[cpu]": ["error"], "picky[cpu]": ["skipped"], "raising[cpu]": ["error"], "right[cpu]": []}
    headline = (out / "summary.md").read_text().splitlines()[0]
    assert "harness error" in headline
    assert headline.endswith("; 1 of 4 implementations that can run here judged")
    assert all(text in (out / "index.html").read_text() for text in (">Harness errors</a></h2>", headline[2:]))


def test_a_run_whose_workers_come_to_nothing_in_time_is_no_success(
    toy: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "report"
    options = ["--implementation", "hanging", "--budget", "1s", "--out", str(out)]
    assert invoke(["nightly", "--operator", toy, *options]) == 2
    printed = capfd.readouterr()
    assert "0 cases" in printed.out
    assert "hanging was never judged: the budget ended before a case was judged" in printed.err
    first_line = (out / "summary.md").read_text().splitlines()[0]
    assert first_line.endswith("0 of 1 implementation that can run here judged")
    assert "0 of 1 implementation that can run here judged</h1>" in (out / "index.html").read_text()


def test_a_fork_server_that_cannot_start_is_a_harness_error(
    toy: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def start(self: ForkServer, device: str, catalog: object) -> None:
        raise WorkerStartError(f"no worker on {device}: out of processes")

    monkeypatch.setattr(ForkServer, "__init__", start)
    assert invoke(["run", toy, "--implementation", "right", "--budget", "2m"]) == 2
    assert "right was never judged: harness error: no worker on cpu: out of processes" in capfd.readouterr().err


@pytest.mark.slow
def test_a_differential_test_errs_where_ours_broke_and_skips_what_supports_nothing(tmp_path: Path) -> None:
    (tmp_path / "plugin.py").write_text(PLUGIN)
    command = [sys.executable, "-m", "pytest", "-p", "no:xdist", "-p", "no:hypothesispytest", "-q", "-rA"]
    chosen = [f"--implementation=plugin:{name}" for name in ("RAISING", "PICKY")]
    test = ["--pyargs", "eagerdiff.suites.tests.test_differential", "--rootdir", "."]
    done = subprocess.run(
        [*command, *test, *chosen, "--device", "cpu"], cwd=tmp_path, capture_output=True, text=True, timeout=280
    )
    assert done.returncode == 1, done.stdout + done.stderr
    assert "1 skipped, 1 error" in done.stdout
    assert "harness error: supports raised KeyError: 'no_such_back_end'" in done.stdout
    assert "Traceback" not in done.stdout
