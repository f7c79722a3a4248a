"""Kernels of published packages: how they are loaded, checked and written down; a tiny package stands in for one."""

import ast
import inspect
import os
import subprocess
import sys
from pathlib import Path

import pytest

from eagerdiff import CheckFailed, check
from eagerdiff.suites.own.launched import launched
from eagerdiff.suites.tests.own_kernels import plain_twice
from eagerdiff.suites.third_party import __main__ as command
from eagerdiff.suites.third_party import judged
from eagerdiff.suites.third_party.package import Package

MOST_LINES = 25
"""Of an adapter."""
SOURCE = """
import torch, triton, triton.language as tl

@triton.jit
def _twice(x, o, n, size: tl.constexpr):
    at = tl.program_id(0) * size + tl.arange(0, size)
    tl.store(o + at, tl.load(x + at, mask=at < n) * 2, mask=at < n)

def twice(x, blocks):
    x, o = x.contiguous(), torch.zeros_like(x, memory_format=torch.contiguous_format)
    if x.numel():
        _twice[(min(blocks, triton.cdiv(x.numel(), 16)),)](x, o, x.numel(), size=16)
    return o
"""
TINY = Package("tinykernels", "tinykernels==1.0")
RIGHT = TINY.kernel("ops.twice", lambda ops, x: ops.twice(x, 1 << 20), plain_twice, name="twice", x=(..., "width"))
WRONG = TINY.kernel("ops.twice", lambda ops, x: ops.twice(x, 2), plain_twice, name="two_blocks", x=("length",))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Hold a package whose `__init__` cannot be run."""
    (tmp_path / "tinykernels" / "ops").mkdir(parents=True)
    (tmp_path / "tinykernels" / "__init__.py").write_text("raise ImportError('needs a GPU')\n")
    (tmp_path / "tinykernels" / "ops" / "twice.py").write_text(SOURCE)
    monkeypatch.setenv(TINY.variable, str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_kernel_is_loaded_without_what_its_package_runs(folder: Path) -> None:
    assert launched(RIGHT.kernel).blocks == (16,)
    assert not check(kernel=RIGHT.kernel, reference=RIGHT.reference, seconds=0.5, **RIGHT.arguments).findings


def test_what_fails_has_a_script_that_needs_the_package_alone(folder: Path) -> None:
    with pytest.raises(CheckFailed, match="length=33") as caught:
        check(kernel=WRONG.kernel, reference=WRONG.reference, seconds=0.5, **WRONG.arguments)
    (finding,) = caught.value.checked.findings
    assert finding.script, finding.script_note

    def run(**environment: str) -> int:
        kept = {name: value for name, value in os.environ.items() if name != TINY.variable}
        command = [sys.executable, str(finding.script)]
        return subprocess.run(command, env=kept | environment, capture_output=True, cwd="/", check=False).returncode

    assert run(**{TINY.variable: str(folder)}) == 1
    assert run() == 2
    mended = SOURCE.replace("min(blocks, triton.cdiv(x.numel(), 16))", "triton.cdiv(x.numel(), 16)")
    (folder / "tinykernels" / "ops" / "twice.py").write_text(mended)
    assert run(**{TINY.variable: str(folder)}) == 0


def test_a_kernel_that_was_judged_is_told(folder: Path) -> None:
    one = command.judge(TINY, WRONG, seconds=0.5, seed=0)
    assert (one.package, one.kernel) == ("tinykernels", "two_blocks")
    assert one.calls
    assert "WRONG_VALUE" in one.failures[0]


def test_results_take_the_place_of_older_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judged, "RESULTS", tmp_path / "results.jsonl")
    one = judged.Judged(package="a", source="a==1", kernel="k", calls=1, workloads=1)
    judged.keep([one, one.model_copy(update={"kernel": "j"})])
    judged.keep([one.model_copy(update={"calls": 7})])
    assert [(found.kernel, found.calls) for found in judged.results()] == [("j", 1), ("k", 7)]


def test_a_package_that_is_not_there_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EAGERDIFF_CACHE", str(tmp_path))
    monkeypatch.delenv(TINY.variable, raising=False)
    elsewhere = Package("tinykernels", "github.com/someone/tinykernels@v1")
    with pytest.raises(command.NotThereError, match=r"check out .* and set EAGERDIFF_TINYKERNELS"):
        command.fetch(elsewhere)
    assert command.main(["no_such_package"]) == 2


def test_an_adapter_is_a_few_lines() -> None:
    for _, kernels in command.adapters():
        for one in kernels:
            module = inspect.getmodule(one.kernel.call)
            assert module is not None
            calls = [
                node
                for node in ast.walk(ast.parse(inspect.getsource(module)))
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "kernel"
            ]
            assert calls
            assert all((node.end_lineno or 0) - node.lineno < MOST_LINES for node in calls)


def test_a_defect_has_a_script_or_says_why_it_has_none() -> None:
    for package, kernels in command.adapters():
        assert len({one.kernel.__name__ for one in kernels}) == len(kernels)
        for reading in judged.readings(package.module):
            assert not reading.script or (judged.SCRIPTS / reading.script).is_file()
            assert reading.kind != "defect" or reading.script or "No script" in reading.what, reading


@pytest.mark.skipif(not judged.RESULTS.is_file(), reason="the results lie in the repository, not in the wheel")
def test_the_page_says_what_is_kept() -> None:
    script = judged.RESULTS.parent / "third_party.py"
    told = subprocess.run(
        [sys.executable, "-c", f"import runpy; print(runpy.run_path({str(script)!r})['page'](), end='')"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout == (judged.RESULTS.parent / "third-party.md").read_text()
