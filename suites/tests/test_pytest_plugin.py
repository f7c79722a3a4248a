"""The pytest plug-in: it leaves third parties alone, and a failure says all that one needs."""

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from eagerdiff.harness.model.verdict import Oracle, Status, Verdict
from eagerdiff.harness.pytest_plugin import explain
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


def pytest_in(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-p", "no:xdist", "-p", "no:hypothesispytest", *arguments]
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
    done = pytest_in(tmp_path, "--pyargs", "eagerdiff.suites.tests.test_differential", "--rootdir", ".", *chosen)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "1 failed" in done.stdout
    assert all(text in done.stdout for text in ("WRONG_VALUE", "rmse", "context_lens:", "search seed 3", "script: "))
    assert "Traceback" not in done.stdout


def test_what_cannot_be_used_is_said_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "wrong.py").write_text(WRONG.replace('paged_attention", name', 'paged_atention", name'))
    done = pytest_in(
        tmp_path, "--pyargs", "eagerdiff.suites.tests.test_differential", "--implementation", "wrong.py:IMPLEMENTATION"
    )
    assert done.returncode != 0
    assert "did you mean paged_attention?" in done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr


def test_where_pytest_keeps_no_cache_a_failure_is_shown_without_a_script() -> None:
    verdict = Verdict(status=Status.WRONG_VALUE, oracle=Oracle.EXACT, reason="differs")
    finding = Finding(operator="doubling", implementation="wrong", device="cpu", verdict=verdict, workload=[{}])
    check: Any = SimpleNamespace(findings=[finding])
    config: Any = SimpleNamespace(getoption=lambda name: 3)  # pytest's own has no `cache` then
    shown = explain(check, config)
    assert "search seed 3" in shown
    assert "pytest's cache is off" in shown
