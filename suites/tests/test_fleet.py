"""A fleet: what many crews search is what one machine would, whichever of them are lost, and each thing counts once."""

import importlib.util
import json
import random
import subprocess
import sys
import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, Self

import pytest

from eagerdiff.harness.campaign import Campaign, Progress, differential, hand
from eagerdiff.harness.campaign.events import Drawn, Found, Judged, Started, TargetKey
from eagerdiff.harness.campaign.record import Record
from eagerdiff.harness.catalog.catalog import load
from eagerdiff.harness.cli.application import invoke
from eagerdiff.harness.cli.ending import exit_code
from eagerdiff.harness.fleet import CrewLost, Fleet, Hired, Lease, remote_hand
from eagerdiff.harness.fleet.lease import Ended, told_line
from eagerdiff.harness.fleet.remote_hand import SILENT_MOST
from eagerdiff.harness.following.follower import Follower, LocalSource
from eagerdiff.harness.following.page import watch_page
from eagerdiff.harness.history.judged import Judged as History
from eagerdiff.harness.model.outcome import Outcome
from eagerdiff.harness.model.shard import Shard
from eagerdiff.harness.processes import Task, Worker
from eagerdiff.harness.results.results import Results
from eagerdiff.harness.search.hunt import Report
from eagerdiff.harness.search.search_process import Order
from eagerdiff.harness.triage.finding import Finding
from eagerdiff.suites.tests import mortal
from eagerdiff.suites.tests.campaigns import Stopper
from eagerdiff.suites.tests.crews import Near, Placed, setup
from eagerdiff.suites.tests.fleet.model import lived
from eagerdiff.suites.tests.journals import failing
from eagerdiff.suites.tests.misbehaving import OPERATOR, SPEC
from eagerdiff.suites.tests.mortal import NoPool, Unreal
from eagerdiff.suites.tests.test_kills import Lives, on_record

DRAWN = dict[tuple[TargetKey, int], list[str]]


@pytest.fixture(scope="module")
def lives(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lives]:
    lives = Lives(tmp_path_factory.mktemp("fleets"))
    yield lives
    lives.close()


def drawn(path: Path) -> DRAWN:
    """Return what was run of each batch that was drawn to its end."""
    started: defaultdict[tuple[TargetKey, int], list[str]] = defaultdict(list)
    ended: set[tuple[TargetKey, int]] = set()
    for event in Record(path).events():
        if isinstance(event, Started):
            started[event.target, event.batch].append(event.digest)
        if isinstance(event, Drawn):
            ended.add((event.target, event.batch))
    return {key: sorted(set(started[key])) for key in ended if key[0].implementation == "right"}


def results(lives: Lives, name: str) -> Results:
    return Results.model_validate_json((lives.folder / f"{name}.results").read_text())


def test_crews_draw_what_one_machine_draws(lives: Lives) -> None:
    alone, fleet = {"name": "alone", "workloads": 400}, {"name": "fleet", "workloads": 400, "crews": 3}
    assert lives.live(alone, fleet) == ["0", "0"]
    one, many = (drawn(lives.folder / f"{name}.journal") for name in ("alone", "fleet"))
    both = one.keys() & many.keys()
    assert len(both) >= 3
    assert {key: one[key] for key in both} == {key: many[key] for key in both}
    found = [
        {(found.implementation, found.verdict.status) for found in results(lives, name).findings}
        for name in ("alone", "fleet")
    ]
    assert found[0] == found[1]
    assert len(found[0]) == 2


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 20))])
def test_crews_that_are_lost_lose_nothing_and_double_nothing(seed: int, lives: Lives) -> None:
    name = f"lost{seed}"
    assert lives.live({"name": name, "workloads": 200, "crews": 3, "lost": 0.02, "seed": seed}) == ["0"]
    told = results(lives, name)
    judged, _ = on_record(lives.folder / f"{name}.journal")
    assert Counter(judged).most_common(1)[0][1] == 1
    assert told.totals.workloads == len(judged)
    assert {found.implementation for found in told.findings} == {"wrong", "segfault"}
    assert any("ended with the machine that was at it" in line for line in told.problems)
    assert any("the network did not answer" in line for line in told.problems)
    assert not told.broken


