"""Limits: what a worker may use before it is stopped."""

from typing import Self

from pydantic import BaseModel, ConfigDict

GIB = 1 << 30


class Limits(BaseModel):
    """Bound one worker process."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    memory: int = 6 * GIB
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

    def sooner(self, share: float) -> Self:
        """Return the same with a share of the time for a case, computing or idle."""
        return self.model_copy(
            update={"case_seconds": share * self.case_seconds, "idle_seconds": share * self.idle_seconds}
        )
