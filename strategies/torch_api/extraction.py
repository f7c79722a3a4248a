"""Read torch's tables and ask eager what they can: `python -m eagerdiff.strategies.torch_api.extraction FILE`.

It writes one line of JSON an entry. Entries are read in other processes: with other values eager may crash.
"""

import gc
import os
import signal
import sys
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, TextIO

import torch

from eagerdiff.harness.internals.torch_tables import module_db, native_schemas, op_db
from eagerdiff.strategies.torch_api.describing import MOST_TEMPLATES, describe, name_of
from eagerdiff.strategies.torch_api.functionals import functionals
from eagerdiff.strategies.torch_api.recording import remember_constructors
from eagerdiff.strategies.torch_api.schemas import Packet
from eagerdiff.strategies.torch_api.table import Entry, Template

SECONDS = 60
"""CPU seconds that one entry may take."""
TOGETHER = 10
"""Entries that one process describes: a fork of one that holds torch's tables costs as much as reading an entry."""


def entries() -> Iterator[tuple[str, Any]]:
    """Return every entry of torch's tables, with the table's name."""
    yield from (("op_db", info) for info in op_db())
    yield from (("module_db", info) for info in module_db())
    known = {
        name
        for info in op_db()
        for one in (info.aten_name, info.name, *(alias.name for alias in info.aliases))
        for name in (one, one.replace(".", "_"), one.rpartition(".")[2])
    }
    yield from (("functional", one) for one in functionals(known))
    yield from (("schemas", Packet(name, found)) for name, found in native_schemas().items() if name not in known)


def apart(entries: Iterable[tuple[str, Any]], count: int) -> Iterator[Entry]:
    """Describe entries in other processes, `count` at a time, a few in each; one that crashes, sample by sample."""
    left, going = ((table, info, None) for table, info in entries), deque[_Batch]()
    while True:
        while len(going) < count and (few := list(islice(left, TOGETHER))):
            going.append(_Batch(few))
        if not going:
            return
        batch = going.popleft()
        yield from batch.finish()
        if batch.crashed is None:
            continue
        table, info, _ = batch.crashed
        if batch.rest:
            going.appendleft(_Batch(batch.rest))
        yield _by_samples(table, info, batch.status)


class _Batch:
    """A process that describes entries, or one sample of them, and writes a line each."""

    def __init__(self, asked: Sequence[tuple[str, Any, int | None]]) -> None:
        self._asked = asked
        self._described = 0
        self.status = 0
        """How the process ended."""
        self._read, write = os.pipe()
        self._pid = os.fork()
        if self._pid:
            os.close(write)
            return
        os.close(self._read)
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        with os.fdopen(write, "w") as stream:
            for table, info, only in asked:
                signal.setitimer(signal.ITIMER_PROF, SECONDS)
                try:
                    found = describe(table, info, only)
                except BaseException as error:  # noqa: BLE001 - it is said of the entry
                    found = Entry(table=table, name=name_of(info), why=f"{type(error).__name__}: {error}"[:200])
                stream.write(found.model_dump_json() + "\n")
                stream.flush()
        os._exit(0)

    def finish(self) -> Iterator[Entry]:
        """Return what the process describes, up to where it crashes."""
        with os.fdopen(self._read) as stream:
            for line in stream:
                self._described += 1
                yield Entry.model_validate_json(line)
        self.status = os.waitstatus_to_exitcode(os.waitpid(self._pid, 0)[1])

    @property
    def crashed(self) -> tuple[str, Any, int | None] | None:
        """That with which the process ended, or None where it came to the end."""
        return next(iter(self._asked[self._described :]), None)

    @property
    def rest(self) -> Sequence[tuple[str, Any, int | None]]:
        """What comes after that."""
        return self._asked[self._described + 1 :]


def _by_samples(table: str, info: Any, status: int) -> Entry:
    """Describe an entry by those of its samples with which the process does not crash, as it did with all of them."""
    templates: list[Template] = []
    crashes = 0
    found = Entry(table=table, name=name_of(info))
    asked: Sequence[tuple[str, Any, int | None]] = [(table, info, at) for at in range(MOST_TEMPLATES * 2)]
    while asked:
        batch = _Batch(asked)
        for one in batch.finish():
            found = found.model_copy(update={**dict(one), "templates": ()})
            templates += one.templates
        crashes += batch.crashed is not None
        asked = batch.rest
    why = "" if templates else f"eager ends the process ({status})"
    left_out = {"eager ends the process on other sizes or values": crashes}
    return found.model_copy(update={"templates": tuple(templates[:MOST_TEMPLATES]), "left_out": left_out, "why": why})


def extract(stream: TextIO, names: Sequence[str] = ()) -> None:
    """Write every entry, or those of some names, a line each."""
    torch.set_num_threads(1)
    remember_constructors()
    gc.freeze()  # a collection in a fork would copy every page that holds an object
    wanted = ((table, info) for table, info in entries() if not names or {info.name, name_of(info)} & {*names})
    for entry in apart(wanted, os.cpu_count() or 1):
        stream.write(entry.model_dump_json(exclude_defaults=True) + "\n")
        stream.flush()


if __name__ == "__main__":
    with Path(sys.argv[1]).open("w", encoding="utf-8") as file:
        extract(file, sys.argv[2:])
