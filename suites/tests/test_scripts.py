"""Kept scripts: each shows a defect of the pinned torch by itself, in at most 40 lines."""

import subprocess
import sys
from pathlib import Path

import pytest
import torch

SCRIPTS = sorted((Path(__file__).parents[1] / "corpus" / "scripts").glob("*.py"))
SEEN = "2.13"
pinned = pytest.mark.skipif(
    not torch.__version__.startswith(SEEN), reason=f"seen on torch {SEEN}; here a script may say that it is gone"
)


def test_there_are_scripts() -> None:
    assert len(SCRIPTS) >= 8


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_a_script_is_short_and_stands_alone(script: Path) -> None:
    text = script.read_text()
    assert len(text.splitlines()) <= 40
    assert not any(f"import {name}" in text or f"from {name}" in text for name in ("harness", "suites", "compiled"))


@pinned
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_the_defect_is_there(script: Path) -> None:
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=200)
    assert done.returncode == 1, done.stdout + done.stderr
