"""The journal: what a campaign is doing and has done, one line an event, so that a killed one resumes."""

import fcntl
import os
import stat
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Self

from eagerdiff.harness.campaign.events import Event, Judged, Started, TargetKey, event_of, judged_of, line_of
from eagerdiff.harness.campaign.record import Place, Record
from eagerdiff.harness.model.outcome import Outcome
from eagerdiff.harness.model.workload import Workload


class JournalEnded(Exception):
    """Tell that nothing is written any more: the campaign ends, or the disk does not take it (`Journal.failure`)."""


class Journal:
    """Append events to a file and find outcomes in it again; safe to use from several threads.

    Every line is in the kernel's hands before the call returns, so it survives the death of this process. A torn last
    line is dropped when the file is opened; one that is damaged otherwise is counted and passed over (`record`). The
    file belongs to one journal at a time, by a lock that ends with its process. The first line that cannot be written
    is the last: whoever writes or waits from then on gets JournalEnded.
    """

    def __init__(self, path: Path) -> None:
        """Open or create the file; raise OSError where that is impossible, ValueError where another run has it."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path = path
        self.failure = ""
        """Why it ended before the campaign did, in one line."""
        self._changed = threading.Condition()
        self._running: set[tuple[TargetKey, str]] = set()
        self._ended = self._closed = False
        self._began: float | None = None
        self._descriptor = _opened(path)
        try:
            self.record = Record(path)
            os.ftruncate(self._descriptor, self.record.size)
        except BaseException:
            os.close(self._descriptor)
            raise
        self._size, self._number = self.record.size, self.record.lines

    def claim(self, target: TargetKey, workload: Workload, batch: int) -> Outcome | None:
        """Return the recorded outcome of a workload, or None and record that it is about to run.

        Waits where another thread is running the same workload. After None call `judged`, or `abandon`. Raises
        JournalEnded.
        """
        key = (target, workload.digest)
        with self._changed:
            while key in self._running and not self._ended:
                self._changed.wait()
            if self._ended:
                raise JournalEnded
            if key not in self.record.outcomes:
                self._write(Started(target=target, batch=batch, digest=workload.digest, workload=workload.to_data()))
                self._running.add(key)
                return None
        return self.outcome(target, workload)

    def judged(
        self,
        target: TargetKey,
        workload: Workload,
        outcome: Outcome,
        about: tuple[str, ...] = (),
        *,
        always: bool = False,
        shrinking: bool = False,
    ) -> None:
        """Record a workload's outcome, and where it failed, or `always`, what it consists of.

        From now on `claim` and `outcome` find it. Raises JournalEnded.
        """
        self.take(judged_of(target, workload, outcome, about, always=always, shrinking=shrinking))

    def begin(self, event: Started) -> bool:
        """Record that a workload is about to run elsewhere; return whether it is not on record yet.

        Two may run it at the same time: the first that is judged counts. Raises JournalEnded.
        """
        with self._changed:
            if (event.target, event.digest) in self.record.outcomes:
                return False
            self._write(event)
            return True

    def take(self, event: Judged) -> bool:
        """Record an outcome, unless there is one; return whether there was none. Raises JournalEnded."""
        key = (event.target, event.digest)
        with self._changed:
            if fresh := key not in self.record.outcomes:
                self.record.outcomes[key] = self._write(event)
            self._running.discard(key)
            self._changed.notify_all()
        return fresh

    def recorded(self, target: TargetKey, batch: int) -> list[tuple[str, Outcome]]:
        """Return the outcomes on record of the workloads of a batch that was begun and not drawn to its end."""
        with self._changed:
            digests = self.record.begun.get((target, batch), [])
            places = [(digest, self.record.outcomes.get((target, digest))) for digest in dict.fromkeys(digests)]
        found = ((digest, self._outcome(place)) for digest, place in places)
        return [(digest, outcome) for digest, outcome in found if outcome is not None]

    def abandon(self, target: TargetKey, workload: Workload) -> None:
        """Let a claimed workload go without an outcome: it will be run again."""
        with self._changed:
            self._running.discard((target, workload.digest))
            self._changed.notify_all()

    def note(self, event: Event) -> None:
        """Record anything else: the end of a batch, a finding. Raises JournalEnded."""
        with self._changed:
            self._write(event)

    def outcome(self, target: TargetKey, workload: Workload) -> Outcome | None:
        """Return the recorded outcome of a workload; None where it has not been run to its end, or was damaged."""
        return self._outcome(self.record.outcomes.get((target, workload.digest)))

    def _outcome(self, place: Place | None) -> Outcome | None:
        event = event_of(os.pread(self._descriptor, place.size, place.start)) if place is not None else None
        return event.outcome if isinstance(event, Judged) else None

    def search(self) -> None:
        """Say that the search begins: from now on its time is counted."""
        self._began = time.monotonic()

    @property
    def searched(self) -> float:
        """Seconds of search, those on record when it was opened included."""
        return self.record.searched + (0.0 if self._began is None else time.monotonic() - self._began)

    def end(self) -> None:
        """Give no more claims out, and end every wait for one; what is under way may still be judged."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def close(self) -> None:
        """Close the file, and let it go."""
        with self._changed:
            self._ended = self._closed = True
            self._changed.notify_all()
            with suppress(OSError):  # of what a network's disk did not take, every line has been told
                os.close(self._descriptor)

    def _write(self, event: Event) -> Place:
        if self._closed or self.failure:
            raise JournalEnded
        told = {"number": self._number, "time": round(time.time(), 3), "searched": round(self.searched, 3)}
        data = line_of(event.model_copy(update=told))
        self.record.follow(event)
        try:
            rest = data
            while rest:  # one call unless the disk is full, which raises
                rest = rest[os.write(self._descriptor, rest) :]
        except OSError as error:
            self._fail(error)
            raise JournalEnded from error
        place = Place(self._size, len(data))
        self._size, self._number = self._size + len(data), self._number + 1
        return place

    def _fail(self, error: OSError) -> None:
        """Take half a line back, and end every wait."""
        self.failure = f"cannot write to {self.path}: {error.strerror or error}"
        self._ended = True
        with suppress(OSError):  # what is torn is dropped by who reads it next
            os.ftruncate(self._descriptor, self._size)
        self._changed.notify_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _opened(path: Path) -> int:
    """Open a file and lock it; the lock is the descriptor's, and ends with the process however it does."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NONBLOCK, 0o644)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise ValueError(f"{path} is no file: a journal cannot be written there")
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        os.close(descriptor)
        raise ValueError(f"{path} is the journal of a campaign that is running") from error
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor
