"""The loader: the end of a load process that stays with the campaign, and runs nothing of a plug-in."""

import json
import os
import subprocess
import tempfile
from collections.abc import Sequence
from multiprocessing.connection import wait

from eagerdiff.harness.catalog.catalog import Catalog
from eagerdiff.harness.catalog.description import CatalogCard
from eagerdiff.harness.catalog.plugin import for_child
from eagerdiff.harness.loading import load_process
from eagerdiff.harness.processes.death import last_words
from eagerdiff.harness.processes.fresh_process import python, stop
from eagerdiff.harness.processes.kinship import guarded
from eagerdiff.harness.processes.limits import Limits
from eagerdiff.harness.processes.patience import Patience
from eagerdiff.harness.processes.pool import SINGLE_THREADED

SAMPLE_SECONDS = 0.1
MOST_BYTES = 64 << 20
"""Of what a load process says."""


class LoadError(Exception):
    """Say in one line why no catalog can be had."""


def load_apart(
    operators: Sequence[str] = (), implementations: Sequence[str] = (), limits: Limits | None = None
) -> Catalog:
    """Load operators and implementations in a process of its own; return what it says, in which nothing can be called.

    A plug-in whose import ends its process, or takes longer than `limits` (by default the usual ones) allow drawing,
    is refused in one line. Raises LoadError where our own cannot be loaded.
    """
    process = _LoadProcess(operators, implementations, limits or Limits())
    try:
        return process.catalog().stand_in()
    finally:
        process.close()


class _LoadProcess:
    """Follow one load process to its end."""

    def __init__(self, operators: Sequence[str], implementations: Sequence[str], limits: Limits) -> None:
        self._limits = limits
        self._channel, theirs = os.pipe()
        self._said = tempfile.TemporaryFile()  # noqa: SIM115  closed in `close`
        config = {
            "operators": for_child(operators),
            "implementations": for_child(implementations),
            "channel": theirs,
            "memory": limits.memory,
            "seconds": limits.drawing_seconds,
        }
        with tempfile.TemporaryFile() as told:  # no argument: those have a most, and a catalog has none
            told.write(json.dumps(config).encode())
            told.seek(0)
            self._process = subprocess.Popen(
                guarded(python(load_process.__name__)),
                env=os.environ | SINGLE_THREADED,
                pass_fds=[theirs],
                stdin=told,
                stdout=self._said,
                stderr=self._said,
                start_new_session=True,  # a Ctrl-C in the terminal is the parent's to handle
            )
        os.close(theirs)

    def catalog(self) -> CatalogCard:
        """Return what is said of the catalog; raise LoadError where that is nothing."""
        said = b""
        while len(said) < MOST_BYTES and (read := self._read()):
            said += read
        try:
            return CatalogCard.model_validate_json(said)
        except ValueError as error:
            raise LoadError(f"the catalog cannot be loaded: {last_words(self._status(), self._tail())}") from error

    def close(self) -> None:
        """End the process and all that it started."""
        stop(self._process)
        os.close(self._channel)
        self._said.close()

    def _read(self) -> bytes:
        patience = Patience(self._process.pid, float("inf"), 2 * self._limits.drawing_seconds)
        while not wait([self._channel], SAMPLE_SECONDS):
            if overrun := patience.ended():
                raise LoadError(f"the catalog cannot be loaded: it {overrun.reason}")
        return os.read(self._channel, 1 << 16)

    def _status(self) -> int | None:
        """Return the wait status; one that closed the channel and goes on is ended."""
        try:
            code: int = self._process.wait(1.0)
        except subprocess.TimeoutExpired:
            return None
        return -code if code < 0 else code << 8

    def _tail(self) -> str:
        self._said.seek(0)
        return self._said.read()[-8192:].decode(errors="replace")