def test_a_driver_that_is_killed_goes_on_with_other_crews(lives: Lives) -> None:
    draw, before = random.Random(7), 0
    for _ in range(6):
        life = {"name": "driver", "workloads": 10_000, "crews": 2, "lost": 0.01, "kill_after": draw.random() * 0.3}
        assert lives.live(life) == ["-9"]
        judged, _ = on_record(lives.folder / "driver.journal")
        assert len(judged) == len(set(judged)) >= before
        before = len(judged)
    assert lives.live({"name": "driver", "workloads": before + 50, "crews": 3}) == ["0"]
    judged, found = on_record(lives.folder / "driver.journal")
    told = results(lives, "driver")
    assert told.totals.workloads == len(set(judged)) == len(judged)
    assert len(told.findings) == found == 2


def test_parts_draw_each_batch_once_and_together_what_the_whole_does(lives: Lives) -> None:
    parts = [{"name": f"part{number}", "workloads": 200, "shard": f"{number}/3"} for number in (1, 2, 3)]
    whole = {"name": "whole", "workloads": 600}
    assert lives.live(*parts, whole) == ["0"] * 4
    found = [drawn(lives.folder / f"part{number}.journal") for number in (1, 2, 3)]
    everything = drawn(lives.folder / "whole.journal")
    batches = [key for part in found for key in part]
    assert len(batches) == len(set(batches)) >= 3
    together = {key: digests for part in found for key, digests in part.items()}
    both = together.keys() & everything.keys()
    assert len(both) >= 3
    assert {key: together[key] for key in both} == {key: everything[key] for key in both}
    assert [results(lives, f"part{number}").shard for number in (1, 2, 3)] == ["1/3", "2/3", "3/3"]


def test_a_journal_of_another_part_is_refused(lives: Lives) -> None:
    assert lives.live({"name": "mine", "workloads": 20, "shard": "1/2"}) == ["0"]
    assert lives.live({"name": "mine", "workloads": 20, "shard": "2/2"}) == ["2"]
    (said,) = (path.read_text() for path in lives.folder.glob("mine-*.refused"))
    assert "shard 1/2" in said
    assert "shard 2/2" in said
    assert json.dumps(said).count("\\n") == 0


def test_events_of_a_fleet_are_those_of_a_journal(lives: Lives) -> None:
    assert lives.live({"name": "same", "workloads": 60, "crews": 2}) == ["0"]
    record = Record(lives.folder / "same.journal")
    kinds = Counter(type(event) for event in record.events())
    assert record.damaged == 0
    assert kinds[Judged] >= 60
    assert kinds[Found] == 2


class Noting:
    """Stand in for a searcher: note which batches are asked for."""

    def __init__(self, *_: object) -> None:
        self.indices: list[int] = []

    def explore(self, order: Order, answers: object) -> Report:
        """Note a batch, and find nothing."""
        self.indices.append(order.index)
        return Report(finished=True)

    def __call__(self, *_: object) -> Self:
        return self

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass


