"""The example database: choices that led to a failure before, kept by Hypothesis in a folder or in Redis.

Machines of a fleet share it, and one night the next. What it holds are choices alone, bytes that decide nothing but
what is drawn: anything else in it draws nothing, and one that is away is said once and done without.
"""

import hashlib
import itertools
import time
from collections.abc import Callable, Iterable
from datetime import timedelta
from pathlib import Path
from typing import Any

from hypothesis.database import DirectoryBasedExampleDatabase, ExampleDatabase

MOST = 20
"""Examples that are taken of a strategy: whoever writes to a database cannot keep a search busy."""
LONGEST = 1 << 20
"""Bytes of the longest that is taken."""
SCHEMES = ("redis://", "rediss://")
ANSWER_SECONDS = 2.0
"""How long a server may take to answer."""
RETRY_SECONDS = 30.0
"""After which a database that failed is asked again."""
EXPIRES = timedelta(days=30)
"""After which Redis forgets what failed."""


class NoExamples(ValueError):
    """Say in one line why there is no such database."""


def open_examples(where: str) -> ExampleDatabase:
    """Return the database in a folder, or behind `redis[s]://[user:password@]host:port/number`.

    Nothing is connected yet. Raises NoExamples for what is neither, and where Redis' client is not installed.
    """
    if "://" not in where:
        folder = Path(where).expanduser().absolute()
        if folder.exists() and not folder.is_dir():
            raise NoExamples(f"{where} is no folder")
        return DirectoryBasedExampleDatabase(folder)
    if not where.startswith(SCHEMES):
        raise NoExamples(f"{_public(where)}: name a folder, or redis://HOST:PORT (rediss:// for TLS)")
    try:
        from hypothesis.extra.redis import RedisExampleDatabase
        from redis import Redis  # pyright: ignore
    except ImportError as error:
        raise NoExamples("Redis' client is not installed: pip install 'eagerdiff[redis]'") from error
    options: dict[str, Any] = {"socket_timeout": ANSWER_SECONDS, "socket_connect_timeout": ANSWER_SECONDS}
    try:
        found = Redis.from_url(where, **options)
    except (ValueError, TypeError) as error:
        raise NoExamples(f"{_public(where)}: {error}") from error
    return RedisExampleDatabase(found, expire_after=EXPIRES, key_prefix=b"eagerdiff:")


def _public(where: str) -> str:
    """Return an address without its password, which may be one of its options too."""
    scheme, _, rest = where.partition("://")
    return f"{scheme}://{rest.rpartition('@')[2].partition('?')[0]}"


class Examples:
    """Lend a database to the searches of this process, and do without it for a while once it fails."""

    def __init__(self, where: str) -> None:
        self._where = where
        self._kept = open_examples(where)
        self.problem = ""
        """What went wrong with it last, in one line."""
        self._not_before = 0.0
        """On the monotonic clock."""

    def of(self, name: str, *, saves: Callable[[], bool], forgets: Callable[[], bool]) -> ExampleDatabase:
        """Return what belongs to one strategy; `saves` and `forgets` say whether an example joins it, or leaves."""
        return _Lent(self, name, saves, forgets)

    def reach(self, use: Callable[[ExampleDatabase], Any]) -> Any:
        """Return what the database answers; None where it does not, or did not just now."""
        if time.monotonic() < self._not_before:
            return None
        try:
            return use(self._kept)
        except Exception as error:  # noqa: BLE001  whatever a store raises: none of it concerns what is searched
            self._not_before = time.monotonic() + RETRY_SECONDS
            self.problem = (
                f"the example database {_public(self._where)} was done without for a while: {type(error).__name__}"
            )
            return None


class _Lent(ExampleDatabase):
    """Be the database of one strategy, within bounds."""

    def __init__(self, whole: Examples, name: str, saves: Callable[[], bool], forgets: Callable[[], bool]) -> None:
        super().__init__()
        self._whole = whole
        self._name = hashlib.sha256(name.encode()).digest()[:16]
        self._saves = saves
        self._forgets = forgets

    def save(self, key: bytes, value: bytes) -> None:
        if self._saves() and len(value) <= LONGEST:
            self._whole.reach(lambda kept: kept.save(self._name + key, value))

    def fetch(self, key: bytes) -> Iterable[bytes]:
        found = self._whole.reach(lambda kept: list(itertools.islice(kept.fetch(self._name + key), 50 * MOST)))
        return sorted((one for one in found or () if len(one) <= LONGEST), key=len)[:MOST]

    def delete(self, key: bytes, value: bytes) -> None:
        if self._forgets():
            self._whole.reach(lambda kept: kept.delete(self._name + key, value))
