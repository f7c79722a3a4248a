"""How a command fails: in one line on stderr, never with a traceback."""

import contextlib
import sys
import tempfile
import time
import traceback
from collections.abc import Generator
from pathlib import Path

from eagerdiff.harness.cli.stdout import silence
from eagerdiff.harness.sinks import file_name, terminal


class BadInput(Exception):
    """Say in one line what was wrong with what the user gave: exit code 2."""


def complain(message: str) -> None:
    """Print one line to stderr."""
    try:
        print(f"eagerdiff: {terminal.line(message)}", file=sys.stderr, flush=True)
    except OSError:  # there is nowhere left to say it; the exit code stands
        silence(2)


def warn(problems: list[str]) -> None:
    """Print one line a problem that does not stop the command."""
    for problem in problems:
        complain(f"warning: {problem}")


def save_traceback(error: BaseException) -> str:
    """Write an internal error's traceback to the cache folder, else to a temporary one, and return where it is."""
    from eagerdiff.harness.devices import cache_folder

    name = file_name.stem(f"{time.strftime('%Y%m%d-%H%M%S')}-{type(error).__name__}") + ".txt"
    text = terminal.lines("".join(traceback.format_exception(error)))
    for make in (lambda: cache_folder() / "tracebacks", lambda: Path(tempfile.mkdtemp(prefix="eagerdiff-"))):
        with contextlib.suppress(OSError):
            (folder := make()).mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
            return str(folder / name)
    return "no file: no disk takes it"


@contextlib.contextmanager
def in_writing(folder: Path) -> Generator[None]:
    """Turn a failure to write into bad input that names the folder."""
    try:
        yield
    except OSError as error:
        raise BadInput(f"cannot write to {folder}: {error.strerror or error}") from error
