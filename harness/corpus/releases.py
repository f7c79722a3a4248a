"""Releases of torch, each in an environment of its own, made by pip where it is not there yet."""

import re
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from eagerdiff.harness.corpus.interpreters import Interpreter, InterpreterError
from eagerdiff.harness.processes.fresh_process import run_fresh, telling_line

SECONDS = 1800.0
"""Most time for an installation."""
_VERSION = re.compile(r"\d+\.\d+\.\d+")
_READY = ".ready"


class ReleaseError(ValueError):
    """Say in one line why a release cannot be had."""


def order_of(release: str) -> tuple[int, ...]:
    """Return what releases are sorted by: their numbers."""
    return tuple(map(int, re.findall(r"\d+", release.partition("+")[0])))


@dataclass(frozen=True)
class Releases:
    """Make environments in a folder; pip takes them from where it is told to (`PIP_INDEX_URL`, `pip config`)."""

    folder: Path
    python: str = sys.executable

    def between(self, one: str, other: str) -> list[str]:
        """Return the releases from one to the other, both included, the earliest first; raise ReleaseError."""
        for named in (one, other):
            if not _VERSION.fullmatch(named):
                raise ReleaseError(f"{named!r} is no release of torch: give one such as 2.13.0")
        code, said = run_fresh([self.python, "-m", "pip", "index", "versions", "torch"], 120.0)
        if code != 0:
            raise ReleaseError(f"pip cannot say which releases there are: {telling_line(said) or f'exit code {code}'}")
        listed = next((line for line in said.splitlines() if line.startswith("Available versions:")), "")
        known = set(_VERSION.findall(listed))
        for named in (one, other):
            if named not in known:
                raise ReleaseError(f"pip knows no torch {named}")
        least, most = sorted((order_of(one), order_of(other)))
        return sorted((found for found in known if least <= order_of(found) <= most), key=order_of)

    def interpreter(self, release: str) -> Interpreter:
        """Return the Python of a release, installed if need be; raise ReleaseError where that is impossible."""
        home = self.folder / f"torch-{release}"
        python = home / "bin" / "python"
        if not (home / _READY).exists():
            self._install(release, home, python)
        try:
            return Interpreter.find(str(python))
        except InterpreterError as error:
            raise ReleaseError(str(error)) from error

    def _install(self, release: str, home: Path, python: Path) -> None:
        """Make an environment; a build for the CPU alone is taken where there is one."""
        shutil.rmtree(home, ignore_errors=True)
        home.parent.mkdir(parents=True, exist_ok=True)
        code, said = run_fresh([self.python, "-m", "venv", str(home)], SECONDS)
        for version in (f"{release}+cpu", release) if code == 0 else ():
            code, said = run_fresh(_pip(python, (f"torch=={version}", "numpy", "setuptools")), SECONDS)
            if code == 0:
                (home / _READY).touch()
                return
        shutil.rmtree(home, ignore_errors=True)
        raise ReleaseError(f"pip cannot install torch {release}: {telling_line(said)}")


def _pip(python: Path, wanted: Sequence[str]) -> list[str]:
    return [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *wanted]
