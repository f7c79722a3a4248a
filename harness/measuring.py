"""Measuring: an operator's measures, taken in a process of their own that may die or hang."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from pydantic import ValidationError

from harness.results import Measured

START = "import json,sys; sys.path[:]=json.loads(sys.argv[1]); from harness.measuring import main; main(*sys.argv[2:])"
SECONDS = 60.0
"""How long an operator's measures may take."""


def measure(operator: str, going: Callable[[], bool] = lambda: True, seconds: float = SECONDS) -> Measured:
    """Take the measures of an operator, by name or `module:OPERATOR`; what goes wrong is one line in `problem`.

    Ends early, with no figure, where `going` says no.
    """
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as said:
        out = Path(folder) / "measures.json"
        command = [sys.executable, "-c", START, json.dumps(sys.path), operator, str(out)]
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=said, stderr=subprocess.STDOUT, start_new_session=True
        )
        code = _wait(process, going, seconds)
        if code is None:
            why = f"took more than {seconds:g} s" if going() else "were interrupted"
            return Measured(operator=operator, problem=f"its measures {why}")
        try:
            return Measured.model_validate_json(out.read_bytes())
        except OSError:
            said.seek(0)
            last = said.read().decode(errors="replace").strip().splitlines()[-1:]
            told = f": {last[0][:200]}" if last else ""
            return Measured(operator=operator, problem=f"its measures ended with exit code {code}{told}")
        except ValidationError as error:
            return Measured(operator=operator, problem=f"its measures are none: {_first(error)}")


def _wait(process: "subprocess.Popen[bytes]", going: Callable[[], bool], seconds: float) -> int | None:
    """Return a process' exit code, or end it, with all that it started, and return None."""
    deadline = time.monotonic() + seconds
    try:
        while time.monotonic() < deadline and going():
            with contextlib.suppress(subprocess.TimeoutExpired):
                return process.wait(0.1)
        return None
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _first(error: ValidationError) -> str:
    found = error.errors()[0]
    return f"{'.'.join(map(str, found['loc']))}: {found['msg']}"


def main(operator: str, out: str) -> None:
    """Take an operator's measures in this process, and write them to a file as JSON."""
    Path(out).write_text(_take(operator).model_dump_json(), encoding="utf-8")


def _take(operator: str) -> Measured:
    """Load an operator and call its `measures`."""
    from harness.catalog import load

    catalog = load([operator])
    if not catalog.operators:
        return Measured(operator=operator, problem="; ".join(catalog.problems))
    name, found = next(iter(catalog.operators.items()))
    try:
        return Measured(operator=name, measures=list(found.measures() if found.measures else ()))
    except ValidationError as error:
        return Measured(operator=name, problem=f"its measures are none: {_first(error)}")
    except Exception as error:  # noqa: BLE001  a stranger's code: said in the report, and the rest goes on
        line = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        return Measured(operator=name, problem=f"its measures raised {line}")
