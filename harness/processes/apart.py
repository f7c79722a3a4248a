"""A process apart: an author's code at work for the campaign, which hears of it in messages alone."""

from collections.abc import Callable
from types import ModuleType
from typing import Self

from eagerdiff.harness.processes.child import Child, Ended, Late
from eagerdiff.harness.processes.death import last_words
from eagerdiff.harness.processes.framing import Unreadable
from eagerdiff.harness.processes.limits import Limits
from eagerdiff.harness.processes.patience import Patience
from eagerdiff.harness.processes.pool import ForkServer, WorkerPool, WorkerStartError


class NoAnswer(Exception):
    """Tell why a process apart gave no answer, in one line; empty where nobody is to blame for it."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class Vanished(Exception):
    """Tell that a process apart is gone with its fork server, which anybody's code may have killed."""


class Apart:
    """Talk to a process that runs a module's `serve`; it may crash, hang or say anything.

    Use it as a context manager, from one thread. `send` and `receive` raise NoAnswer, or Vanished; the process is gone
    then, and the next message starts another one.
    """

    def __init__(self, what: str, serving: ModuleType, device: str, worker_pool: WorkerPool, limits: Limits) -> None:
        self._what = what
        self._serving = serving.__name__
        self._device = device
        self._worker_pool = worker_pool
        self._limits = limits
        self._child: Child | None = None
        self._own: ForkServer | None = None

    def be_alone(self) -> None:
        """Have the next process come from a fork server that nobody shares; raise NoAnswer where none can be had."""
        try:
            self._own = self._worker_pool.start(self._device)
        except WorkerStartError as error:
            raise NoAnswer(str(error)) from error

    def send(self, message: bytes) -> None:
        """Send a message."""
        try:
            if self._child is None:
                self._child = self._fork()
            self._child.send(message)
        except WorkerStartError as error:
            raise NoAnswer(str(error)) from error
        except Ended:
            raise NoAnswer(self._ended()) from None

    def receive(self, patience: Callable[[int, Limits], Patience] | None = None) -> bytes:
        """Return the next message; `patience` says how long the process (its id) is waited for."""
        child = self._child
        assert child is not None, "nothing was sent"
        try:
            return child.receive((patience or _for_drawing)(child.pid, self._limits))
        except Late as late:
            self.close()
            raise NoAnswer(f"{self._what} {late.overrun.reason}" if late.overrun.reason else "") from None
        except Ended:
            raise NoAnswer(self._ended()) from None
        except Unreadable:
            self.close()
            raise NoAnswer(f"{self._what} said what cannot be read") from None

    def close(self) -> None:
        """End the process."""
        if (child := self._child) is not None:
            self._child = None
            child.end()
        if (own := self._own) is not None:
            self._own = None
            own.close()

    def _fork(self) -> Child:
        if self._own is not None:
            return self._own.fork(self._limits, self._serving)
        return self._worker_pool.fork(self._device, self._limits, serve=self._serving)

    def _ended(self) -> str:
        """Return how the process ended; raise Vanished where only its fork server could tell."""
        child, self._child = self._child, None
        assert child is not None
        status = child.bury()
        if status is None and not child.killed:
            raise Vanished
        return f"{self._what} ended its process: {last_words(status, child.tail.decode(errors='replace'))}"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _for_drawing(pid: int, limits: Limits) -> Patience:
    return Patience(pid, limits.drawing_seconds, min(limits.idle_seconds, limits.drawing_seconds))
