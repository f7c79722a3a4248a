"""Causes: whose entry tells of a row's failures, so that no row that failed is green."""

from collections.abc import Sequence

from eagerdiff.harness.campaign.events import TargetKey
from eagerdiff.harness.campaign.harvest import Telling
from eagerdiff.harness.campaign.tally import Tally
from eagerdiff.harness.results.results import SameCause
from eagerdiff.harness.triage.finding import Finding
from eagerdiff.harness.triage.known import Known
from eagerdiff.harness.triage.signature import FailureSignature


def tell_causes(tally: Tally, telling: Telling, known: Known) -> None:
    """Set a row's `same_cause`: whose entries tell of those of its failures that no entry of its own tells of."""
    row = tally.row
    causes: dict[str, SameCause] = {}
    for failure, count in tally.failures.items():
        found = [entry.finding for entry in telling.of(failure)]
        if any(TargetKey.of(finding) == TargetKey.of(row) for finding in found):
            continue
        cause = _cause(found, known.explaining(failure))
        if cause is not None:
            causes.setdefault(str(cause), cause).failures += count
    row.same_cause = list(causes.values())


def _cause(telling: Sequence[Finding], kept: FailureSignature | None) -> SameCause | None:
    """Name the first finding that tells of a failure, else what the corpus knows of it."""
    if telling:
        operator, implementation, device = TargetKey.of(telling[0])
        what, new = f"{telling[0].defect.value}: {telling[0].verdict.describe()}", telling[0].new
    elif kept is not None:
        operator, implementation, device, what, new = kept.operator, kept.implementation, "", str(kept.symptom), False
    else:
        return None
    return SameCause(operator=operator, implementation=implementation, device=device, what=what, new=new, failures=0)
