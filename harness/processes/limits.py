"""Limits: what a worker may use before it is stopped."""

import os
from typing import Self

from pydantic import BaseModel, ConfigDict, Field

from eagerdiff.harness.processes.machine_memory import available_memory

GIB = 1 << 30
MOST = 6 * GIB
"""Bytes that a worker is allowed on a machine that has enough."""
SHARE = 0.95
"""Of the memory that is available, what workers may use together, those that wait included: the rest is the campaign's
and the fork servers'."""
KEPT = 4
"""Into a worker's allowance: what the processes may hold that wait while it works."""


def allowance(slots: int) -> int:
    """Return the bytes that each of so many workers may use, so that all of them fit the machine."""
    available = available_memory()
    return MOST if available is None else min(MOST, int(SHARE * available / (1 + 1 / KEPT) / max(1, slots)))


class Limits(BaseModel):
    """Bound one worker process.

    The memory of all workers together fits the machine: by default each may use 6 GiB, or its share of what is
    available when it is asked for (the control group's limit counts), where there is one worker a core. Where it is
    known how many run at a time, `of_one_in` says what each may use.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    memory: int = Field(default_factory=lambda: allowance(os.cpu_count() or 1))
    """Bytes of address space on top of what it starts with; not enforced on cuda, whose driver maps far more."""
    case_seconds: float = 60.0
    """CPU seconds of the worker and all that it started for one build or call of what is under test, the compilation
    that it causes included; more on a core that is slower just then (`calibration`)."""
    harness_seconds: float = 120.0
    """The same for what is not under test: loading before the first case, and of each case its inputs, its reference
    and its judging. More is a harness error."""
    drawing_seconds: float = 30.0
    """The same for drawing one workload, with the predicates that are asked of it; idle, too."""
    idle_seconds: float = 60.0
    """Wall clock with no CPU used, and none waited for, after which a worker counts as hanging."""
    tasks: int = 200
    """Tasks after which the process is replaced by a fresh one."""
    growth: int = GIB
    """Bytes of resident memory gained after which the process is replaced by a fresh one."""

    @property
    def kept(self) -> int:
        """Bytes that those processes which wait for more of what they have run may have gained together."""
        return self.memory // KEPT

    @classmethod
    def of_one_in(cls, slots: int) -> Self:
        """Return the limits of each of so many workers that run at the same time."""
        return cls(memory=allowance(slots))

    def sooner(self, share: float) -> Self:
        """Return the same with a share of the time for a case, computing or idle."""
        return self.model_copy(
            update={"case_seconds": share * self.case_seconds, "idle_seconds": share * self.idle_seconds}
        )
