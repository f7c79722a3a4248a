"""Sides of a comparison: a revision, a Python, or an implementation; and the processes that measure for them."""

import contextlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from eagerdiff.harness.catalog.provenance import imported_from
from eagerdiff.harness.processes.fresh_process import telling_line
from eagerdiff.harness.processes.git import GitError, commit_of, git
from eagerdiff.harness.processes.kinship import kill_group

ENVIRONMENT = {"OMP_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}
"""One thread and one order of sets: what is counted is the same each time."""


class SideError(ValueError):
    """Say in one line why a side cannot be measured."""


@dataclass(frozen=True)
class Side:
    """Say what one side runs."""

    label: str
    python: str = sys.executable
    checkout: Path | None = None
    """Where what is imported lies, before all else that this Python knows; None: what is installed."""
    way: str = ""
    """`operator/implementation`, where that is what is compared."""

    def subject(self, name: str) -> str:
        """Return what this side measures where `name` is asked for."""
        return self.way + name[name.index(":") :] if self.way else name


@dataclass
class Measurer:
    """Talk to a process that measures for a side; a context manager."""

    side: Side
    on: str
    operators: Sequence[str] = ()
    implementations: Sequence[str] = ()
    _process: "subprocess.Popen[bytes] | None" = None
    _sampling: bool = False
    """Whether a fork waits to be asked for samples; what breaks ends it."""
    _errors: Any = field(default_factory=tempfile.TemporaryFile)

    def __enter__(self) -> Self:
        order = {"operators": list(self.operators), "implementations": list(self.implementations), "on": self.on}
        self._process = subprocess.Popen(
            [self.side.python, "-m", "eagerdiff.harness.benchmark.serving", json.dumps(order)],
            cwd=self.side.checkout,
            env=os.environ | ENVIRONMENT | imported_from(self.side.checkout),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            start_new_session=True,
        )
        self._answer()
        return self

    def __exit__(self, *_: object) -> None:
        process = self._process
        assert process is not None
        assert process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            process.stdin.close()
        kill_group(process.pid)  # a fork of it may be in the midst of a call
        process.wait()
        self._errors.close()

    def ask(self, **message: Any) -> dict[str, Any]:
        """Return the answer to a message; raise SideError where there is none."""
        process = self._process
        assert process is not None
        assert process.stdin is not None
        try:
            process.stdin.write(json.dumps(message).encode() + b"\n")
            process.stdin.flush()
        except BrokenPipeError:
            pass
        return self._answer()

    @contextlib.contextmanager
    def sampling(self, name: str, refused: Sequence[int] = ()) -> Generator[int]:
        """Have a subject ready to be sampled, and give the passes of a sample; it ends also where another side breaks.

        Calls at the places that are `refused` are left out.

        Raises SideError where it cannot be had.
        """
        passes = self.ask(do="begin", subject=self.side.subject(name), refused=refused)["passes"]
        self._sampling = True
        try:
            yield passes
        finally:
            if self._sampling:
                self._sampling = False
                self.ask(do="end")

    def _answer(self) -> dict[str, Any]:
        process = self._process
        assert process is not None
        assert process.stdout is not None
        line = process.stdout.readline()
        if not line:
            self._errors.seek(0)
            said = telling_line(self._errors.read().decode(errors="replace"))
            raise SideError(f"{self.side.label} cannot be measured: {said or 'its process ended without a word'}")
        answer = json.loads(line)
        if "broken" in answer:
            self._sampling = False
            raise SideError(f"{self.side.label}: {answer['broken']}")
        return answer


@contextlib.contextmanager
def revision(name: str, folder: Path) -> Generator[Side]:
    """Check a revision of the repository at hand out, and take it away afterwards. Raises SideError."""
    try:
        commit = commit_of(name)
    except GitError as error:
        raise SideError(f"{name}: {error}") from error
    place = folder / f"{commit[:12]}-{os.getpid()}"
    try:
        git("worktree", "add", "--detach", "--force", str(place), commit)
    except GitError as error:
        raise SideError(f"{name}: {error}") from error
    try:
        yield Side(name, checkout=place)
    finally:
        with contextlib.suppress(GitError):
            git("worktree", "remove", "--force", str(place))
