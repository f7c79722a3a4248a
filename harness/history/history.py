"""The folder of a history: a line a night, appended, and the corpora of what nights found."""

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from eagerdiff.harness.history.night import VERSION, Night
from eagerdiff.harness.reading import HISTORY, LINE, Unreadable, misfit, parse_json, read_bytes

FILE = "nights.jsonl"
CORPORA = "corpus"


class HistoryError(ValueError):
    """Say in one line why a history cannot be read."""


class History:
    """Nights in a folder, the earliest first. Lines are only ever appended, each whole or not at all."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE
        self._corpora = folder / CORPORA

    def corpus(self, operator: str) -> Path:
        """Return the file of what nights found of an operator; it need not be there."""
        return self._corpora / f"{operator}.yaml"

    def corpora(self) -> list[Path]:
        """Return the files that are there."""
        return sorted(self._corpora.glob("*.yaml"))

    def nights(self) -> list[Night]:
        """Return the nights; raise HistoryError, in one line, for a file that is damaged or newer than this.

        A last line without an end is what a run left that was killed as it wrote: it is passed over.
        """
        if not os.path.lexists(self.path):
            return []
        try:
            data = read_bytes(self.path, HISTORY)
            return [read_night(line) for line in _lines(data)]
        except Unreadable as error:
            raise HistoryError(f"history {self.path} {error}") from error

    def append(self, night: Night) -> None:
        """Add a night; raise OSError where the disk does not take it: then the file is as it was."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        line = (night.model_dump_json(exclude_defaults=True) + "\n").encode()
        with open(self.path, "ab+", buffering=0) as file:
            end = _end_of_last_line(file.fileno())
            os.ftruncate(file.fileno(), end)
            try:
                rest = line
                while rest:
                    rest = rest[file.write(rest) or 0 :]
                os.fsync(file.fileno())
            except OSError:
                os.ftruncate(file.fileno(), end)
                raise


def read_night(line: bytes) -> Night:
    """Return a night of any version up to today's; raise Unreadable in one line else."""
    data: Any = parse_json(line, LINE)
    version = data.get("version") if isinstance(data, dict) else None
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise Unreadable("holds a line that is no night: it has no version")
    if version > VERSION:
        raise Unreadable(f"was written by a newer eagerdiff (version {version} of its lines; this one reads {VERSION})")
    for upgrade in UPGRADES[version - 1 :]:
        data = upgrade(data)
    try:
        return Night.model_validate({**data, "version": VERSION})
    except ValidationError as error:
        raise Unreadable(f"holds a line that is malformed: {misfit(error)}") from error


UPGRADES: tuple[Callable[[dict[str, Any]], dict[str, Any]], ...] = ()
"""What makes a line of version 1 one of version 2, and so on: `VERSION - 1` of them."""


def _lines(data: bytes) -> Iterator[bytes]:
    yield from (line for line in data.split(b"\n")[:-1] if line.strip())


def _end_of_last_line(descriptor: int) -> int:
    """Return where the last whole line of a file ends."""
    size = os.fstat(descriptor).st_size
    start = max(0, size - LINE.size)
    return start + os.pread(descriptor, LINE.size, start).rfind(b"\n") + 1


def schema() -> str:
    """Return the JSON schema of a line, as it is published (docs/history.schema.json)."""
    return json.dumps(Night.model_json_schema(), indent=1) + "\n"
