"""Interruption: Ctrl-C, SIGTERM and a terminal that hangs up, as requests to end and not as exceptions."""

import contextlib
import os
import signal
import threading
from collections.abc import Callable, Generator
from typing import Any, TypeVar

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
Value = TypeVar("Value")
_LOOK_SECONDS = 0.05
_SAID = (b"interrupted: writing the report of what was done", b"interrupted again: waiting for nothing more")


class Interruption:
    """Turn the first signal into a request to end, and the second into one to wait for nothing.

    Neither raises anything: what is being written is written to its end.
    """

    def __init__(self) -> None:
        self.asked = False
        """Whether to end soon, with what there is."""
        self.hurried = False
        """Whether to end now: what is waited for is left behind."""
        self._stop: Callable[[], None] = lambda: None

    @contextlib.contextmanager
    def handled(self) -> Generator[None]:
        """Handle the signals in the block, but for a hang-up that was ignored before (`nohup`)."""
        wanted = [number for number in SIGNALS if number != signal.SIGHUP or _heard(number)]
        before = {number: signal.signal(number, self._ask) for number in wanted}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def stops(self, stop: Callable[[], None]) -> None:
        """Name what is to be called at each signal; it must set plain values alone, for it runs between any two lines.

        It is called at once where a signal came before.
        """
        self._stop = stop
        if self.asked:
            stop()
        if self.hurried:
            stop()

    def wait_for(self, work: Callable[[], Value], otherwise: Value) -> Value:
        """Return what some work returns, or raise what it raises; `otherwise` where the second signal comes first."""
        done: list[Value] = []
        raised: list[BaseException] = []

        def run() -> None:
            try:
                done.append(work())
            except BaseException as error:  # noqa: BLE001  raised again where it is waited for
                raised.append(error)

        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        while thread.is_alive() and not self.hurried:
            thread.join(_LOOK_SECONDS)
        for error in raised:
            raise error
        return done[0] if done else otherwise

    def _ask(self, number: int, frame: Any) -> None:
        said = _SAID[self.asked]
        self.hurried = self.asked
        self.asked = True
        with contextlib.suppress(OSError):  # a terminal that hung up; and `print` is not to be entered twice
            os.write(2, b"eagerdiff: " + said + b"\n")
        self._stop()


def _heard(number: int) -> bool:
    return signal.getsignal(number) is not signal.SIG_IGN
