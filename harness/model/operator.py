"""An operator: what is computed, what is drawn, what is right."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Literal

from eagerdiff.harness.model.case import CaseT
from eagerdiff.harness.model.covering import Covering
from eagerdiff.harness.model.tolerance import Tolerance
from eagerdiff.harness.model.workload import Workload

if TYPE_CHECKING:
    import torch
    from hypothesis.strategies import SearchStrategy

    from eagerdiff.harness.model.baseline_suite import BaselineSuite
    from eagerdiff.harness.model.comparison import Comparison
    from eagerdiff.harness.model.implementation import Implementation
    from eagerdiff.harness.model.metric import Metric


@dataclass(frozen=True)
class Inputs:
    """Hold the arguments of one call: `function(*args, **options)`."""

    args: tuple[Any, ...]
    """Tensors and plain values, in the reference's order."""
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Keyword arguments: scale, window, program name."""

    def bound(self, function: Callable[..., Any]) -> Callable[[], Any]:
        """Return the call of a function on these inputs."""
        return lambda: function(*self.args, **self.options)


@dataclass(frozen=True)
class Cost:
    """Count the work that one case needs, whatever implements it."""

    flops: float
    """Floating-point operations."""
    bytes: float
    """Bytes that must move between memory and the processor."""


@dataclass(frozen=True)
class Relation:
    """State what a change of the inputs must do to the output; needs no reference."""

    name: str
    transform: Callable[[Inputs, "torch.Generator"], "tuple[Inputs, Callable[[Any], Any]]"]
    """Return changed inputs, and the function from the original output to what the changed inputs must give."""
    exact: bool = False
    """Whether every bit must agree; otherwise the judge's error budget applies."""
    of_batch: bool = False
    """Whether it changes nothing but what stands beside a row (a request alone, in a larger batch, in chunks, padded):
    then every bit must agree of an implementation that declares it (`Implementation.batch_invariant`)."""
    only_declared: bool = False
    """Whether no other implementation is asked: the changed inputs may be none that it supports."""


@dataclass(frozen=True, kw_only=True)
class Table(Generic[CaseT]):
    """Name a table of which each case calls one entry: a search takes the entries in turn, so that few are left out."""

    entries: Callable[[], Sequence[str]]
    """Return the names of those that can be drawn."""
    cases: "Callable[[str], SearchStrategy[CaseT]]"
    """Draw a case of an entry."""


@dataclass(frozen=True, kw_only=True)
class Drawing(Generic[CaseT]):
    """Say how an operator's calls are drawn and made smaller, besides `cases`."""

    workload_cases: "Callable[[CaseT], SearchStrategy[CaseT]] | None" = None
    """Draw a further case under a given one's static fields; None: `cases()` with the static fields copied over."""
    check_inputs: Callable[[CaseT], str | None] | None = None
    """Return why a case is outside the operator's domain, or None."""
    simpler: Callable[[Workload[CaseT]], Iterable[Workload[CaseT]]] | None = None
    """Return simpler workloads, the boldest first: of these the first that fails alike is taken, again and again.
    Hypothesis shrinks what was drawn before that, but where `shrinks_itself`."""
    shrinks_itself: bool = False
    """Whether `simpler` does all: cases with a structure that Hypothesis does not see (programs) shrink better so."""
    first: Sequence[Workload[CaseT]] = ()
    """Workloads that a search runs before any that are drawn, of an operator that `shrinks_itself`."""
    table: Table[CaseT] | None = None
    """A table that `cases` chooses from: then first cases are drawn of its entries in turn."""
    covering: Covering[CaseT] | None = None
    """The features of a call: reports say which pairs of them were met. It is `cases` that draws so."""
    exploratory: bool = False
    """Whether most runs meet defects of released software that nobody has met: then it is searched where it is named,
    not by default, so that a default run fails only for what has changed."""


