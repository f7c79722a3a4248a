"""The share of calls that a way compares: what a proved rule refuses cannot be compared in principle."""

import pytest

from eagerdiff import Status, Verdict, load_catalog
from eagerdiff.suites.benchmarks import comparing


def test_what_no_rule_is_proved_of_counts_against_a_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of ten calls a rule refuses two, one is skipped otherwise; two builds failed, with a call left after each."""
    found = load_catalog(["symbolic"])
    way = found.implementations["symbolic"]["export.named"]
    rule = next(iter(way.excuses)).name
    met = [
        *[Verdict(status=Status.PASSED)] * 3,
        *[Verdict(status=Status.SKIPPED, reason=f"{rule}: proof")] * 2,
        Verdict(status=Status.SKIPPED, reason="not exported: a reason of its own"),
        *[Verdict(status=Status.RAISED, reason="build raised"), Verdict(status=Status.SKIPPED, reason=comparing.REST)]
        * 2,
    ]
    monkeypatch.setattr(comparing, "verdicts", lambda operator, way, workload: met)
    head, *rest = comparing.lines(
        found.operators["symbolic"], way, [next(iter(found.operators["symbolic"].workloads.values()))]
    )
    assert " ".join(head.split()) == (
        "export.named 10 calls 70.0% compared, 87.5% of those in principle; "
        "2 refused by a proved rule, 1 not compared otherwise"
    )
    assert any(line.endswith(f"SKIPPED  {rule}") for line in rest)
