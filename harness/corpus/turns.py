"""Turns: in which order runs take things up where there is no time for all of them, and when each last had its turn.

Of kept findings the newest come first, the cheapest of them before the others; the rest take turns from run to run.
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


class LastTurn(BaseModel):
    """Say when something last had its turn, and what that took."""

    model_config = ConfigDict(extra="forbid")

    when: str
    """ISO 8601, UTC."""
    seconds: float

    @classmethod
    def ending_now(cls, seconds: float) -> "LastTurn":
        """Return a turn that took so long and ends now."""
        return cls(when=datetime.now(UTC).isoformat(timespec="seconds"), seconds=round(seconds, 2))


_FILE = TypeAdapter(dict[str, LastTurn])


@dataclass
class Turns:
    """Remember each last turn in a file of the cache folder; one that is missing is as good as none: it only orders."""

    path: Path
    last: dict[str, LastTurn] = field(default_factory=dict[str, LastTurn])
    """What had its turn (of kept findings operator and name, with a slash between) → its last one."""

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
                turn = self.last.get(key_of(corpus, entry))
                waited = (turn.when, turn.seconds) if turn else ("", _draw(day, key_of(corpus, entry)))
                cost = turn.seconds if turn else float(len(entry.inputs.workload))
                rank = (0, "", cost) if place < NEWEST else (1, *waited)
                ranked.append((rank, corpus, entry))
        return [(corpus, entry) for _, corpus, entry in sorted(ranked, key=lambda item: item[0])]

    def write(self) -> None:
        """Write the file; raise OSError where that is impossible."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        written = self.path.with_suffix(".part")
        written.write_text(json.dumps(_FILE.dump_python(self.last), indent=0), encoding="utf-8")
        written.replace(self.path)


def key_of(corpus: Corpus, entry: Entry) -> str:
    """Return the name of an entry's turn."""
    return f"{corpus.name}/{entry.name}"


def _draw(day: int, key: str) -> float:
    """Return a number from 0 to 1 that is the same all day."""
    return int.from_bytes(hashlib.sha256(f"{day} {key}".encode()).digest()[:4]) / 2**32
