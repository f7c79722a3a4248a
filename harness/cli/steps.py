"""Steps: how far a known number of things has come, a bar on a terminal, a line every ten seconds elsewhere."""

import contextlib
import sys
import threading
import time
from collections.abc import Callable, Generator
from typing import TYPE_CHECKING

from eagerdiff.harness.cli.progress import LINE_SECONDS

if TYPE_CHECKING:
    from rich.console import Console


@contextlib.contextmanager
def steps(out: "Console", what: str, total: int) -> Generator[Callable[[], None]]:
    """Say what is done to `total` things, and give what is to be called, from any thread, after each."""
    if not total:
        yield lambda: None
    elif sys.stdout.isatty():
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        with Progress(*columns, console=out, transient=True) as progress:
            task = progress.add_task(what, total=total)
            yield lambda: progress.advance(task)
    else:
        yield _lines(what, total)


def _lines(what: str, total: int) -> Callable[[], None]:
    lock = threading.Lock()
    done, printed = 0, time.monotonic()
    print(f"{what}: {total}", flush=True)

    def advance() -> None:
        nonlocal done, printed
        with lock:
            done += 1
            if time.monotonic() - printed >= LINE_SECONDS:
                printed = time.monotonic()
                print(f"{what}: {done} of {total}", flush=True)

    return advance
