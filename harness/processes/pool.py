"""The worker pool: one fork server a device, started when first asked for, shared by all workers."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import tempfile
import threading
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import wait
from typing import IO, Any, Self

from eagerdiff.harness.catalog.plugin import for_child
from eagerdiff.harness.devices import parse
from eagerdiff.harness.processes.child import Child
from eagerdiff.harness.processes.fresh_process import python
from eagerdiff.harness.processes.judgement import prefix
from eagerdiff.harness.processes.kinship import children
from eagerdiff.harness.processes.limits import Limits
from eagerdiff.harness.processes.patience import Patience

SINGLE_THREADED = {
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "TORCHINDUCTOR_COMPILE_THREADS": "1",
    "PYTHONHASHSEED": "0",
    "PYTHONUNBUFFERED": "1",
}
"""A process with threads cannot be forked safely; one order of sets makes compilations repeatable."""


START_SAMPLE_SECONDS = 0.25
"""How often a fork server's CPU time is read while it starts."""
ANSWER_SECONDS = 60.0
"""Most that a fork server takes to fork or to bury a worker, on a machine that is busy; then it is taken for dead."""


def start(configuration: Mapping[str, Any], errors: IO[bytes]) -> "subprocess.Popen[bytes]":
    """Start the process of a fork server, in a session of its own: a Ctrl-C in the terminal is the parent's."""
    return subprocess.Popen(
        python("eagerdiff.harness.processes.fork_server", json.dumps(configuration)),
        env=os.environ | SINGLE_THREADED | parse(configuration["device"]).environment(),
        pass_fds=[configuration["control"]],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=errors,
        start_new_session=True,
    )


class WorkerStartError(Exception):
    """Say in one line why no worker process can be had on a device."""


class ForkServer:
    """Drive one fork server process from the parent; safe to use from several threads."""

    def __init__(self, device: str, catalog: tuple[Sequence[str], ...] | None) -> None:
        self._lock = threading.Lock()
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115  lives as long as the fork server
        told = None if catalog is None else list(map(for_child, catalog))
        configuration = {
            "device": device,
            "control": theirs.fileno(),
            "catalog": told,
            "exhibits": str(prefix()),
        }
        self._process = start(configuration, self._errors)
        theirs.close()
        self.device = device
        self._await_start()
        self._control.settimeout(ANSWER_SECONDS)
        answer = self._answer()
        self.pid: int = answer["ready"]
        """The process id; its parent, the guardian, is the process that was started."""
        self.problems: list[str] = answer["problems"]
        """What the catalog complained of in the fork server, one line each."""

    @property
    def ended(self) -> bool:
        """Whether it is gone."""
        return self._process.poll() is not None

    def fork(self, limits: Limits, serve: str = "") -> Child:
        """Fork a worker that runs a module's `serve`, by default that of tasks.

        Raises WorkerStartError where the fork server is gone.
        """
        ours, theirs = socket.socketpair()
        output, their_output = os.pipe()
        order = json.dumps({"limits": limits.model_dump(), "device": self.device, "serve": serve}).encode()
        try:
            with self._lock:
                try:
                    socket.send_fds(self._control, [order], [theirs.fileno(), their_output])
                except OSError as error:
                    raise WorkerStartError(self._why()) from error
                pid: int = self._answer()["pid"]
        except WorkerStartError:
            ours.close()
            os.close(output)
            raise
        finally:
            theirs.close()
            os.close(their_output)
        return Child(pid, ours.detach(), output, self.reap)

    def reap(self, pid: int) -> int | None:
        """Return the wait status of a worker that has ended; None where the fork server is gone and cannot tell."""
        with self._lock:
            try:
                self._control.send(json.dumps({"reap": pid}).encode())
                return self._answer()["status"]
            except (OSError, WorkerStartError):
                return None

    def close(self) -> None:
        """End the fork server and all its workers."""
        self._control.close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._kill()
        self._errors.close()

    def _kill(self) -> None:
        """Kill the fork server, whose end the guardian sees to."""
        for pid in children(self._process.pid) or {self._process.pid}:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self._process.wait()

    def _await_start(self) -> None:
        """Wait for the first answer; raise WorkerStartError where an import hangs or computes without end."""
        limits = Limits()
        patience = Patience(self._process.pid, limits.harness_seconds, limits.idle_seconds)
        while not wait([self._control], START_SAMPLE_SECONDS):
            if overrun := patience.ended():
                self._kill()
                raise WorkerStartError(f"no worker on {self.device}: the fork server's start {overrun.reason}")

    def _answer(self) -> dict[str, Any]:
        try:
            data = self._control.recv(1 << 16)
        except TimeoutError:  # a kernel has stopped it
            self._kill()
            data = b""
        if not data:
            raise WorkerStartError(self._why())
        return json.loads(data)

    def _why(self) -> str:
        status = self._process.wait()
        self._errors.seek(0)
        lines = self._errors.read().decode(errors="replace").strip().splitlines()
        said = lines[-1] if lines else "no message"
        return f"no worker on {self.device}: the fork server ended with status {status}: {said}"


