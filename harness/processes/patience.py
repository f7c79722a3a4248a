"""Patience: how long a process is waited for, in CPU seconds that it uses and in time that it lets pass."""

import time
from dataclasses import dataclass

from eagerdiff.harness.processes.calibration import slowness
from eagerdiff.harness.processes.cpu_time import cpu_usage

LAZY = 0.02
"""Share of a core up to which a process that waits counts as idle: what polls uses a little."""


@dataclass(frozen=True)
class Overrun:
    """Say how a process used its time up."""

    reason: str
    idle: bool
    """Whether it computed nothing."""


class Patience:
    """Watch a process, what helps it and all that these started from one sign of life to the next.

    It ends after `cpu_seconds` of CPU time, of a core as fast as the calibration's, or after `idle_seconds` in which
    nothing was computed. A process that waits for a core that others use is neither. Time counts from the first
    question on, which is asked a moment after a sign of life: most signs follow each other sooner than that.
    """

    def __init__(self, pid: int, cpu_seconds: float, idle_seconds: float, helper: int | None = None) -> None:
        self._pids = (pid,) if helper is None else (pid, helper)
        self._cpu_seconds = cpu_seconds
        self._idle_seconds = idle_seconds
        self._slowness = 1.0
        self._began: float | None = None
        self._idle_since = self._idle_from = 0.0

    def ended(self) -> Overrun | None:
        """Return why there is no more patience, or None."""
        now, used = time.monotonic(), cpu_usage(*self._pids)
        if self._began is None:
            self._began = self._idle_from = used.seconds
            self._idle_since = now
        if used.busy or used.seconds - self._idle_from > LAZY * max(1.0, now - self._idle_since):
            self._idle_since, self._idle_from = now, used.seconds
        if now - self._idle_since >= self._idle_seconds:
            return Overrun(f"hangs: no CPU used for {self._idle_seconds:g} s", idle=True)
        if used.seconds - self._began < self._cpu_seconds * self._slowness:
            return None
        self._slowness = max(self._slowness, slowness())  # asked in the same minute, and only where it matters
        over = used.seconds - self._began >= self._cpu_seconds * self._slowness
        return Overrun(f"did not end within {self._cpu_seconds:g} s of CPU time", idle=False) if over else None
