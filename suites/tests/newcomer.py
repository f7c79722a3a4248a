"""A newcomer: someone with an empty folder, what the wheel installs, and a page to go by."""

import os
import re
import resource
import shlex
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path

GUIDES = Path(__file__).resolve().parents[2] / "docs" / "guides"
CORES = 2
"""Machines differ in cores, and a search uses all: what it costs is measured on so many."""
JUDGED = r"[1-9]\d* cases"
"""What a search prints as soon as it has judged something."""


def blocks(page: str, language: str) -> list[str]:
    """Return the code of a page in one language, in order."""
    return re.findall(rf"```{language}\n(.*?)```", (GUIDES / f"{page}.md").read_text(), re.DOTALL)


def commands(page: str) -> list[str]:
    """Return the commands of a page, in order, without what is said of them."""
    lines = [line.partition("  #")[0].strip() for block in blocks(page, "sh") for line in block.splitlines()]
    return [line for line in lines if line]


@dataclass
class Newcomer:
    """Follow a page in an empty folder."""

    folder: Path
    python: Path
    """Of an environment that the wheel is installed in."""
    seconds: float = 0.0
    """Of CPU time, all that was run so far."""
    code: int = 0
    """With which the last command ended."""

    def write(self, name: str, text: str) -> None:
        """Save a file of the page."""
        (self.folder / name).write_text(text)

    def type(self, command: str, until: str = "") -> str:
        """Run a command of the page and return what it prints; Ctrl-C as soon as it prints a line like `until`."""
        before = _used()
        words = shlex.split(command)
        program = self.python.parent / words[0]
        given = [str(program)] if program.exists() else [str(self.python), "-m", words[0]]
        process = subprocess.Popen(
            [*given, *words[1:]],
            cwd=self.folder,
            env=self._environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            preexec_fn=_narrow,
        )
        assert process.stdout is not None
        said = ""
        for line in process.stdout:
            said += line
            if until and re.search(until, line):
                process.send_signal(signal.SIGINT)
                until = ""
        self.code = process.wait()
        self.seconds += _used() - before
        return said

    def _environment(self) -> dict[str, str]:
        """Return that of a fresh shell where the environment is active, with a cache that nobody has filled."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PYTEST", "EAGER"))}
        programs = os.pathsep.join((str(self.python.parent), os.environ["PATH"]))
        cache = str(self.folder.parent / "cache")
        return kept | {"PATH": programs, "EAGERDIFF_CACHE": cache, "OMP_NUM_THREADS": "1"}


def _used() -> float:
    """Return the CPU seconds of all processes that were started here and have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _narrow() -> None:
    """Run on so many cores, and hear Ctrl-C: a shell's background jobs ignore it."""
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:CORES])
    signal.signal(signal.SIGINT, signal.default_int_handler)
