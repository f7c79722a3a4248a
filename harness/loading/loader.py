"""The loader: the end of a load process that stays with the campaign, and runs nothing of a plug-in."""

import json
import os
import signal
import subprocess
import tempfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from multiprocessing.connection import wait

from eagerdiff.harness.catalog.catalog import Catalog
from eagerdiff.harness.catalog.description import CatalogCard
from eagerdiff.harness.catalog.plugin import for_child
from eagerdiff.harness.loading import load_process
from eagerdiff.harness.processes.death import last_words
from eagerdiff.harness.processes.fresh_process import python
from eagerdiff.harness.processes.limits import Limits
from eagerdiff.harness.processes.patience import Patience
from eagerdiff.harness.processes.pool import SINGLE_THREADED

SAMPLE_SECONDS = 0.1
LOADING = Limits()
"""What importing may use: one plug-in after the other, the frameworks with the first."""
MOST_BYTES = 64 << 20
"""Of what a load process says."""
LOADING_LINE = b'{"loading": '


class LoadError(Exception):
    """Say in one line why no catalog can be had."""


@dataclass(frozen=True)
class Ended:
    """Say of an import that it ended its process."""

    given: str | None
    """By which of the caller's texts it was named, where it was."""
    why: str


def load_apart(operators: Sequence[str] = (), implementations: Sequence[str] = ()) -> Catalog:
    """Load operators and implementations in a process of its own; return what it says, in which nothing can be called.

    A plug-in whose import ends the process, or takes longer than a case may, is refused in one line, and the rest is
    loaded without it. Raises LoadError where the process ends before any import.
    """
    ended: dict[str, Ended] = {}
    while True:
        process = _LoadProcess(operators, implementations, ended)
        try:
            found = process.catalog()
        finally:
            process.close()
        if found is not None:
            return _told(found, ended)
        if not process.at or process.at in ended:
            raise LoadError(f"the catalog cannot be loaded: {process.why}")
        ended[process.at] = Ended(process.given, process.why)


def _told(card: CatalogCard, ended: Mapping[str, Ended]) -> Catalog:
    """Return the catalog, with a line for each import that ended its process."""
    catalog = card.stand_in()
    for label, end in ended.items():
        line = f"{label}: cannot be imported: {end.why}"
        catalog.problems.append(line)
        if end.given is not None:
            catalog.refused[end.given] = line
    return catalog


class _LoadProcess:
    """Follow one load process to its end."""

    def __init__(self, operators: Sequence[str], implementations: Sequence[str], without: Collection[str]) -> None:
        self.at = ""
        """What it was about to import when it was last heard of."""
        self.given: str | None = None
        """By which of the caller's texts that is named."""
        self.why = ""
        """How it ended, in one line, where it gave no catalog."""
        self._channel, theirs = os.pipe()
        self._said = tempfile.TemporaryFile()  # noqa: SIM115  closed in `close`
        config = {
            "operators": for_child(operators),
            "implementations": for_child(implementations),
            "without": list(without),
            "channel": theirs,
            "memory": LOADING.memory,
        }
        self._process = subprocess.Popen(
            python(load_process.__name__, json.dumps(config)),
            env=os.environ | SINGLE_THREADED,
            pass_fds=[theirs],
            stdin=subprocess.DEVNULL,
            stdout=self._said,
            stderr=self._said,
            start_new_session=True,  # a Ctrl-C in the terminal is the parent's to handle
        )
        os.close(theirs)

    def catalog(self) -> CatalogCard | None:
        """Return the catalog, or None and say why in `why`."""
        for line in self._lines():
            try:
                if not line.startswith(LOADING_LINE):
                    return CatalogCard.model_validate_json(line)
                said = json.loads(line)
                self.at, self.given = str(said["loading"]), said["given"]
            except (ValueError, KeyError):
                self.why = "it said what cannot be read"
                return None
        self.why = self.why or last_words(self._status(), self._tail())
        return None

    def close(self) -> None:
        """End the process and all that it started."""
        self._kill()
        self._process.wait()
        os.close(self._channel)
        self._said.close()

    def _lines(self) -> Iterator[bytes]:
        """Return lines as they come, until the end, or until patience is over."""
        held = b""
        while len(held) < MOST_BYTES:
            read = self._read()
            if not read:
                return
            *lines, held = (held + read).split(b"\n")
            yield from lines

    def _read(self) -> bytes:
        patience = Patience(self._process.pid, LOADING.case_seconds, LOADING.drawing_seconds)
        while not wait([self._channel], SAMPLE_SECONDS):
            if overrun := patience.ended():
                self.why = f"it {overrun.reason}"
                return b""
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

    def _kill(self) -> None:
        for end, target in ((os.killpg, self._process.pid), (os.kill, self._process.pid)):
            try:
                end(target, signal.SIGKILL)
            except (ProcessLookupError, PermissionError):
                continue
