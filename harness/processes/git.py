"""Git, as a command: what it says, or in one line why it does not."""

import subprocess
from pathlib import Path


class GitError(ValueError):
    """Say in one line why git did not do it."""


def git(*arguments: str, folder: Path | None = None) -> str:
    """Run git in a folder, by default in this process' own; return what it prints, or raise GitError."""
    try:
        done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True, check=False)
    except (OSError, ValueError) as error:  # a name that is too long, or holds a zero byte
        raise GitError(f"git cannot be run: {error}") from error
    if done.returncode:
        raise GitError((done.stderr.strip().splitlines() or ["git knows no such revision"])[-1])
    return done.stdout.strip()


def patch_between(before: Path, after: Path) -> str:
    """Return the patch from one folder to another beside it, empty where they are alike; raise GitError.

    The folders' names are its prefixes: `a` and `b` make what `git apply` takes.
    """
    command = ["git", "-c", "core.quotePath=false", "diff", "--no-index", "--no-prefix", "--no-ext-diff", "--binary"]
    try:
        done = subprocess.run([*command, before.name, after.name], cwd=before.parent, capture_output=True, check=False)
    except OSError as error:
        raise GitError(f"git cannot be run: {error}") from error
    if done.returncode > 1:
        raise GitError((done.stderr.decode(errors="replace").strip().splitlines() or ["git does not compare them"])[-1])
    return done.stdout.decode(errors="surrogateescape")


def commit_of(name: str, folder: Path | None = None) -> str:
    """Return the full hash of a revision; raise GitError where there is none."""
    return git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}", folder=folder)
