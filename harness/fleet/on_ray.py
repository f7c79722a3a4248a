"""Crews on Ray (https://docs.ray.io): an actor a node, and one a GPU; placement, health and restarts are Ray's.

Ray is asked for, never installed by default: `pip install 'eagerdiff[ray]'`.
"""

import contextlib
import socket
import threading
import time
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

from eagerdiff.harness.campaign.events import CrewAt
from eagerdiff.harness.devices import NAMES
from eagerdiff.harness.fleet.crew import Crew
from eagerdiff.harness.fleet.hired import CrewLost, Hired
from eagerdiff.harness.fleet.lease import Hello, Lease, Setup

NAMESPACE = "eagerdiff"
LOOK_SECONDS = 5.0
"""How often it is looked for nodes that have come."""
START_SECONDS = 600.0
"""Most that the crews of the nodes which are there have to start: a runtime environment may have to be installed."""
STOP_SECONDS = 5.0
MEASURED = {
    "turns": "Turns that a crew has done.",
    "workloads": "Workloads that a crew has judged.",
    "lost": "Turns of a crew that ended with its machine.",
}
REACH_SECONDS = 10.0
"""How long the head of a cluster may take to answer."""


class RayError(Exception):
    """Say in one line why there is no cluster to work on."""


@dataclass(frozen=True, kw_only=True)
class Cluster:
    """Say which cluster it is, and how crews are placed on it."""

    address: str
    """`auto`, `HOST:PORT` of the head, or `local` for one in these processes."""
    runtime_env: dict[str, Any] = field(default_factory=dict[str, Any])
    """As of Ray: which packages and which code each crew has."""
    cpus: int = 0
    """CPUs that the autoscaler is asked for; 0: what is there."""
    gpu_share: float = 1.0
    """Of a GPU, for each crew that has one: 0.5 places two on it."""


class OnRay:
    """Place crews on a Ray cluster (`Placement`); use it as a context manager. Raises RayError."""

    def __init__(self, cluster: Cluster, setup: Setup) -> None:
        self._cluster = cluster
        self._setup = setup
        self._ray = _imported()
        self._actors: dict[str, _Actor] = {}
        """Node, or node and GPU → the crew that is placed there."""
        self._given: set[str] = set()
        self._nodes: set[str] = set()
        """Those that are alive, by when it was last looked."""
        self._away: list[str] = []
        self._looked = 0.0
        self._gauges: dict[str, Any] = {}

    def __enter__(self) -> Self:
        _reach(self._cluster.address)
        try:
            self._ray.init(
                address=None if self._cluster.address == "local" else self._cluster.address,
                namespace=NAMESPACE,
                runtime_env=self._cluster.runtime_env or None,
                log_to_driver=False,
                logging_level="ERROR",
                **({"include_dashboard": False} if self._cluster.address == "local" else {}),
            )
        except (ConnectionError, RuntimeError, ValueError, OSError) as error:
            raise RayError(f"no Ray cluster at {self._cluster.address}: {_line(error)}") from error
        if self._cluster.cpus:
            from ray.autoscaler.sdk import request_resources  # pyright: ignore

            request_resources(num_cpus=self._cluster.cpus)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        asked = [ending for actor in self._actors.values() if (ending := actor.close()) is not None]
        with contextlib.suppress(Exception):  # what does not end by itself ends with this job
            self._ray.wait(asked, num_returns=len(asked), timeout=STOP_SECONDS)
        self._ray.shutdown()

    def hire(self) -> Sequence[Hired]:
        """Return the crews that have said hello since it was last asked; the first time, all of the nodes' there are.

        Raises RayError where the first time there is none.
        """
        first = not self._actors
        now = time.monotonic()
        if now - self._looked > LOOK_SECONDS or first:
            self._looked = now
            try:
                self._place()
            except self._ray.exceptions.RayError as error:
                self._say(f"Ray did not say which nodes there are: {_line(error)}")
        until = now + (START_SECONDS if first else 0.0)
        fresh: list[Hired] = []
        for name, actor in self._actors.items():
            if name in self._given or (why := actor.ready(max(0.0, until - time.monotonic()))) is None:
                continue
            self._given.add(name)
            if why:
                self._say(f"{actor.name} was sent away: {why}")
            else:
                fresh.append(actor)
        if first and not fresh:
            raise RayError("; ".join(self._away) or f"no node of {self._cluster.address} has a CPU for a crew")
        return fresh

    def complaints(self) -> list[str]:
        """Return what is to be said of crews that were sent away."""
        return list(self._away)

    def _say(self, line: str) -> None:
        if line not in self._away:
            self._away.append(line)

    def measure(self, crews: Sequence[CrewAt]) -> None:
        """Set gauges, which Ray's Prometheus export has (`ray_eagerdiff_turns` and others, a crew each)."""
        from ray.util.metrics import Gauge  # pyright: ignore

        for name, says in MEASURED.items():
            if name not in self._gauges:
                self._gauges[name] = Gauge(f"eagerdiff_{name}", description=says, tag_keys=("crew",))
            for crew in crews:
                self._gauges[name].set(getattr(crew, name), tags={"crew": crew.name})

    def _place(self) -> None:
        """Place a crew on each node that has none."""
        alive = [node for node in self._ray.nodes() if node["Alive"]]
        self._nodes.clear()
        self._nodes.update(node["NodeID"] for node in alive)
        for node in alive:
            resources = node["Resources"]
            cpus, gpus = int(resources.get("CPU", 0)), resources.get("GPU", 0.0)
            wanted = set(self._setup.devices or NAMES)
            if cpus and wanted - {"cuda"}:
                self._start(node, "", cpus, 0.0, [name for name in NAMES if name != "cuda"])
            if gpus and "cuda" in wanted:
                for number in range(int(gpus / self._cluster.gpu_share)):
                    self._start(node, f" GPU {number}", 1, self._cluster.gpu_share, ["cuda"])

    def _start(self, node: dict[str, Any], what: str, lanes: int, gpu: float, devices: list[str]) -> None:
        key = f"{node['NodeID']}{what}"
        if key in self._actors:
            return
        name = f"{node.get('NodeManagerAddress', '')} {node['NodeID'][:6]}{what}"
        setup = self._setup.model_copy(update={"slots": lanes, "only": devices})
        self._actors[key] = _Actor(self._ray, self._nodes, node["NodeID"], name, setup, lanes, gpu)


