"""A child: the parent's end of one worker process."""

import contextlib
import os
import select
import signal
import socket
import struct
import time
from collections.abc import Callable

from eagerdiff.harness.processes.framing import Frames
from eagerdiff.harness.processes.kinship import kill_group
from eagerdiff.harness.processes.patience import Overrun, Patience

TAIL = 8192
"""Bytes kept of what a worker prints."""
TRACE_SECONDS = 5.0
"""Most that a worker which overran its time has to print where it is: it may wait for a core."""
SEND_SECONDS = 30
"""Most that a worker may leave a task unread, where the channel is full."""
ENDING_SECONDS = 3.0
"""Most that a process takes to end once its channel is closed: large memory is given back after that."""
SAMPLE_SECONDS = 0.1
"""How often a worker's CPU time is read while it is waited for."""
STACK_BEGINS = b"(most recent call first)"
STACK_ENDS = (b'File "<string>", line 1 in <module>', b"\n  ...\n")
"""The outermost frame, which is the fork server's, or the mark that there are too many: faulthandler writes piece by
piece, and a process that waits for a core has written half."""


class Ended(Exception):
    """Tell that the process ended, or closed its channel, instead of answering."""


class Late(Exception):
    """Tell that the process used its time up before it answered."""

    def __init__(self, overrun: Overrun) -> None:
        super().__init__(overrun.reason)
        self.overrun = overrun


class Child:
    """Talk to one worker process, keep the tail of its output, and see to its end."""

    def __init__(self, pid: int, channel: int, output: int, reap: Callable[[int], int | None]) -> None:
        self.pid = pid
        self._born = _held(pid)
        self.tasks = 0
        self.resident: list[int] = []
        """Resident bytes after each task."""
        self.killed = False
        """Whether we ended it."""
        self.subject: tuple[str, ...] | None = None
        """What it has run, once it has had a task: it runs nothing else."""
        self.helper: int | None = None
        """What works for it besides what it started: its CPU time is this one's."""
        self._channel = socket.socket(fileno=channel)
        self._channel.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("ll", SEND_SECONDS, 0))
        self._frames = Frames()
        self._silent = False
        """Whether nothing more can come."""
        self._output = output
        self._said_all = False
        self._process = _handle(pid)
        self._poll = select.poll()
        for descriptor in (channel, output, *([] if self._process is None else [self._process])):
            self._poll.register(descriptor, select.POLLIN)
        self._reap = reap
        self._status: int | None = None
        self.buried = False
        """Whether its end has been seen to."""
        self.tail = b""

    def send(self, message: bytes) -> None:
        """Send a task; raise Ended where the process is gone."""
        self.tail = b""
        try:
            self._channel.sendall(struct.pack("!i", len(message)) + message)
        except OSError as error:
            raise Ended from error

    def receive(self, patience: Patience) -> bytes:
        """Return the next message; drain the output meanwhile.

        Raises Ended; Late where patience ends; Unreadable where what came cannot be a message.
        """
        while (message := self._frames.next()) is None:
            if self._silent:
                raise Ended
            if not self._listen(SAMPLE_SECONDS) and (overrun := patience.ended()):
                raise Late(overrun)
        return message

    def _listen(self, seconds: float) -> bool:
        """Wait for something to come, and take it in; return whether any of it came on the channel, or it ended."""
        ready = {descriptor for descriptor, _ in self._poll.poll(seconds * 1000)}
        if self._output in ready:
            self._drain()
        gone = self._process in ready  # others may hold the channel open: a child that the kernel left behind
        heard = (gone or self._channel.fileno() in ready) and self._take_in()
        self._silent = self._silent or gone
        return heard or self._silent

    def _take_in(self) -> bool:
        """Read what the channel has, without waiting; return whether it had anything."""
        heard = False
        while not self._silent:
            try:
                data = self._channel.recv(1 << 16, socket.MSG_DONTWAIT)
            except BlockingIOError:
                break
            except OSError:
                data = b""
            self._silent = not data
            heard = heard or bool(data)
            self._frames.feed(data)
        return heard

    def lives_on(self) -> bool:
        """Whether the process goes on, and is not just about to end, as far as can be known."""
        return self._process is not None and not _readable(self._process, ENDING_SECONDS)

    def trace(self) -> None:
        """Have a process that hangs print its stack into the tail."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGUSR1)
        deadline = time.monotonic() + TRACE_SECONDS
        while time.monotonic() < deadline and not self._silent and not self._has_stack():
            self._listen(SAMPLE_SECONDS)

    def _has_stack(self) -> bool:
        """Whether the tail has a whole stack."""
        _, begun, stack = self.tail.rpartition(STACK_BEGINS)
        return bool(begun) and any(end in stack for end in STACK_ENDS)

    def kill(self) -> None:
        """Kill the process and those it started; safe from any thread, and more than once."""
        self.killed = True
        if not self.buried:
            kill_group(self.pid)

    def end(self) -> None:
        """Kill it and see to its end."""
        self.kill()
        self.bury()

    @property
    def gained(self) -> int:
        """Bytes that it holds more than when it was forked."""
        return max(0, _held(self.pid) - self._born)

    def bury(self) -> int | None:
        """Wait for the end, close the channels and return the wait status (None: unknown)."""
        if not self.buried:
            self._status = self._reap(self.pid)
            self.buried = True
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)  # what it started and left behind
            self._drain()
            self._channel.close()
            for descriptor in (self._output, self._process):
                if descriptor is not None:
                    os.close(descriptor)
        return self._status

    def _drain(self) -> None:
        while not self._said_all and _readable(self._output):
            read = os.read(self._output, 1 << 16)
            self.tail = (self.tail + read)[-TAIL:]
            if not read:
                self._said_all = True
                self._poll.unregister(self._output)


def _handle(pid: int) -> int | None:
    """Return a descriptor that can be read once a process has ended; None where it is gone, or the system has none."""
    try:
        return os.pidfd_open(pid)
    except OSError:
        return None


def _readable(descriptor: int, seconds: float = 0) -> bool:
    """Whether something can be read within some seconds: `select` takes no descriptor past a thousand."""
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(seconds * 1000))


def _held(pid: int) -> int:
    """Return a process' resident bytes of no file, which it has for itself; 0 where it is gone."""
    with contextlib.suppress(OSError), open(f"/proc/{pid}/status") as file:
        held = [line.split()[1] for line in file if line.startswith(("RssAnon:", "RssShmem:"))]
        return sum(int(kibibytes) for kibibytes in held) * 1024
    return 0
