"""Causes: whose entry tells of a row's failures, so that no row that failed is green."""

from collections.abc import Collection, Sequence

from eagerdiff.harness.campaign.tally import Tally
from eagerdiff.harness.results.results import SameCause
from eagerdiff.harness.triage.finding import Finding
from eagerdiff.harness.triage.signature import FailureSignature, explaining


def tell_causes(tally: Tally, findings: Sequence[Finding], known: Collection[FailureSignature]) -> None:
    """Set a row's `same_cause` and `untold`: each failure is told by an entry of its own, another's, the corpus's."""
    told: dict[str, SameCause] = {}
    tally.row.untold = 0
    for failure, count in tally.failures.items():
        cause = _cause(tally, failure, findings, known)
        if cause is None:
            tally.row.untold += count
        elif cause is not _OWN:
            told.setdefault(str(cause), cause).failures += count
    tally.row.same_cause = list(told.values())


_OWN = SameCause(operator="", implementation="", what="", new=False, failures=0)
"""What a row's own entry tells of."""


def _cause(
    tally: Tally, failure: FailureSignature, findings: Sequence[Finding], known: Collection[FailureSignature]
) -> SameCause | None:
    row = tally.row
    telling = [finding for finding in findings if finding.signature.explains(failure)]
    place = (row.operator, row.implementation, row.device)
    if any((finding.operator, finding.implementation, finding.device) == place for finding in telling):
        return _OWN
    if telling:
        first = telling[0]
        return SameCause(
            operator=first.operator,
            implementation=first.implementation,
            device=first.device,
            what=f"{first.defect.value}: {first.verdict.describe()}",
            new=first.new,
            failures=0,
        )
    kept = explaining(known, failure)
    if kept is None:
        return None
    return SameCause(
        operator=kept.operator, implementation=kept.implementation, what=str(kept.symptom), new=False, failures=0
    )
