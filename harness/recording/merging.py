"""Merging: the parts of all processes as one recording."""

import json
import os
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from eagerdiff.harness.internals.releases import installed
from eagerdiff.harness.reading import Unreadable, fitted, parse_json, read_bytes
from eagerdiff.harness.recording.model import (
    BOUNDS,
    LeftOut,
    RecordedCall,
    RecordedFunction,
    Recording,
)
from eagerdiff.harness.recording.recorder import MOST_CALLS, MOST_FUNCTIONS, MOST_RUNS

MOST_NOTES = 20
_LEFT_OUT = -1


def parts_of(path: Path) -> Path:
    """Return the folder of the parts of a recording: it stands beside the file until they are merged."""
    return path.with_name(f"{path.name}.parts")


def read_recording(path: Path) -> Recording:
    """Return a recording, with the parts that lie beside it where the recording was cut off.

    Raises ValueError, in one line, for what is none.
    """
    parts = parts_of(path)
    try:
        if parts.is_dir() and not path.exists():
            return merged(parts)
        return Recording.read(path)
    except ValueError as error:
        raise ValueError(f"{path} {error}") from None


def finish(path: Path) -> Recording:
    """Write the recording whose parts lie beside a path; return it, the parts are gone then. Raises OSError."""
    parts = parts_of(path)
    found = merged(parts)
    beside = path.with_name(f"{path.name}.{os.getpid()}")
    beside.write_text(found.to_yaml(), encoding="utf-8")
    beside.replace(path)
    shutil.rmtree(parts, ignore_errors=True)
    return found


def merged(folder: Path) -> Recording:
    """Return what the parts in a folder say."""
    functions: dict[tuple[str, ...], _Merged] = {}
    notes: dict[str, None] = {}
    beyond: set[str] = set()
    parts = sorted(folder.glob("*.jsonl"))
    for part in parts:
        _take(part, functions, notes, beyond)
    for refused in sorted(folder.glob("*.refused")):
        notes[f"a process could not be recorded: {refused.read_text(encoding='utf-8', errors='replace')[:200]}"] = None
    for name in beyond:
        notes[f"{name}: beyond the {MOST_FUNCTIONS} functions that are kept"] = None
    return Recording(
        torch=installed("torch") or "",
        triton=installed("triton") or "",
        processes=len(parts),
        functions=tuple(one.function() for one in list(functions.values())[:MOST_FUNCTIONS]),
        not_noted=tuple(notes)[:MOST_NOTES],
    )


@dataclass
class _Merged:
    """Put the notes of several processes on one function together."""

    data: dict[str, Any]
    calls: dict[str, int] = field(default_factory=dict[str, int])
    order: list[list[int]] = field(default_factory=list[list[int]])
    called: int = 0
    missing: int = 0
    unordered: int = 0

    def number(self, told: Any) -> int:
        """Return the number of a call that some process noted."""
        text = json.dumps(told)
        if text not in self.calls and len(self.calls) >= MOST_CALLS:
            return _LEFT_OUT
        return self.calls.setdefault(text, len(self.calls))

    def turn(self, number: int, times: int) -> None:
        """Take in a run."""
        self.called += times
        if number == _LEFT_OUT:
            self.missing += times
        elif self.order and self.order[-1][0] == number and not self.unordered:
            self.order[-1][1] += times
        elif len(self.order) >= MOST_RUNS:
            self.unordered += times
        else:
            self.order.append([number, times])

    def lose(self, missing: int, unordered: int) -> None:
        """Take in what a process left out."""
        self.called += missing + unordered
        self.missing += missing
        self.unordered += unordered

    def function(self) -> RecordedFunction:
        """Return it as data."""
        return fitted(
            RecordedFunction,
            self.data
            | {
                "called": self.called,
                "left_out": LeftOut(calls=self.missing, places=self.unordered),
                "calls": [RecordedCall.model_validate_json(text) for text in self.calls],
                "order": self.order,
            },
        )


def _take(part: Path, functions: dict[tuple[str, ...], _Merged], notes: dict[str, None], beyond: set[str]) -> None:
    mine: dict[int, _Merged] = {}
    numbers: dict[tuple[int, int], int] = {}
    refused = 0
    for line in _lines(part):
        if "function" in line:
            data = {name: value for name, value in line.items() if name != "function"}
            key = (data["kind"], data["name"], data["file"], str(data["line"]))
            mine[line["function"]] = functions.setdefault(key, _Merged(data))
        elif "call" in line:
            numbers[line["of"], line["call"]] = mine[line["of"]].number(line["told"])
        elif "order" in line:
            merged = mine[line["of"]]
            for number, times in cast(Iterable[tuple[int, int]], line["order"]):
                merged.turn(numbers[line["of"], number], times)
            merged.lose(line.get("missing", 0), line.get("unordered", 0))
        elif "beyond" in line:
            beyond.add(line["beyond"])
        elif "why" in line:
            notes[line["why"]] = None
        else:
            refused += line["refused"]
    if refused:
        notes[f"{refused} calls could not be noted in a process"] = None


def _lines(part: Path) -> Iterator[dict[str, Any]]:
    """Return the lines of a part; the last one may have been cut off."""
    for text in read_bytes(part, BOUNDS).splitlines():
        try:
            yield parse_json(text, BOUNDS)
        except Unreadable:
            return
