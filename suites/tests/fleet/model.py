"""A model of a large fleet: `python -m eagerdiff.suites.tests.fleet.model [NODES …]` prints where its driver saturates.

What the driver pays for a turn (choosing it, the lease, its lines) is measured here, on its own code. The rest is
assumed, and said: a node has 16 lanes; a turn takes 5 s of a lane and tells of 60 cases in 3 workloads; a message takes
2 ms; the driver does one thing at a time, for it holds the interpreter's lock. Nodes fail as a research cluster's did,
6.5 times in 1,000 node-days (Kokolis et al. 2024, arXiv 2410.21680, RSC-1), and are there again after 10 minutes.
"""

import heapq
import random
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from eagerdiff.harness.campaign.first_turns import FirstTurns
from eagerdiff.harness.campaign.hand import Hand
from eagerdiff.harness.campaign.harvest import Harvest
from eagerdiff.harness.campaign.journal import Journal
from eagerdiff.harness.campaign.schedule import Schedule
from eagerdiff.harness.campaign.shared import Shared
from eagerdiff.harness.campaign.target import target_of
from eagerdiff.harness.catalog.catalog import load
from eagerdiff.harness.fleet import Fleet
from eagerdiff.harness.processes import Limits, WorkerPool
from eagerdiff.harness.search.hunt import Shrinking
from eagerdiff.suites.tests.crews import Placed
from eagerdiff.suites.tests.fleet import load as busy
from eagerdiff.suites.tests.misbehaving import OPERATOR, SPEC

LANES, TURN_SECONDS, WORKLOADS, CALLS = 16, 5.0, 3, 20
MESSAGE_SECONDS = 0.002
FAILURES = 6.5 / 1000 / 86_400
"""Of a node, a second."""
AWAY_SECONDS = 600.0
HOUR = 3600.0
TARGETS = 260
"""What a night searches."""


@dataclass(frozen=True)
class Lived:
    """Say what an hour of a fleet gave."""

    nodes: int
    turns: int
    busy: float
    """Share of the hour in which the driver was at work."""
    waited: float
    """Share of the lanes' time in which they waited for it."""
    lost: float
    """Share of the lanes' time that failures took: what was under way, and while their node was away."""

    def __str__(self) -> str:
        """Write it as a row."""
        return (
            f"| {self.nodes:,} | {self.nodes * LANES:,} | {self.turns * WORKLOADS * CALLS / 1e6:.1f} million "
            f"| {self.busy:.1%} | {self.waited:.1%} | {self.lost:.3%} |"
        )


def turn_cost() -> float:
    """Return the CPU seconds that the driver pays for a turn, with as many targets as a night has."""
    catalog = load([SPEC])
    implementation = catalog.implementations[OPERATOR.name]["right"]
    targets = [target_of(catalog, implementation, "cpu", ours=()) for _ in range(TARGETS)]
    busy.WORKLOADS, busy.CALLS = WORKLOADS, CALLS
    crew = busy.Busy()
    (hand,) = Fleet(Placed([crew])).hands()
    schedule = Schedule(targets, TURN_SECONDS, FirstTurns({}))
    with TemporaryDirectory() as folder, Journal(Path(folder) / "journal") as journal:
        shared = Shared(
            harvest=Harvest(), log=journal, worker_pool=WorkerPool(), limits=Limits(),
            shrinking=Shrinking(), seed=0, deadline=time.monotonic() + HOUR, slice_seconds=TURN_SECONDS,
            shrink_left=0.0,
            account=lambda target, workload, about, outcome, _: target.tally.add(workload.to_data(), outcome, about),
            siblings=lambda target: [],
        )  # fmt: skip
        times = list(_turns(schedule, hand, shared, crew))
    return sorted(times)[len(times) // 2]


def _turns(schedule: Schedule, hand: Hand, shared: Shared, crew: busy.Busy) -> Iterator[float]:
    for _ in range(300):
        began = time.process_time() - crew.spent
        turn = schedule.take(hand.takes)
        assert turn is not None
        done = hand.work(turn, shared)
        schedule.give_back(turn, finished=done.finished, fresh=done.fresh)
        yield time.process_time() - crew.spent - began


def lived(nodes: int, cost: float, *, failures: float = FAILURES, seed: int = 0) -> Lived:
    """Let a fleet live for an hour: lanes take turns, the driver serves one at a time, nodes fail and come back.

    `cost` is of a turn, in seconds of the driver; `failures` of a node, a second.
    """
    draw = random.Random(seed)
    outages = [list(_outages(draw, failures)) for _ in range(nodes)]
    ready = [(draw.random() * TURN_SECONDS, lane) for lane in range(nodes * LANES)]
    heapq.heapify(ready)
    free = worked = waited = lost = 0.0
    turns = 0
    while ready and ready[0][0] < HOUR:
        at, lane = heapq.heappop(ready)
        free = max(at + MESSAGE_SECONDS, free) + cost
        worked += cost
        waited += free - at
        ends = free + MESSAGE_SECONDS + TURN_SECONDS * draw.uniform(0.5, 1.5)
        failed = next((one for one in outages[lane // LANES] if at < one + AWAY_SECONDS and one < ends), None)
        if failed is None:
            turns += 1
        else:
            ends = failed + AWAY_SECONDS
            lost += min(ends, HOUR) - at
        heapq.heappush(ready, (ends, lane))
    whole = nodes * LANES * HOUR
    return Lived(nodes, turns, min(1.0, worked / HOUR), waited / whole, lost / whole)


def _outages(draw: random.Random, failures: float) -> Iterator[float]:
    """Return when a node fails."""
    at = draw.expovariate(failures)
    while at < HOUR:
        yield at
        at += AWAY_SECONDS + draw.expovariate(failures)


def main(nodes: list[int]) -> None:
    """Print a table."""
    cost = turn_cost()
    print(f"A turn costs the driver {1000 * cost:.2f} ms of CPU: {1 / cost:.0f} turns a second at most.\n")
    print("| nodes | lanes | cases an hour | driver at work | lanes wait for it | lost with nodes |")
    print("|--:" * 6 + "|")
    for count in nodes:
        print(lived(count, cost), flush=True)


if __name__ == "__main__":
    main([int(text) for text in sys.argv[1:]] or [1, 10, 30, 100, 300, 1000])
