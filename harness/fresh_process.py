"""A fresh process: a command in an empty folder, without what this process was started with."""

import contextlib
import os
import signal
import subprocess
import tempfile
from collections.abc import Sequence

_STARTED_WITH = ("PYTHONPATH", "PYTHONHOME", "TRITON_INTERPRET")
"""What this process was started with, and no script may see: it must stand alone."""


def run_fresh(command: Sequence[str], seconds: float) -> tuple[int | None, str]:
    """Run a command; return its exit code (None: no end within `seconds`; 126: no start) and what it printed."""
    kept = {name: value for name, value in os.environ.items() if name not in _STARTED_WITH}
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as said:
        try:
            process = subprocess.Popen(
                command,
                cwd=folder,
                env=kept,
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
                start_new_session=True,
            )
        except OSError as error:
            return 126, f"{error.strerror}"
        try:
            code = process.wait(seconds)
        except subprocess.TimeoutExpired:
            code = None
        finally:
            # The compiler's own processes outlive a script that is killed, and hold its output open.
            _end(process)
        said.seek(0)
        return code, said.read().decode(errors="replace")


def telling_line(said: str) -> str:
    """Return the line that names the exception of the last traceback, else the last line."""
    lines = [line for line in said.splitlines() if line.strip()]
    # What an exception says may hold lines of source of its own.
    tracebacks = [number for number, line in enumerate(lines) if line.startswith("Traceback ")]
    raised = (line for line in lines[tracebacks[-1] + 1 :] if not line.startswith(" ")) if tracebacks else iter(())
    return next(raised, lines[-1] if lines else "").strip()[:160]


def _end(process: "subprocess.Popen[bytes]") -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
