"""The nursery: one zygote a device, started when first asked for, shared by all workers, ended with the nursery."""

import contextlib
import json
import os
import socket
import subprocess
import tempfile
import threading
from collections.abc import Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import IO, Any, Self

from eagerdiff.harness.devices import parse
from eagerdiff.harness.processes.child import Child
from eagerdiff.harness.processes.fresh_process import python
from eagerdiff.harness.processes.limits import Limits

SINGLE_THREADED = {
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "TORCHINDUCTOR_COMPILE_THREADS": "1",
    "PYTHONHASHSEED": "0",
    "PYTHONUNBUFFERED": "1",
}
"""A process with threads cannot be forked safely; one order of sets makes compilations repeatable."""


class Stillborn(Exception):
    """Say in one line why no worker process can be had on a device."""


class Zygote:
    """Drive one zygote process from the parent; safe to use from several threads."""

    def __init__(self, device: str, catalog: tuple[Sequence[str], Sequence[str]] | None) -> None:
        self._lock = threading.Lock()
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115  lives as long as the zygote
        configuration = {"device": device, "control": theirs.fileno(), "catalog": catalog}
        self._process = subprocess.Popen(
            python("eagerdiff.harness.processes.fork_server", json.dumps(configuration)),
            env=os.environ | SINGLE_THREADED | parse(device).environment(),
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=self._errors,
            start_new_session=True,  # a Ctrl-C in the terminal is the parent's to handle
        )
        theirs.close()
        self.device = device
        self.problems: list[str] = self._answer()["problems"]
        """What the catalog complained of in the zygote, one line each."""

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    def fork(self, limits: Limits) -> Child:
        """Fork a worker; raise Stillborn where the zygote is gone."""
        ours, theirs = socket.socketpair()
        output, their_output = os.pipe()
        order = json.dumps({"limits": limits.model_dump(), "device": self.device}).encode()
        try:
            with self._lock:
                try:
                    socket.send_fds(self._control, [order], [theirs.fileno(), their_output])
                except OSError as error:
                    raise Stillborn(self._why()) from error
                pid: int = self._answer()["pid"]
        except Stillborn:
            ours.close()
            os.close(output)
            raise
        finally:
            theirs.close()
            os.close(their_output)
        return Child(pid, ours.detach(), output, self.reap)

    def reap(self, pid: int) -> int | None:
        """Return the wait status of a worker that has ended; None where the zygote is gone and cannot tell."""
        with self._lock:
            try:
                self._control.send(json.dumps({"reap": pid}).encode())
                return self._answer()["status"]
            except (OSError, Stillborn):
                return None

    def close(self) -> None:
        """End the zygote and all its workers."""
        self._control.close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._errors.close()

    def _answer(self) -> dict[str, Any]:
        data = self._control.recv(1 << 16)
        if not data:
            raise Stillborn(self._why())
        return json.loads(data)

    def _why(self) -> str:
        status = self._process.wait()
        self._errors.seek(0)
        lines = self._errors.read().decode(errors="replace").strip().splitlines()
        return (
            f"no worker on {self.device}: the zygote ended with status {status}: {lines[-1] if lines else 'no message'}"
        )


class Nursery:
    """Keep one zygote for each device, with the catalog imported and without; close it to end them all."""

    def __init__(self, operators: Sequence[str] = (), implementations: Sequence[str] = ()) -> None:
        self._catalog = (tuple(operators), tuple(implementations))
        self._zygotes: dict[tuple[str, bool], Zygote] = {}
        self._locks: dict[tuple[str, bool], threading.Lock] = {}
        self._lock = threading.Lock()

    def fork(self, device: str, limits: Limits, *, catalog: bool = True) -> Child:
        """Fork a worker, starting the zygote first where there is none; raise Stillborn where that fails twice."""
        zygote = self.zygote(device, catalog=catalog)
        try:
            return zygote.fork(limits)
        except Stillborn:
            self._forget(device, catalog, zygote)
            return self.zygote(device, catalog=catalog).fork(limits)

    def prepare(self, devices: Collection[str]) -> None:
        """Start the zygotes of several devices side by side; one that cannot start says so when it is asked to fork."""

        def start(device: str) -> None:
            with contextlib.suppress(Stillborn):
                self.zygote(device)

        with ThreadPoolExecutor(max(1, len(devices))) as pool:
            list(pool.map(start, devices))

    def zygote(self, device: str, *, catalog: bool = True) -> Zygote:
        """Return the zygote of a device; raise Stillborn where it cannot start."""
        key = (device, catalog)
        with self._lock:
            lock = self._locks.setdefault(key, threading.Lock())
        with lock:
            if key not in self._zygotes:
                self._zygotes[key] = Zygote(device, self._catalog if catalog else None)
            return self._zygotes[key]

    def _forget(self, device: str, catalog: bool, dead: Zygote) -> None:
        with self._lock:
            if self._zygotes.get((device, catalog)) is dead:  # else another thread has replaced it already
                del self._zygotes[(device, catalog)]
        dead.close()

    def close(self) -> None:
        """End every zygote and every worker."""
        with self._lock:
            zygotes, self._zygotes = list(self._zygotes.values()), {}
        for zygote in zygotes:
            zygote.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
