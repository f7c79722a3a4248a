"""Benches: processes that stand ready, with torch's compiler imported, and try scripts in forks, confined."""

import contextlib
import json
import os
import re
import select
import subprocess
import tempfile
import time
from collections import defaultdict
from collections.abc import Generator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from eagerdiff.harness.corpus.confined import confined
from eagerdiff.harness.corpus.interpreters import Interpreter, limits_of
from eagerdiff.harness.kit import bench
from eagerdiff.harness.processes.fresh_process import fresh_environment, stop
from eagerdiff.harness.processes.kinship import guarded

START_SECONDS = 120.0
"""Most time for torch's compiler to be imported."""
RUNS = 12
"""Of a script, for which one job has time."""
_SETS = re.compile(r"""^os\.environ\[(['"])(?P<name>\w+)\1\] = (['"])(?P<value>[^'"\\]*)\3""", re.MULTILINE)
_START = "import runpy, sys; runpy.run_path(sys.argv[1], run_name='__main__')"
"""Not as a file: the folder of that would be the first to be imported from."""


class BenchError(Exception):
    """Tell that a bench gave no answer."""


class Bench:
    """Hand jobs to one `bench.py`; raise BenchError where it does not start, dies, or takes too long."""

    def __init__(self, python: Interpreter, seconds: float, settings: Mapping[str, str]) -> None:
        """Start one, with more in its environment; `seconds` is the most for one run of a script."""
        self._seconds = seconds
        self._folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self._process = subprocess.Popen(
            guarded(confined([python.python, "-c", _START, str(Path(bench.__file__))], limits_of(seconds))),
            cwd=self._folder.name,
            env={**fresh_environment(), **settings},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            self._answer(START_SECONDS)
        except BenchError:
            self.close()
            raise

    def run(self, script: Path, trace: Path | None = None) -> tuple[int | None, str]:
        """Run a script as it is; return its exit code (None: no end in time) and what it said."""
        return tuple(self._ask(do="run", script=str(script), trace=str(trace or "")))

    def tried(self, script: Path, *, ablate: bool, alike: str) -> Any:
        """Return what `bench.every_way` tells of a script."""
        return self._ask(do="try", script=str(script), ablate=ablate, alike=alike)

    def close(self) -> None:
        """End it, and all that its jobs started."""
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):
                assert pipe is not None
                pipe.close()
        stop(self._process)
        self._folder.cleanup()

    def _ask(self, **job: object) -> Any:
        pipe = self._process.stdin
        assert pipe is not None
        try:
            pipe.write(json.dumps(job | {"seconds": self._seconds}).encode() + b"\n")
            pipe.flush()
        except OSError as error:
            raise BenchError from error
        return self._answer(RUNS * self._seconds)

    def _answer(self, seconds: float) -> Any:
        pipe, said, deadline = self._process.stdout, bytearray(), time.monotonic() + seconds
        assert pipe is not None
        while not said.endswith(b"\n"):
            ready, _, _ = select.select([pipe], [], [], max(0.0, deadline - time.monotonic()))
            more = os.read(pipe.fileno(), 1 << 16) if ready else b""
            if not more:
                raise BenchError
            said += more
        try:
            return json.loads(said)
        except ValueError as error:  # a script wrote to where answers go
            raise BenchError from error


def settings_of(source: str) -> dict[str, str] | None:
    """Return what a script sets in the environment, each to a constant: a bench for it has that from the start.

    None where it does anything else with the environment: it must not find torch imported.
    """
    found = list(_SETS.finditer(source))
    return {one["name"]: one["value"] for one in found} if len(found) == source.count("environ") else None


class Benches:
    """Lend benches: as many of a kind as are asked for at a time, each used again; those that failed are not."""

    def __init__(self, seconds: float) -> None:
        """Start none; `seconds` is the most for one run of a script."""
        self._seconds = seconds
        self._free: defaultdict[tuple[Interpreter, frozenset[tuple[str, str]]], list[Bench]] = defaultdict(list)

    @contextlib.contextmanager
    def of(self, python: Interpreter, settings: Mapping[str, str] | None = None) -> Generator[Bench]:
        """Lend one of a Python that was started with more in its environment.

        Raises BenchError where none can be started; one in whose use that is raised is ended.
        """
        settings = settings or {}
        free = self._free[python, frozenset(settings.items())]
        try:
            bench = free.pop()
        except IndexError:
            bench = Bench(python, self._seconds, settings)
        try:
            yield bench
        except BaseException:
            bench.close()
            raise
        free.append(bench)

    def __enter__(self) -> Self:
        """Return it."""
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        """End all that are free."""
        for free in self._free.values():
            while free:
                free.pop().close()
