"""The environment: a commit stands for the source only where nothing was changed since."""

import subprocess
from pathlib import Path

import pytest

from eagerdiff.harness.results import environment


def told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(environment, "__file__", str(folder / "environment.py"))
    return environment.environment()["commit"]


def git(folder: Path, *words: str) -> None:
    named = ("-c", "user.name=nobody", "-c", "user.email=nobody@localhost")
    subprocess.run(("git", "-C", str(folder), *named, *words), check=True, capture_output=True)


def test_changes_that_are_not_committed_are_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert told(tmp_path, monkeypatch) == "unknown"
    kernel = tmp_path / "kernel.py"
    kernel.write_text("right = True\n")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "kernel.py")
    git(tmp_path, "commit", "-q", "-m", "a kernel")
    clean = told(tmp_path, monkeypatch)
    kernel.write_text("right = False\n")
    wrong = told(tmp_path, monkeypatch)
    kernel.write_text("right = None\n")
    other = told(tmp_path, monkeypatch)
    assert len(clean) == 40
    assert wrong.startswith(f"{clean}+")
    assert other.startswith(f"{clean}+")
    assert wrong != other
    kernel.write_text("right = True\n")
    assert told(tmp_path, monkeypatch) == clean
    kernel.write_bytes(b"# caf\xe9\n")  # no UTF-8
    assert told(tmp_path, monkeypatch).startswith(f"{clean}+")
