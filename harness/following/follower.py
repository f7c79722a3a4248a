"""A follower: reads a journal as it grows, and adds up what it says."""

import os
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from eagerdiff.harness.campaign.events import MOST_BYTES, Began, Crews, Found, Judged, TargetKey, event_of
from eagerdiff.harness.following.segments import Store
from eagerdiff.harness.model.outcome import Outcome
from eagerdiff.harness.triage.finding import Finding
from eagerdiff.harness.triage.signature import failures

READ_BYTES = 16 << 20
"""Most that is read at a time."""
LATEST = 60
"""Minutes of which the pace is kept."""


class Source(Protocol):
    """Where a journal is read."""

    def read(self, start: int) -> bytes | None:
        """Return what stands from a byte on, at most so much at a time; None where another journal stands there now."""
        ...


class LocalSource:
    """Read a file that grows."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: tuple[int, int] | None = None

    def read(self, start: int) -> bytes | None:
        """Return what stands from a byte on; raise OSError."""
        with open(self._path, "rb") as file:
            stat = os.fstat(file.fileno())
            known, self._file = self._file, (stat.st_dev, stat.st_ino)
            if stat.st_size < start or known not in (None, self._file):
                return None
            file.seek(start)
            return file.read(READ_BYTES)


class StoredSource:
    """Read the segments of a store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def read(self, start: int) -> bytes | None:
        """Return what the next segment holds; whatever the store raises."""
        segments = self._store.segments()
        if start and (not segments or segments[-1][1] < start):
            return None
        return next((self._store.read(*one)[start - one[0] :] for one in segments if one[1] > start), b"")


@dataclass
class Line:
    """Add up what one target gave."""

    cases: int = 0
    workloads: int = 0
    failures: int = 0
    skipped: int = 0
    compiles: int = 0
    findings: int = 0
    time: float = 0.0
    """When it was last judged, seconds since 1970."""

    def add(self, outcome: Outcome, at: float) -> None:
        """Count an outcome."""
        judged = sum(verdict.status.judged for verdict in outcome.verdicts)
        self.cases += judged
        self.skipped += len(outcome.verdicts) - judged
        self.workloads += 1
        self.failures += len(failures(outcome))
        self.compiles += outcome.compile_count
        self.time = at


@dataclass
class Followed:
    """Hold what a journal says so far."""

    began: Began | None = None
    sessions: int = 0
    searched: float = 0.0
    """Seconds of search."""
    time: float = 0.0
    """Of the last line, seconds since 1970."""
    lines: int = 0
    damaged: int = 0
    targets: dict[TargetKey, Line] = field(default_factory=dict[TargetKey, Line])
    findings: list[Finding] = field(default_factory=list[Finding])
    crews: Crews | None = None
    """The machines that work on it, as they stood last."""
    pace: deque[tuple[int, int]] = field(default_factory=lambda: deque[tuple[int, int]](maxlen=LATEST))
    """Minute → cases judged in it."""

    @property
    def cases(self) -> int:
        """Cases judged."""
        return sum(line.cases for line in self.targets.values())

    def take(self, line: bytes) -> None:
        """Take in a line."""
        self.lines += 1
        event = event_of(line)
        if event is None:
            self.damaged += 1
            return
        self.searched, self.time = max(self.searched, event.searched), max(self.time, event.time)
        match event:
            case Began():
                self.began, self.sessions = event, self.sessions + 1
            case Judged():
                told = self.targets.setdefault(event.target, Line())
                before = told.cases
                told.add(event.outcome, event.time)
                self._keep_pace(int(event.time // 60), told.cases - before)
            case Found():
                self.targets.setdefault(event.target, Line()).findings += 1
                self.findings.append(event.finding)
            case Crews():
                self.crews = event
            case _:
                pass

    def _keep_pace(self, minute: int, cases: int) -> None:
        if self.pace and self.pace[-1][0] >= minute:  # a clock may be set back
            minute, before = self.pace.pop()
            cases += before
        self.pace.append((minute, cases))


class Follower:
    """Follow a journal; not safe to use from several threads."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._rest = b""
        self._read = 0
        self.state = Followed()

    def look(self) -> Followed:
        """Read what is new, and return what there is; raises what the source does."""
        while (data := self._source.read(self._read)) != b"":
            if data is None:  # another night's journal: from its beginning on
                self.state, self._rest, self._read = Followed(), b"", 0
                continue
            self._read += len(data)
            lines = (self._rest + data).split(b"\n")
            self._rest = lines.pop()[:MOST_BYTES]
            for line in lines:
                self.state.take(line + b"\n")
        return self.state
