"""Revisions of a repository, checked out one after the other, for a script that imports what it holds."""

import contextlib
import os
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

from eagerdiff.harness.corpus.interpreters import Ending, Interpreter, State
from eagerdiff.harness.processes.fresh_process import run_fresh, telling_line
from eagerdiff.harness.processes.git import GitError, commit_of, git

BUILD_SECONDS = 1800.0
"""Most time for a build."""
DIGITS = 12
"""Of a hash."""


class RevisionError(ValueError):
    """Say in one line why revisions cannot be had."""


@dataclass(frozen=True)
class Revisions:
    """Have a repository's revisions in turn in a folder of their own, which what runs imports from."""

    repository: Path
    place: Path
    build: str
    """A command of a shell that makes a revision ready, in its folder; empty: nothing needs to be made."""
    python: Interpreter

    def between(self, one: str, other: str) -> list[str]:
        """Return hashes from one revision to the other, both included, the earliest first, along first parents.

        Raises RevisionError where one is not there, or neither comes before the other.
        """
        try:
            first, last = (commit_of(name, self.repository) for name in (one, other))
            for old, new in ((first, last), (last, first)):
                path = git("rev-list", "--first-parent", "--reverse", f"{old}..{new}", folder=self.repository).split()
                if path and git("rev-parse", f"{path[0]}^", folder=self.repository) == old:
                    return [commit[:DIGITS] for commit in (old, *path)]
        except GitError as error:
            raise RevisionError(f"{self.repository}: {error}") from error
        raise RevisionError(f"{one} and {other} are not on one line of first parents in {self.repository}")

    def run(self, revision: str, script: Path, seconds: float) -> Ending:
        """Check a revision out, build it, and run a script that may import from it."""
        try:
            git("checkout", "--quiet", "--force", "--detach", revision, folder=self.place)
        except GitError as error:
            return Ending(State.OTHER, f"cannot be checked out: {error}")
        if self.build:
            code, said = run_fresh(["bash", "-c", self.build], BUILD_SECONDS, folder=self.place)
            if code != 0:
                return Ending(State.OTHER, f"cannot be built: {telling_line(said) or 'no end in time'}")
        return self.python.watch([str(script.absolute())], seconds, {"PYTHONPATH": str(self.place)})[0]


@contextlib.contextmanager
def revisions(repository: Path, folder: Path, build: str, python: Interpreter) -> Generator[Revisions]:
    """Have a worktree of a repository in a folder for a while; raise RevisionError where there is none to be had."""
    place = folder / f"bisect-{os.getpid()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        git("worktree", "add", "--detach", "--force", str(place), "HEAD", folder=repository)
    except (GitError, OSError) as error:
        raise RevisionError(f"{repository} cannot be checked out: {error}") from error
    try:
        yield Revisions(repository, place, build, python)
    finally:
        with contextlib.suppress(GitError):
            git("worktree", "remove", "--force", str(place), folder=repository)
