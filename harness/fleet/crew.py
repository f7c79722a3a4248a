"""A crew: what works on leases on one machine, with fork servers, isolation and limits as a campaign there has."""

import threading
import time
from collections.abc import Iterator, Sequence
from queue import Empty, SimpleQueue

from eagerdiff.harness.campaign.asking import read_vocabulary
from eagerdiff.harness.campaign.campaign import build_of
from eagerdiff.harness.campaign.events import TargetKey
from eagerdiff.harness.campaign.ground import Ground
from eagerdiff.harness.campaign.hand import LocalHand, Shared
from eagerdiff.harness.campaign.harvest import Harvest
from eagerdiff.harness.campaign.schedule import Turn
from eagerdiff.harness.campaign.target import Target, obstacle, survey, target_of
from eagerdiff.harness.catalog.catalog import Catalog, our_operators
from eagerdiff.harness.catalog.plugin import in_one_line
from eagerdiff.harness.devices import Device, default_devices, parse
from eagerdiff.harness.fleet.lease import Ended, Hello, Lease, Setup
from eagerdiff.harness.fleet.relay import Relay
from eagerdiff.harness.loading.loader import load_apart
from eagerdiff.harness.model.implementation import Implementation
from eagerdiff.harness.processes import Limits
from eagerdiff.harness.processes.catalog_tasks import worker_pool
from eagerdiff.harness.results.environment import environment
from eagerdiff.harness.search.hunt import Shrinking

GATHER_SECONDS = 0.1
"""How long lines are gathered before they are sent on together."""
GATHER_BYTES = 1 << 20


