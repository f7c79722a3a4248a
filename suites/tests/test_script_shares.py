"""Scripts are verified within their share of the time: one of each cause first, and what was left out says why."""

import time
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from eagerdiff.harness.catalog.catalog import Catalog
from eagerdiff.harness.cli.clock import OVERTIME, Clock
from eagerdiff.harness.cli.scripts import Scripts
from eagerdiff.harness.model.verdict import Oracle, Status, Verdict
from eagerdiff.harness.processes import WorkerPool
from eagerdiff.harness.repro import Draft, verify
from eagerdiff.harness.triage.finding import Finding


def found(implementation: str, reason: str, *, new: bool = True) -> Finding:
    verdict = Verdict(status=Status.RAISED, reason=reason, oracle=Oracle.RAISE)
    return Finding(
        operator="doubling", implementation=implementation, device="cpu", verdict=verdict, workload=[], new=new
    )


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return what is written, in order; each script takes ten seconds of a clock that does nothing else."""
    order: list[str] = []
    now = 1000.0
    monkeypatch.setattr(time, "monotonic", lambda: now)

    def write(finding: Finding, folder: Path, drafts: Iterable[Draft], *, going: Callable[[], bool]) -> None:
        nonlocal now
        now += 10.0
        finding.script = f"findings/{finding.implementation}.py" if going() else ""
        order.append(finding.implementation)

    monkeypatch.setattr("eagerdiff.harness.repro.write_script", write)
    return order


def scripts(budget: float, interrupted: Callable[[], bool] = lambda: False) -> Scripts:
    return Scripts(Path(), Catalog(), WorkerPool(), Clock(budget, began=time.monotonic()), interrupted)


def test_one_script_of_each_cause_comes_first_and_new_ones_before_known_ones(written: list[str]) -> None:
    findings = [found("old", "c", new=False), found("a1", "a"), found("a2", "a"), found("b1", "b"), found("a3", "a")]
    scripts(1000.0).write(findings, 1)
    assert written == ["a1", "b1", "old", "a2", "a3"]
    assert all(finding.script for finding in findings)


def test_what_fails_alike_is_left_out_once_the_time_is_over_and_names_the_script_that_shows_it(
    written: list[str],
) -> None:
    findings = [found(f"{cause}{number}", cause) for cause in "abc" for number in range(30)]
    scripts(5.0).write(findings, 1)  # over after the first
    assert written == ["a0", "b0", "c0"]
    assert {finding.script_note for finding in findings if finding.implementation.startswith("b")} == {
        "",
        "no time was left to verify its script; findings/b0.py fails alike",
    }


def test_causes_are_not_verified_without_end_either(written: list[str]) -> None:
    findings = [found(f"w{number}", chr(97 + number) * 3) for number in range(26)]
    scripts(5.0).write(findings, 1)
    assert len(written) <= (5.0 + OVERTIME) / 10.0 + 1
    assert findings[-1].script_note == "no time was left to verify its script"


def test_a_known_finding_has_no_overtime(written: list[str]) -> None:
    scripts(5.0).write([new := found("new", "a"), old := found("old", "b", new=False)], 1)
    assert (new.script, old.script) == ("findings/new.py", "")
    assert old.script_note == "no time was left to verify its script: it is known"


def test_an_interruption_leaves_the_others_out(written: list[str]) -> None:
    findings = [found("a", "a"), found("b", "b")]
    scripts(500.0, interrupted=lambda: bool(written)).write(findings, 1)
    assert [finding.script_note for finding in findings] == ["", "interrupted before its script was verified"]


def test_a_script_that_was_cut_short_shows_no_hang() -> None:
    hang = Verdict(status=Status.TIMED_OUT, reason="no end", oracle=Oracle.PROCESS)
    assert not verify("import time; time.sleep(60)", hang, going=lambda: False).shown
    assert verify("import time; time.sleep(60)", hang, seconds=1.0).shown
