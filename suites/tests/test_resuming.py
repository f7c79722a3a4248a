"""A campaign that was killed or stopped goes on with nothing lost and nothing done twice."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from eagerdiff.harness.campaign.events import Judged, Started, TargetKey
from eagerdiff.harness.campaign.record import Record
from eagerdiff.harness.cli.ending import exit_code
from eagerdiff.harness.model.verdict import Verdict
from eagerdiff.harness.processes import WorkerPool
from eagerdiff.harness.results.results import Results
from eagerdiff.suites.tests.campaigns import LIMITS, Stopper, campaign
from eagerdiff.suites.tests.misbehaving import SPEC

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
    tmp_path: Path, misbehaving_pool: WorkerPool
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
    results = campaign(misbehaving_pool, "sleep", "wrong", **options).run()
    after, started = digests(path, Judged), digests(path, Started)
    assert after[: len(before)] == before
    assert len(after) == len(set(after)) > len(before)
    lost = [key for key in started if started.count(key) > 1]
    assert len(set(lost)) <= 2  # at most what each slot was on when it was killed
    assert results.totals.workloads == len(after)


def test_a_resumed_campaign_runs_what_an_uninterrupted_one_does(tmp_path: Path, misbehaving_pool: WorkerPool) -> None:
    def run(path: Path, stops: list[int]) -> list[str]:
        for stop in stops:
            stopper = Stopper(lambda told, stop=stop: told.workloads >= stop)
            stopper.target = campaign(misbehaving_pool, "right", journal=path, budget=60.0, slots=1, progress=stopper)
            stopper.target.run()
        return [digest for _, digest in digests(path, Judged)]

    resumed, whole = run(tmp_path / "resumed", [9, 17, 30]), run(tmp_path / "whole", [30])
    shorter = min(len(resumed), len(whole))
    assert shorter >= 30
    assert resumed[:shorter] == whole[:shorter]


def stopped_early(path: Path, misbehaving_pool: WorkerPool) -> None:
    """Leave a journal with failing verdicts whose findings were not made smaller."""
    stopper = Stopper(lambda told: told.shrinking)
    names = ("wrong", "segfault")
    stopper.target = campaign(misbehaving_pool, *names, journal=path, budget=60.0, progress=stopper, limits=LIMITS)
    stopper.target.run()
    lines = [event for event in Record(path).events() if isinstance(event, Judged) and event.outcome.first_failure]
    assert lines
    kept = [line for line in path.read_bytes().splitlines(keepends=True) if b'"event":"finding"' not in line]
    path.write_bytes(b"".join(kept))  # as if it had been killed before it found


@pytest.mark.parametrize("lost", ["nothing", "the line of the start"])
def test_every_failing_verdict_on_record_is_a_finding_though_no_time_is_left(
    lost: str, tmp_path: Path, misbehaving_pool: WorkerPool
) -> None:
    path = tmp_path / "journal"
    stopped_early(path, misbehaving_pool)
    if lost != "nothing":
        kept = [line for line in path.read_bytes().splitlines(keepends=True) if b'"event":"start"' not in line]
        path.write_bytes(b"".join(kept))
    failing = {event.target for event in Record(path).events() if isinstance(event, Judged) and event.workload}
    results = campaign(misbehaving_pool, "wrong", "segfault", journal=path, budget=0.0).run()
    assert {(found.operator, found.implementation, found.device) for found in results.findings} == failing
    assert all(found.workload and found.new for found in results.findings)
    assert any("damaged lines were passed over" in line for line in results.problems) == (lost != "nothing")
    assert exit_code(results) == 1


def verdicts(results: Results) -> dict[str, Verdict]:
    """Return what was found of each implementation: the order is that in which slots came to it."""
    return {found.implementation: found.verdict for found in results.findings}


def test_what_is_on_record_is_told_though_it_is_not_searched_this_time(
    tmp_path: Path, misbehaving_pool: WorkerPool
) -> None:
    path = tmp_path / "journal"
    stopped_early(path, misbehaving_pool)
    first = campaign(misbehaving_pool, "wrong", "segfault", journal=path, budget=0.0).run()
    later = campaign(misbehaving_pool, "right", journal=path, budget=0.0).run()
    assert verdicts(later) == verdicts(first)
    assert later.totals.cases == first.totals.cases
    assert {row.problem for row in later.rows if row.cases} == {"on record in the journal, and not searched this time"}
    assert exit_code(later) == exit_code(first)


def test_a_journal_of_another_seed_is_refused(tmp_path: Path, misbehaving_pool: WorkerPool) -> None:
    campaign(misbehaving_pool, "right", journal=tmp_path / "journal", budget=0.5).run()
    with pytest.raises(ValueError, match="another campaign"):
        campaign(misbehaving_pool, "right", journal=tmp_path / "journal", seed=1).run()
