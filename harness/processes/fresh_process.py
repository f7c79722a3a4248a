"""A fresh process: a command, by default in an empty folder, without what this process was started with."""

import contextlib
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from eagerdiff.harness.processes.kinship import SWEEP_SECONDS, guarded, kill_group

_STARTED_WITH = ("PYTHONPATH", "PYTHONHOME", "TRITON_INTERPRET")
"""What this process was started with, and no script may see: it must stand alone."""
_NAMED = re.compile(
    r"(?:[\w=.]+: )?(?:[a-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Exit|Failed|Node|Unsupported|Violation)\b"
)
"""What a line begins with where a script says itself which exception it met; the message may go on for lines."""
_START = (
    "import importlib, json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "importlib.import_module(sys.argv[2]).main(*sys.argv[3:])"
)


def run_fresh(
    command: Sequence[str], seconds: float, going: Callable[[], bool] = lambda: True, folder: Path | None = None
) -> tuple[int | None, str]:
    """Run a command; return its exit code (None: no end within `seconds`; 126: no start) and what it printed.

    It ends early, with None, where `going` says no. It runs in `folder`, by default in an empty one.
    """
    with tempfile.TemporaryDirectory() as empty, tempfile.TemporaryFile() as said:
        process = subprocess.Popen(
            guarded(command),
            cwd=folder or empty,
            env=fresh_environment(),
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
            start_new_session=True,
        )
        code = _wait(process, seconds, going)
        said.seek(0)
        return code, said.read().decode(errors="replace")


def fresh_environment() -> dict[str, str]:
    """Return this process' environment, without what scripts may not see of it."""
    return {name: value for name, value in os.environ.items() if name not in _STARTED_WITH}


def python(module: str, *arguments: str) -> list[str]:
    """Return the command that calls `main` of a module with texts, in a process that imports as this one does."""
    return [sys.executable, "-c", _START, json.dumps(sys.path), module, *arguments]


def telling_line(said: str) -> str:
    """Return the line that names the exception of the last traceback, else the last that names one, else the last.

    A line that begins with a space goes on with what the one before it says, as a tensor's rows do.
    """
    lines = [line for line in said.splitlines() if line.strip()]
    # What an exception says may hold lines of source of its own.
    tracebacks = [number for number, line in enumerate(lines) if line.startswith("Traceback ")]
    begun = [line for line in lines[tracebacks[-1] + 1 if tracebacks else 0 :] if not line.startswith(" ")]
    telling = begun[:1] if tracebacks else list(filter(_NAMED.match, begun))[-1:] or begun[-1:]
    return (telling or lines[-1:] or [""])[0].strip()[:160]


def _wait(process: "subprocess.Popen[bytes]", seconds: float, going: Callable[[], bool]) -> int | None:
    """Return a process' exit code, or None; end all that it started."""
    deadline = time.monotonic() + seconds
    try:
        while time.monotonic() < deadline and going():
            with contextlib.suppress(subprocess.TimeoutExpired):
                return process.wait(0.1)
        return None
    finally:
        stop(process)


def stop(guardian: "subprocess.Popen[bytes]") -> None:
    """End a guardian, and with it all that its command started, which may hold its output open."""
    guardian.terminate()
    try:
        guardian.wait(2 * SWEEP_SECONDS)
    except subprocess.TimeoutExpired:
        kill_group(guardian.pid)
        guardian.wait()
