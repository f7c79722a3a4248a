"""A part: the notes of one process, lines of JSON that are appended while it runs, so that they outlive it."""

import contextlib
import json
import os
import time
from pathlib import Path
from typing import Any

SOONEST, LATEST = 0.25, 30.0
"""Seconds between two writes: at first, and of a program that has run for long."""
GROWTH = 0.02
"""Of the time that it has run."""
SHARE = 0.01
"""Of the time, at most, for writing."""

_JSON = json.JSONEncoder(separators=(",", ":"))


class Part:
    """Append to a file of this process's own, from time to time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.due = 0.0
        """When to write again, by `time.monotonic`."""
        self._began = time.monotonic()
        self._descriptor: int | None = None
        self._closed = False

    def write(self, lines: list[dict[str, Any]]) -> None:
        """Append lines now; a disk that takes none ends the notes, not the program."""
        began = time.monotonic()
        if lines and not self._closed:
            data = "".join([f"{_JSON.encode(line)}\n" for line in lines]).encode()
            try:
                os.write(self._open(), data)
            except OSError:
                self._closed = True
        ended = time.monotonic()
        waits = min(max(SOONEST, (ended - self._began) * GROWTH), LATEST)
        self.due = ended + max(waits, (ended - began) / SHARE)

    def close(self) -> None:
        """Close the file."""
        if self._descriptor is not None:
            with contextlib.suppress(OSError):
                os.close(self._descriptor)
        self._descriptor = None

    def _open(self) -> int:
        if self._descriptor is None:
            path = self.folder / f"{time.time_ns()}-{os.getpid()}.jsonl"
            self._descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o666)
        return self._descriptor