@dataclass(frozen=True, kw_only=True)
class Judging(Generic[CaseT]):
    """Say what is right of an operator's outputs, besides `reference`, and how often it may compile."""

    tolerance: Tolerance = field(default_factory=Tolerance)
    relations: Sequence[Relation] = ()
    exact: bool = False
    """Whether every output must equal eager's, value for value: nothing in it rounds."""
    strides: Literal["free", "promised", "eager"] = "free"
    """Which outputs must lie in memory as eager's do: none, those of which torch promises it (docs/judge.md), all."""
    accumulates: Literal["as_eager", "float32"] = "as_eager"
    """In what sums are taken. float32: whatever implements it promises that for narrower dtypes, too, and an error in
    the whole output that only a sum in the narrow dtype explains is one."""
    magnitude: Callable[..., Any] | None = None
    """Compute the sum of the absolute terms of each output element, in float64 and in the output's structure;
    None lets the judge estimate it."""
    exact_upcast: Callable[[Inputs], Inputs] | None = None
    """Turn inputs into their float64 twins; by default every floating-point tensor is upcast."""
    in_float64: Callable[[Workload[CaseT]], Workload[CaseT] | None] | None = None
    """Return the same workload in float64; None where there is no such, or it is in float64 already."""
    may_raise: bool = False
    """Whether the reference may raise because of values. A call of which it does so on the processor is not made on a
    device where that ends the process."""
    random: Callable[[Inputs], bool] | None = None
    """Whether the reference draws random numbers in a call: those of its own dtype then stand in the float64 run."""
    break_ties: Callable[[Inputs, Any], Inputs | None] | None = None
    """Return inputs that make the reference break its ties the way an output did; None where there are none to break.
    An output is then right that is one of several right answers: outputs that choose (routing, sorting, top-k)."""
    calls: Callable[[CaseT], Sequence[Inputs]] | None = None
    """Return what a case hands to compiled code, call after call, where that is more than one call (a trace that an
    engine plays): compiles are held against the model of those. Dtypes and sizes count, values are not looked at."""


@dataclass(frozen=True, kw_only=True)
class Showing(Generic[CaseT]):
    """Say how an operator's cases look in scripts and reports."""

    source: Callable[[CaseT], str] | None = None
    """Return standalone Python source that defines `reference` for a case (repro scripts); None: its own source."""
    choosing: Sequence[str] = ()
    """Options that only tell the reference which function to run; scripts leave them out, `source` defines that one."""
    listing: Callable[[CaseT], str] | None = None
    """Return what a case calls, as a person reads it in a report; None: the same for every case."""
    about: Callable[[Workload[CaseT]], Iterable[str]] | None = None
    """Name what a workload consists of (a drawn program's operations): it tells one bug from another."""

    def about_of(self, workload: Workload[CaseT]) -> tuple[str, ...]:
        """Return what a workload consists of, sorted; nothing where the operator does not say."""
        return tuple(sorted(self.about(workload))) if self.about is not None else ()


@dataclass(frozen=True, kw_only=True)
class Extras(Generic[CaseT]):
    """Name what is kept beside an operator: findings, faults, others' tests, figures."""

    corpus: Path | None = None
    """YAML file of kept findings, replayed first on every run."""
    faults: Path | None = None
    """Folder of YAML files with planted defects of the shipped implementations."""
    baseline_suites: "Sequence[BaselineSuite[CaseT]]" = ()
    """Shapes and tolerances of tests that other projects publish: what the search is compared with."""
    metrics: "Callable[[], Sequence[Metric]] | None" = None
    """Take figures that are neither right nor wrong, nor seconds, for the report of `eagerdiff nightly`; within a few
    seconds on one core, and the same each time."""
    comparison: "Callable[[], Comparison | None] | None" = None
    """Return tables for that report, such as compilers by programs, as they were last measured; None where they were
    not."""
    vocabulary: "Callable[[], Mapping[str, str]] | None" = None
    """Return what is drawn from tables that are not the operator's own: `table:entry` → why it is not drawn, empty
    where it is; `NOT_ON_CPU` begins the reason of those that cannot run here. `Showing.about` names the entries of a
    workload, and `BACKWARD` where it takes gradients. Asked before anything is drawn, in a process of its own, where a
    table may be read for minutes and be kept for the next time."""
    compile_weight: float = 1.0
    """How many times as long its functions take to compile as a program of a few operations: benchmarks that have ten
    minutes are chosen by it."""


@dataclass(frozen=True, kw_only=True)
class Operator(Generic[CaseT]):
    """Describe an operator to the harness.

    Only `name`, `case`, `inputs`, `reference` and `cases` are required.
    """

    name: str
    case: type[CaseT]
    inputs: Callable[[CaseT, str], Inputs]
    """Build the tensors of a case on a torch device, from its seed; outside the timed and traced region."""
    reference: Callable[..., Any]
    """Compute the truth in plain eager torch, in whatever dtype the inputs have."""
    cases: "Callable[[], SearchStrategy[CaseT]]"
    """Draw one case; `harness` keeps the static fields and varies the rest to make a workload."""
    mutates: Sequence[int | str] = ()
    """Positions or names of the inputs that may change."""
    workloads: Mapping[str, Workload[CaseT]] = field(default_factory=dict[str, Workload[CaseT]])
    """Fixed workloads by name: what asv times and the smoke tests run."""
    cost: Callable[[CaseT], Cost] | None = None
    """Count the work of a case, for the share of the roofline that a timed implementation reaches."""
    implementations: "Sequence[Implementation[CaseT]]" = ()
    """What ships with the operator; plug-ins add to it."""
    drawing: Drawing[CaseT] = Drawing()
    judging: Judging[CaseT] = Judging()
    showing: Showing[CaseT] = Showing()
    extras: Extras[CaseT] = Extras()