class _RayCrew:
    """Be a crew inside of an actor: what goes in and out is JSON.

    It is made when it is first asked for anything: an actor whose `__init__` raises, Ray never starts again.
    """

    def __init__(self, setup: str) -> None:
        self._setup = setup
        self._lock = threading.Lock()
        self._made: Crew | None = None

    @property
    def _crew(self) -> Crew:
        with self._lock:
            if self._made is None:
                self._made = Crew(Setup.model_validate_json(self._setup))
            return self._made

    def hello(self) -> str:
        """Start, and say what is here."""
        problems = self._crew.prepare()
        told = self._crew.hello()
        return told.model_copy(update={"problems": [*told.problems, *problems]}).model_dump_json()

    def work(self, lane: int, lease: str) -> Iterator[bytes]:
        """Do a lease."""
        yield from self._crew.work(lane, Lease.model_validate_json(lease))

    def stop(self, lane: int) -> None:
        """End what a lane is at."""
        if self._made is not None:
            self._made.stop(lane)

    def close(self) -> None:
        """End everything."""
        if self._made is not None:
            self._made.close()


class _Actor:
    """Reach a crew on Ray (`Hired`)."""

    def __init__(
        self, ray: Any, nodes: Collection[str], node: str, name: str, setup: Setup, lanes: int, gpu: float
    ) -> None:
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy  # pyright: ignore

        self.name = name
        self.lanes = lanes
        self._ray = ray
        self._nodes, self._node = nodes, node
        self._setup = setup
        self._hello: Hello | None = None
        self._handle: Any = (
            ray.remote(_RayCrew)
            .options(
                num_cpus=lanes,
                num_gpus=gpu,
                max_restarts=-1,
                max_concurrency=2 * lanes + 2,
                scheduling_strategy=NodeAffinitySchedulingStrategy(node, soft=False),
            )
            .remote(setup.model_dump_json())
        )
        self._asked: Any = self._handle.hello.remote()

    @property
    def hello(self) -> Hello:
        """What it said of itself."""
        assert self._hello is not None, "it is ready"
        return self._hello

    @property
    def there(self) -> bool:
        """Whether its node is alive."""
        return self._node in self._nodes

    def ready(self, seconds: float) -> str | None:
        """Wait for its hello; return None where it has not come, and why it is of no use, empty where it is of some."""
        ready, _ = self._ray.wait([self._asked], timeout=seconds)
        if not ready:
            return None
        try:
            self._hello = Hello.model_validate_json(self._ray.get(self._asked))
        except self._ray.exceptions.RayError as error:
            return _line(error)
        except ValueError:
            return "it said what cannot be read"
        if self._hello.build != self._setup.build:
            return f"it has {self._hello.build}, and the driver {self._setup.build}"
        return ""

    def work(self, lane: int, lease: Lease) -> Iterator[bytes]:
        """Do a lease; raise CrewLost."""
        try:
            for told in self._handle.work.options(num_returns="streaming").remote(lane, lease.model_dump_json()):
                yield self._ray.get(told)
        except self._ray.exceptions.RayError as error:
            raise CrewLost(_line(error)) from error

    def stop(self, lane: int) -> None:
        """End what a lane is at; returns at once."""
        with contextlib.suppress(Exception):  # a crew that is gone is at nothing
            self._handle.stop.remote(lane)

    def close(self) -> Any:
        """Ask it to end everything; return what becomes ready when it has."""
        with contextlib.suppress(Exception):
            return self._handle.close.remote()
        return None


def _reach(address: str) -> None:
    """Raise RayError where nobody listens at `HOST:PORT`: Ray itself would try for minutes."""
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal():
        return
    try:
        socket.create_connection((host.strip("[]"), int(port)), REACH_SECONDS).close()
    except (OSError, OverflowError) as error:
        why = error.strerror if isinstance(error, OSError) else None
        raise RayError(f"no Ray cluster at {address}: {why or error}") from error


def _imported() -> Any:
    try:
        import ray  # pyright: ignore
    except ImportError as error:
        raise RayError("Ray is not installed: pip install 'eagerdiff[ray]'") from error
    return ray


def _line(error: BaseException) -> str:
    """Return the first line of what an error says that says something."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return (lines[0] if lines else type(error).__name__)[:200]
