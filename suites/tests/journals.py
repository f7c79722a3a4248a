"""Journals of campaigns that nobody ran, line by line."""

from collections.abc import Iterator

from eagerdiff.harness.campaign.events import Began, Drawn, Event, Found, Judged, Started, TargetKey
from eagerdiff.harness.model.outcome import Outcome
from eagerdiff.harness.model.verdict import Oracle, Status, Verdict, passed
from eagerdiff.harness.triage.finding import Finding

TARGET = TargetKey("doubling", "right", "cpu")
FAILING = TargetKey("doubling", "wrong", "cpu")


def failing(reason: str = "it is wrong") -> Verdict:
    """Return a verdict that fails."""
    return Verdict(status=Status.WRONG_VALUE, reason=reason, oracle=Oracle.EXACT)


def events(workloads: int, *, seed: int = 0, findings: int = 1, reason: str = "it is wrong") -> Iterator[Event]:
    """Return what a campaign of so many workloads writes, the last of them failing."""
    yield Began(seed=seed, build="torch 2.13.0", budget=600.0)
    for number in range(workloads):
        told = [{"seed": 0, "size": number}]
        yield Started(target=TARGET, batch=0, digest=f"{number:012x}", workload=told)
        yield Judged(target=TARGET, digest=f"{number:012x}", outcome=Outcome(verdicts=[passed()], seconds=0.01))
    for number in range(findings):
        found = Finding(
            operator="doubling", implementation="wrong", device="cpu", verdict=failing(f"{reason} {number}"),
            workload=[{"size": 17}],
        )  # fmt: skip
        outcome = Outcome(verdicts=[found.verdict], seconds=0.01)
        yield Judged(target=FAILING, digest=f"f{number:011x}", outcome=outcome, workload=found.workload)
        yield Found(target=FAILING, batch=0, finding=found, aliases=[])
    yield Drawn(target=TARGET, batch=0, unsupported=[])
