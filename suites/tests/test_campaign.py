"""A campaign finishes, whatever its implementations do, within its budget, and resumes when it was killed."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from eagerdiff.harness.campaign import Campaign, Progress
from eagerdiff.harness.campaign.events import Judged, Started, TargetKey
from eagerdiff.harness.campaign.record import Record
from eagerdiff.harness.campaign.slot import Slot
from eagerdiff.harness.campaign.tally import Tally
from eagerdiff.harness.campaign.target import Schedule, Target
from eagerdiff.harness.catalog.catalog import Catalog, load
from eagerdiff.harness.cli.ending import exit_code
from eagerdiff.harness.model.implementation import Requirements
from eagerdiff.harness.model.outcome import CompileRecord, Outcome
from eagerdiff.harness.model.verdict import Oracle, Status, Verdict, passed, skipped
from eagerdiff.harness.processes import Limits, Task, WorkerPool
from eagerdiff.harness.results.results import Results, Row
from eagerdiff.harness.triage.finding import Finding
from eagerdiff.suites.tests.misbehaving import OPERATOR, SPEC

LIMITS = Limits(memory=1 << 28, case_seconds=2.0, idle_seconds=20.0)


@pytest.fixture(scope="module")
def worker_pool() -> Iterator[WorkerPool]:
    with WorkerPool([SPEC]) as worker_pool:
        worker_pool.fork_server("cpu")
        yield worker_pool


def campaign(worker_pool: WorkerPool, *implementations: str, **options: object) -> Campaign:
    settings = {"budget": 4.0, "slots": 2, "limits": LIMITS, "shrink_seconds": 3.0} | options
    return Campaign(load([SPEC]), implementations=implementations, worker_pool=worker_pool, **settings)  # pyright: ignore[reportArgumentType]


def test_every_way_to_die_becomes_a_finding_about_the_right_case_and_the_campaign_ends(worker_pool: WorkerPool) -> None:
    deadly = {
        "segfault": Status.CRASHED,
        "abort": Status.CRASHED,
        "sort_forever": Status.TIMED_OUT,
        "spin_in_python": Status.TIMED_OUT,
        "allocate": Status.OUT_OF_MEMORY,
        "wrong": Status.WRONG_VALUE,
    }
    stopper = Stopper(lambda told: told.findings >= len(deadly) and told.implementation == "right")
    stopper.target = campaign(worker_pool, *deadly, "right", budget=120.0, progress=stopper, shrink_seconds=40.0)
    results = stopper.target.run()
    found = {finding.implementation: finding for finding in results.findings}
    assert {name: finding.verdict.status for name, finding in found.items()} == deadly
    assert all(max(case["size"] for case in finding.workload) >= 17 for finding in found.values())
    for name in ("segfault", "abort", "wrong", "allocate"):
        assert [case["size"] for case in found[name].workload] == [17]
        assert found[name].shrunk
    assert {name for name, finding in found.items() if not (finding.reproduced and finding.new)} == set()
    row = next(row for row in results.rows if row.implementation == "right")
    assert row.cases > 0
    assert row.findings == 0
    assert results.elapsed < 120
    assert results.totals.findings == len(deadly)


def test_the_budget_is_kept_and_no_slot_is_idle(worker_pool: WorkerPool) -> None:
    began = time.monotonic()
    results = campaign(worker_pool, "nap", "sleep", budget=8.0).run()
    assert 7.5 < time.monotonic() - began < 40.0  # near 8 on a machine that does nothing else
    shares = [float(share.rstrip("%")) for share in results.environment["utilisation"].split()]
    assert len(shares) == 2
    assert min(shares) > 0  # near 90 there


def test_progress_is_told_after_each_workload(worker_pool: WorkerPool) -> None:
    told: list[Progress] = []
    results = campaign(worker_pool, "nap", budget=3.0, progress=told.append).run()
    assert told[-1].cases == results.totals.cases > 0
    assert told[0].seconds_left > told[-1].seconds_left


def test_known_failures_are_not_new(worker_pool: WorkerPool) -> None:
    first = campaign(worker_pool, "wrong").run()
    again = campaign(worker_pool, "wrong", known={finding.signature for finding in first.findings}).run()
    assert [finding.new for finding in first.findings] == [True]
    assert [finding.new for finding in again.findings] == [False]
    assert again.totals.new == 0


def test_stop_ends_a_campaign_with_what_there_is(worker_pool: WorkerPool) -> None:
    running = campaign(worker_pool, "right", "sort_forever", budget=60.0, limits=Limits(case_seconds=50))
    threading.Timer(1.5, running.stop).start()
    began = time.monotonic()
    results = running.run()
    assert time.monotonic() - began < 6
    assert results.interrupted
    assert Results.model_validate_json(results.model_dump_json()) == results


def test_ctrl_c_ends_a_campaign_with_valid_results(worker_pool: WorkerPool) -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
    running = campaign(worker_pool, "right", "sort_forever", budget=60.0, limits=Limits(case_seconds=50))
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


SEARCH = """
import sys
from pathlib import Path
from eagerdiff.harness.campaign import Campaign
from eagerdiff.harness.catalog.catalog import load_typed
from eagerdiff.harness.processes import Limits
catalog = load_typed([%r])
campaign = Campaign(
    catalog,
    implementations=["sleep", "wrong"],
    budget=60,
    slots=2,
    journal=Path(sys.argv[1]),
    limits=Limits(case_seconds=5),
    shrink_seconds=3,
    progress=lambda told: print(told.cases, flush=True),
)
campaign.run()
"""


def start_search(journal: Path) -> "subprocess.Popen[str]":
    process = subprocess.Popen([sys.executable, "-c", SEARCH % SPEC, str(journal)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    for line in process.stdout:
        if line.strip().isdecimal() and int(line) >= 40:
            break
    return process


def digests(path: Path, kind: type[Judged] | type[Started]) -> list[tuple[TargetKey, str]]:
    """Return what a journal has events of a kind of, in their order."""
    return [(event.target, event.digest) for event in Record(path).events() if isinstance(event, kind)]


def test_a_killed_campaign_resumes_with_nothing_lost_and_nothing_done_twice(
    tmp_path: Path, worker_pool: WorkerPool
) -> None:
    path = tmp_path / "journal"
    process = start_search(path)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    with path.open("ab") as file:
        file.write(b'0a1b2c3d {"event":"verdict","stream":"doub')  # torn
    before, spent = digests(path, Judged), Record(path).searched
    assert spent < 60
    options = {"budget": spent + 3, "journal": path}
    results = campaign(worker_pool, "sleep", "wrong", **options).run()
    after, started = digests(path, Judged), digests(path, Started)
    assert after[: len(before)] == before
    assert len(after) == len(set(after)) > len(before)
    lost = [key for key in started if started.count(key) > 1]
    assert len(set(lost)) <= 2  # at most what each slot was on when it was killed
    assert results.totals.workloads == len(after)


def test_a_resumed_campaign_runs_what_an_uninterrupted_one_does(tmp_path: Path, worker_pool: WorkerPool) -> None:
    def run(path: Path, stops: list[int]) -> list[str]:
        for stop in stops:
            stopper = Stopper(lambda told, stop=stop: told.workloads >= stop)
            stopper.target = campaign(worker_pool, "right", journal=path, budget=60.0, slots=1, progress=stopper)
            stopper.target.run()
        return [digest for _, digest in digests(path, Judged)]

    resumed, whole = run(tmp_path / "resumed", [9, 17, 30]), run(tmp_path / "whole", [30])
    shorter = min(len(resumed), len(whole))
    assert shorter >= 30
    assert resumed[:shorter] == whole[:shorter]


class Stopper:
    """Stop a campaign as soon as something holds."""

    target: Campaign

    def __init__(self, enough: Callable[[Progress], bool]) -> None:
        self.enough = enough

    def __call__(self, told: Progress) -> None:
        if self.enough(told):
            self.target.stop()


def stopped_early(path: Path, worker_pool: WorkerPool) -> None:
    """Leave a journal with failing verdicts whose findings were not made smaller."""
    stopper = Stopper(lambda told: told.shrinking)
    names = ("wrong", "segfault")
    stopper.target = campaign(worker_pool, *names, journal=path, budget=60.0, progress=stopper, limits=LIMITS)
    stopper.target.run()
    lines = [event for event in Record(path).events() if isinstance(event, Judged) and event.outcome.first_failure]
    assert lines
    kept = [line for line in path.read_bytes().splitlines(keepends=True) if b'"event":"finding"' not in line]
    path.write_bytes(b"".join(kept))  # as if it had been killed before it found


@pytest.mark.parametrize("lost", ["nothing", "the line of the start"])
def test_every_failing_verdict_on_record_is_a_finding_though_no_time_is_left(
    lost: str, tmp_path: Path, worker_pool: WorkerPool
) -> None:
    path = tmp_path / "journal"
    stopped_early(path, worker_pool)
    if lost != "nothing":
        kept = [line for line in path.read_bytes().splitlines(keepends=True) if b'"event":"start"' not in line]
        path.write_bytes(b"".join(kept))
    failing = {event.target for event in Record(path).events() if isinstance(event, Judged) and event.workload}
    results = campaign(worker_pool, "wrong", "segfault", journal=path, budget=0.0).run()
    assert {(found.operator, found.implementation, found.device) for found in results.findings} == failing
    assert all(found.workload and found.new for found in results.findings)
    assert any("damaged lines were passed over" in line for line in results.problems) == (lost != "nothing")
    assert exit_code(results) == 1


def verdicts(results: Results) -> dict[str, Verdict]:
    """Return what was found of each implementation: the order is that in which slots came to it."""
    return {found.implementation: found.verdict for found in results.findings}


def test_what_is_on_record_is_told_though_it_is_not_searched_this_time(tmp_path: Path, worker_pool: WorkerPool) -> None:
    path = tmp_path / "journal"
    stopped_early(path, worker_pool)
    first = campaign(worker_pool, "wrong", "segfault", journal=path, budget=0.0).run()
    later = campaign(worker_pool, "right", journal=path, budget=0.0).run()
    assert verdicts(later) == verdicts(first)
    assert later.totals.cases == first.totals.cases
    assert {row.problem for row in later.rows if row.cases} == {"on record in the journal, and not searched this time"}
    assert exit_code(later) == exit_code(first)


@pytest.mark.slow
def test_start_up_is_not_charged_to_the_budget(
    tmp_path: Path, worker_pool: WorkerPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker_pool, "prepare", lambda devices: time.sleep(5.0))  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]
    path = tmp_path / "journal"
    first = campaign(worker_pool, "right", journal=path, budget=3.0, slots=1).run()
    spent = Record(path).searched
    assert first.totals.cases > 0
    assert spent <= first.elapsed - 5.0
    campaign(worker_pool, "right", journal=path, budget=spent + 3.0, slots=1).run()
    assert Record(path).searched > spent


def test_shrinking_is_bounded_in_all(worker_pool: WorkerPool) -> None:
    shared = campaign(worker_pool, "wrong", budget=10.0, shrink_seconds=4.0)._share(None, worker_pool)  # pyright: ignore[reportPrivateUsage, reportArgumentType]
    assert (shared.shrink_left, shared.bounds.seconds) == (10.0, 4.0)
    shared.shrink_left = 1.5
    assert shared.bounds.seconds == 1.5
    shared.shrink_left = -2.0
    assert (shared.bounds.seconds, shared.bounds.runs) == (0.0, 0)


def test_a_slot_that_dies_is_said_and_never_a_success(
    worker_pool: WorkerPool, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    take = Schedule.take

    def dies(schedule: Schedule) -> object:
        if threading.current_thread().name.endswith("-1"):
            raise SystemExit(0)
        return take(schedule)

    monkeypatch.setattr(Schedule, "take", dies)
    results = campaign(worker_pool, "right", budget=4.0).run()
    assert results.totals.cases > 0
    assert results.broken == ["eagerdiff-slot-1 died: SystemExit: 0"]
    assert exit_code(results) == 2
    assert "slot-1 died" in capfd.readouterr().err


def test_a_search_that_ends_before_its_time_is_said_and_never_a_success(
    worker_pool: WorkerPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Slot, "run", lambda slot: time.sleep(0.5))
    results = campaign(worker_pool, "right", budget=60.0).run()
    assert re.fullmatch(r"the search ended \d+ s before its time", results.broken[0])
    assert exit_code(results) == 2


def test_a_journal_of_another_seed_is_refused(tmp_path: Path, worker_pool: WorkerPool) -> None:
    campaign(worker_pool, "right", journal=tmp_path / "journal", budget=0.5).run()
    with pytest.raises(ValueError, match="another campaign"):
        campaign(worker_pool, "right", journal=tmp_path / "journal", seed=1).run()


def test_bad_arguments_are_refused(worker_pool: WorkerPool) -> None:
    with pytest.raises(ValueError, match="negative"):
        campaign(worker_pool, "right", budget=-1.0)
    with pytest.raises(ValueError, match="no such device"):
        campaign(worker_pool, "right", devices=["tpu"])


def test_what_cannot_run_here_is_a_row_with_its_reason(worker_pool: WorkerPool) -> None:
    needy = replace(
        OPERATOR.implementations[0],
        name="needy",
        requires=Requirements(packages=("no_such_package",)),
        devices=("cpu",),
    )
    catalog = Catalog(operators={"doubling": OPERATOR}, implementations={"doubling": {"needy": needy}})
    results = Campaign(catalog, budget=1.0, worker_pool=worker_pool, slots=1).run()
    (row,) = results.rows
    assert "no_such_package" in row.problem
    assert results.totals.skipped == 1
    assert row.skip_reasons == {row.problem: 1}


def test_an_operator_gets_its_share_however_many_implementations_it_has() -> None:
    many = [target("many", f"way{number}") for number in range(9)]
    schedule = Schedule([*many, target("single", "only")], slice_seconds=1.0)
    for _ in range(40):
        turn = schedule.take()
        assert turn is not None
        turn.started -= 1.0
        schedule.give_back(turn, finished=True, fresh=1)
    assert schedule.running == 0
    spent = {one.implementation.name: one.spent for one in many}
    assert 19 <= sum(spent.values()) <= 21
    assert max(spent.values()) - min(spent.values()) < 1.5


def test_a_target_without_anything_new_is_closed() -> None:
    schedule = Schedule([target("single", "only")], slice_seconds=1.0)
    for _ in range(3):
        turn = schedule.take()
        assert turn is not None
        schedule.give_back(turn, finished=True, fresh=0)
    assert schedule.take() is None


def test_a_paused_batch_is_taken_up_before_the_next() -> None:
    schedule = Schedule([target("single", "only")], slice_seconds=1.0)
    turn = schedule.take()
    assert turn is not None
    schedule.give_back(turn, finished=False, fresh=3)
    again = schedule.take()
    assert again is not None
    assert again.index == turn.index


def target(operator: str, name: str) -> Target:
    implementation = replace(OPERATOR.implementations[0], operator=operator, name=name)
    row = Row(operator=operator, implementation=name, device="cpu")
    task = Task(operator=operator, implementation=name, workload=[])
    return Target(replace(OPERATOR, name=operator), implementation, "cpu", task, Tally(row))


def test_a_row_counts_everything() -> None:
    tally = Tally(Row(operator="doubling", implementation="x", device="cpu"))
    compiles = [
        CompileRecord(layer="dynamo", frame="0", reason="first", seconds=2.0),
        CompileRecord(layer="inductor", frame="0", seconds=1.5),
        CompileRecord(layer="dynamo", frame="0", reason="size 3 != 4", seconds=1.0),
    ]
    wrong = Verdict(status=Status.WRONG_VALUE, reason="off by 3", oracle=Oracle.RMSE, surviving_mutants=("zeros",))
    outcome = Outcome(
        verdicts=[passed(), wrong, skipped("odd")],
        compiles=compiles,
        compile_count=2,
        compile_note="fewer",
        launched=[{"sdd": 2, "dsd": 1}, {"sdd": 4}, {}],
        seconds=1.0,
    )
    tally.add([{"size": 3}, {"size": 3}, {"size": 4}], outcome)
    tally.add(
        [{"size": 3}, {"size": 5}], Outcome(verdicts=[], workload=Verdict(status=Status.CRASHED, reason="SIGSEGV"))
    )
    tally.add([{"size": 6}], Outcome(verdicts=[], workload=skipped("no worker")))
    row = tally.row
    assert (row.cases, row.workloads, row.compiles, row.skipped, row.survived) == (3, 2, 2, 2, 1)
    assert (row.launches, row.seconds, row.compile_seconds, row.distinct_sizes) == (7, 1.0, 3.0, 3)
    assert row.launches_a_call == {"sdd": 4, "dsd": 1}
    assert row.skip_reasons == {"odd": 1, "no worker": 1}
    assert row.recompile_reasons == {"size N != N": 1}
    assert row.compiles_per_workload == {2: 1, 0: 1}
    assert row.compile_changes == {"fewer": 1}
    assert sum(tally.failures.values()) == 2


def test_failures_in_the_tally_have_the_signatures_of_findings() -> None:
    tally = Tally(Row(operator="doubling", implementation="x", device="cpu"))
    verdict = Verdict(status=Status.WRONG_VALUE, reason="off by 3", oracle=Oracle.RMSE)
    tally.add([{"size": 3}], Outcome(verdicts=[verdict]))
    finding = Finding(operator="doubling", implementation="x", device="cpu", verdict=verdict, workload=[])
    assert list(tally.failures) == [finding.signature]
    assert json.loads(finding.model_dump_json())
