"""Verdicts: what the judge says, as a value."""

from enum import StrEnum
from typing import Any

from pydantic import BaseModel, ConfigDict, Field


class Status(StrEnum):
    """What happened to one case."""

    PASSED = "PASSED"
    WRONG_VALUE = "WRONG_VALUE"
    WRONG_SHAPE = "WRONG_SHAPE"
    WRONG_DTYPE = "WRONG_DTYPE"
    WRONG_MUTATION = "WRONG_MUTATION"
    OUT_OF_BOUNDS = "OUT_OF_BOUNDS"
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


class Verdict(BaseModel):
    """Say what happened to one case, with the numbers and the reason; never raised, never a bare bool."""

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="strings")

    status: Status
    reason: str = ""
    """One line; empty only for PASSED."""
    oracle: str = ""
    """Which check decided: structure, nonfinite, rmse, elementwise, exact, mutation, bounds, unwritten, relation:NAME,
    compiles, process, support; of a harness error who broke: harness, load, operator, support, build, relation:NAME."""
    output: str = ""
    """Path of the first differing output, such as `[0]` or `.weights`."""
    numbers: dict[str, float] = Field(default_factory=dict)
    """Named figures: rmse, eager_rmse, allowed, worst_index, ..."""
    frame: str = ""
    """Innermost framework frame of an exception, `module:function`, for grouping."""
    surviving_mutants: tuple[str, ...] = ()
    """Mutants of the right answer that the judge could not refuse on this case."""
    checked_mutants: int = 0
    """How many mutants it was asked about."""

    @property
    def failed(self) -> bool:
        """Whether this is a finding."""
        return self.status.failed

    def describe(self) -> str:
        """Return one line for a terminal."""
        numbers = ", ".join(f"{name} {value:.3g}" for name, value in self.numbers.items())
        parts = (self.status.value, self.output, self.reason, f"({numbers})" if numbers else "")
        return " ".join(part for part in parts if part)


def passed(**details: Any) -> Verdict:
    """Return a PASSED verdict."""
    return Verdict(status=Status.PASSED, **details)


def harness_error(reason: str, oracle: str = "harness", frame: str = "") -> Verdict:
    """Return the verdict that something of ours, or a plug-in's glue, broke: never kept, never a finding."""
    return Verdict(status=Status.HARNESS_ERROR, reason=" ".join(reason.split())[:300], oracle=oracle, frame=frame)


def skipped(reason: str) -> Verdict:
    """Return a SKIPPED verdict; the reason is required because every report counts and shows it."""
    return Verdict(status=Status.SKIPPED, reason=reason, oracle="support")
