"""Judged: workloads that nights before judged right, by digest: they are not run again while others are left."""

import hashlib
import json
import threading
from collections.abc import Mapping
from pathlib import Path

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from eagerdiff.harness.reading import TURNS, Unreadable, parse_json, read_bytes
from eagerdiff.harness.sinks.whole import write_whole

FILE = "judged.json"
MOST = 1000
"""Workloads that are remembered of one target: the newest."""
_SAME = ("python", "torch", "triton", "gpu", "commit")
"""What must be as it was: under another environment everything is new."""


class _Remembered(BaseModel):
    model_config = ConfigDict(extra="forbid")

    under: str
    """Digest of the environment, and of the implementation's revision."""
    workloads: str
    """Digests, the newest last, with spaces between."""


_FILE = TypeAdapter(dict[str, _Remembered])


class Judged:
    """Remember what was judged right of each target, under one environment and one revision of each implementation.

    It knows nothing before `begin`; from then on any thread may ask and tell.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._told: list[str] = []
        self._revisions: Mapping[str, str] = {}
        self._before: dict[str, dict[str, None]] = {}
        self._now: dict[str, dict[str, None]] = {}

    def begin(self, environment: Mapping[str, str], revisions: Mapping[str, str]) -> None:
        """Read what holds under an environment; a file that is missing or damaged is as good as none.

        `revisions` are those of implementations (`operator/implementation`) whose source is not this project's.
        """
        self._told, self._revisions = [environment.get(name, "") for name in _SAME], revisions
        try:
            found = _FILE.validate_python(parse_json(read_bytes(self.path, TURNS), TURNS))
        except (Unreadable, ValidationError):
            return
        for target, one in found.items():
            if one.under == self._under(target):
                self._before[target] = dict.fromkeys(one.workloads.split())

    def knows(self, target: str, digest: str) -> bool:
        """Whether a night before judged a workload of a target right: `operator/implementation on device`."""
        with self._lock:
            return digest in self._before.get(target, ())

    def known(self, target: str) -> list[str]:
        """Return the digests of a target's workloads that nights before judged right."""
        with self._lock:
            return list(self._before.get(target, ()))

    def add(self, target: str, digest: str) -> None:
        """Remember that a workload was judged right."""
        with self._lock:
            self._now.setdefault(target, {})[digest] = None

    def leave_none_out(self, target: str) -> None:
        """Have all workloads of a target run from now on: a whole batch held nothing new."""
        with self._lock:
            self._now[target] = self._before.pop(target, {}) | self._now.get(target, {})

    def write(self) -> None:
        """Write the file; raise OSError where that is impossible."""
        made: dict[str, dict[str, str]] = {}
        with self._lock:
            for target in sorted(self._before.keys() | self._now.keys()):
                workloads = list(self._before.get(target, {}) | self._now.get(target, {}))[-MOST:]
                made[target] = {"under": self._under(target), "workloads": " ".join(workloads)}
        write_whole(self.path, json.dumps(made, indent=0))

    def _under(self, target: str) -> str:
        told = [*self._told, self._revisions.get(target.partition(" on ")[0], "")]
        return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:12]
