"""A child: the parent's end of one worker process."""

import contextlib
import json
import os
import signal
import time
from collections.abc import Callable
from multiprocessing.connection import Connection, wait
from typing import Any

from eagerdiff.harness.processes.patience import Overrun, Patience

TAIL = 8192
"""Bytes kept of what a worker prints."""
TRACE_SECONDS = 5.0
"""Most that a worker which overran its time has to print where it is: it may wait for a core."""
SAMPLE_SECONDS = 0.1
"""How often a worker's CPU time is read while it is waited for."""
STACK_BEGINS = b"(most recent call first)"
STACK_ENDS = (b'File "<string>", line 1 in <module>', b"\n  ...\n")
"""The outermost frame, which is the fork server's, or the mark that there are too many: faulthandler writes piece by
piece, and a process that waits for a core has written half."""


class Ended(Exception):
    """Tell that the process ended instead of answering."""


class Late(Exception):
    """Tell that the process used its time up before it answered."""

    def __init__(self, overrun: Overrun) -> None:
        super().__init__(overrun.reason)
        self.overrun = overrun


class Child:
    """Talk to one worker process, keep the tail of its output, and see to its end."""

    def __init__(self, pid: int, channel: int, output: int, reap: Callable[[int], int | None]) -> None:
        self.pid = pid
        self.tasks = 0
        self.resident: list[int] = []
        """Resident bytes after each task."""
        self.killed = False
        """Whether we ended it."""
        self.root = ""
        """The source root that it has on its path, once it has had a task."""
        self._connection = Connection(channel)
        self._output = output
        self._reap = reap
        self._status: int | None = None
        self.buried = False
        """Whether its end has been seen to."""
        self.tail = b""

    def send(self, message: bytes) -> None:
        """Send a task; raise Ended where the process is gone."""
        self.tail = b""
        try:
            self._connection.send_bytes(message)
        except OSError as error:
            raise Ended from error

    def receive(self, patience: Patience) -> bytes:
        """Return the next message; raise Ended, or Late where patience ends; drains the output meanwhile."""
        while True:
            if self._ready(SAMPLE_SECONDS):
                try:
                    return self._connection.recv_bytes()
                except (EOFError, OSError) as error:
                    raise Ended from error
            if overrun := patience.ended():
                raise Late(overrun)

    def notice(self, patience: Patience) -> dict[str, Any]:
        """Return the next message as JSON."""
        return json.loads(self.receive(patience))

    def _ready(self, seconds: float) -> bool:
        """Wait for a message or for output, which is drained; return whether there is a message."""
        ready = wait([self._connection, self._output], seconds)
        if self._output in ready:
            self._drain()
        return self._connection in ready

    def trace(self) -> None:
        """Have a process that hangs print its stack into the tail."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGUSR1)
        deadline = time.monotonic() + TRACE_SECONDS
        while time.monotonic() < deadline and not self._has_stack():
            self._ready(SAMPLE_SECONDS)

    def _has_stack(self) -> bool:
        """Whether the tail has a whole stack."""
        _, begun, stack = self.tail.rpartition(STACK_BEGINS)
        return bool(begun) and any(end in stack for end in STACK_ENDS)

    def kill(self) -> None:
        """Kill the process and those it started; safe from any thread, and more than once."""
        self.killed = True
        if not self.buried:
            for end, target in ((os.killpg, self.pid), (os.kill, self.pid)):
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    end(target, signal.SIGKILL)

    def bury(self) -> int | None:
        """Wait for the end, close the channels and return the wait status (None: unknown)."""
        if not self.buried:
            self._status = self._reap(self.pid)
            self.buried = True
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)  # what it started and left behind
            self._drain()
            self._connection.close()
            os.close(self._output)
        return self._status

    def _drain(self) -> None:
        while wait([self._output], 0):
            read = os.read(self._output, 1 << 16)
            self.tail = (self.tail + read)[-TAIL:]
            if not read:
                return
