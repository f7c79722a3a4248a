"""An implementation: a compiled way of computing an operator."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic

from eagerdiff.harness.model.case import CaseT
from eagerdiff.harness.model.environment import Environment
from eagerdiff.harness.model.excuse import Excuse, excused
from eagerdiff.harness.model.identity import Identity, Stage
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
    environment: Environment | None = None
    """A Python environment of its own, in which processes of what it compiles with run."""
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
    nearest: Callable[[CaseT], CaseT] = lambda case: case
    """Return, of the cases that it can have, the one nearest to a drawn case: a search of what takes few sizes would
    else turn most draws down."""
    lacks: Callable[[str], str | None] = lambda entry: None
    """Return the reason why no case of an entry of the operator's table is supported, or None: a search has that entry
    met by other ways of its family, where one does not lack it."""
    excuses: Sequence[Excuse] = ()
    """The rules by which what it refuses is no finding; the first that is proved counts."""
    devices: Sequence[str] = ("interpreted", "cuda")
    """Where it can run: any of cpu, interpreted (and so host), cuda; offline targets follow from `kernels`."""
    requires: Requirements = Requirements()
    omits: Sequence[str] = ()
    """Outputs that it does not compute, by path (`[1]`): it returns None there, and is not judged on them."""
    free_format: str = ""
    """Why outputs that are new need not keep the memory format of an argument, where the operator judges that
    (`Judging.strides`); empty where they must, as eager's do."""
    batch_invariant: Callable[[CaseT], bool] = lambda case: False
    """Whether it declares of a case that a row has the same bits whatever stands beside it in the batch: then the
    operator's relations `of_batch` hold bit for bit."""
    leaves: Sequence[str] = ()
    """What it changes of its process on purpose, as the verdict on that would name it: `who runs beside it` of ranks
    that wait for the next call. Anything else that a build or a call leaves changed is a failure."""
    at_once: bool = False
    """Whether the calls of a workload are made at once, each in a thread of its own, and once more in another, while
    they compile."""
    mode: Mode | None = None
    """How it treats changing sizes, where a compiler is involved."""
    family: str = ""
    """What is compiled, where an operator has several such functions; or a kernel that comes in several variants."""
    backend: str = ""
    """What compiles it: a back end of `torch.compile`, a path of `torch.export`."""
    variant: str = ""
    """What it changes besides the mode."""
    stage: Stage | None = None
    """Where torch's compiler ends, where that makes the whole of it of the operator's function: then a failure may be
    one with the same failure at an earlier stage. None: its failures are its own."""
    max_compiles: Callable[[Workload[CaseT]], int] | None = None
    """Most compiles a workload may cost; None: what the compile model of `mode` says, or no limit without a mode."""
    kernels: Callable[[], Sequence[Any]] | None = None
    """The Triton kernels (`triton.jit` functions), for offline compilation; None where there are none."""
    source: Callable[[CaseT], str] | None = None
    """Return, for the first case, standalone Python source that defines `implementation(*args, **options)` from a
    `reference` defined above it (repro scripts); None: the built callable is imported from a copy of its own file."""
    description: str = ""

    @property
    def identity(self) -> Identity:
        """What it is, as findings, rows and shares of time need to know it."""
        return Identity(
            family=self.family, backend=self.backend, mode=self.mode, variant=self.variant, stage=self.stage
        )

    @property
    def group(self) -> tuple[str, str]:
        """Its family and back end, whose ways differ in mode and variant alone; its name, where it has neither."""
        return self.family if self.family or self.backend else self.name, self.backend

    def unsupported(self, case: CaseT) -> str | None:
        """Return why a case is not for it, before anything runs: what `supports` says, else the rule that is proved."""
        return self.supports(case) or excused(self.excuses, case)

    @property
    def mode_name(self) -> str:
        """The name of its mode; empty where it has none."""
        return str(self.mode or "")

    def runs_on(self, device: str) -> bool:
        """Whether it can run on a device, by its name: what is interpreted is also compiled for the host."""
        return device in self.devices or (device == "host" and "interpreted" in self.devices)

    @property
    def hand_written(self) -> bool:
        """Whether it is a Triton kernel of its own rather than a compiler's: such a kernel compiles offline."""
        return "interpreted" in self.devices and self.mode is None
