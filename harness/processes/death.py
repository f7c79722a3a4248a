"""Death: from how a worker ended to a verdict about the case that it was on."""

import os
import re
import signal
import sys
import sysconfig
from pathlib import Path

from eagerdiff.harness.execution.stage import Stage
from eagerdiff.harness.model.verdict import Oracle, Status, Verdict, harness_error
from eagerdiff.harness.processes.message import Entered
from eagerdiff.harness.processes.patience import Overrun

FRAME = re.compile(r'^\s*File "(?P<file>[^"]+)", line (?P<line>\d+) in (?P<function>.+)$', re.MULTILINE)
EXHAUSTED = (
    "std::bad_alloc",
    "MemoryError",
    "can't allocate memory",
    "Cannot allocate memory",
    "out of memory",
    "c10::Error: not enough memory",
)
HARNESS = str(Path(__file__).parent.parent)


def overran(at: Entered, overrun: Overrun, output: str) -> Verdict:
    """Return the verdict on a case that used its time up: the implementation's failure only while it was at work."""
    if at.case < 0:
        return harness_error(f"loading {overrun.reason}", Oracle.LOAD, entered(output))
    if at.stage is Stage.HARNESS:
        what = f"relation {at.relation} or its judging" if at.relation else "the reference or the judge"
        return harness_error(f"{what} of case {at.case} {overrun.reason}", frame=innermost(output))
    called = f", called for the relation {at.relation!r}," if at.relation else ""
    return Verdict(
        status=Status.TIMED_OUT,
        reason=f"case {at.case}{called} {overrun.reason}",
        oracle=Oracle.PROCESS,
        relation=at.relation,
        frame=entered(output),
        idle=overrun.idle,
        numbers={"case": at.case},
    )


def ended(at: Entered, status: int | None, output: str, *, killed_for_memory: bool = False) -> Verdict:
    """Return the verdict on a case during which the process ended with a wait status.

    `killed_for_memory` says that the system has killed something meanwhile for want of memory.
    """
    how = _how(status)
    said = _last_words(output)
    exhausted = (killed_for_memory and how == "SIGKILL") or any(text in output for text in EXHAUSTED)
    return Verdict(
        status=Status.OUT_OF_MEMORY if exhausted else Status.CRASHED,
        reason=f"{how} in {_place(at)}" + (f": {said}" if said else ""),
        oracle=Oracle.PROCESS,
        relation=at.relation,
        frame=innermost(output),
        ending=how,
        numbers={"case": at.case},
    )


def crashed(case: int, how: str) -> Verdict:
    """Return the verdict on a case that made its process useless, though it did not end by itself."""
    place = _place(Entered(case=case))
    ending = how.partition(":")[0]
    return Verdict(
        status=Status.CRASHED,
        reason=f"{place} {how}"[:240],
        oracle=Oracle.PROCESS,
        ending=ending,
        numbers={"case": case},
    )


def last_words(status: int | None, output: str) -> str:
    """Return how a process ended, and the last line that it printed, in one line."""
    how, said = _how(status), _last_words(output)
    return how + (f": {said}" if said else "")


def _place(at: Entered) -> str:
    place = f"case {at.case}" if at.case >= 0 else "loading"
    return f"{place}, called for the relation {at.relation!r}" if at.relation else place


def innermost(output: str) -> str:
    """Return `module:function` of the innermost frame that is not Python's own, from faulthandler's stack."""
    frames = [frame for frame in _frames(output) if not _is_stdlib(frame[0])]
    return _name(*frames[0]) if frames else ""


def entered(output: str) -> str:
    """Return `module:function` of the frame by which the harness was left.

    Where a hang is sampled the inner frames vary from run to run; this one does not.
    """
    inner = [""]
    for file, function in _frames(output):
        if file.startswith(HARNESS):
            break
        inner.append(_name(file, function))
    return inner[-1]


def _how(status: int | None) -> str:
    if status is None:
        return "the process vanished"
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        return {item.value: item.name for item in signal.Signals}.get(number, f"signal {number}")
    return f"exit with status {os.waitstatus_to_exitcode(status)}"


def _last_words(output: str) -> str:
    """Return the last line that is not part of faulthandler's report."""
    lines = [line.strip() for line in output.partition("Fatal Python error")[0].splitlines() if line.strip()]
    return lines[-1][:200] if lines else ""


def _frames(output: str) -> list[tuple[str, str]]:
    stack = output[output.rfind("(most recent call first)") :] if "(most recent call first)" in output else ""
    return [(found["file"], found["function"]) for found in FRAME.finditer(stack)]


def _is_stdlib(file: str) -> bool:
    return (file.startswith(sysconfig.get_paths()["stdlib"]) and "site-packages" not in file) or file.startswith(
        "<frozen"
    )


def _name(file: str, function: str) -> str:
    roots = [entry for entry in sys.path if entry and file.startswith(entry + os.sep)]
    relative = os.path.relpath(file, max(roots, key=len)) if roots else os.path.basename(file)
    return f"{os.path.splitext(relative)[0].replace(os.sep, '.')}:{function}"
