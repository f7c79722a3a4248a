"""Verdicts: what the judge says, as a value."""

from enum import StrEnum
from typing import Any, cast

from pydantic import BaseModel, ConfigDict, Field, model_validator

from eagerdiff.harness.sinks.visible import encodable


class Status(StrEnum):
    """What happened to one case."""

    PASSED = "PASSED"
    WRONG_VALUE = "WRONG_VALUE"
    WRONG_SHAPE = "WRONG_SHAPE"
    WRONG_DTYPE = "WRONG_DTYPE"
    WRONG_STRIDES = "WRONG_STRIDES"
    """Every value is right, and lies elsewhere in memory than torch promises."""
    WRONG_MUTATION = "WRONG_MUTATION"
    OUT_OF_BOUNDS = "OUT_OF_BOUNDS"
    RACE = "RACE"
    """Two programs of one launch touch an element, one of them writes, and nothing orders them."""
    UNWRITTEN = "UNWRITTEN"
    NONDETERMINISTIC = "NONDETERMINISTIC"
    RAISED = "RAISED"
    DID_NOT_RAISE = "DID_NOT_RAISE"
    CRASHED = "CRASHED"
    TIMED_OUT = "TIMED_OUT"
    OUT_OF_MEMORY = "OUT_OF_MEMORY"
    OVER_BUDGET = "OVER_BUDGET"
    FELL_BACK = "FELL_BACK"
    SKIPPED = "SKIPPED"
    HARNESS_ERROR = "HARNESS_ERROR"
    """This project or a plug-in's glue broke: no word about what is under test."""

    @property
    def failed(self) -> bool:
        """Whether this is a finding."""
        return self.judged and self is not Status.PASSED

    @property
    def judged(self) -> bool:
        """Whether what is under test was held against the truth, or died before it could be."""
        return self not in (Status.SKIPPED, Status.HARNESS_ERROR)


class Oracle(StrEnum):
    """Name the check that decided."""

    STRUCTURE = "structure"
    STRIDES = "strides"
    """How an output lies in memory: `Judging.strides`."""
    NONFINITE = "nonfinite"
    RMSE = "rmse"
    ELEMENTWISE = "elementwise"
    EXACT = "exact"
    MUTATION = "mutation"
    STATE = "state"
    """What a call leaves changed in its process: torch's settings and functions, variables, descriptors, threads."""
    BOUNDS = "bounds"
    RACE = "race"
    UNWRITTEN = "unwritten"
    RELATION = "relation"
    """A relation of the operator's, or a repetition: `Verdict.relation` says which."""
    BATCH = "batch invariance"
    """A relation of what stands beside a row, of an implementation that declares that this changes no bit."""
    BASELINE = "baseline"
    """The rule of a baseline suite: `Verdict.rule` says which."""
    RAISE = "raise"
    """Whether it raises as eager does."""
    BUILD = "build"
    COMPILES = "compiles"
    PROCESS = "process"
    """How the worker ended."""
    SUPPORT = "support"
    OPERATOR = "operator"
    """The operator's own code raised."""
    JUDGE = "judge"
    """The output cannot be compared."""
    LOAD = "load"
    """The worker does not find what it is to run."""
    HARNESS = "harness"
    """Something of ours broke; of any harness error the oracle says what."""

    @property
    def of_values(self) -> bool:
        """Whether values were compared."""
        return self in (Oracle.NONFINITE, Oracle.RMSE, Oracle.ELEMENTWISE, Oracle.EXACT)


class Layer(StrEnum):
    """Name the part of torch that an exception came from."""

    DYNAMO = "dynamo"
    TRACING = "tracing"
    """AOTAutograd, fake tensors, symbolic shapes, decompositions."""
    INDUCTOR = "inductor"
    EXPORT = "export"
    RUNTIME = "runtime"
    """What runs compiled code, or is called by it."""

    @property
    def compiles(self) -> bool:
        """Whether this is at work while a program is compiled."""
        return self is not Layer.RUNTIME


class Refusal(StrEnum):
    """Name what torch says of a size that it does not take."""

    CONSTANT = "constant"
    """A size that was to stay symbolic became a constant."""
    CONSTRAINT = "constraint"
    """It violates a constraint that was declared."""
    SIZE = "size"
    """A program that was exported was not traced for it, or takes what it was declared not to."""


