"""What is known: the failures that corpora hold, and what they are due to."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from eagerdiff.harness.triage.cause import Cause, cause_of
from eagerdiff.harness.triage.explained import Signatures
from eagerdiff.harness.triage.finding import Finding
from eagerdiff.harness.triage.signature import FailureSignature


@dataclass(frozen=True)
class Known:
    """Hold kept failures; nothing is known by default."""

    failures: frozenset[FailureSignature] = frozenset()
    causes: Mapping[Cause, frozenset[FailureSignature]] = field(
        default_factory=dict[Cause, frozenset[FailureSignature]]
    )
    """Cause → the kept failures that are due to it."""

    @classmethod
    def of(cls, kept: Iterable[tuple[FailureSignature, Cause | None]]) -> "Known":
        """Gather kept failures, each with its cause where an entry says it."""
        causes: dict[Cause, set[FailureSignature]] = {}
        failures: set[FailureSignature] = set()
        for signature, cause in kept:
            failures.add(signature)
            if cause is not None:
                causes.setdefault(cause, set()).add(signature)
        return cls(frozenset(failures), {cause: frozenset(names) for cause, names in causes.items()})

    def explaining(self, signature: FailureSignature) -> FailureSignature | None:
        """Return a kept failure that accounts for another one, or None."""
        return self._signatures.explaining(signature)

    @cached_property
    def _signatures(self) -> Signatures:
        return Signatures(sorted(self.failures, key=str))

    def sharing_cause(self, finding: Finding) -> FailureSignature | None:
        """Return a kept failure that is due to the same function of the framework, which says the same; else None.

        So it is of an engine in a process of its own, which says the same where it makes or calls its artifact. It may
        be of other operations: one guard fails under dozens. Where no function of a framework is told (wrong
        values, a process that died), and for what torch does not compile, an operation's failure is its own.
        """
        if not finding.verdict.origin:
            return None
        named = self.causes.get(cause_of(finding), frozenset())
        return next((one for one in sorted(named, key=str) if one.identity.akin(finding.identity)), None)
