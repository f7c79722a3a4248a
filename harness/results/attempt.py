"""Attempts: what became of one planted fault under our search, and under the baseline suites that peers publish."""

from pydantic import BaseModel, ConfigDict, Field


class Attempt(BaseModel):
    """Say whether one fault was found, how fast and by what."""

    model_config = ConfigDict(extra="forbid")

    id: str
    operator: str
    implementation: str
    device: str
    found: bool = False
    seconds: float = 0.0
    """From the first drawn case to the first failing verdict; for a missed fault, the time spent."""
    status: str = ""
    oracle: str = ""
    reason: str = ""
    defect: str = ""
    """Class of the finding."""
    workloads: int = 0
    cases: int = 0
    ignored: int = 0
    """Failures that the source without the fault shows too: they find nothing."""
    timed_out: int = 0
    """Time-outs under a fault that is no hang: a busy machine has them too, and they find nothing."""
    harness_errors: int = 0
    """What broke of ours meanwhile: it finds nothing either."""
    stood_in: dict[str, int] = Field(default_factory=dict)
    """What the device does not take, by name and line → cases judged on the one that stands in for it."""
    problem: str = ""
    """Why it could not be tried."""


class BaselineAttempt(BaseModel):
    """Say whether the baseline suites found one fault, which and when."""

    model_config = ConfigDict(extra="forbid")

    id: str
    found: bool = False
    seconds: float = 0.0
    """Spent on the spoilt source, up to the first failing case; for a missed fault, all that was spent."""
    suite: str = ""
    status: str = ""
    reason: str = ""
    cases: int = 0
    """Run on the spoilt source."""
    of: int = 0
    """In the suites."""
    problem: str = ""
    """Why it could not be tried."""


class SuiteUse(BaseModel):
    """Say how far one suite went on one implementation, whatever the fault."""

    model_config = ConfigDict(extra="forbid")

    suite: str
    implementation: str
    rule: str
    cases: int
    refused: int = 0
    """Cases that the source without a fault fails under the suite's own rule: they find nothing. Of those met."""
    too_large: int = 0
    """Cases that take longer, or more memory, than there is for one: not run. Of those known to be."""
    unsupported: int = 0
    """Cases that the implementation does not take. Of those met."""
    note: str = ""
