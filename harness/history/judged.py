"""Judged: workloads that nights before judged right, by digest: they are not run again while others are left."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from eagerdiff.harness.reading import TURNS, Unreadable, parse_json, read_bytes

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


@dataclass
class Judged:
    """Remember what was judged right of each target, under one environment and one revision of each implementation."""

    path: Path
    environment: Mapping[str, str]
    revisions: Mapping[str, str]
    """`operator/implementation` → its revision, where its source is not this project's."""
    _before: dict[str, dict[str, None]] = field(default_factory=dict[str, dict[str, None]])
    _now: dict[str, dict[str, None]] = field(default_factory=dict[str, dict[str, None]])

    @classmethod
    def read(cls, path: Path, environment: Mapping[str, str], revisions: Mapping[str, str]) -> "Judged":
        """Read the file; one that is missing or damaged is as good as none: what was judged is judged again."""
        made = cls(path, environment, revisions)
        try:
            found = _FILE.validate_python(parse_json(read_bytes(path, TURNS), TURNS))
        except (Unreadable, ValidationError):
            return made
        for target, one in found.items():
            if one.under == made._under(target):
                made._before[target] = dict.fromkeys(one.workloads.split())
        return made

    def knows(self, target: str, digest: str) -> bool:
        """Whether a night before judged a workload of a target right: `operator/implementation on device`."""
        return digest in self._before.get(target, ())

    def add(self, target: str, digest: str) -> None:
        """Remember that a workload was judged right."""
        self._now.setdefault(target, {})[digest] = None

    def leave_none_out(self, target: str) -> None:
        """Have all workloads of a target run from now on: a whole batch held nothing new."""
        self._now[target] = self._before.pop(target, {}) | self._now.get(target, {})

    def write(self) -> None:
        """Write the file; raise OSError where that is impossible."""
        made: dict[str, dict[str, str]] = {}
        for target in sorted(self._before.keys() | self._now.keys()):
            workloads = list(self._before.get(target, {}) | self._now.get(target, {}))[-MOST:]
            made[target] = {"under": self._under(target), "workloads": " ".join(workloads)}
        self.path.parent.mkdir(parents=True, exist_ok=True)
        partial = self.path.with_suffix(".part")
        partial.write_text(json.dumps(made, indent=0), encoding="utf-8")
        partial.replace(self.path)

    def _under(self, target: str) -> str:
        told = [self.environment.get(name, "") for name in _SAME]
        told.append(self.revisions.get(target.partition(" on ")[0], ""))
        return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:12]
