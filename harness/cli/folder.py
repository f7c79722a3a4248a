"""Folders that a run writes: one run at a time in each, what the run before left is kept, and what no disk takes goes
elsewhere.
"""

import contextlib
import os
import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from eagerdiff.harness.cli.failure import BadInput, in_writing

if TYPE_CHECKING:
    from eagerdiff.harness.results.results import Results

JOURNAL = "journal.jsonl"
PATCH = "findings.patch"
LEFT = ("index.html", "summary.md", "report.json", "junit.xml", "findings", PATCH, "sides.json", JOURNAL)
"""What a run leaves in its folder; the journal is the last to be moved, for it is what the others are made of."""
PREVIOUS = "previous"
_LOCK = ".lock"


@contextlib.contextmanager
def occupied(folder: Path | None) -> Generator[None]:
    """Have a folder for this run alone; the lock ends with the process, however that does.

    Raises BadInput where another run has it.
    """
    if folder is None:
        yield
        return
    from filelock import FileLock, Timeout

    lock = FileLock(folder / _LOCK)
    with in_writing(folder):
        try:
            lock.acquire(timeout=0)
        except Timeout as error:
            raise BadInput(f"another run is writing to {folder}: name another folder, or wait for its end") from error
    try:
        yield
    finally:
        lock.release()


def set_aside(folder: Path) -> Path | None:
    """Move what the run before left to a folder `previous/1`, `2`, …; return that, or None where it left nothing."""
    left = [folder / name for name in LEFT if os.path.lexists(folder / name)]
    if not left:
        return None
    with in_writing(folder):
        kept = folder / PREVIOUS / str(max(_numbers(folder / PREVIOUS), default=0) + 1)
        kept.mkdir(parents=True)
        for path in left:
            path.rename(kept / path.name)
    return kept


def usable_cache() -> Path:
    """Return the cache folder; raise BadInput where it takes no files: compilers would be blamed for that."""
    from eagerdiff.harness.devices import cache_folder

    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"\0" * 4096)
    except OSError as error:
        why = error.strerror or error
        raise BadInput(f"cannot write to the cache folder {folder}: {why} (EAGERDIFF_CACHE names another)") from error
    return folder


def save(results: "Results", folder: Path) -> Path:
    """Write the report, to a temporary folder where its own cannot be written, which is said; return the folder.

    That it is not where it was wanted, or nowhere, is said in `Results.broken`.
    """
    from eagerdiff.harness import report

    try:
        report.write(results, folder)
    except OSError as error:
        why = f"cannot write the report to {folder}: {error.strerror or error}"
    else:
        return folder
    for other in _elsewhere():
        results.broken.append(f"{why}; it is in {other}")
        try:
            report.write(results, other)
        except OSError:
            results.broken.pop()
        else:
            return other
    results.broken.append(f"{why}; nor does any temporary folder take it")
    return folder


def _elsewhere() -> Iterator[Path]:
    """Make a temporary folder on one disk after another."""
    for parent in (tempfile.gettempdir(), "/tmp", "/var/tmp", "/dev/shm", os.path.expanduser("~"), os.getcwd()):
        with contextlib.suppress(OSError):
            yield Path(tempfile.mkdtemp(prefix="eagerdiff-report-", dir=parent))


def _numbers(folder: Path) -> list[int]:
    names = [path.name for path in folder.iterdir()] if folder.is_dir() else []
    return [int(name) for name in names if name.isdecimal()]
