"""Figures: what is tracked of a subject, measured in a process of its own."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import torch
from pydantic import BaseModel

from eagerdiff.harness.benchmark.subject import OFFLINE, Subject
from eagerdiff.harness.devices.offline import OfflineReport, capture, launch_all
from eagerdiff.harness.execution.execution import execute
from eagerdiff.harness.internals.generated_code import generated_by
from eagerdiff.harness.internals.graph_caches import kept_in
from eagerdiff.harness.model.operator import Inputs
from eagerdiff.harness.model.outcome import Outcome
from eagerdiff.harness.model.verdict import Status
from eagerdiff.harness.timing.comparison import cpu_seconds
from eagerdiff.harness.timing.cuda_graphs import CudaGraphs
from eagerdiff.harness.timing.peak import fragmentation, peak_bytes
from eagerdiff.harness.timing.python_calls import python_calls
from eagerdiff.harness.timing.timers import timing_of
from eagerdiff.harness.timing.work import work_of

TARGET = "sm_90"
"""The GPU for which kernels are compiled where there is none."""


@dataclass(frozen=True)
class Kind:
    """Say how a figure is read: less is better of all of them."""

    unit: str
    what: str
    gate: float | None = 0.0
    """By which share a count may change before it is another; None: a time, which is sampled."""
    on: Collection[str] = ("cpu", "cuda")
    """Where a subject that has it runs."""


MIX = {
    "memory": ("go to a GPU's memory", ("load", "store", "local", "async_copy", "atomic")),
    "shared": ("go to shared memory", ("shared_load", "shared_store")),
    "special": ("convert, divide, or take a root, a power, a logarithm", ("convert", "special")),
}
"""Instructions that are told apart: what they do, and their classes in an `OfflineReport`."""
FIGURES: Mapping[str, Kind] = {
    "compiles": Kind("compilations", "of the frame that is compiled most, as the compile model counts"),
    "dynamo": Kind("compilations", "by Dynamo, of all frames"),
    "export": Kind("compilations", "by torch.export"),
    "inductor": Kind("compilations", "by Inductor, of all graphs"),
    "triton": Kind("compilations", "by Triton, of all kernels"),
    "refused": Kind("calls", "that are refused by a rule: they are in no other figure but compilations"),
    "graph_breaks": Kind("breaks", "of graphs"),
    "guards": Kind("guards", "of all compiled frames"),
    "code_bytes": Kind("bytes", "of code that Inductor generates"),
    "compile_calls": Kind("calls", "of Python functions while all is compiled", 0.02),
    "compile_seconds": Kind("s", "of CPU, in which all is compiled, with caches of graphs that are empty", None),
    "warm_seconds": Kind(
        "s",
        "of CPU, in which all is loaded that the compilation before left in those caches; none where it left nothing",
        None,
    ),
    "operations": Kind("operations", "of torch that one pass runs"),
    "elements": Kind("elements", "that they read and give"),
    "waits": Kind("operations", "for whose result the program waits: with one, no call is a CUDA graph"),
    "graphs": Kind("CUDA graphs", "that are recorded for the shapes", on=("cuda",)),
    "unreplayed": Kind("calls", "of a later pass that replay no CUDA graph", on=("cuda",)),
    "peak_bytes": Kind("bytes", "that a call holds at once at most"),
    "fragmentation": Kind(
        "%", "of the GPU memory that the allocator holds for all shapes, which none ever used", on=("cuda",)
    ),
    "microseconds": Kind("us", "of one pass, once compiled", None),
    "specialisations": Kind("kernels", f"that Triton compiles for {TARGET}", on=(OFFLINE,)),
    "registers": Kind("registers", "a thread, of the kernel that needs most", on=(OFFLINE,)),
    "spills": Kind("bytes", "that all kernels spill to local memory", on=(OFFLINE,)),
    "shared_bytes": Kind("bytes", "of shared memory, of the kernel that needs most", on=(OFFLINE,)),
    "instructions": Kind("instructions", "in the code of all kernels", on=(OFFLINE,)),
    **{
        f"{name}_instructions": Kind("instructions", f"of these that {what}", on=(OFFLINE,))
        for name, (what, _) in MIX.items()
    },
}
"""By name, in the order in which they are shown."""


class UnmeasuredError(Exception):
    """Say in one line why a subject is not measured: its answer is wrong, or it refuses every call."""


class Measured(BaseModel, extra="forbid"):
    """Hold what was measured of a subject."""

    figures: dict[str, float]
    """By name, those of FIGURES."""
    reasons: list[str] = []
    """Why each compilation was made: its layer, its frame, and the guard that failed."""
    refused: list[int] = []
    """Places of the calls that are refused by a rule, as a package refuses the size 1."""


def measure(subject: Subject, *, times: bool = True, before_times: Callable[[], object] = lambda: None) -> Measured:
    """Measure a subject; `times` has what is timed among the figures, after `before_times`. Call it once a process.

    Raises UnmeasuredError where the answer is wrong or every call is refused, and whatever the implementation raises.
    """
    if subject.on == OFFLINE:
        return Measured(figures=_offline(subject))
    subject.device.activate()
    subject.device.begin()
    outcome = judged(subject)
    refused = _refused(outcome)
    found = _compilations(outcome) | {"refused": len(refused)}
    passing = Passing.of(subject, refused)
    calls: list[int] = []
    sources = generated_by(lambda: calls.append(python_calls(passing.compile)))  # what it imports itself is not counted
    found["code_bytes"] = sum(map(len, sources))
    found["compile_calls"] = max(0, calls[0] - python_calls(passing.run))
    works = [work_of(call) for call in passing.calls]
    found["operations"] = sum(one.operations for one in works)
    found["elements"] = sum(one.elements for one in works)
    found["waits"] = sum(one.waits for one in works)
    if passing.on == "cuda":
        found["graphs"], found["unreplayed"] = passing.cuda_graphs()
        found["fragmentation"] = fragmentation(passing.run)
    found["peak_bytes"] = max(peak_bytes(call, passing.on) for call in passing.calls)
    if times:
        with TemporaryDirectory() as folder, kept_in(lambda: Path(folder)):
            found["compile_seconds"] = passing.compile_seconds()
            if any(path.is_file() for path in Path(folder).rglob("*")):
                found["warm_seconds"] = passing.compile_seconds()
        before_times()
        found["microseconds"] = 1e6 * sum(timing_of([call], passing.on).median for call in passing.calls)
    reasons = [f"{one.layer} {one.frame}: {one.reason}" for one in outcome.compiles if not one.failed]
    return Measured(figures=found, reasons=reasons, refused=refused)


def judged(subject: Subject) -> Outcome:
    """Run a subject and judge it: what is measured is right. Raises UnmeasuredError where it is not."""
    outcome = execute(subject.operator, subject.implementation, subject.workload, subject.device, relations=False)
    for verdict in (*outcome.verdicts, outcome.workload):
        if verdict.status not in (Status.PASSED, Status.SKIPPED):
            raise UnmeasuredError(f"not measured: {verdict.describe()}")
    if all(verdict.status is Status.SKIPPED for verdict in outcome.verdicts):
        raise UnmeasuredError(f"not measured, every call is refused: {outcome.verdicts[0].describe()}")
    return outcome


def refused_calls(subject: Subject) -> list[int]:
    """Run a subject and judge it; return the places of the calls that a rule refuses. Raises UnmeasuredError."""
    subject.device.activate()
    subject.device.begin()
    return _refused(judged(subject))


def _refused(outcome: Outcome) -> list[int]:
    return [at for at, verdict in enumerate(outcome.verdicts) if verdict.status is Status.SKIPPED]


def _compilations(outcome: Outcome) -> dict[str, float]:
    done = [record for record in outcome.compiles if not record.failed]
    layers = Counter(record.layer for record in done)
    return {
        "compiles": outcome.compile_count,
        **{name: layers[name] for name in ("dynamo", "export", "inductor", "triton")},
        "graph_breaks": sum(record.graph_breaks for record in done),
        "guards": sum(record.guards for record in done),
    }


class Passing:
    """Call every shape of a workload that is not refused, in turn, on inputs that are there."""

    def __init__(self, subject: Subject, inputs: Sequence[Inputs], on: str) -> None:
        self._subject = subject
        self._inputs = inputs
        self.on = on
        self.calls: list[Callable[[], object]] = []

    @classmethod
    def of(cls, subject: Subject, refused: Collection[int] = ()) -> "Passing":
        """Make the inputs, but of the calls at places that are refused; nothing is built yet."""
        on = subject.device.torch_device
        cases = [case for at, case in enumerate(subject.workload.cases) if at not in refused]
        return cls(subject, [subject.operator.inputs(case, on) for case in cases], on)

    def compile(self) -> None:
        """Build anew, as a new process would, and call every shape."""
        torch.compiler.reset()
        built = self._subject.implementation.build(self._subject.workload.cases[0])
        self.calls = [one.bound(built) for one in self._inputs]
        self.run()

    def run(self) -> None:
        """Call every shape once more."""
        for call in self.calls:
            call()

    def cuda_graphs(self) -> tuple[int, int]:
        """Return how many CUDA graphs are in use once every shape was called thrice, and the calls that replay none."""
        for _ in range(2):  # Inductor records a graph at the second call of a shape
            self.run()
        unreplayed = 0
        with CudaGraphs() as graphs:
            for call in self.calls:
                before = graphs.replayed
                call()
                unreplayed += graphs.replayed == before
        return graphs.recorded, unreplayed

    def compile_seconds(self) -> float:
        """Return the CPU seconds that building and the first pass take, beyond a second pass."""
        start = cpu_seconds()
        self.compile()
        middle = cpu_seconds()
        self.run()
        return max(0.0, (middle - start) - (cpu_seconds() - middle))


def offline_reports(subject: Subject) -> list[OfflineReport]:
    """Compile a workload's launches for TARGET and run none; one report a specialisation."""
    with capture(TARGET) as reports:
        launch_all(subject.operator, subject.implementation, subject.workload.cases)
    return reports


def _offline(subject: Subject) -> dict[str, float]:
    reports = offline_reports(subject)
    return {
        "specialisations": len(reports),
        "registers": max((one.registers for one in reports), default=0),
        "spills": sum(one.spill_bytes for one in reports),
        "shared_bytes": max((one.shared_bytes for one in reports), default=0),
        "instructions": sum(one.instructions["total"] for one in reports),
        **{
            f"{name}_instructions": sum(one.instructions.get(kind, 0) for one in reports for kind in kinds)
            for name, (_, kinds) in MIX.items()
        },
    }
