"""Kills: parts of a fleet die at random moments, and what it finds and counts is held against its journal.

`python -m eagerdiff.suites.tests.fleet.kills [KIND …] [COUNT]`, Ray and Redis beside it, for each kind so many kills
(by default 50): `worker` any process of a crew, `node`, `redis`, `store` the S3 server with all that it held, `driver`,
`link` the network between the store and Redis and the rest, slow throughout and cut, `cluster` all of it at once, gone
on with on other nodes from the journal's copy. It prints a line a kind, and ends with 1 where anything was lost.
"""

import contextlib
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Generator
from pathlib import Path

from eagerdiff.harness.campaign.events import Judged
from eagerdiff.harness.campaign.record import Record
from eagerdiff.harness.following.segments import Store
from eagerdiff.harness.model.outcome import Outcome
from eagerdiff.harness.processes.kinship import children
from eagerdiff.harness.results.results import Results
from eagerdiff.harness.triage.finding import Finding
from eagerdiff.suites.tests.fleet.driving import ENOUGH, WRONG, Drive
from eagerdiff.suites.tests.fleet.link import Link
from eagerdiff.suites.tests.fleet.nodes import nodes
from eagerdiff.suites.tests.test_kills import on_record

NODES = 3
GROWS_SECONDS = 120.0
"""How long the journal may stand still."""
CLUSTERS = 5
"""Of `cluster`, for each takes long."""


class Lost(AssertionError):
    """Say what was lost, or is there twice."""


class Server:
    """Hold a server that is killed and started again on its port."""

    def __init__(self, command: Callable[[int], list[str]], folder: Path) -> None:
        self.port = free_port()
        self._command = command(self.port)
        self._folder = folder
        self.start()

    def start(self) -> None:
        """Start it, and wait until it listens."""
        with (self._folder / f"{self.port}.log").open("a") as log:
            self._process = subprocess.Popen(self._command, stdout=log, stderr=log, cwd=self._folder)
        until = time.monotonic() + 60
        while time.monotonic() < until:
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            time.sleep(0.05)
        raise TimeoutError(f"{self._command[0]} does not listen")

    def kill(self) -> None:
        """End it at once."""
        self._process.kill()
        self._process.wait()


def _is_crew(pid: int) -> bool:
    with contextlib.suppress(OSError):
        return b"_RayCrew" in Path(f"/proc/{pid}/cmdline").read_bytes()
    return False


def _below(pid: int) -> list[int]:
    """Return the processes that one started, and those which these did."""
    return [one for child in children(pid) for one in (child, *_below(child))]


