"""Turns: in which order runs take things up where there is no time for all of them, and when each last had its turn.

Of kept findings every other one is of the newest, the cheapest of them first. The others take turns from run to run:
one of each cause, the one that has waited longest of the cause that has, and then the rest.
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from eagerdiff.harness.reading import TURNS, Unreadable, parse_json, read_bytes
from eagerdiff.harness.sinks.whole import write_whole
from eagerdiff.harness.triage.cause import Cause
from eagerdiff.harness.triage.note import Note, by_cause, name_of, note_of

if TYPE_CHECKING:
    from eagerdiff.harness.corpus.evals import Corpus, Entry

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

    def order(self, corpora: "Sequence[Corpus]", day: int, notes: Sequence[Note] = ()) -> "list[tuple[Corpus, Entry]]":
        """Return all entries: the newest and those that have waited longest alternate, one of each cause first.

        `notes` say which causes are one.
        Where nothing is remembered about an entry, its place among the others is another one each `day`.
        """
        telling = by_cause(notes)
        newest: list[tuple[Corpus, Entry]] = []
        causes: defaultdict[str, list[tuple[Corpus, Entry]]] = defaultdict(list)
        for corpus in corpora:
            for place, entry in enumerate(reversed(corpus.cases)):
                if place < NEWEST:
                    newest.append((corpus, entry))
                else:
                    causes[_name(corpus, entry, telling)].append((corpus, entry))
        newest.sort(key=self._cost)
        waiting = self._one_of_each(list(causes.values()), day)
        return [one for pair in zip_longest(newest, waiting) for one in pair if one is not None]

    def _one_of_each(self, causes: "Sequence[list[tuple[Corpus, Entry]]]", day: int) -> "list[tuple[Corpus, Entry]]":
        """Return one entry of each cause, those first whose cause waits since longest; then all others."""

        def waited(one: "tuple[Corpus, Entry]") -> tuple[str, float]:
            turn = self.last.get(key_of(*one))
            return (turn.when, turn.seconds) if turn else ("", _draw(day, key_of(*one)))

        def latest(entries: "list[tuple[Corpus, Entry]]") -> tuple[str, float]:
            when = max(waited(one)[0] for one in entries)
            return when, waited(entries[0])[1]

        ordered = sorted((sorted(entries, key=waited) for entries in causes), key=latest)
        rest = sorted((one for entries in ordered for one in entries[1:]), key=waited)
        return [*(entries[0] for entries in ordered), *rest]

    def _cost(self, one: "tuple[Corpus, Entry]") -> float:
        turn = self.last.get(key_of(*one))
        return turn.seconds if turn else float(len(one[1].inputs.workload))

    def write(self) -> None:
        """Write the file; raise OSError where that is impossible."""
        write_whole(self.path, json.dumps(_FILE.dump_python(self.last), indent=0))


def key_of(corpus: "Corpus", entry: "Entry") -> str:
    """Return the name of an entry's turn."""
    return f"{corpus.name}/{entry.name}"


def _name(corpus: "Corpus", entry: "Entry", telling: Mapping[Cause, Sequence[Note]]) -> str:
    """Return the name of what an entry is due to, by the note on it if there is one; else its own."""
    from eagerdiff.harness.corpus.evals import cause_of_entry  # pydantic-evals takes half as long as torch to import

    cause = cause_of_entry(corpus.name, entry)
    if cause is None:
        return key_of(corpus, entry)
    note = note_of(cause, "+".join(entry.inputs.about), entry.inputs.implementation, telling)
    return name_of(cause, note)


def _draw(day: int, key: str) -> float:
    """Return a number from 0 to 1 that is the same all day."""
    return int.from_bytes(hashlib.sha256(f"{day} {key}".encode()).digest()[:4]) / 2**32
