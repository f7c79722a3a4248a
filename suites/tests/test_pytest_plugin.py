"""The pytest plug-in: it leaves third parties alone, and a failure says all that one needs."""

import shlex
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

from hypothesis import settings

from eagerdiff.harness.cli.brief import brief
from eagerdiff.harness.cli.project import check_settings
from eagerdiff.harness.model.verdict import Oracle, Status, Verdict
from eagerdiff.harness.search.settings import profile_examples
from eagerdiff.harness.triage.finding import Finding

WRONG = """
from eagerdiff import Implementation
from eagerdiff.reference.paged_attention import paged_attention

def build(case):
    def wrong(*args, **options):
        output, lse = paged_attention(*args, **options)
        return 1.01 * output, lse
    return wrong

IMPLEMENTATION = Implementation(operator="paged_attention", name="one_percent_off", build=build, devices=("cpu",))
"""

THIRD_PARTY = """
import sys

def pytest_addoption(parser):
    parser.addoption("--device", default="abacus", help="a third_party's own option")

def test_device(request):
    assert request.config.getoption("--device") == "slide-rule"
    assert not {"torch", "hypothesis", "pydantic", "eagerdiff.harness.catalog"} & set(sys.modules)
"""


FUNCTIONS = """
def double(x):
    return 2 * x

def triple(x):
    return 3 * x if len(x) > 20 else 2 * x
"""
OWN = """
import torch
from functions_7a1 import double, triple
from hypothesis import strategies as st
from eagerdiff import Case, Implementation, Inputs, Operator, dynamic

class Doubling(Case):
    rows: int = dynamic(1, ge=0)
    width: int = dynamic(3, ge=1)

def inputs(case, device):
    return Inputs((torch.arange(1.0, case.rows * case.width + 1, device=device),))

OPERATOR = Operator(
    name="doubling", case=Doubling, inputs=inputs, reference=double, cases=lambda: st.builds(Doubling, rows=st.just(9)),
    implementations=[
        Implementation(operator="doubling", name="compiled", devices=("cpu",), build=lambda case: double),
        Implementation(operator="doubling", name="tripled", devices=("cpu",), build=lambda case: triple),
    ],
)
"""
MARK = '@pytest.mark.differential(operator="own.py:OPERATOR")'


def own_operator(folder: Path, mark: str = MARK) -> None:
    (folder / "own.py").write_text(OWN)
    (folder / "functions_7a1.py").write_text(FUNCTIONS)
    test = "def test_own(differential_check):\n    differential_check.verify()\n"
    (folder / "test_own.py").write_text(f"import pytest\n\n{mark}\n{test}")


def pytest_in(folder: Path, *arguments: str, xdist: bool = False) -> subprocess.CompletedProcess[str]:
    without = [] if xdist else ["-p", "no:xdist"]
    command = [sys.executable, "-m", "pytest", *without, "-p", "no:hypothesispytest", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=280)


def test_a_third_partys_options_and_start_up_time_are_left_alone(tmp_path: Path) -> None:
    conftest, _, test = THIRD_PARTY.partition("def test_device")
    (tmp_path / "conftest.py").write_text(conftest)
    (tmp_path / "test_third_party.py").write_text("import sys\n\ndef test_device" + test)
    done = pytest_in(tmp_path, "--device", "slide-rule")
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_failure_shows_the_workload_the_numbers_the_seed_and_the_script(tmp_path: Path) -> None:
    (tmp_path / "wrong.py").write_text(WRONG)
    chosen = ("--implementation", "wrong.py:IMPLEMENTATION", "--device", "cpu", "--eagerdiff-seed", "3")
    done = pytest_in(tmp_path, "--pyargs", "eagerdiff.suites", "--rootdir", ".", *chosen)  # of all tests there: one
    assert done.returncode == 1, done.stdout + done.stderr
    assert "1 failed in" in done.stdout
    assert all(text in done.stdout for text in ("WRONG_VALUE", "rmse", "context_lens=", "search seed 3", "script: "))
    assert "again: eagerdiff replay" in done.stdout
    assert "--implementation wrong.py:IMPLEMENTATION" in done.stdout
    assert len(told(done.stdout)) <= 25
    assert "Traceback" not in done.stdout


def test_what_cannot_be_used_is_said_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "wrong.py").write_text(WRONG.replace('paged_attention", name', 'paged_atention", name'))
    done = pytest_in(
        tmp_path, "--pyargs", "eagerdiff.suites.tests.test_differential", "--implementation", "wrong.py:IMPLEMENTATION"
    )
    assert done.returncode != 0
    assert "did you mean paged_attention?" in done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr


