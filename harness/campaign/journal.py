"""The journal: what a campaign is doing and has done, one JSON line an event, so that a killed one resumes."""

import json
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, Self, cast

from eagerdiff.harness.model.outcome import Outcome
from eagerdiff.harness.model.workload import Workload
from eagerdiff.harness.reading import LINE, parse_json


class TargetKey(NamedTuple):
    """Name what a campaign searches."""

    operator: str
    implementation: str
    device: str

    def __str__(self) -> str:
        """Write it for a person."""
        return f"{self.operator}/{self.implementation} on {self.device}"


class Journal:
    """Append events to a file and find outcomes in it again; safe to use from several threads.

    Every line is in the kernel's hands before the call returns, so it survives the death of this process. A torn last
    line is dropped when the file is opened; a line that is damaged otherwise is counted and passed over.
    """

    def __init__(self, path: Path) -> None:
        """Open or create the file; raise OSError where that is impossible."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path = path
        self.damaged = 0
        """Lines that could not be read."""
        self._changed = threading.Condition()
        self._running: set[tuple[TargetKey, str]] = set()
        self._outcomes: dict[tuple[TargetKey, str], tuple[int, int]] = {}
        self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
        self._size = self._index()

    def claim(self, target: TargetKey, workload: Workload, batch: int, about: tuple[str, ...] = ()) -> Outcome | None:
        """Return the recorded outcome of a workload, or None and record that it, `about` what it is, will run now.

        Waits where another thread is running the same workload. After None call `judged`, or `abandon`.
        """
        key = (target, workload.digest)
        with self._changed:
            while key in self._running:
                self._changed.wait()
            if key not in self._outcomes:
                self._running.add(key)
                data = {"digest": workload.digest, "workload": workload.to_data(), "about": about}
                self._write({"event": "start", "target": target, "batch": batch, **data})
                return None
        return self.outcome(target, workload)

    def judged(self, target: TargetKey, workload: Workload, outcome: Outcome) -> None:
        """Record a workload's outcome; from now on `claim` and `outcome` find it."""
        data = outcome.model_dump(mode="json", exclude_defaults=True)
        line = {"event": "verdict", "target": target, "digest": workload.digest, "outcome": data}
        with self._changed:
            self._outcomes[(target, workload.digest)] = self._write(line)
            self._running.discard((target, workload.digest))
            self._changed.notify_all()

    def abandon(self, target: TargetKey, workload: Workload) -> None:
        """Let a claimed workload go without an outcome: it will be run again."""
        with self._changed:
            self._running.discard((target, workload.digest))
            self._changed.notify_all()

    def note(self, event: str, **details: Any) -> None:
        """Record anything else: the end of a batch, a finding."""
        with self._changed:
            self._write({"event": event, **details})

    def outcome(self, target: TargetKey, workload: Workload) -> Outcome | None:
        """Return the recorded outcome of a workload; None where it has not been run to its end."""
        place = self._outcomes.get((target, workload.digest))
        if place is None:
            return None
        return Outcome.model_validate(json.loads(os.pread(self._descriptor, place[1], place[0]))["outcome"])

    def events(self, event: str = "") -> Iterator[dict[str, Any]]:
        """Return the events of a kind, or all, in order."""
        with self.path.open("rb") as file:
            for line in file:
                found = _parse(line)
                if found is not None and event in ("", found["event"]):
                    yield found

    @property
    def elapsed(self) -> float:
        """Seconds that the sessions on record took, each from its `campaign` event to its last."""
        total = began = last = 0.0
        for event in self.events():
            if event["event"] == "campaign":
                total, began = total + last - began, event["time"]
            last = event["time"]
        return total + last - began

    def close(self) -> None:
        """Close the file."""
        os.close(self._descriptor)

    def _write(self, line: dict[str, Any]) -> tuple[int, int]:
        line["time"] = round(time.time(), 3)
        data = json.dumps(line, separators=(",", ":")).encode() + b"\n"
        place = (self._size, len(data))
        rest = data
        while rest:  # one call unless the disk is full, which raises
            rest = rest[os.write(self._descriptor, rest) :]
        self._size += len(data)
        return place

    def _index(self) -> int:
        """Find the outcomes, cut a torn last line off, and return the size."""
        place = 0
        with self.path.open("rb") as file:
            for line in file:
                if not line.endswith(b"\n"):
                    os.ftruncate(self._descriptor, place)
                    break
                found = _parse(line)
                self.damaged += found is None
                if found is not None and found["event"] == "verdict":
                    self._outcomes[(found["target"], found["digest"])] = (place, len(line))
                place += len(line)
        return place

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _parse(line: bytes) -> dict[str, Any] | None:
    try:
        found: Any = parse_json(line, LINE)
        if "target" in found:
            found["target"] = TargetKey(*found["target"])
    except (ValueError, TypeError):
        return None
    return cast(dict[str, Any], found) if isinstance(found, dict) and "event" in found else None
