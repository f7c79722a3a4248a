"""Turns: in which order kept findings run again where there is no time for all of them.

The newest come first, the cheapest of them before the others; the rest take turns from run to run.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from eagerdiff.harness.corpus.evals import Corpus, Entry
from eagerdiff.harness.reading import TURNS, Unreadable, parse_json, read_bytes

NEWEST = 4
"""How many of each operator's last entries count as new."""


class Turn(BaseModel):
    """Say when an entry was last run again, and what that took."""

    model_config = ConfigDict(extra="forbid")

    when: str
    """ISO 8601, UTC."""
    seconds: float


_FILE = TypeAdapter(dict[str, Turn])


@dataclass
class Turns:
    """Remember each entry's last turn in a file of the cache folder; without that file the day decides."""

    path: Path
    last: dict[str, Turn] = field(default_factory=dict[str, Turn])
    """Operator and name, with a slash between → its last turn."""

    @classmethod
    def read(cls, path: Path) -> "Turns":
        """Read the file; one that is missing or damaged is as good as none, since it only orders."""
        try:
            return cls(path, _FILE.validate_python(parse_json(read_bytes(path, TURNS), TURNS)))
        except (Unreadable, ValidationError):
            return cls(path)

    def order(self, corpora: Sequence[Corpus], day: int) -> list[tuple[Corpus, Entry]]:
        """Return all entries: the newest, then those that have waited longest, of equals the cheapest.

        Where nothing is remembered about an entry, its place among the others is another one each `day`.
        """
        ranked: list[tuple[tuple[Any, ...], Corpus, Entry]] = []
        for corpus in corpora:
            for place, entry in enumerate(reversed(corpus.cases)):
                turn = self.last.get(_key(corpus, entry))
                waited = (turn.when, turn.seconds) if turn else ("", _draw(day, _key(corpus, entry)))
                cost = turn.seconds if turn else float(len(entry.inputs.workload))
                rank = (0, "", cost) if place < NEWEST else (1, *waited)
                ranked.append((rank, corpus, entry))
        return [(corpus, entry) for _, corpus, entry in sorted(ranked, key=lambda item: item[0])]

    def took(self, corpus: Corpus, entry: Entry, seconds: float) -> None:
        """Note an entry's turn, which ends now."""
        when = datetime.now(UTC).isoformat(timespec="seconds")
        self.last[_key(corpus, entry)] = Turn(when=when, seconds=round(seconds, 2))

    def write(self) -> None:
        """Write the file; raise OSError where that is impossible."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        written = self.path.with_suffix(".part")
        written.write_text(json.dumps(_FILE.dump_python(self.last), indent=0), encoding="utf-8")
        written.replace(self.path)


def _key(corpus: Corpus, entry: Entry) -> str:
    return f"{corpus.name}/{entry.name}"


def _draw(day: int, key: str) -> float:
    """Return a number from 0 to 1 that is the same all day."""
    return int.from_bytes(hashlib.sha256(f"{day} {key}".encode()).digest()[:4]) / 2**32
