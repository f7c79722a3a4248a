"""A real Ray cluster of three nodes of this machine: what is searched, what is lost with a node, and what is not."""

import contextlib
import os
import signal
import threading
import time
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from eagerdiff.harness.campaign import Campaign, Progress
from eagerdiff.harness.campaign import campaign as campaigns
from eagerdiff.harness.campaign.events import Crews
from eagerdiff.harness.campaign.record import Record
from eagerdiff.harness.catalog.catalog import load
from eagerdiff.harness.fleet import Fleet
from eagerdiff.harness.fleet.on_ray import Cluster, OnRay, RayError
from eagerdiff.harness.results.results import Results
from eagerdiff.suites.tests.crews import setup
from eagerdiff.suites.tests.fleet.driving import NAMES, WRONG
from eagerdiff.suites.tests.fleet.nodes import nodes
from eagerdiff.suites.tests.misbehaving import OPERATOR, SPEC
from eagerdiff.suites.tests.test_kills import on_record

ray = pytest.importorskip("ray", reason="needs Ray: make test-fleet")


@pytest.fixture
def cluster() -> Iterator[Any]:
    made = nodes(3)
    yield made
    ray.shutdown()
    made.shutdown()


def searched(
    cluster: Any, journal: Path, *, budget: float = 120.0, after: int = 0, then: Callable[[], object] | None = None
) -> Results:
    """Search with all nodes until both failures are found; do something once some workloads were judged."""
    reached, ended = threading.Event(), list[Results]()

    def tell(told: Progress) -> None:
        if told.workloads >= after:
            reached.set()
        if told.findings >= len(WRONG) and told.workloads >= after + 40:
            campaign.stop()

    with OnRay(Cluster(address=cluster.address), setup(SPEC, OPERATOR.name)) as placement:
        campaign = Campaign(
            load([SPEC]),
            implementations=NAMES,
            budget=budget,
            journal=journal,
            progress=tell,
            shrink_seconds=5.0,
            workforce=Fleet(placement),
        )
        running = threading.Thread(target=lambda: ended.append(campaign.run()), daemon=True)
        running.start()
        assert reached.wait(budget)
        if then is not None:  # here, for Ray starts and ends nodes in the main thread alone
            then()
        running.join(2 * budget)
    return ended[0]


def whole(results: Results, journal: Path) -> None:
    """Hold what was found against the journal: all of it, and nothing twice."""
    judged, _ = on_record(journal)
    assert Counter(judged).most_common(1)[0][1] == 1
    assert results.totals.workloads == len(judged)
    assert {found.implementation for found in results.findings} == WRONG
    assert all(found.reproduced for found in results.findings)
    assert not results.broken


def measured(text: str) -> bool:
    """Whether what Prometheus is given by any node has a text, soon."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        for node in ray.nodes():
            address = f"http://{node['NodeManagerAddress']}:{node['MetricsExportPort']}/metrics"
            with contextlib.suppress(OSError), urllib.request.urlopen(address, timeout=5) as answer:
                if text in answer.read().decode():
                    return True
        time.sleep(0.5)
    return False


def test_three_nodes_search_one_campaign(cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(campaigns, "CREWS_SECONDS", 0.5)
    told: list[bool] = []
    results = searched(
        cluster, tmp_path / "journal", after=30, then=lambda: told.append(measured("ray_eagerdiff_workloads{"))
    )
    assert told == [True]
    whole(results, tmp_path / "journal")
    crews = [event for event in Record(tmp_path / "journal").events() if isinstance(event, Crews)]
    assert len(crews[0].crews) == 3
    assert not results.problems


def test_a_node_that_dies_takes_nothing_with_it(cluster: Any, tmp_path: Path) -> None:
    victim = next(iter(cluster.worker_nodes))
    results = searched(
        cluster, tmp_path / "journal", after=10, then=lambda: cluster.remove_node(victim, allow_graceful=False)
    )
    whole(results, tmp_path / "journal")


def test_a_worker_that_is_killed_is_there_again(cluster: Any, tmp_path: Path) -> None:
    killed: list[int] = []

    def kill() -> None:
        from ray.util.state import list_actors  # pyright: ignore

        for actor in list_actors(filters=[("state", "=", "ALIVE")]):
            killed.append(actor.pid)
            os.kill(actor.pid, signal.SIGKILL)
            time.sleep(0.5)

    results = searched(cluster, tmp_path / "journal", after=10, then=kill)
    assert len(killed) == 3
    whole(results, tmp_path / "journal")


def test_a_node_that_comes_later_helps(cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from eagerdiff.harness.fleet import on_ray

    monkeypatch.setattr(on_ray, "LOOK_SECONDS", 0.5)
    results = searched(cluster, tmp_path / "journal", after=5, then=lambda: cluster.add_node(num_cpus=1))
    whole(results, tmp_path / "journal")


def test_a_crew_of_another_build_is_sent_away(cluster: Any) -> None:
    told = setup(SPEC, OPERATOR.name, build="torch 1.0")
    with (
        OnRay(Cluster(address=cluster.address), told) as placement,
        pytest.raises(RayError, match=r"the driver torch 1\.0"),
    ):
        Fleet(placement)


def test_no_cluster_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from eagerdiff.harness.cli.application import invoke

    assert invoke(["nightly", "--ray", "127.0.0.1:1", "--operator", "kv_cache", "--out", str(tmp_path / "out")]) == 2
    told = capsys.readouterr().err.splitlines()
    assert any("no Ray cluster at 127.0.0.1:1" in line for line in told)
