"""Interpreters: standalone scripts, run under one Python's torch and under another's."""

import math
import os
import re
import shutil
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Self

from eagerdiff.harness.corpus.confined import Confinement, confined
from eagerdiff.harness.processes.fresh_process import run_fresh, telling_line

SECONDS = 300.0
"""Most time for one script, its compilations included."""
_DEATHS = (signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGILL)
"""Signals by which a process dies of its own."""
_CANNOT_ASK = re.compile(
    r"^(ImportError|ModuleNotFoundError|SyntaxError|AttributeError: module '|AttributeError: \S+ does not exist"
    r"|TypeError: .*(unexpected keyword argument|takes no keyword arguments))"
)
"""What a script ends with that uses what a torch does not have: it says nothing about the defect."""
_GENERATED = re.compile(r'^  File "<[^"]*", line \d+\n(    .*\n)*SyntaxError', re.MULTILINE)
"""A SyntaxError of code that torch wrote, in no file: it is the defect."""


class InterpreterError(ValueError):
    """Say in one line why a Python cannot run scripts."""


class State(StrEnum):
    """Say what a script tells of its defect."""

    PRESENT = "present"
    GONE = "gone"
    OTHER = "other"
    """Neither: no end in time, another exit code, or a torch without what the script uses."""


@dataclass(frozen=True)
class Ending:
    """Say how a script ended, and its last line where it did not pass."""

    state: State
    why: str = ""


@dataclass(frozen=True)
class Interpreter:
    """Run scripts in fresh processes of one Python."""

    python: str
    torch: str
    """Version."""

    @classmethod
    def find(cls, python: str) -> Self:
        """Return the interpreter of a path or a command's name; raise InterpreterError where it has no torch."""
        found = shutil.which(python)
        if found is None:
            raise InterpreterError(f"no such python: {python}")
        # Not resolved further: a virtual environment's python is a link to one that lacks its packages.
        path = os.path.abspath(found)
        code, said = run_fresh([path, "-c", "import torch; print('torch', torch.__version__)"], 60.0)
        last = telling_line(said)
        if code != 0 or not last.startswith("torch "):
            raise InterpreterError(f"{python} cannot import torch: {last or f'exit code {code}'}")
        return cls(path, last.removeprefix("torch "))

    def run(self, script: Path, seconds: float = SECONDS, going: Callable[[], bool] = lambda: True) -> Ending:
        """Run a script, confined: it exits 1, or dies, while its defect is there and exits 0 when it is gone.

        It is ended where `going` says no.
        """
        return self.watch([str(script.absolute())], seconds, going=going)[0]

    def watch(
        self,
        arguments: Sequence[str],
        seconds: float = SECONDS,
        settings: Mapping[str, str] | None = None,
        going: Callable[[], bool] = lambda: True,
    ) -> tuple[Ending, str]:
        """Run this Python with arguments, confined, and more in its environment; return the ending and what it said."""
        more = ["env", *(f"{name}={value}" for name, value in settings.items())] if settings else []
        code, said = run_fresh(confined([*more, self.python, *arguments], limits_of(seconds)), seconds, going)
        return ending_of(code, said, seconds), said


def limits_of(seconds: float) -> Confinement:
    """Return the limits of a script that may take some seconds: as much time of each processor."""
    return Confinement(cpu_seconds=math.ceil(seconds) * (os.cpu_count() or 1))


@dataclass(frozen=True)
class Comparison:
    """Say what one script tells here and there."""

    script: Path
    here: Ending
    there: Ending

    @property
    def worse(self) -> bool:
        """Whether the defect is gone here and not there."""
        return self.here.state is State.GONE and self.there.state is not State.GONE


def compare(
    scripts: Sequence[Path], there: Interpreter, *, slots: int = 1, seconds: float = SECONDS
) -> tuple[Interpreter, list[Comparison]]:
    """Run scripts under this process' Python and under another, `slots` at a time; return this one and the outcomes."""
    here = Interpreter.find(sys.executable)
    with ThreadPoolExecutor(slots) as pool:
        runs = [[pool.submit(python.run, script, seconds) for python in (here, there)] for script in scripts]
        return here, [
            Comparison(script, *(run.result() for run in both)) for script, both in zip(scripts, runs, strict=True)
        ]


def ending_of(code: int | None, said: str, seconds: float = SECONDS) -> Ending:
    """Return what an exit code tells of a defect, with the line of what was printed that says why."""
    if code == 0:
        return Ending(State.GONE)
    if code is None:
        return Ending(State.OTHER, f"no end within {seconds:g} s")
    if -code in _DEATHS:
        return Ending(State.PRESENT, signal.Signals(-code).name)
    last = telling_line(said)
    if code != 1:
        return Ending(State.OTHER, f"exit code {code}: {last}")
    cannot_ask = _CANNOT_ASK.search(last) and not _GENERATED.search(said)
    return Ending(State.OTHER if cannot_ask else State.PRESENT, last)
