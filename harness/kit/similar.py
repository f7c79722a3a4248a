"""Similar: what is known already and has the same words, by SQLite's full-text search. Nothing leaves this machine."""

import re
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from eagerdiff.harness.kit.kit import Similar
from eagerdiff.harness.reading import ISSUES, Unreadable, misfit, parse_json, read_bytes

MOST = 5
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]{2,}")
_COMMON = frozenset(
    ("the", "and", "for", "was", "not", "with", "that", "this", "from", "torch", "cpu", "call", "error")
)

_ASK = """
SELECT title, link, body, bm25(known, 4.0, 1.0) AS rank FROM known WHERE known MATCH ? ORDER BY rank LIMIT ?
"""
"""A word of a title counts as four of a text. https://sqlite.org/fts5.html#the_bm25_function"""


class IssuesError(ValueError):
    """Say in one line why a file of issues cannot be searched."""


@dataclass(frozen=True)
class Known:
    """Hold one thing that is known: a public issue, or a note of ours."""

    title: str
    link: str
    body: str


class _Issue(BaseModel):
    """An issue as `gh issue list --json title,url,body` prints it."""

    model_config = ConfigDict(extra="ignore")

    title: str
    url: str
    body: str | None = None


def read_issues(path: Path) -> list[Known]:
    """Return what `gh issue list --json title,url,body` printed into a file; raise IssuesError, in one line, else."""
    try:
        data: Any = parse_json(read_bytes(path, ISSUES), ISSUES)
        found = TypeAdapter(list[_Issue]).validate_python(data)
    except Unreadable as error:
        raise IssuesError(f"issues {path} {error}") from error
    except ValidationError as error:
        raise IssuesError(
            f"issues {path} are not what `gh issue list --json title,url,body` prints: {misfit(error)}"
        ) from error
    return [Known(issue.title, issue.url, issue.body or "") for issue in found]


class Index:
    """What is known, to be asked for what is like a text."""

    def __init__(self, known: Iterable[Known]) -> None:
        self._base = sqlite3.connect(":memory:", check_same_thread=False)  # from then on it is only read
        self._base.execute("CREATE VIRTUAL TABLE known USING fts5(title, body, link UNINDEXED)")
        rows = ((one.title, one.body, one.link) for one in known)
        self._base.executemany("INSERT INTO known(title, body, link) VALUES (?, ?, ?)", rows)

    def like(self, text: str) -> list[Similar]:
        """Return what has words of a text, the most alike first."""
        words = sorted({word.lower() for word in _WORD.findall(text)} - _COMMON)[:64]
        if not words:
            return []
        query = " OR ".join(f'"{word}"' for word in words)
        return [
            Similar(title=title, link=link, says=body[:300], score=round(-rank, 2))
            for title, link, body, rank in self._base.execute(_ASK, (query, MOST))
        ]
