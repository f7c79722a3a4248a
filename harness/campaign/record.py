"""The record: what a journal holds, read with no hope that it is whole."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from eagerdiff.harness.campaign.events import MOST_BYTES, Drawn, Event, Judged, Started, TargetKey, event_of


@dataclass(frozen=True)
class Place:
    """Say where in the file a line stands, in bytes."""

    start: int
    size: int


@dataclass
class Record:
    """Find the events of a journal; what is damaged, or there twice, is counted and passed over.

    Raises OSError where the file cannot be read.
    """

    path: Path
    damaged: int = 0
    """Lines that could not be read, or are not there: those of which the numbers of the others tell."""
    size: int = 0
    """Bytes up to the end of the last whole line; what follows was torn by the end of its writer."""
    lines: int = 0
    """The number of the next line."""
    searched: float = 0.0
    """Seconds of search on record."""
    outcomes: dict[tuple[TargetKey, str], Place] = field(default_factory=dict[tuple[TargetKey, str], Place])
    """Where the outcome of each workload stands, by target and digest."""
    begun: dict[tuple[TargetKey, int], list[str]] = field(default_factory=dict[tuple[TargetKey, int], list[str]])
    """Target and batch → digests of what was run of it, as long as it is not drawn to its end."""
    _places: dict[int, Place] = field(default_factory=dict[int, Place])

    def __post_init__(self) -> None:
        """Read the file."""
        with self.path.open("rb") as file:
            for start, size, line in _lines(file):
                if line is not None:
                    self.damaged += not self._take_in(line, Place(start, size))
                    self.size = start + size
        self.lines = max(self._places, default=-1) + 1
        self.damaged = max(self.damaged, self.lines - len(self._places))

    def events(self) -> Iterator[Event]:
        """Return the events in the order in which they were written."""
        with self.path.open("rb") as file:
            for _, place in sorted(self._places.items()):
                file.seek(place.start)
                event = event_of(file.read(place.size))
                if event is not None:  # unless it was damaged since
                    yield event

    def follow(self, event: Event) -> None:
        """Note what an event says of the batches that are under way."""
        if isinstance(event, Started):
            self.begun.setdefault((event.target, event.batch), []).append(event.digest)
        elif isinstance(event, Drawn):
            self.begun.pop((event.target, event.batch), None)

    def _take_in(self, line: bytes, place: Place) -> bool:
        """Note where a line's event stands; return whether there is one that was not there before."""
        event = event_of(line)
        if event is None or event.number in self._places or event.number < 0:
            return False
        if isinstance(event, Judged):
            if (event.target, event.digest) in self.outcomes:
                return False
            self.outcomes[event.target, event.digest] = place
        self._places[event.number] = place
        self.follow(event)
        self.searched = max(self.searched, event.searched)
        return True


def _lines(file: BinaryIO) -> Iterator[tuple[int, int, bytes | None]]:
    """Return start, size and bytes of each line: no more of one than it may have, None for one that has no end."""
    start = 0
    while line := file.readline(MOST_BYTES):
        size, end = len(line), line[-1:]
        while end != b"\n" and (more := file.readline(MOST_BYTES)):
            size, end = size + len(more), more[-1:]
        yield start, size, line if end == b"\n" else None
        start += size
