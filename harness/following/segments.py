"""Segments: a journal in a store that cannot append (S3), as objects of some lines each, named by where they begin.

`00000000000000001234-00000000000000005678` holds the bytes from 1,234 up to 5,678, whole lines. A segment is written
once and never changed; one of another length than its name says was cut, and is written again.
"""

import re
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self, cast

from eagerdiff.harness.campaign.events import MOST_BYTES

EVERY_SECONDS = 2.0
"""How long a line waits at most to be copied, while the store answers."""
SEGMENT_BYTES = 8 << 20
"""Of the longest segment; half as much after each failure, for a slow store may not take as much at once."""
LEAST_BYTES = 1 << 16
LAST_SECONDS = 30.0
"""How long the end of a campaign waits for what is not copied yet."""
LATE_SECONDS = 5.0
"""How long a copy may take that was begun within them."""
RETRY_SECONDS = 30.0
"""The longest pause before a store that fails is asked again."""
_NAME = re.compile(r"(\d{20})-(\d{20})")


class StoreError(Exception):
    """Say in one line why a store cannot be used."""


class Store:
    """Hold the segments of one journal below a URL that fsspec knows: `s3://bucket/nights/today`, `file:///mnt/nights`.

    Its credentials are where fsspec's file system looks for them. Raises StoreError for a URL of no such kind.
    """

    def __init__(self, url: str, **options: Any) -> None:
        import fsspec

        self.url = url
        try:
            files, root = fsspec.core.url_to_fs(url, use_listings_cache=False, **options)
        except (ImportError, ValueError, TypeError) as error:
            raise StoreError(f"{url} cannot be used: {in_short(error)}") from error
        self._files: Any = files
        self._root: str = cast(str, root).rstrip("/")

    def segments(self) -> list[tuple[int, int]]:
        """Return the first and the last byte of each whole segment, in order, as far as they follow each other."""
        try:
            self._files.invalidate_cache()
            listed = self._files.ls(self._root, detail=True)
        except FileNotFoundError:
            return []
        found: dict[int, int] = {}
        for entry in listed:
            match = _NAME.fullmatch(str(entry["name"]).rpartition("/")[2])
            if match and entry.get("size") == int(match[2]) - int(match[1]):
                found[int(match[1])] = max(int(match[2]), found.get(int(match[1]), 0))
        end, ordered = 0, list[tuple[int, int]]()
        while end in found and found[end] > end:
            ordered.append((end, found[end]))
            end = found[end]
        return ordered

    def read(self, start: int, end: int) -> bytes:
        """Return what a segment holds."""
        return self._files.cat_file(self._path(start, end))

    def write(self, start: int, data: bytes) -> None:
        """Write a segment."""
        self._files.makedirs(self._root, exist_ok=True)
        self._files.pipe_file(self._path(start, start + len(data)), data)

    def _path(self, start: int, end: int) -> str:
        return f"{self._root}/{start:020d}-{end:020d}"


class Mirror:
    """Copy a journal to a store while it is written; use it as a context manager around the campaign.

    A store that fails is asked again and again, at longer and longer pauses; the campaign goes on, and what could not
    be copied at its end is said (`failure`).
    """

    def __init__(self, path: Path, store: Store) -> None:
        self._path = path
        self._store = store
        self._copied = 0
        self._most = SEGMENT_BYTES
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._run, name="eagerdiff-mirror", daemon=True)
        self.failure = ""
        """Why the last attempt failed; empty where all is copied."""

    def restore(self) -> bool:
        """Write the journal that the store holds, where it holds more than there is here; return whether it did.

        Raises StoreError where the store cannot be read or holds another journal, OSError where the disk takes nothing.
        """
        try:
            segments = self._store.segments()
            there = segments[-1][1] if segments else 0
            here = self._path.stat().st_size if self._path.is_file() else 0
            if segments and here and not self._begins_alike(segments[0]):
                raise StoreError(f"{self._store.url} holds another journal: name another folder of the store")
            if there <= here:
                return False
            with open(self._path, "r+b" if here else "wb") as file:
                for start, end in segments:
                    if end > here:
                        file.seek(start)
                        file.write(self._store.read(start, end))
                file.truncate()
            return True
        except StoreError:
            raise
        except Exception as error:
            raise StoreError(f"cannot read the journal at {self._store.url}: {in_short(error)}") from error

    def begin(self) -> None:
        """Refuse a store that cannot be reached, or holds a journal; raise StoreError for it."""
        try:
            segments = self._store.segments()
        except Exception as error:
            raise StoreError(f"cannot reach {self._store.url}: {in_short(error)}") from error
        if segments:
            raise StoreError(f"{self._store.url} holds a journal: go on with it by --resume, or name another folder")

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ends.set()
        self._thread.join(LAST_SECONDS + LATE_SECONDS)
        left = (self._path.stat().st_size if self._path.is_file() else 0) - self._copied
        if left > 0 and not self.failure:
            self.failure = f"{self._unwhole}: {left:,} bytes were too many for {LAST_SECONDS:.0f} s"

    @property
    def _unwhole(self) -> str:
        return f"the journal's copy at {self._store.url} is not whole"

    def _begins_alike(self, first: tuple[int, int]) -> bool:
        line = self._store.read(*first).partition(b"\n")[0]
        with open(self._path, "rb") as file:
            return file.readline(MOST_BYTES).rstrip(b"\n") == line

    def _run(self) -> None:
        pause, known = EVERY_SECONDS, False
        while not self._ends.wait(pause):
            known = (known or self._try(self._find)) and self._try(self._copy)
            pause = EVERY_SECONDS if known else min(RETRY_SECONDS, 2 * pause)
        until = time.monotonic() + LAST_SECONDS
        while not (self._try(self._find) and self._try(self._copy)) and time.monotonic() < until:
            time.sleep(0.2)

    def _try(self, what: Callable[[], None]) -> bool:
        try:
            what()
        except Exception as error:  # noqa: BLE001  a store may raise anything: it is asked again, and said at the end
            self.failure = f"{self._unwhole}: {in_short(error)}"
            self._most = max(LEAST_BYTES, self._most // 2)
            return False
        self.failure = ""
        return True

    def _find(self) -> None:
        """Find out how much is there: of a campaign that goes on, and after a failure, which may have lost some."""
        segments = self._store.segments()
        self._copied = segments[-1][1] if segments else 0

    def _copy(self) -> None:
        while data := self._next():
            self._store.write(self._copied, data)
            self._copied += len(data)
            self._most = min(SEGMENT_BYTES, 2 * self._most)

    def _next(self) -> bytes:
        """Return the whole lines that come next; nothing where there are none yet, or no journal."""
        try:
            with open(self._path, "rb") as file:
                file.seek(self._copied)
                data = file.read(self._most)
                if len(data) == self._most and b"\n" not in data:
                    data += file.readline(MOST_BYTES)
        except FileNotFoundError:
            return b""
        return data[: data.rfind(b"\n") + 1]


def in_short(error: BaseException) -> str:
    """Return what an error of a store says, in one line."""
    return " ".join(str(error).split())[:200] or type(error).__name__
