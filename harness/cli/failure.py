"""How a command fails: in one line on stderr, never with a traceback."""

import contextlib
import sys
import tempfile
import time
import traceback
from collections.abc import Generator
from pathlib import Path

from eagerdiff.harness.sinks import file_name, terminal


class BadInput(Exception):
    """Say in one line what was wrong with what the user gave: exit code 2."""


def complain(message: str) -> None:
    """Print one line to stderr."""
    print(f"eagerdiff: {terminal.line(message)}", file=sys.stderr)


def warn(problems: list[str]) -> None:
    """Print one line a problem that does not stop the command."""
    for problem in problems:
        complain(f"warning: {problem}")


def save_traceback(error: BaseException) -> Path:
    """Write an internal error's traceback to the cache folder, else to a temporary one, and return the file's path."""
    from eagerdiff.harness.devices import cache_folder

    name = file_name.stem(f"{time.strftime('%Y%m%d-%H%M%S')}-{type(error).__name__}") + ".txt"
    text = terminal.lines("".join(traceback.format_exception(error)))
    try:
        (folder := cache_folder() / "tracebacks").mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    except OSError:
        folder = Path(tempfile.mkdtemp(prefix="eagerdiff-"))
        (folder / name).write_text(text, encoding="utf-8")
    return folder / name


@contextlib.contextmanager
def in_writing(folder: Path) -> Generator[None]:
    """Turn a failure to write into bad input that names the folder."""
    try:
        yield
    except OSError as error:
        raise BadInput(f"cannot write to {folder}: {error.strerror or error}") from error
