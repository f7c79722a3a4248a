"""A campaign finishes, whatever its implementations do, within its budget, and resumes when it was killed."""

import os
import re
import signal
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from eagerdiff.harness.campaign import Campaign, Progress
from eagerdiff.harness.campaign.record import Record
from eagerdiff.harness.campaign.schedule import Schedule
from eagerdiff.harness.campaign.slot import Slot
from eagerdiff.harness.catalog.catalog import Catalog
from eagerdiff.harness.cli.ending import exit_code
from eagerdiff.harness.corpus.turns import LastTurn
from eagerdiff.harness.model.implementation import Requirements
from eagerdiff.harness.model.verdict import Status
from eagerdiff.harness.processes import Limits, WorkerPool
from eagerdiff.harness.report.words import headline
from eagerdiff.harness.results.results import Results
from eagerdiff.harness.triage.known import Known
from eagerdiff.suites.tests.campaigns import Stopper, campaign
from eagerdiff.suites.tests.misbehaving import OPERATOR

QUICK = {
    "segfault": Status.CRASHED,
    "abort": Status.CRASHED,
    "allocate": Status.OUT_OF_MEMORY,
    "wrong": Status.WRONG_VALUE,
}
SLOW = {"sort_forever": Status.TIMED_OUT, "spin_in_python": Status.TIMED_OUT}
"""What takes all of its time in each try: these are not made as small as can be."""


@pytest.mark.parametrize(("deadly", "shrink_seconds"), [(QUICK, 80.0), pytest.param(SLOW, 3.0, marks=pytest.mark.slow)])
def test_every_way_to_die_becomes_a_finding_about_the_right_case_and_the_campaign_ends(
    deadly: dict[str, Status], shrink_seconds: float, misbehaving_pool: WorkerPool
) -> None:
    stopper = Stopper(lambda told: told.findings >= len(deadly) and told.implementation == "right")
    options = {"budget": 240.0, "progress": stopper, "shrink_seconds": shrink_seconds}
    stopper.target = campaign(misbehaving_pool, *deadly, "right", **options)
    results = stopper.target.run()
    found = {finding.implementation: finding for finding in results.findings}
    assert {name: finding.verdict.status for name, finding in found.items()} == deadly
    assert all(max(case["size"] for case in finding.workload) >= 17 for finding in found.values())
    for name in QUICK.keys() & found:
        assert [case["size"] for case in found[name].workload] == [17]
        assert found[name].shrunk
    assert {name for name, finding in found.items() if not (finding.reproduced and finding.new)} == set()
    row = next(row for row in results.rows if row.implementation == "right")
    assert row.cases > 0
    assert row.findings == 0
    assert results.elapsed < 240
    assert results.totals.findings == len(deadly)


def test_the_budget_is_kept_and_no_slot_is_idle(misbehaving_pool: WorkerPool) -> None:
    began = time.monotonic()
    results = campaign(misbehaving_pool, "nap", "sleep", budget=8.0).run()
    assert 7.5 < time.monotonic() - began < 40.0  # near 8 on a machine that does nothing else
    shares = [float(share.rstrip("%")) for share in results.environment["utilisation"].split()]
    assert len(shares) == 2
    assert min(shares) > 0  # near 90 there


def test_progress_is_told_after_each_workload(misbehaving_pool: WorkerPool) -> None:
    told: list[Progress] = []
    results = campaign(misbehaving_pool, "nap", budget=3.0, progress=told.append).run()
    assert told[-1].cases == results.totals.cases > 0
    assert told[0].seconds_left > told[-1].seconds_left


def test_known_failures_are_not_new(misbehaving_pool: WorkerPool) -> None:
    first = campaign(misbehaving_pool, "wrong").run()
    again = campaign(
        misbehaving_pool, "wrong", known=Known(frozenset(finding.signature for finding in first.findings))
    ).run()
    assert [finding.new for finding in first.findings] == [True]
    assert [finding.new for finding in again.findings] == [False]
    assert again.totals.new == 0


def test_stop_ends_a_campaign_with_what_there_is(misbehaving_pool: WorkerPool) -> None:
    running = campaign(misbehaving_pool, "right", "sort_forever", budget=60.0, limits=Limits(case_seconds=50))
    threading.Timer(1.5, running.stop).start()
    began = time.monotonic()
    results = running.run()
    assert time.monotonic() - began < 6
    assert results.interrupted
    assert Results.model_validate_json(results.model_dump_json()) == results


