"""Signatures that are looked up by what they explain: thousands of findings do not slow a search down."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from eagerdiff.harness.triage.signature import FailureSignature, Symptom


class Signatures:
    """Hold signatures in the order in which they came; only those of one operator and symptom explain each other."""

    def __init__(self, signatures: Iterable[FailureSignature] = ()) -> None:
        self._held: defaultdict[tuple[str, Symptom], dict[FailureSignature, None]] = defaultdict(dict)
        for one in signatures:
            self.add(one)

    def add(self, signature: FailureSignature) -> None:
        """Hold one more."""
        self._held[_key(signature)][signature] = None

    def explaining(self, failure: FailureSignature) -> FailureSignature | None:
        """Return the first that accounts for a failure, or None."""
        return next(self.all_explaining(failure), None)

    def all_explaining(self, failure: FailureSignature) -> Iterator[FailureSignature]:
        """Return those that account for a failure."""
        alike = self._held.get(_key(failure))
        if alike is None:
            return
        if failure in alike:
            yield failure
        yield from (one for one in alike if one != failure and one.explains(failure))

    def __contains__(self, signature: FailureSignature) -> bool:
        """Whether it is held itself."""
        return signature in self._held.get(_key(signature), ())


def _key(signature: FailureSignature) -> tuple[str, Symptom]:
    return signature.operator, signature.symptom
