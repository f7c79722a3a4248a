"""The journal loses nothing that was written, whatever happens to the writer."""

import json
import math
import threading
import time
from pathlib import Path

from eagerdiff.harness.campaign.journal import Journal, TargetKey
from eagerdiff.harness.model.outcome import CompileRecord, Outcome
from eagerdiff.harness.model.verdict import Status, Verdict, passed
from eagerdiff.harness.model.workload import Workload
from eagerdiff.suites.tests.misbehaving import Doubling

A, B = (TargetKey("doubling", name, "cpu") for name in ("a", "b"))
WORKLOAD = Workload.of(Doubling(size=3), Doubling(size=17, seed=5))
OUTCOME = Outcome(
    verdicts=[
        passed(),
        Verdict(status=Status.WRONG_VALUE, reason="off", numbers={"rmse": math.inf}, surviving_mutants=("zeros",)),
    ],
    compiles=[CompileRecord(layer="dynamo", reason="size 3")],
    compile_count=2,
    seconds=0.5,
)


def test_an_outcome_is_found_again_after_reopening(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal") as journal:
        assert journal.claim(A, WORKLOAD, 0) is None
        journal.judged(A, WORKLOAD, OUTCOME)
    with Journal(tmp_path / "journal") as journal:
        assert journal.outcome(A, WORKLOAD) == OUTCOME
        assert journal.claim(A, WORKLOAD, 1) == OUTCOME
        assert journal.outcome(B, WORKLOAD) is None


def test_the_description_is_on_disk_before_the_outcome(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal") as journal:
        journal.claim(A, WORKLOAD, 7)
        line = json.loads((tmp_path / "journal").read_text())
    assert (line["event"], line["batch"], line["digest"]) == ("start", 7, WORKLOAD.digest)
    assert Workload.from_data(Doubling, line["workload"]) == WORKLOAD


def test_a_torn_last_line_is_dropped_and_written_over(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    with Journal(path) as journal:
        journal.note("finding", number=1)
        journal.judged(A, WORKLOAD, OUTCOME)
    path.write_bytes(path.read_bytes()[:-20])
    with Journal(path) as journal:
        assert journal.outcome(A, WORKLOAD) is None
        journal.judged(A, WORKLOAD, OUTCOME)
        assert journal.outcome(A, WORKLOAD) == OUTCOME
        assert [event["event"] for event in journal.events()] == ["finding", "verdict"]
        assert journal.damaged == 0


def test_a_damaged_line_is_counted_and_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    path.write_bytes(b"\x00\x00garbage\n")
    with Journal(path) as journal:
        journal.judged(A, WORKLOAD, OUTCOME)
        assert journal.damaged == 1
    with Journal(path) as journal:
        assert journal.outcome(A, WORKLOAD) == OUTCOME


def test_a_workload_runs_once_when_two_threads_draw_it(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal") as journal:
        journal.claim(A, WORKLOAD, 0)
        found: list[Outcome | None] = []
        waiting = threading.Thread(target=lambda: found.append(journal.claim(A, WORKLOAD, 1)))
        waiting.start()
        time.sleep(0.05)
        assert not found
        journal.judged(A, WORKLOAD, OUTCOME)
        waiting.join(5)
    assert found == [OUTCOME]


def test_an_abandoned_workload_is_claimed_again(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal") as journal:
        journal.claim(A, WORKLOAD, 0)
        journal.abandon(A, WORKLOAD)
        assert journal.claim(A, WORKLOAD, 0) is None


def test_elapsed_adds_the_sessions_up_and_leaves_the_pause_out(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    times = [("campaign", 100), ("start", 104), ("campaign", 900), ("start", 903)]
    path.write_text("".join(json.dumps({"event": event, "time": moment}) + "\n" for event, moment in times))
    with Journal(path) as journal:
        assert journal.elapsed == 7
