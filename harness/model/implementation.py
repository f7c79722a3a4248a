"""An implementation: a compiled way of computing an operator."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic

from eagerdiff.harness.model.case import CaseT
from eagerdiff.harness.model.mode import Mode
from eagerdiff.harness.model.source_tree import SourceTree
from eagerdiff.harness.model.workload import Workload


@dataclass(frozen=True)
class Requirements:
    """State what must be present for an implementation to run."""

    packages: Sequence[str] = ()
    """Import names of packages."""
    source_tree: SourceTree | None = None
    """A package of Python files that is installed, or whose source tree an environment variable names."""
    compute_capability: tuple[int, int] | None = None
    """Least CUDA compute capability, on `cuda` only."""


@dataclass(frozen=True, kw_only=True)
class Implementation(Generic[CaseT]):
    """Describe something under test to the harness.

    Only `operator`, `name` and `build` are required. `Implementation[MyCase]` has pyright know the case's fields.
    """

    operator: str
    """Name of the operator it computes."""
    name: str
    """Dotted or hyphenated, unique within the operator: `triton.varlen`, `inductor.dynamic`."""
    build: Callable[[CaseT], Callable[..., Any]]
    """Given the first case of a workload, return a callable with the reference's signature. Called once a workload."""
    supports: Callable[[CaseT], str | None] = lambda case: None
    """Return None, or the reason why a case is not supported."""
    devices: Sequence[str] = ("interpreted", "cuda")
    """Where it can run: any of cpu, interpreted, cuda (offline targets follow from `kernels`)."""
    requires: Requirements = Requirements()
    omits: Sequence[str] = ()
    """Outputs that it does not compute, by path (`[1]`): it returns None there, and is not judged on them."""
    mode: Mode | None = None
    """How it treats changing sizes, where a compiler is involved."""
    max_compiles: Callable[[Workload[CaseT]], int] | None = None
    """Most compiles a workload may cost; None: what the compile model of `mode` says, or no limit without a mode."""
    kernels: Callable[[], Sequence[Any]] | None = None
    """The Triton kernels (`triton.jit` functions), for offline compilation; None where there are none."""
    source: Callable[[CaseT], str] | None = None
    """Return, for the first case, standalone Python source that defines `implementation(*args, **options)` from a
    `reference` defined above it (repro scripts); None: the built callable is imported from a copy of its own file."""
    description: str = ""

    @property
    def hand_written(self) -> bool:
        """Whether it is a Triton kernel of its own rather than a compiler's: such a kernel compiles offline."""
        return "interpreted" in self.devices and self.mode is None
