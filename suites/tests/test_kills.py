"""Whenever a campaign is killed, whenever its disk is full: nothing is lost, nothing is there twice, nothing hangs."""

import json
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from eagerdiff.harness.campaign.events import Found, Judged, TargetKey
from eagerdiff.harness.campaign.record import Record
from eagerdiff.harness.results.results import Results
from eagerdiff.harness.triage.signature import failures

EACH = 10
"""Kills of one campaign, before it may end."""


class Lives:
    """Ask for lives of campaigns (`mortal`)."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        command = [sys.executable, "-m", "eagerdiff.suites.tests.mortal", str(folder)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def live(self, *lives: Mapping[str, object]) -> list[str]:
        """Let campaigns live at the same time; return how each ended."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(lives) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def told(self, name: str) -> list[int]:
        """Return the workloads and findings that a campaign told of last."""
        path = self.folder / f"{name}.told"
        return json.loads(path.read_text() or "[0, 0]") if path.exists() else [0, 0]

    def close(self) -> None:
        """End it."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(60)


@pytest.fixture(scope="module")
def lives(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lives]:
    lives = Lives(tmp_path_factory.mktemp("lives"))
    yield lives
    lives.close()


def on_record(path: Path) -> tuple[list[tuple[TargetKey, str]], int]:
    """Return the verdicts on record, in their order, and how many findings there are; nothing may be damaged."""
    record = Record(path)
    assert record.damaged == 0
    events = list(record.events())
    judged = [(event.target, event.digest) for event in events if isinstance(event, Judged)]
    return judged, sum(isinstance(event, Found) for event in events)


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 20))])
def test_a_kill_at_any_moment_loses_nothing_and_doubles_nothing(seed: int, lives: Lives) -> None:
    name, draw = f"killed{seed}", random.Random(seed)
    path = lives.folder / f"{name}.journal"
    before: list[tuple[TargetKey, str]] = []
    kept = 0
    for _ in range(EACH):
        life = {"name": name, "workloads": 10_000, "kill_after": draw.random() ** 2 * 0.4}
        assert lives.live(life) == ["-9"]
        judged, found = on_record(path)
        workloads, _ = lives.told(name)
        assert judged[: len(before)] == before
        assert len(judged) >= workloads  # what was told was on record before
        assert found >= kept
        before, kept = judged, found
    assert lives.live({"name": name, "workloads": len(before) + 20}) == ["0"]
    results = Results.model_validate_json((lives.folder / f"{name}.results").read_bytes())
    judged, _ = on_record(path)
    assert max(Counter(judged).values()) == 1
    assert judged[: len(before)] == before
    assert results.totals.workloads == len(judged) > len(before)
    events = [event for event in Record(path).events() if isinstance(event, Judged)]
    assert sum(row.failures for row in results.rows) == sum(len(failures(event.outcome)) for event in events)
    failing = {event.target.implementation for event in events if failures(event.outcome)}
    assert {finding.implementation for finding in results.findings} == failing
    assert len(results.findings) == len(failing)
    assert not results.problems


def sizes(count: int) -> list[int]:
    """Return lengths from nothing to most of what a life writes, drawn evenly."""
    return [40 + 50_000 * number // count for number in range(count)]


@pytest.mark.parametrize(
    "size", [*sizes(20)[:3], *(pytest.param(size, marks=pytest.mark.slow) for size in sizes(20)[3:])]
)
def test_a_disk_that_is_full_at_any_moment_ends_it_and_all_up_to_then_is_kept(size: int, lives: Lives) -> None:
    name = f"full{size}"
    assert lives.live({"name": name, "workloads": 100_000, "file_bytes": size}) == ["0"]  # 3: it noticed nothing
    judged, _ = on_record(lives.folder / f"{name}.journal")
    workloads, _ = lives.told(name)
    assert len(judged) >= workloads
    assert lives.live({"name": name, "workloads": len(judged) + 10}) == ["0"]
    results = Results.model_validate_json((lives.folder / f"{name}.results").read_bytes())
    after, _ = on_record(lives.folder / f"{name}.journal")
    assert after[: len(judged)] == judged
    assert results.totals.workloads == len(after) == len(set(after)) > len(judged)


@pytest.mark.parametrize("count", [2, pytest.param(20, marks=pytest.mark.slow)])
def test_of_runs_on_one_journal_one_searches_and_the_others_say_so(count: int, lives: Lives) -> None:
    name = f"shared{count}"
    ends = lives.live(*({"name": name, "workloads": 400} for _ in range(count)))
    assert set(ends) <= {"0", "2"}  # whoever comes once the first has ended goes on where that ended
    said = [path.read_text() for path in lives.folder.glob(f"{name}-*.refused")]
    assert len(said) == ends.count("2") == count - ends.count("0") < count
    assert all("is the journal of a campaign that is running" in line for line in said)
    judged, _ = on_record(lives.folder / f"{name}.journal")
    assert len(judged) == len(set(judged)) >= 400