class Verdict(BaseModel):
    """Say what happened to one case, with the numbers and the reason; never raised, never a bare bool."""

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="strings")

    status: Status
    reason: str = ""
    """One line for a person; empty only for PASSED. What a program is to know of it stands in the other fields."""
    oracle: Oracle | None = None
    """Which check decided, of a harness error who broke; None where none had to."""
    relation: str = ""
    """Name of the relation that does not hold; `recall` and `rerun` are repetitions."""
    rule: str = ""
    """The rule of a baseline suite that does not hold."""
    output: str = ""
    """Path of the first differing output, such as `[0]` or `.weights`."""
    got: str = ""
    """What the output has: a value, a dtype, a shape, a nesting."""
    expected: str = ""
    """What it should have in its place."""
    allowed: float | None = None
    """The most that is allowed: of the whole output's error (RMSE), or of compiles."""
    numbers: dict[str, float] = Field(default_factory=dict)
    """Further figures: rmse, eager_rmse, worst_index, compiles, ..."""
    frame: str = ""
    """Innermost framework frame of an exception, `module:function`, for grouping."""
    origin: str = ""
    """The function of a framework that an exception is due to, `module:function`, whatever carried it up.

    Of an engine in a process of its own: `engine:load` or `engine:call`.
    """
    layer: Layer | None = None
    """Where in torch an exception came from; None for anywhere else."""
    exceptions: tuple[str, ...] = ()
    """Types of an exception and of those that it was made from, the outermost first."""
    refusal: Refusal | None = None
    """What an exception says of a size."""
    guard: str = ""
    """The guard whose failure cost a compile too many."""
    line: str = ""
    """The line of the program that this guard is due to, `file.py:8 in f: code`; empty where torch does not say."""
    held: int | None = None
    """The number that this guard holds a size to."""
    held_anew: bool = False
    """Whether it does so although the size had changed before."""
    ending: str = ""
    """How a process ended: a signal's name, `exit with status 3`, what it did to the harness; empty where it lives."""
    idle: bool = False
    """Whether what did not end in time computed nothing."""
    surviving_mutants: tuple[str, ...] = ()
    """Mutants of the right answer that the judge could not refuse on this case."""
    checked_mutants: int = 0
    """How many mutants it was asked about."""

    @model_validator(mode="before")
    @classmethod
    def _encodable(cls, data: Any) -> Any:
        """Take any text: what an exception says may be more than JSON can hold, which is no other verdict."""
        return encodable(data)

    @model_validator(mode="before")
    @classmethod
    def _from_one_text(cls, data: Any) -> Any:
        """Read an oracle as it was written before it was an enum: `relation:NAME`, `baseline: RULE` or nothing."""
        given = cast(dict[str, Any], data) if isinstance(data, dict) else {}
        match str(given.get("oracle") or "").partition(":"):
            case (Oracle.RELATION, ":", name):
                return given | {"oracle": Oracle.RELATION, "relation": name}
            case (Oracle.BASELINE, ":", rule):
                return given | {"oracle": Oracle.BASELINE, "rule": rule.strip()}
            case ("", _, _) if "oracle" in given:
                return given | {"oracle": None}
            case _:
                return data

    @property
    def failed(self) -> bool:
        """Whether this is a finding."""
        return self.status.failed

    @property
    def decided_by(self) -> str:
        """The check that decided, as a person reads it; a question mark where none did."""
        words = (self.oracle.value if self.oracle else "?", self.relation or self.rule)
        return " ".join(word for word in words if word)

    @property
    def figures(self) -> dict[str, str]:
        """Every figure as text, by name."""
        found = {name: f"{value:.3g}" for name, value in self.numbers.items()}
        found |= {"allowed": f"{self.allowed:.3g}"} if self.allowed is not None else {}
        met = {"got": self.got, "expected": self.expected}
        return found | {name: text for name, text in met.items() if text and text not in self.reason}

    def describe(self) -> str:
        """Return one line for a terminal."""
        figures = ", ".join(f"{name} {text}" for name, text in self.figures.items())
        parts = (self.status.value, self.output, self.reason, f"({figures})" if figures else "")
        return " ".join(part for part in parts if part)


def passed(**details: Any) -> Verdict:
    """Return a PASSED verdict."""
    return Verdict(status=Status.PASSED, **details)


def harness_error(reason: str, oracle: Oracle = Oracle.HARNESS, frame: str = "") -> Verdict:
    """Return the verdict that something of ours, or a plug-in's glue, broke: never kept, never a finding."""
    return Verdict(status=Status.HARNESS_ERROR, reason=" ".join(reason.split())[:300], oracle=oracle, frame=frame)


def skipped(reason: str) -> Verdict:
    """Return a SKIPPED verdict; the reason is required because every report counts and shows it."""
    return Verdict(status=Status.SKIPPED, reason=reason, oracle=Oracle.SUPPORT)