class WorkerPool:
    """Keep one fork server for each device, with the catalog imported and without; close it to end them all."""

    def __init__(self, operators: Sequence[str] | None = (), implementations: Sequence[str] = ()) -> None:
        """Name what is imported before workers are forked, as for `load`; None: nothing of a catalog."""
        self._catalog = (tuple(operators), tuple(implementations)) if operators is not None else None
        self._fork_servers: dict[tuple[str, bool], ForkServer] = {}
        self._locks: dict[tuple[str, bool], threading.Lock] = {}
        self._lock = threading.Lock()
        self._closed = False

    def fork(self, device: str, limits: Limits, *, catalog: bool = True, serve: str = "") -> Child:
        """Fork a worker, starting a fork server where there is none; raise WorkerStartError where that fails twice."""
        fork_server = self.fork_server(device, catalog=catalog)
        try:
            return fork_server.fork(limits, serve)
        except WorkerStartError:
            self._forget(device, catalog, fork_server)
            return self.fork_server(device, catalog=catalog).fork(limits, serve)

    def start(self, device: str, *, catalog: bool = True) -> ForkServer:
        """Start a fork server that no other worker shares; the caller closes it. Raise WorkerStartError."""
        return ForkServer(device, self._catalog if catalog else None)

    def prepare(self, devices: Collection[str]) -> None:
        """Start the fork servers of several devices side by side; what cannot start says so when asked to fork."""

        def start(device: str) -> None:
            with contextlib.suppress(WorkerStartError):
                self.fork_server(device)

        with ThreadPoolExecutor(max(1, len(devices))) as pool:
            list(pool.map(start, devices))

    def fork_server(self, device: str, *, catalog: bool = True) -> ForkServer:
        """Return the fork server of a device; raise WorkerStartError where it cannot start."""
        key = (device, catalog)
        with self._lock:
            lock = self._locks.setdefault(key, threading.Lock())
        with lock:
            if self._closed:  # whoever is at work still starts nothing anew
                raise WorkerStartError(f"no worker on {device}: the pool is closed")
            known = self._fork_servers.get(key)
            if known is None or known.ended:
                self._fork_servers[key] = ForkServer(device, self._catalog if catalog else None)
            return self._fork_servers[key]

    def _forget(self, device: str, catalog: bool, dead: ForkServer) -> None:
        with self._lock:
            if self._fork_servers.get((device, catalog)) is dead:  # else another thread has replaced it already
                del self._fork_servers[(device, catalog)]
        dead.close()

    def close(self) -> None:
        """End every fork server and every worker."""
        self._closed = True
        with self._lock:
            fork_servers, self._fork_servers = list(self._fork_servers.values()), {}
        for fork_server in fork_servers:
            fork_server.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
