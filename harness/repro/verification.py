"""Proof that a script shows its bug: it is run in a fresh process, and once more with nothing under test."""

import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from harness.verdict import Status

_ENDS_OTHERWISE = {Status.CRASHED, Status.TIMED_OUT, Status.OUT_OF_MEMORY}
"""Statuses whose script may die by a signal rather than exit with 1."""


@dataclass(frozen=True)
class Verification:
    """Say whether a script did what it promises, and why not."""

    shown: bool
    note: str = ""


def verify(script: str, status: Status, *, seconds: float = 120.0) -> Verification:
    """Run a script in a fresh process: it must fail as it stands, and pass with the reference under test."""
    code, tail = _run(script, seconds)
    if code == 0:
        return Verification(False, "the script passes in a fresh process")
    if code != 1 and status not in _ENDS_OTHERWISE:
        return Verification(False, f"the script ends with {code}: {tail}")
    if "implementation(" in script:
        code, tail = _run(control(script), seconds)
        if code != 0:
            return Verification(False, f"the script fails even with the reference under test: {tail}")
    return Verification(True)


def control(script: str) -> str:
    """Return the script with the reference in the place of the implementation."""
    return script.replace("\ncalls = [", "\nimplementation = reference\ncalls = [", 1)


def _run(script: str, seconds: float) -> tuple[int, str]:
    """Return the exit code (124 for a script that did not end) and the last line that it printed."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "script.py"
        path.write_text(script, encoding="utf-8")
        try:
            done = subprocess.run(
                [sys.executable, str(path)],
                capture_output=True,
                text=True,
                timeout=seconds,
                cwd=folder,
                env=_environment(),
            )
        except subprocess.TimeoutExpired:
            return 124, f"no end within {seconds:.0f} s"
    lines = (done.stderr or done.stdout).strip().splitlines()
    return done.returncode, lines[-1][:160] if lines else ""


def _environment() -> dict[str, str]:
    """Leave out what a worker's process was started with: the script must stand alone."""
    return {name: value for name, value in os.environ.items() if name not in ("TRITON_INTERPRET", "PYTHONPATH")}