def test_a_fixture_checks_what_its_mark_names_and_no_catalog(tmp_path: Path) -> None:
    own_operator(tmp_path)
    done = pytest_in(tmp_path, "--collect-only", "-q")
    assert done.returncode == 0, done.stdout + done.stderr
    found = [line for line in done.stdout.splitlines() if "::" in line]
    assert found == [f"test_own.py::test_own[doubling-{name}-cpu]" for name in ("compiled", "tripled")]


def test_a_fixture_of_which_nothing_says_what_it_checks_is_one_line(tmp_path: Path) -> None:
    own_operator(tmp_path, mark="")
    done = pytest_in(tmp_path, "-q")
    assert done.returncode != 0
    assert "nothing says what differential_check checks" in done.stdout
    assert "1 error" in done.stdout
    assert "Traceback" not in done.stdout
    assert len(told(done.stdout)) <= 4


def test_settings_of_the_project_name_what_is_checked(tmp_path: Path) -> None:
    own_operator(tmp_path, mark="")
    (tmp_path / "pyproject.toml").write_text(
        '[tool.eagerdiff]\noperators = ["own.py:OPERATOR"]\nimplementations = ["tripled"]\ndevices = ["cpu"]\n'
    )
    done = pytest_in(tmp_path, "--collect-only", "-q")
    assert "1 test collected" in done.stdout, done.stdout + done.stderr


def test_processes_side_by_side_junit_last_failed_and_the_command_that_replays(tmp_path: Path) -> None:
    own_operator(tmp_path)
    done = pytest_in(tmp_path, "-n", "2", "--junitxml", "told.xml", "--eagerdiff-seed", "1", xdist=True)
    assert "1 failed, 1 passed" in done.stdout, done.stdout + done.stderr
    (failure,) = ElementTree.parse(tmp_path / "told.xml").getroot().iter("failure")
    lines = (failure.text or "").splitlines()
    assert len(lines) <= 23
    assert all(any(text in line for line in lines) for text in ("WRONG_VALUE", "call 1: ", "script: ", "all of it: "))
    (script,) = [line.partition("script: ")[2] for line in lines if "script: " in line]
    assert subprocess.run([sys.executable, script], cwd=tmp_path, capture_output=True, check=False).returncode == 1
    last = pytest_in(tmp_path, "--lf", "--collect-only", "-q")
    assert [line for line in last.stdout.splitlines() if "::" in line] == [
        "test_own.py::test_own[doubling-tripled-cpu]"
    ]
    (command,) = [line.partition("again: ")[2] for line in lines if "again: " in line]
    again = [sys.executable, "-m", "eagerdiff.harness.cli", *shlex.split(command)[1:]]
    replayed = subprocess.run(again, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "PRESENT" in replayed.stdout, replayed.stdout + replayed.stderr


def test_a_hypothesis_profile_bounds_what_is_searched() -> None:
    before = settings.get_profile("default")
    try:
        settings.register_profile("quick", max_examples=3)
        settings.load_profile("quick")
        assert profile_examples() == 3
        assert check_settings().effort.most == 3
    finally:
        settings.load_profile("default")
    assert settings.get_profile("default") == before
    assert profile_examples() is None


def test_a_brief_leaves_out_what_is_by_default_and_shows_the_guard() -> None:
    verdict = Verdict(
        status=Status.OVER_BUDGET,
        oracle=Oracle.COMPILES,
        reason="too many",
        guard="L['x'].size()[0] == 7",
        line="f.py:3",
    )
    workload = [{"seed": 0, "rows": 7, "dtype": "float32"}, {"seed": 0, "rows": 9, "dtype": "float32"}]
    finding = Finding(operator="doubling", implementation="wrong", device="cpu", verdict=verdict, workload=workload)
    lines = brief(finding, {"seed": 0, "rows": 1, "dtype": "float32"})
    assert lines[2:] == ["  call 1: rows=7", "  call 2: rows=9", "  guard: L['x'].size()[0] == 7", "  line: f.py:3"]


def told(text: str) -> list[str]:
    """Return what pytest prints of a failure, from the line after its heading on."""
    lines = text.splitlines()
    heads = [number for number, line in enumerate(lines) if line.startswith("____")]
    ends = next(number for number, line in enumerate(lines) if "short test summary" in line)
    return lines[heads[0] + 1 : ends]