class Crew:
    """Work on leases, as many at a time as the setup says; safe to use from several threads. Close it.

    It is a campaign's hand that is leased a turn at a time: no schedule, no journal and no report of its own.
    `catalog` is what the setup names, where it is loaded already. Raises `LoadError` where our own cannot be loaded.
    """

    def __init__(self, setup: Setup, catalog: Catalog | None = None) -> None:
        self._setup = setup
        self._environment = environment()
        self._catalog = catalog or load_apart(setup.operators, setup.implementations)
        self._ours = our_operators()
        self._pool = worker_pool(self._catalog, set(setup.searched))
        self._limits = Limits.of_one_in(setup.slots)
        self._harvest = Harvest(setup.known)
        self._targets: dict[TargetKey, Target] = {}
        self._obstacles: dict[TargetKey, str] = {}
        self._hands: dict[int, LocalHand] = {}
        self._lock = threading.Lock()
        self._ground = Ground()
        self._look()

    def hello(self) -> Hello:
        """Say what this machine is and can search."""
        return Hello(
            build=build_of(self._environment),
            environment=self._environment,
            open=list(self._targets),
            obstacles=list(self._obstacles.items()),
            problems=list(self._catalog.problems),
        )

    def prepare(self) -> list[str]:
        """Read the tables that operators draw from, and start the fork servers; return what went wrong, a line each."""
        problems: list[str] = []
        for name in dict.fromkeys(key.operator for key in self._targets):
            if self._catalog.operators[name].extras.vocabulary is not None:
                found = read_vocabulary(self._catalog.spec_of(name) or name)
                problems += [f"{name}: {found.problem}"] if found.problem else []
        self._pool.prepare({key.device for key in self._targets})
        return problems

    def work(self, lane: int, lease: Lease) -> Iterator[bytes]:
        """Do what a lease says; yield lines as they come, `Ended` last. A lane does one at a time."""
        lines: SimpleQueue[bytes | None] = SimpleQueue()
        working = threading.Thread(target=self._work, args=(lane, lease, lines), daemon=True)
        working.start()
        while (line := lines.get()) is not None:
            gathered, last = _gather(line, lines)
            yield gathered
            if last:
                return

    def stop(self, lane: int) -> None:
        """End what a lane is at, for good."""
        with self._lock:
            hand = self._hands.get(lane)
        if hand is not None:
            hand.stop()

    def close(self) -> None:
        """End everything."""
        for hand in list(self._hands.values()):
            hand.stop()
            hand.close()
        self._pool.close()

    def _look(self) -> None:
        """Find out what can be searched here."""
        for one, device, reason in survey(self._catalog, self._setup.searched, self._devices_of, obstacle):
            key = TargetKey(one.operator, one.name, device.name)
            if reason is not None:
                self._obstacles[key] = reason
            else:
                self._targets[key] = target_of(self._catalog, one, device.name, ours=self._ours)

    def _devices_of(self, implementation: Implementation) -> list[Device]:
        named, only = self._setup.devices or default_devices(implementation), self._setup.only
        return [parse(name) for name in named if not only or name in only]

    def _work(self, lane: int, lease: Lease, lines: "SimpleQueue[bytes | None]") -> None:
        relay = Relay(lease, lines.put, self._ground.lost)
        try:
            relay.note(self._done(lane, lease, relay))
        except BaseException as error:  # noqa: BLE001  a thread that dies says nothing by itself
            relay.note(_failed(lease, in_one_line(error)))
        finally:
            lines.put(None)

    def _done(self, lane: int, lease: Lease, relay: Relay) -> Ended:
        """Work on a lease, and return what is to be said at its end."""
        if lease.target not in self._targets:
            why = self._obstacles.get(lease.target, "nothing of that name is here")
            return _failed(lease, f"{lease.target}: {why}")
        for finding in lease.found:
            self._harvest.claim(finding)
            self._harvest.keep(finding)
        # Of its own, for what it counts is the driver's to know: only what a turn changes is told.
        known = self._targets[lease.target]
        target = target_of(self._catalog, known.implementation, lease.target.device, ours=self._ours)
        before = _Before(lease.judged)
        started = time.monotonic()
        shared = Shared(
            harvest=self._harvest,
            log=relay,
            worker_pool=self._pool,
            limits=self._limits,
            shrinking=Shrinking(lease.shrink_seconds, lease.shrink_runs),
            seed=lease.seed,
            deadline=started + lease.seconds,
            slice_seconds=lease.slice_seconds,
            account=lambda *_: None,
            shrink_left=lease.shrink_seconds,
            siblings=lambda one: list(self._catalog.implementations[one.operator.name].values()),
            judged=before,
            examples=self._setup.examples,
        )
        turn = Turn(target, lease.batch, started, first=lease.first)
        hand = self._hand(lane)
        busy = hand.busy
        done = hand.work(turn, shared)
        return Ended(
            lease=lease.number,
            judged_before=target.tally.row.judged_before,
            all_again=before.all_again,
            finished=done.finished,
            fresh=done.fresh,
            uncharged=max(0.0, turn.started - started),
            shrunk=max(0.0, lease.shrink_seconds - shared.shrink_left),
            busy=max(0.0, hand.busy - busy),
            unsupported=target.unsupported.get(lease.batch, []),
            problems=shared.problems,
            closed=target.closed,
            ground=relay.lost,
            problem=target.tally.row.problem,
            broken=list(target.tally.row.harness_errors.items()),
        )

    def _hand(self, lane: int) -> LocalHand:
        with self._lock:
            return self._hands.setdefault(lane, LocalHand())


class _Before:
    """Know what nights before judged right of the target of a lease (`Before`)."""

    def __init__(self, digests: Sequence[str]) -> None:
        self.all_again = False
        self._digests = set(digests)

    def knows(self, target: str, digest: str) -> bool:
        """Whether a workload was judged right."""
        return digest in self._digests

    def known(self, target: str) -> list[str]:
        """Return the digests of those that were."""
        return sorted(self._digests)

    def leave_none_out(self, target: str) -> None:
        """Know nothing from now on."""
        self.all_again, self._digests = True, set()


def _gather(line: bytes, lines: "SimpleQueue[bytes | None]") -> tuple[bytes, bool]:
    """Return a line with those that come soon after it, and whether they are the last."""
    gathered, until = [line], time.monotonic() + GATHER_SECONDS
    while sum(map(len, gathered)) < GATHER_BYTES and (left := until - time.monotonic()) > 0:
        try:
            more = lines.get(timeout=left)
        except Empty:
            break
        if more is None:
            return b"".join(gathered), True
        gathered.append(more)
    return b"".join(gathered), False


def _failed(lease: Lease, why: str) -> Ended:
    """Return the end of a lease that could not be worked on."""
    return Ended(
        lease=lease.number, finished=False, fresh=0, uncharged=0.0, shrunk=0.0, busy=0.0, problems=[why], closed=True
    )
