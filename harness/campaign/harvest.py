"""The harvest: findings, each signature once, whichever slot meets it first."""

import threading
from collections.abc import Collection, Mapping

from eagerdiff.harness.triage.finding import Finding
from eagerdiff.harness.triage.signature import FailureSignature, explaining


class Harvest:
    """Collect findings from several threads."""

    def __init__(self, known: Collection[FailureSignature] = ()) -> None:
        self._known = frozenset(known)
        self._lock = threading.Lock()
        self._claimed: set[FailureSignature] = set()
        self._findings: list[tuple[Finding, set[FailureSignature]]] = []
        self._others: dict[FailureSignature, Finding] = {}

    def claim(self, finding: Finding) -> bool:
        """Return whether a failure's signature is new to this campaign; it is the caller's from then on."""
        with self._lock:
            if self._is_explained(finding):
                return False
            self._claimed.add(finding.signature)
            return True

    def keep(self, finding: Finding, aliases: Collection[FailureSignature] = ()) -> None:
        """Keep a finding; its aliases are the same bug under other names."""
        with self._lock:
            names = {finding.signature, *aliases}
            self._claimed |= names
            if explaining((kept.signature for kept, _ in self._findings), finding.signature) is None:
                self._findings.append((finding, names))

    def remember(self, finding: Finding) -> bool:
        """Remember a failure met on the way to another, in case it does not turn up by itself; say if it is new."""
        with self._lock:
            if self._is_explained(finding) or explaining(self._others, finding.signature) is not None:
                return False
            self._others[finding.signature] = finding
            return True

    def _is_explained(self, finding: Finding) -> bool:
        known = self._known if finding.about else ()
        return explaining((*known, *self._claimed), finding.signature) is not None

    @property
    def count(self) -> int:
        """How many findings there are."""
        return len(self._findings)

    def findings(self, counts: Mapping[FailureSignature, int]) -> list[Finding]:
        """Return the findings, counted and marked as new or known."""
        with self._lock:
            kept = list(self._findings)
            kept += [(found, {name}) for name, found in self._others.items() if name not in self._claimed]
        return [
            finding.model_copy(
                update={
                    "count": max(1, sum(counts.get(name, 0) for name in names)),
                    "new": self._known.isdisjoint(names) and explaining(self._known, finding.signature) is None,
                }
            )
            for finding, names in kept
        ]
