"""The harvest: findings, each group once, whichever slot meets it first."""

import threading
from collections.abc import Collection, Mapping

from harness.finding import Finding
from harness.group import explains


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
            if not any(explains(kept.group, finding.group) for kept, _ in self._findings):
                self._findings.append((finding, names))

    def remember(self, finding: Finding) -> bool:
        """Remember a failure met on the way to another, in case it does not turn up by itself; say if it is new."""
        with self._lock:
            if self._is_explained(finding) or any(explains(group, finding.group) for group in self._others):
                return False
            self._others[finding.group] = finding
            return True

    def _is_explained(self, finding: Finding) -> bool:
        if finding.about and any(explains(group, finding.group) for group in self._known):
            return True
        return any(explains(group, finding.group) for group in self._claimed)

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
                    "new": self._known.isdisjoint(names)
                    and not any(explains(name, finding.group) for name in self._known),
                }
            )
            for finding, names in kept
        ]
