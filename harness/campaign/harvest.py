"""The harvest: findings, each signature once, whichever slot meets it first."""

import threading
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from eagerdiff.harness.search.hunt import Ours
from eagerdiff.harness.triage.cause import Cause, cause_of
from eagerdiff.harness.triage.explained import Signatures
from eagerdiff.harness.triage.finding import Finding
from eagerdiff.harness.triage.known import Known
from eagerdiff.harness.triage.signature import FailureSignature


@dataclass
class Entry:
    """Hold a finding, and all that it tells of."""

    finding: Finding
    names: set[FailureSignature]
    """Signatures under which it showed: its own, and those that it had before it was made smaller."""
    merged: set[FailureSignature] = field(default_factory=set[FailureSignature])
    """Those of failures that turned out to be one with it once they were made smaller."""


class Telling:
    """Find the entries that tell of a failure."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self._names = Signatures()
        self._entries: dict[FailureSignature, dict[int, Entry]] = {}
        for entry in entries:
            self.add(entry)

    def add(self, entry: Entry) -> None:
        """Take in an entry, or more names of one."""
        for name in (*entry.names, *entry.merged):
            self._names.add(name)
            self._entries.setdefault(name, {})[id(entry)] = entry

    def of(self, failure: FailureSignature) -> list[Entry]:
        """Return the entries that tell of a failure."""
        found = {at: entry for name in self._names.all_explaining(failure) for at, entry in self._entries[name].items()}
        return list(found.values())


class Harvest:
    """Collect findings from several threads."""

    def __init__(self, known: Known | None = None) -> None:
        self._known = known or Known()
        self._lock = threading.Lock()
        self._claimed = Signatures()
        self._causes: set[Cause] = set()
        self._kept: list[Entry] = []
        self._first: dict[FailureSignature, Entry] = {}
        """The signature of an entry's finding → the entry."""
        self._firsts = Signatures()
        self._telling = Telling()
        """Of what was kept."""
        self._met = Signatures()
        """What others were remembered."""
        self._others: dict[FailureSignature, Finding] = {}

    def claim(self, finding: Finding) -> Ours:
        """Return whether a failure's signature is new to this campaign; it is the caller's from then on.

        Of one cause, where the function is told that raised it, the first is made smaller wholly; what the corpus tells
        of, briefly: it only has to be told from what it does not.
        """
        with self._lock:
            if self._is_explained(finding):
                return Ours.NO
            self._claimed.add(finding.signature)
            if self._known.explaining(finding.signature) or self._known.sharing_cause(finding):
                return Ours.BRIEFLY
            cause, verdict = cause_of(finding), finding.verdict
            if not cause.where or cause.where != (verdict.origin or verdict.frame):
                return Ours.WHOLLY
            first = cause not in self._causes
            self._causes.add(cause)
            return Ours.WHOLLY if first else Ours.BRIEFLY

    def keep(self, finding: Finding, aliases: Collection[FailureSignature] = ()) -> None:
        """Keep a finding; its aliases are the same bug under other names."""
        with self._lock:
            signature = finding.signature
            names = {signature, *aliases}
            for name in names:
                self._claimed.add(name)
            known = self._firsts.explaining(signature)
            if known is None:
                entry = self._first[signature] = Entry(finding, names)
                self._firsts.add(signature)
                self._kept.append(entry)
            else:
                entry = self._first[known]
                entry.merged |= names
            self._telling.add(entry)

    def remember(self, finding: Finding) -> bool:
        """Remember a failure met on the way to another, in case it does not turn up by itself; say if it is new."""
        with self._lock:
            if self._is_explained(finding) or self._met.explaining(finding.signature) is not None:
                return False
            self._others[finding.signature] = finding
            self._met.add(finding.signature)
            return True

    def tell(self, failure: Finding) -> None:
        """Keep a failure of which neither an entry nor the corpus tells: it is not lost, though it was not shrunk."""
        signature = failure.signature
        with self._lock:
            others = (name for name in self._met.all_explaining(signature) if name not in self._claimed)
            told = bool(self._telling.of(signature)) or next(others, None) is not None
        if not told and self._known.explaining(signature) is None:
            self.keep(failure)

    def _is_explained(self, finding: Finding) -> bool:
        if self._claimed.explaining(finding.signature) is not None:
            return True
        return bool(finding.about) and self._known.explaining(finding.signature) is not None

    def findings(self) -> list[Finding]:
        """Return what was kept so far, in the order in which it was."""
        with self._lock:
            return [entry.finding for entry in self._kept]

    @property
    def count(self) -> int:
        """How many findings there are."""
        return len(self._kept)

    def entries(self, counts: Mapping[FailureSignature, int]) -> list[Entry]:
        """Return the findings, counted and marked as new or known, each with what it tells of."""
        return [Entry(self._marked(entry, counts), entry.names, entry.merged) for entry in self._entries()]

    def _entries(self) -> list[Entry]:
        with self._lock:
            others = [Entry(found, {name}) for name, found in self._others.items() if name not in self._claimed]
            return [*self._kept, *others]

    def _marked(self, entry: Entry, counts: Mapping[FailureSignature, int]) -> Finding:
        found = entry.finding
        kept = not self._known.failures.isdisjoint(entry.names) or self._known.explaining(found.signature) is not None
        new = not (kept or found.flaky or self._known.sharing_cause(found))
        count = max(1, sum(counts.get(name, 0) for name in entry.names))
        return found.model_copy(update={"count": count, "new": new, "kept": kept})