def free_port() -> int:
    """Return a port that nobody has."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def redis_server(port: int) -> list[str]:
    """Return the command of a Redis with a password."""
    return ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--requirepass", "secret", "--save", "1 1"]


def _s3(port: int) -> list[str]:
    return [sys.executable, "-c", "from moto.server import main; main()", "-H", "127.0.0.1", "-p", str(port)]


class Site:
    """Hold a cluster of nodes, a Redis, a store, and the driver of a campaign in a folder."""

    def __init__(self, folder: Path, kind: str) -> None:
        self.folder = folder
        self._kind = kind
        self._draw = random.Random(kind)
        self._redis, self._store = Server(redis_server, folder), Server(_s3, folder)
        slow = 20_000.0 if kind == "link" else None
        self._links = [Link(server.port, slow) for server in (self._redis, self._store)]
        self._cluster = nodes(NODES)
        self._drive = self._driven(folder / "campaign")
        self._driver = self._started()
        self._size = 0

    def _driven(self, folder: Path, *, restore: bool = False) -> Drive:
        folder.mkdir()
        redis, store = (link.port for link in self._links)
        options = {"key": "key", "secret": "secret", "endpoint_url": f"http://127.0.0.1:{store}"}
        return Drive(
            address=self._cluster.address,
            folder=folder,
            store="s3://nights/today",
            options=options | {"config_kwargs": {"retries": {"max_attempts": 1}, "connect_timeout": 2}},
            examples=f"redis://:secret@127.0.0.1:{redis}/0",
            restore=restore,
        )

    def _started(self) -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-m", "eagerdiff.suites.tests.fleet.driving", self._drive.model_dump_json()]
        with (self.folder / "driver.log").open("a") as log:
            return subprocess.Popen(command, stdout=log, stderr=log)

    def kill(self, kind: str) -> None:
        """Kill something, at a random moment once the campaign has gone on since the last."""
        self._grown()
        time.sleep(self._draw.random() * (6.0 if kind == "driver" else 1.5))
        getattr(self, f"_kill_{kind}")()

    def _kill_worker(self) -> None:
        crews = [pid for pid in map(int, filter(str.isdecimal, os.listdir("/proc"))) if _is_crew(pid)]
        with contextlib.suppress(ProcessLookupError, IndexError):
            crew = self._draw.choice(crews)
            os.kill(self._draw.choice([crew, *_below(crew)]), signal.SIGKILL)

    def _kill_node(self) -> None:
        victim = self._draw.choice(sorted(self._cluster.worker_nodes, key=str))
        self._cluster.remove_node(victim, allow_graceful=False)
        self._cluster.add_node(num_cpus=1)

    def _kill_redis(self) -> None:
        self._again(self._redis)

    def _kill_store(self) -> None:
        self._again(self._store)

    def _again(self, server: Server) -> None:
        server.kill()
        time.sleep(self._draw.random())
        server.start()

    def _kill_driver(self) -> None:
        self._driver.kill()
        self._driver.wait()
        self._driver = self._started()

    def _kill_link(self) -> None:
        for link in self._links:
            link.cut()
        time.sleep(self._draw.random() * 2)
        for link in self._links:
            link.mend()

    def _kill_cluster(self) -> None:
        until = time.monotonic() + 60
        while not self._copied() and time.monotonic() < until:
            time.sleep(0.2)
        self._driver.kill()
        self._driver.wait()
        self._cluster.shutdown()
        self._cluster = nodes(NODES)
        self._drive = self._driven(self.folder / f"campaign{time.monotonic_ns()}", restore=True)
        self._driver, self._size = self._started(), 0

    def _copied(self) -> bool:
        return bool(Store(self._drive.store, **self._drive.options).segments())

    def _grown(self) -> None:
        until = time.monotonic() + GROWS_SECONDS
        while (size := self._journal_bytes()) <= self._size and time.monotonic() < until:
            if self._driver.poll() is not None:
                raise Lost(self._ended())
            time.sleep(0.02)
        if size <= self._size:
            raise Lost(f"nothing was judged for {GROWS_SECONDS:.0f} s")
        self._size = size

    def _journal_bytes(self) -> int:
        return self._drive.journal.stat().st_size if self._drive.journal.exists() else 0

    def end(self) -> Results:
        """Have the campaign end, and return what it says."""
        self._grown()
        (self._drive.folder / ENOUGH).touch()
        if self._driver.wait(300) != 0:
            raise Lost(self._ended())
        return self._whole()

    def _ended(self) -> str:
        """Say how the driver ended before it was told to."""
        said = [f"the driver ended with {self._driver.returncode}"]
        with contextlib.suppress(OSError):
            results = Results.model_validate_json((self._drive.folder / "results").read_text())
            said += [*results.broken, *results.problems]
        return "; ".join(said)

    def _whole(self) -> Results:
        """Hold what was found against the journal and its copy: all of it, and nothing twice."""
        results = Results.model_validate_json((self._drive.folder / "results").read_text())
        Results.model_validate_json((self._drive.folder / "report" / "report.json").read_text())
        judged, found = on_record(self._drive.journal)
        record = Record(self._drive.journal)
        counted = sum(_counts(one.outcome) for one in record.events() if isinstance(one, Judged))
        twice = [key for key, count in Counter(judged).items() if count > 1]
        own, kills = _told_apart(results)
        met = Counter(one.implementation for one in own)
        is_worker = self._kind == "worker"  # killed, it may look like a crash, and at what it was is not run again then
        copy = Store(self._drive.store, **self._drive.options)
        copied = b"".join(copy.read(*one) for one in copy.segments())
        journal, said = self._drive.journal.read_bytes(), any("is not whole" in line for line in results.problems)
        for wrong, what in (
            (twice, "judged twice"),
            (results.totals.workloads != counted, "the report counts other workloads than the journal"),
            (met != Counter(WRONG), f"found of {dict(met)}"),
            (kills and not is_worker, "a kill is told as a finding"),
            (not is_worker and any(not one.reproduced for one in own), "a finding does not reproduce"),
            (
                not is_worker and found != len(results.findings),
                f"{found} findings on record and {len(results.findings)} in the report",
            ),
            (record.damaged > 1, f"{record.damaged} lines are damaged"),
            (results.broken, "it broke"),
            (copied != journal and not said, "the journal's copy is not the journal"),
            (not journal.startswith(copied), "the journal's copy is another journal"),
        ):
            if wrong:
                raise Lost("; ".join([what, *results.broken, *results.problems]))
        return results

    def close(self) -> None:
        """End everything."""
        self._driver.kill()
        self._driver.wait()
        self._cluster.shutdown()
        for one in (self._redis, self._store):
            one.kill()
        for link in self._links:
            link.cut()


def _told_apart(results: Results) -> tuple[list[Finding], list[Finding]]:
    """Return the findings of the undisturbed run, and what a kill of ours was taken for."""
    kills = [one for one in results.findings if one.verdict.reason.startswith("SIGKILL")]
    return [one for one in results.findings if one not in kills], kills


def _counts(outcome: Outcome) -> bool:
    """Whether something of a workload was judged: nothing is, where its processes were killed before it began."""
    return any(verdict.status.judged for verdict in outcome.verdicts) or outcome.workload.failed


@contextlib.contextmanager
def site(folder: Path, kind: str) -> Generator[Site]:
    """Give a site, and end it."""
    made = Site(folder, kind)
    try:
        yield made
    finally:
        made.close()


def killed(folder: Path, kind: str, count: int) -> dict[str, object]:
    """Kill something so many times; return the figures. Raises Lost."""
    began = time.monotonic()
    with site(folder, kind) as there:
        for _ in range(count):
            there.kill(kind)
        results = there.end()
    said = [line for line in results.problems if "lost" in line or "again" in line or "without" in line]
    own, kills = _told_apart(results)
    return {
        "kind": kind,
        "kills": count,
        "seconds": round(time.monotonic() - began),
        "workloads": results.totals.workloads,
        "findings": len(own),
        "kills that looked like one": len(kills),
        "said": said[:3],
    }


KINDS = ("worker", "node", "redis", "store", "driver", "link", "cluster")


def main(arguments: list[str]) -> int:
    """Do what the command line asks for; return the exit code."""
    count = next((int(one) for one in arguments if one.isdecimal()), 50)
    kinds, failed = [one for one in arguments if one in KINDS] or KINDS, False
    for kind in kinds:
        with tempfile.TemporaryDirectory(prefix="eagerdiff-kills-") as folder:
            times = min(count, CLUSTERS) if kind == "cluster" else count
            try:
                print(json.dumps(killed(Path(folder), kind, times)), flush=True)
            except Lost as lost:
                failed = True
                print(json.dumps({"kind": kind, "kills": times, "lost": str(lost)}), flush=True)
                print((Path(folder) / "driver.log").read_text()[-2000:], file=sys.stderr)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
