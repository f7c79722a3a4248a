"""The harvest: findings, each group once, whichever slot meets it first."""

import threading
from collections.abc import Collection, Mapping

from eagerdiff.harness.triage.deduplication import explaining
from eagerdiff.harness.triage.finding import Finding


class Harvest:
    """Collect findings from several threads."""

    def __init__(self, known: Collection[str] = ()) -> None:
        self._known = frozenset(known)
        self._lock = threading.Lock()
        self._claimed: set[str] = set()
        self._findings: list[tuple[Finding, set[str]]] = []
        self._others: dict[str, Finding] = {}

    def claim(self, finding: Finding) -> bool:
        """Return whether a failure's group is new to this campaign; it is the caller's from then on."""
        with self._lock:
            if self._is_explained(finding):
                return False
            self._claimed.add(finding.group)
            return True

    def keep(self, finding: Finding, aliases: Collection[str] = ()) -> None:
        """Keep a finding; its aliases are the same bug under other names."""
        with self._lock:
            names = {finding.group, *aliases}
            self._claimed |= names
            if not explaining((kept.group for kept, _ in self._findings), finding.group):
                self._findings.append((finding, names))

    def remember(self, finding: Finding) -> bool:
        """Remember a failure met on the way to another, in case it does not turn up by itself; say if it is new."""
        with self._lock:
            if self._is_explained(finding) or explaining(self._others, finding.group):
                return False
            self._others[finding.group] = finding
            return True

    def _is_explained(self, finding: Finding) -> bool:
        known = self._known if finding.about else ()
        return bool(explaining((*known, *self._claimed), finding.group))

    @property
    def count(self) -> int:
        """How many findings there are."""
        return len(self._findings)

    def findings(self, counts: Mapping[str, int]) -> list[Finding]:
        """Return the findings, counted and marked as new or known."""
        with self._lock:
            kept = list(self._findings)
            kept += [(finding, {group}) for group, finding in self._others.items() if group not in self._claimed]
        return [
            finding.model_copy(
                update={
                    "count": max(1, sum(counts.get(name, 0) for name in names)),
                    "new": self._known.isdisjoint(names) and not explaining(self._known, finding.group),
                }
            )
            for finding, names in kept
        ]
