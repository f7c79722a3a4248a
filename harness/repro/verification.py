"""Proof that a script shows its bug: it is run in a fresh process, and once more with nothing under test."""

import re
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from eagerdiff.harness.model.verdict import Oracle, Status, Verdict
from eagerdiff.harness.processes.fresh_process import run_fresh, telling_line

_ENDS_OTHERWISE = {Status.CRASHED, Status.TIMED_OUT, Status.OUT_OF_MEMORY}
"""Statuses whose script may die by a signal rather than exit with 1."""
HASH_SEED = "1"
"""Of a script that does not choose its own: workers have another one, so that what hangs on it is seen."""
_MET = re.compile(r"^InterpreterError: (\w+)\(")


@dataclass(frozen=True)
class Verification:
    """Say whether a script did what it promises, and why not."""

    shown: bool
    note: str = ""
    passes: bool = False
    """Whether the script ended as if the bug were gone."""


def verify(
    script: str,
    verdict: Verdict,
    *,
    seconds: float = 120.0,
    going: Callable[[], bool] = lambda: True,
    python: str = "",
) -> Verification:
    """Run a script in a fresh process: it must fail as the verdict says, and pass with the reference under test.

    It shows nothing where `going` says no before it has ended: a script that was cut short looks like one that hangs.
    `python` is the interpreter; empty: this one.
    """
    ending = _run(script, seconds, going, python)
    if not going():
        return Verification(False, "its verification was cut short")
    if ending.code == 0:
        return Verification(False, "the script passes in a fresh process", passes=True)
    if ending.code != 1 and verdict.status not in _ENDS_OTHERWISE:
        return Verification(False, f"the script ends with {ending.code}: {ending.last}")
    for name in _names(verdict):
        if name not in ending.text:
            return Verification(False, f"the script raises something other than {name}: {ending.last}")
    if "implementation(" in script and verdict.oracle is not Oracle.BUILD:  # which fails before anything is called
        ending = _run(control(script), seconds, going, python)
        if ending.code != 0:
            return Verification(False, f"the script fails even with the reference under test: {ending.last}")
    return Verification(True)


def _names(verdict: Verdict) -> list[str]:
    """Return what an exception must be called; Triton's interpreter says in its own which one it met."""
    if verdict.status is not Status.RAISED:
        return []
    return [*verdict.exceptions[:1], *_MET.findall(verdict.reason)]


@dataclass(frozen=True)
class _Ending:
    code: int
    """Exit code; 124 for a script that did not end."""
    text: str

    @property
    def last(self) -> str:
        """The line that says why it ended."""
        return telling_line(self.text)


def control(script: str) -> str:
    """Return the script with the reference in the place of the implementation."""
    return script.replace("\ncalls = [", "\nimplementation = reference\ncalls = [", 1)


def _run(script: str, seconds: float, going: Callable[[], bool], python: str) -> _Ending:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "script.py"
        path.write_text(script, encoding="utf-8")
        command = ["env", f"PYTHONHASHSEED={HASH_SEED}", python or sys.executable, str(path)]
        code, said = run_fresh(command, seconds, going)
    return _Ending(124, f"no end within {seconds:.0f} s") if code is None else _Ending(code, said)