def test_a_check_of_a_part_draws_the_batches_of_the_campaigns_part(
    lives: Lives, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert lives.live({"name": "third", "workloads": 200, "shard": "3/3"}) == ["0"]
    of_campaign = [batch for target, batch in drawn(lives.folder / "third.journal") if target.implementation == "right"]
    assert len(of_campaign) >= 2
    noting = Noting()
    monkeypatch.setattr(differential, "Searcher", noting)
    subject = differential.Subject(OPERATOR.name, "right", "cpu")
    with Worker("cpu", worker_pool=NoPool()) as worker:
        check = differential.Check(load([SPEC]), subject, worker)
        check.search(batches=len(of_campaign), shard=Shard.parse("3/3"))
    assert noting.indices == sorted(of_campaign)


@pytest.mark.parametrize("text", ["", "0/4", "5/4", "1/0", "1", "a/b", "-1/2", " 1/2"])
def test_what_is_no_part_is_said_in_a_line(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke(["nightly", f"--shard={text}"]) == 2
    told = capsys.readouterr().err
    assert "write 2/4 for the second of four" in told


def borne(*arguments: int) -> dict[str, float]:
    """Return what so many cases cost a driver, in a process of its own."""
    command = [sys.executable, "-m", "eagerdiff.suites.tests.fleet.load", *map(str, arguments)]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def test_what_cases_cost_a_driver() -> None:
    told = borne(20_000)
    assert told["cases"] >= 20_000
    assert told["bytes of journal a case"] < 200


@pytest.mark.slow
def test_a_million_cases_and_ten_thousand_findings_are_borne() -> None:
    told = borne(1_000_000)
    assert told["bytes of memory a case"] < 100  # 34 and 40 alone, 65 beside other load
    assert told["bytes of journal a case"] < 200
    told = borne(600_000, 10_000, 500)
    assert told["findings"] > 5000
    assert told["causes"] == 500
    assert told["cases a CPU second, last half"] >= 0.8 * told["cases a CPU second, first tenth"]
    assert told["seconds of rendering"] < 10


def test_a_large_fleet_keeps_its_driver_busy_and_loses_little() -> None:
    small, large = lived(2, 0.007), lived(100, 0.007)
    assert small.busy < 0.1
    assert small.waited < 0.01
    assert large.busy > 0.99
    assert large.waited > 0.4
    often = lived(20, 0.0, failures=1 / 7200)
    assert often.waited < 0.01
    assert 0.02 < often.lost < 0.3  # a node fails half a time in the hour, and is away for a sixth of it


@pytest.fixture
def unreal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have crews of this process run nothing, and a driver wait for none."""
    monkeypatch.setattr(hand, "Worker", Unreal)
    monkeypatch.setattr(hand, "Searcher", mortal.Near)
    monkeypatch.setattr(remote_hand, "WAIT_SECONDS", 0.01)


def searched(*crews: Hired, enough: Callable[[Progress], bool], judged: History | None = None) -> Results:
    stopper = Stopper(enough)
    stopper.target = Campaign(
        load([SPEC]),
        implementations=["right"],
        budget=60.0,
        progress=stopper,
        worker_pool=NoPool(),
        workforce=Fleet(Placed(crews)),
        judged=judged,
    )
    return stopper.target.run()


@pytest.mark.usefixtures("unreal")
def test_a_crew_that_does_not_come_back_is_left_alone_and_the_others_go_on() -> None:
    gone, there = Near("gone", setup(SPEC, OPERATOR.name), 1.0), Near("there", setup(SPEC, OPERATOR.name))
    since: list[int] = []

    def enough(told: Progress) -> bool:
        if gone.losses >= SILENT_MOST:
            since.append(told.workloads)
        return bool(since) and told.workloads >= since[0] + 40

    results = searched(gone, there, enough=enough)
    assert len(gone.leases) == SILENT_MOST
    assert any(line.startswith("gone lane 0 did not come back") for line in results.problems)
    assert not results.broken


@pytest.mark.usefixtures("unreal")
def test_a_crew_whose_machine_is_there_is_waited_for() -> None:
    class Slow(Near):
        """Start again and again, and say nothing for longer than a crew is waited for whose machine has gone."""

        def work(self, lane: int, lease: Lease) -> Iterator[bytes]:
            if len(self.leases) <= SILENT_MOST:
                self.leases.append(lease)
                raise CrewLost("it is being started")
            yield from super().work(lane, lease)

    slow = Slow("slow", setup(SPEC, OPERATOR.name))
    slow.there = True
    results = searched(slow, enough=lambda told: told.workloads >= 20)
    assert len(slow.leases) > SILENT_MOST
    assert not results.broken


@pytest.mark.usefixtures("unreal")
def test_what_only_a_crew_that_comes_later_can_search_is_searched_from_then_on(tmp_path: Path) -> None:
    """As a GPU does that joins a cluster which had none."""

    class Without(Near):
        """Be on a machine that lacks something."""

        def lack(self, name: str) -> "Without":
            there = {one.implementation == name: one for one in self.hello.open}
            self.hello = self.hello.model_copy(
                update={
                    "open": [one for one in self.hello.open if one.implementation != name],
                    "obstacles": [(there[True], "no CUDA GPU")],
                }
            )
            return self

    told = setup(SPEC, OPERATOR.name)

    def night(workloads: int) -> Results:
        coming: list[Hired] = [Near("later", told)]
        begun = threading.Event()

        def enough(told: Progress) -> bool:
            begun.set()
            return told.findings > 0 and told.workloads >= workloads

        stopper = Stopper(enough)
        stopper.target = Campaign(
            load([SPEC]),
            implementations=["right", "wrong"],
            budget=60.0,
            progress=stopper,
            worker_pool=NoPool(),
            workforce=Fleet(
                Placed(
                    [Without("first", told).lack("wrong")],
                    later=lambda: [coming.pop()] if begun.is_set() and coming else [],
                )
            ),
            journal=tmp_path / "journal",
        )
        return stopper.target.run()

    for workloads in (40, 400):  # the second goes on with the first
        results = night(workloads)
        rows = {row.implementation: row for row in results.rows}
        assert len(results.rows) == 2
        assert rows["wrong"].failures > 0
        assert rows["wrong"].can_run
        assert rows["wrong"].problem == ""
        assert [one.implementation for one in results.findings] == ["wrong"]


@pytest.mark.usefixtures("unreal")
def test_where_every_crew_is_gone_the_search_has_ended_before_its_time() -> None:
    gone = Near("gone", setup(SPEC, OPERATOR.name), 1.0)
    results = searched(gone, enough=lambda told: False)
    assert any("the search ended" in line and "before its time" in line for line in results.broken)
    assert exit_code(results) == 2


@pytest.mark.usefixtures("unreal")
def test_what_a_night_before_judged_right_is_left_out_by_crews_too(tmp_path: Path) -> None:
    def night() -> Results:
        judged = History(tmp_path / "judged.json")
        crew = Near("crew", setup(SPEC, OPERATOR.name))
        results = searched(crew, enough=lambda told: told.workloads >= 60, judged=judged)
        judged.write()
        return results

    (before,), (after,) = night().rows, night().rows
    assert before.judged_before == 0
    assert after.judged_before == 20  # the same seed draws the same: a whole batch, and then none is left out
    assert after.workloads >= 60  # and more


@pytest.mark.usefixtures("unreal")
def test_a_crew_whose_disk_is_full_is_not_believed_and_its_turns_are_done_by_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Full(Unreal):
        """Fail for want of room, as every compiler does then."""

        def run(self, task: Task, limits: object = None) -> Outcome:
            full.set()
            return Outcome(verdicts=[failing("OSError: No space left on device")])

    class Ill(hand.LocalHand):
        """Work where nothing can be written."""

        def worker(self, device: str) -> Any:
            return Full()

    class OnFullDisk(Near):
        """Have a crew work on a machine whose disk is full."""

        def work(self, lane: int, lease: Lease) -> Iterator[bytes]:
            monkeypatch.setattr(self._crew._ground, "lost", lambda: "no space is left for /tmp")  # pyright: ignore
            monkeypatch.setattr(self._crew, "_hands", {lane: Ill()})
            yield from super().work(lane, lease)

    full = threading.Event()
    told = setup(SPEC, OPERATOR.name)
    results = searched(
        OnFullDisk("ill", told), Near("well", told), enough=lambda told: full.is_set() and told.workloads >= 40
    )
    assert full.is_set()
    assert results.findings == []
    assert [row.failures for row in results.rows] == [0]
    assert "ill does nothing more: no space is left for /tmp" in results.problems
    assert not results.broken


class Lying(Near):
    """Be a crew that tells of what it was not asked, beside what it was."""

    def work(self, lane: int, lease: Lease) -> Iterator[bytes]:
        """Do a lease, and lie."""
        yield b"garbage\n"
        yield from self._lies(TargetKey("other", "right", "cpu"), 0)
        yield from self._lies(lease.target, lease.batch + 1)
        nothing = Started(number=1, target=lease.target, batch=lease.batch, digest="0" * 12, workload=[])
        yield told_line(nothing)
        yield told_line(Judged(number=1, target=lease.target, digest="0" * 12, outcome=Outcome(verdicts=[failing()])))
        yield told_line(
            Ended(number=9, lease=lease.number + 1, finished=True, fresh=9, uncharged=0, shrunk=0, busy=0, closed=True)
        )
        yield from super().work(lane, lease)

    def _lies(self, target: TargetKey, batch: int) -> Iterator[bytes]:
        finding = Finding(
            operator="doubling", implementation="right", device="cpu", verdict=failing("a lie"), workload=[{"size": 1}]
        )
        yield told_line(Started(number=1, target=target, batch=batch, digest="f" * 12, workload=[{"size": 1}]))
        yield told_line(Found(number=2, target=target, batch=batch, finding=finding, aliases=[]))
        yield told_line(Drawn(number=3, target=target, batch=batch, unsupported=["a lie"]))


@pytest.mark.usefixtures("unreal")
def test_what_a_crew_tells_beside_its_lease_is_passed_over_and_said() -> None:
    results = searched(Lying("liar", setup(SPEC, OPERATOR.name)), enough=lambda told: told.workloads >= 30)
    assert any("liar lane 0 said what cannot be read, or what it was not asked" in line for line in results.problems)
    assert results.totals.cases > 0
    assert results.findings == []
    assert [row.failures for row in results.rows] == [0]
    assert all("a lie" not in reason for row in results.rows for reason in row.skip_reasons)


def test_without_ray_it_is_said_what_installs_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if importlib.util.find_spec("ray") is not None:
        pytest.skip("Ray is installed here")
    assert invoke(["nightly", "--ray", "auto", "--operator", "kv_cache", "--out", str(tmp_path / "out")]) == 2
    told = capsys.readouterr().err
    assert "pip install 'eagerdiff[ray]'" in told
    assert told.count("\n") == 1


def test_a_clock_that_is_set_back_changes_nothing(lives: Lives) -> None:
    assert lives.live({"name": "back", "workloads": 400, "crews": 2, "clock_back": True}) == ["0"]
    times = [event.time for event in Record(lives.folder / "back.journal").events()]
    assert min(later - before for before, later in pairwise(times)) < -3000
    judged, found = on_record(lives.folder / "back.journal")
    told = results(lives, "back")
    assert told.totals.workloads == len(set(judged)) == len(judged)
    assert len(told.findings) == found == 2
    state = Follower(LocalSource(lives.folder / "back.journal")).look()
    assert state.cases == told.totals.cases
    assert state.pace[0][0] == int(times[0] // 60)
    assert sum(cases for _, cases in state.pace) == state.cases
    assert f"{state.cases:,}" in watch_page(state, times[-1])


def test_a_drivers_full_disk_ends_the_search_and_is_said(lives: Lives) -> None:
    assert lives.live({"name": "full", "workloads": 10_000, "crews": 2, "file_bytes": 60_000}) == ["0"]
    record = Record(lives.folder / "full.journal")
    assert record.damaged == 0
    assert record.size <= 60_000
    assert len(record.outcomes) > 20
