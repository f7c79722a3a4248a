"""A template of fork servers: it has imported what each of them imports first, and forks them.

A fork server takes ten seconds of CPU time to start, nearly all of it for torch's compiler, and the suite starts some
hundred. What is forked goes on as one that was started does, with its own environment, search path and folder. Only the
pools of this process have it: what a test starts by a command starts as it does for a user.
"""

import functools
import gc
import importlib
import json
import os
import select
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping
from typing import IO, Any, NoReturn

from eagerdiff.harness.devices import parse
from eagerdiff.harness.processes import fork_server, pool
from eagerdiff.harness.processes.fresh_process import python

ORDER = 1 << 10
READ_EARLY = ("TORCH", "PYTORCH", "TRITON", "OMP", "MKL", "CUDA", "LD_", "PYTHON", "EAGERDIFF_SANITIZ")
"""Beginnings of what modules read of the environment while they are imported: where it differs so does the template."""


class Template:
    """Drive one template process; safe to use from several threads."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._orders, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._lock = threading.Lock()
        self._said: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115  a test's own would get what torch logs there
        with theirs:
            self._process = subprocess.Popen(
                python(__name__, str(theirs.fileno())),
                env=environment,
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=self._said,
                stderr=self._said,
                start_new_session=True,
            )

    def fork(self, told: Mapping[str, Any], control: int, errors: int) -> int:
        """Fork a fork server; return its process id."""
        with tempfile.TemporaryFile() as order:
            order.write(json.dumps(told).encode())
            order.flush()
            order.seek(0)
            return self._asked({"do": "fork"}, [order.fileno(), control, errors])

    def reap(self, pid: int) -> int:
        """Return the wait status of what was forked and has ended."""
        return self._asked({"do": "reap", "pid": pid}, [])

    def _asked(self, order: Mapping[str, Any], descriptors: list[int]) -> int:
        with self._lock:
            socket.send_fds(self._orders, [json.dumps(order).encode()], descriptors)
            if answer := self._orders.recv(ORDER):
                return int(answer)
        self._said.seek(0)
        raise RuntimeError(f"the template of fork servers ended: {self._said.read().decode(errors='replace')}")


class Forked:
    """Stand for the process of a fork server that a template forked, as `subprocess.Popen` does."""

    def __init__(self, template: Template, pid: int) -> None:
        self._template, self.pid = template, pid
        self._pidfd = os.pidfd_open(pid)
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """Return the exit code, or None while it runs."""
        return self._ended(0)

    def wait(self, timeout: float | None = None) -> int:
        """Return the exit code once it has ended; raise TimeoutExpired."""
        code = self._ended(timeout)
        if code is None:
            assert timeout is not None
            raise subprocess.TimeoutExpired("a fork server", timeout)
        return code

    def _ended(self, timeout: float | None) -> int | None:
        if self.returncode is None and select.select([self._pidfd], [], [], timeout)[0]:
            self.returncode = os.waitstatus_to_exitcode(self._template.reap(self.pid))
            os.close(self._pidfd)
        return self.returncode


def start(configuration: Mapping[str, Any], errors: IO[bytes]) -> Any:
    """Do as `pool.start`, by a template."""
    environment = os.environ | pool.SINGLE_THREADED | parse(configuration["device"]).environment()
    early = frozenset((name, text) for name, text in environment.items() if name.startswith(READ_EARLY))
    template = _template(early, os.getpid())
    told = {"environment": environment, "path": sys.path, "folder": os.getcwd(), "configuration": dict(configuration)}
    return Forked(template, template.fork(told, configuration["control"], errors.fileno()))


@functools.cache
def _template(early: frozenset[tuple[str, str]], pid: int) -> Template:
    return Template({**os.environ, **dict(early)})


def main(descriptor: str) -> None:
    """Fork a fork server an order, until nobody can ask."""
    orders = socket.socket(fileno=int(descriptor))
    _import_ahead()
    while True:
        said, descriptors, _, _ = socket.recv_fds(orders, ORDER, 3)
        if not said:
            return
        order = json.loads(said)
        if order["do"] == "reap":
            answer = os.waitpid(order["pid"], 0)[1]
        elif (answer := os.fork()) == 0:
            orders.close()
            _become(*descriptors)
        for one in descriptors:
            os.close(one)
        orders.send(str(answer).encode())


def _import_ahead() -> None:
    gc.disable()
    for name in fork_server.PRELOADED:
        importlib.import_module(name)
    for name in fork_server.EXECUTION:
        importlib.import_module(f"eagerdiff.harness.execution.{name}")
    import torch

    from eagerdiff.harness.model.identity import Stage
    from eagerdiff.harness.processes.warming import warm_up

    torch.set_num_threads(1)
    warm_up({*Stage})
    gc.collect()
    gc.freeze()
    gc.enable()


def _become(order: int, control: int, errors: int) -> NoReturn:
    """Go on as a fork server that was started so."""
    status = 1
    try:
        with os.fdopen(order) as file:
            told = json.load(file)
        os.setsid()
        nowhere = os.open(os.devnull, os.O_RDWR)
        for number, target in enumerate((nowhere, nowhere, errors)):
            os.dup2(target, number)
        os.environ.clear()
        os.environ.update(told["environment"])
        sys.path[:] = told["path"]
        os.chdir(told["folder"])
        fork_server.main(json.dumps({**told["configuration"], "control": control}))
        status = 0
    except BaseException:  # noqa: BLE001 - as Python itself ends
        sys.excepthook(*sys.exc_info())  # pyright: ignore[reportArgumentType]
    finally:
        sys.stderr.flush()
        os._exit(status)