def test_ctrl_c_ends_a_campaign_with_valid_results(misbehaving_pool: WorkerPool) -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
    running = campaign(misbehaving_pool, "right", "sort_forever", budget=60.0, limits=Limits(case_seconds=50))
    ended = threading.Event()

    def press() -> None:
        # A KeyboardInterrupt that Python raises inside a destructor is lost; whoever waits presses again.
        while not ended.wait(3.0):
            os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=press, daemon=True).start()
    began = time.monotonic()
    try:
        results = running.run()
    finally:
        ended.set()
        signal.signal(signal.SIGINT, before)
    assert time.monotonic() - began < 10
    assert results.interrupted
    assert results.totals.cases > 0


def test_first_turns_are_remembered_and_what_was_not_judged_says_when_it_was(misbehaving_pool: WorkerPool) -> None:
    turns: dict[str, LastTurn] = {}
    first = campaign(misbehaving_pool, "right", "wrong", budget=4.0, turns=turns).run()
    assert set(turns) == {"doubling/right on cpu", "doubling/wrong on cpu"}
    assert [row.last_judged for row in first.rows] == ["", ""]
    later = campaign(misbehaving_pool, "right", "wrong", budget=0.0, turns=turns).run()
    assert [row.last_judged for row in later.rows] == [
        turns[f"doubling/{name} on cpu"].when for name in ("right", "wrong")
    ]
    day = turns["doubling/right on cpu"].when[:10]
    assert later.rows[0].why_unjudged == f"the budget ended before a case was judged, which last happened on {day}"
    assert "0 of 2 implementations that can run here judged" in headline(later)


@pytest.mark.slow
def test_start_up_is_not_charged_to_the_budget(
    tmp_path: Path, misbehaving_pool: WorkerPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(misbehaving_pool, "prepare", lambda devices: time.sleep(5.0))  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]
    path = tmp_path / "journal"
    first = campaign(misbehaving_pool, "right", journal=path, budget=3.0, slots=1).run()
    spent = Record(path).searched
    assert first.totals.cases > 0
    assert spent <= first.elapsed - 5.0
    campaign(misbehaving_pool, "right", journal=path, budget=spent + 3.0, slots=1).run()
    assert Record(path).searched > spent


def test_shrinking_is_bounded_in_all(misbehaving_pool: WorkerPool) -> None:
    shared = campaign(misbehaving_pool, "wrong", budget=10.0, shrink_seconds=2.0)._share(None, misbehaving_pool)  # pyright: ignore[reportPrivateUsage, reportArgumentType]
    assert (shared.shrink_left, shared.bounds.seconds) == (5.0, 2.0)
    shared.shrink_left = 1.5
    assert shared.bounds.seconds == 1.5
    shared.shrink_left = -2.0
    assert (shared.bounds.seconds, shared.bounds.runs) == (0.0, 0)


def test_a_slot_that_dies_is_said_and_never_a_success(
    misbehaving_pool: WorkerPool, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    take = Schedule.take

    def dies(schedule: Schedule, takes: object, slot: int) -> object:
        if threading.current_thread().name.endswith("-1"):
            raise SystemExit(0)
        return take(schedule)

    monkeypatch.setattr(Schedule, "take", dies)
    results = campaign(misbehaving_pool, "right", budget=4.0).run()
    assert results.totals.cases > 0
    assert results.broken == ["eagerdiff-slot-1 died: SystemExit: 0"]
    assert exit_code(results) == 2
    assert "slot-1 died" in capfd.readouterr().err


def test_a_search_that_ends_before_its_time_is_said_and_never_a_success(
    misbehaving_pool: WorkerPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Slot, "run", lambda slot: time.sleep(0.5))
    results = campaign(misbehaving_pool, "right", budget=60.0).run()
    assert re.fullmatch(r"the search ended \d+ s before its time", results.broken[0])
    assert exit_code(results) == 2


def test_bad_arguments_are_refused(misbehaving_pool: WorkerPool) -> None:
    with pytest.raises(ValueError, match="negative"):
        campaign(misbehaving_pool, "right", budget=-1.0)
    with pytest.raises(ValueError, match="no such device"):
        campaign(misbehaving_pool, "right", devices=["tpu"])


def test_what_cannot_run_here_is_a_row_with_its_reason(misbehaving_pool: WorkerPool) -> None:
    needy = replace(
        OPERATOR.implementations[0],
        name="needy",
        requires=Requirements(packages=("no_such_package",)),
        devices=("cpu",),
    )
    catalog = Catalog(operators={"doubling": OPERATOR}, implementations={"doubling": {"needy": needy}})
    results = Campaign(catalog, budget=1.0, worker_pool=misbehaving_pool, slots=1).run()
    (row,) = results.rows
    assert "no_such_package" in row.problem
    assert results.totals.skipped == 1
    assert row.skip_reasons == {row.problem: 1}
