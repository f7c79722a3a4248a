"""Limits: what a worker may use before it is stopped."""

from pydantic import BaseModel, ConfigDict

GIB = 1 << 30


class Limits(BaseModel):
    """Bound one worker process."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    memory: int = 6 * GIB
    """Bytes of address space on top of what it starts with; not enforced on cuda, whose driver maps far more."""
    case_seconds: float = 60.0
    """Wall clock for one case, the compilation that it causes included."""
    build_seconds: float = 120.0
    """Wall clock for loading the plug-in and building, before the first case."""
    tasks: int = 200
    """Tasks after which the process is replaced by a fresh one."""
    growth: int = GIB
    """Bytes of resident memory gained after which the process is replaced by a fresh one."""
