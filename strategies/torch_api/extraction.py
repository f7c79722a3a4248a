"""Read torch's tables and ask eager what they can: `python -m eagerdiff.strategies.torch_api.extraction FILE`.

It writes one line of JSON an entry. Each entry is read in a process of its own: with other values eager may crash.
"""

import os
import signal
import sys
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
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
    """Describe entries in processes of their own, `count` at a time; where one crashes, its samples one by one."""
    waiting = deque[tuple[str, Any, int, int]]()
    for table, info in entries:
        waiting.append((table, info, *_start(table, info, None)))
        if len(waiting) == count:
            yield _described(*waiting.popleft())
    while waiting:
        yield _described(*waiting.popleft())


def _described(table: str, info: Any, pid: int, read: int) -> Entry:
    entry = _finish(pid, read)
    if not isinstance(entry, int):
        return entry
    templates: list[Template] = []
    crashes = 0
    found = Entry(table=table, name=name_of(info))
    for at in range(MOST_TEMPLATES * 2):
        one = _finish(*_start(table, info, at))
        if isinstance(one, int):
            crashes += 1
            continue
        found = found.model_copy(update={**dict(one), "templates": ()})
        templates += one.templates
    why = "" if templates else f"eager ends the process ({entry})"
    left_out = {"eager ends the process on other sizes or values": crashes}
    return found.model_copy(update={"templates": tuple(templates[:MOST_TEMPLATES]), "left_out": left_out, "why": why})


def _start(table: str, info: Any, only: int | None) -> tuple[int, int]:
    """Start a process that describes an entry; return its id, and where what it says is read."""
    read, write = os.pipe()
    child = os.fork()
    if child:
        os.close(write)
        return child, read
    os.close(read)
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        found = describe(table, info, only)
    except BaseException as error:  # noqa: BLE001 - the process ends, and says why
        found = Entry(table=table, name=name_of(info), why=f"{type(error).__name__}: {error}"[:200])
    with os.fdopen(write, "w") as stream:
        stream.write(found.model_dump_json())
    os._exit(0)


def _finish(pid: int, read: int) -> Entry | int:
    """Return what a process said, or how it ended without a word."""
    with os.fdopen(read) as stream:
        text = stream.read()
    _, status = os.waitpid(pid, 0)
    return Entry.model_validate_json(text) if text else os.waitstatus_to_exitcode(status)


def extract(stream: TextIO, names: Sequence[str] = ()) -> None:
    """Write every entry, or those of some names, a line each."""
    torch.set_num_threads(1)
    remember_constructors()
    wanted = ((table, info) for table, info in entries() if not names or {info.name, name_of(info)} & {*names})
    for entry in apart(wanted, os.cpu_count() or 1):
        stream.write(entry.model_dump_json(exclude_defaults=True) + "\n")
        stream.flush()


if __name__ == "__main__":
    with Path(sys.argv[1]).open("w", encoding="utf-8") as file:
        extract(file, sys.argv[2:])
