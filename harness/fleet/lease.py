"""Leases: what goes between the driver of a campaign and a crew, all of it data.

The driver sends a `Setup` once, and a `Lease` for each turn. The crew answers a lease with lines, as a journal has
them: what is about to run, what was judged, what was found, and `Ended` last.
"""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from eagerdiff.harness.campaign.events import Event, Note, TargetKey, event_of, line_of, seal, unsealed
from eagerdiff.harness.catalog.plugin import Spec
from eagerdiff.harness.model.outcome import Outcome
from eagerdiff.harness.triage.cause import Cause
from eagerdiff.harness.triage.finding import Finding
from eagerdiff.harness.triage.known import Known
from eagerdiff.harness.triage.signature import FailureSignature


class Letter(BaseModel):
    """Carry what goes between a driver and a crew."""

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="strings")


class Setup(Letter):
    """Say what a crew works for."""

    build: str
    """What is searched (`Began.build`): a crew of another is sent away."""
    operators: list[Spec | str] = Field(default_factory=list[Spec | str])
    """As for `load`."""
    implementations: list[Spec | str] = Field(default_factory=list[Spec | str])
    searched: list[str] = Field(default_factory=list[str])
    """Names of the operators that are searched."""
    devices: list[str] = Field(default_factory=list[str])
    """On which implementations are searched; none: on their default devices."""
    only: list[str] = Field(default_factory=list[str])
    """Of these devices, those that this crew has; none: all."""
    slots: int = 1
    """Leases at a time."""
    examples: str = ""
    """The example database that machines share: a folder that all of them have, or an address of Redis."""
    failures: list[FailureSignature] = Field(default_factory=list[FailureSignature])
    """What the corpora know."""
    causes: list[tuple[Cause, list[FailureSignature]]] = Field(
        default_factory=list[tuple[Cause, list[FailureSignature]]]
    )

    @property
    def known(self) -> Known:
        """What the corpora know."""
        return Known(frozenset(self.failures), {cause: frozenset(names) for cause, names in self.causes})


class Hello(Letter):
    """Say what a crew is."""

    build: str
    environment: dict[str, str]
    open: list[TargetKey]
    """What it can search."""
    obstacles: list[tuple[TargetKey, str]]
    """What it cannot, and why."""
    problems: list[str] = Field(default_factory=list[str])


class Lease(Letter):
    """Give a turn to a crew: a batch of a target, to be explored for a while."""

    number: int
    target: TargetKey
    batch: int
    """With the seed it says what is drawn."""
    seed: int
    first: bool
    """Whether it is one of the target's first turns: one workload."""
    seconds: float = Field(ge=0)
    """Until the campaign's time is over."""
    slice_seconds: float = Field(ge=0)
    shrink_seconds: float = Field(ge=0)
    """Most for making a finding smaller."""
    shrink_runs: int = Field(ge=0)
    recorded: list[tuple[str, Outcome]] = Field(default_factory=list[tuple[str, Outcome]])
    """Digest → outcome of those of its workloads that ran before, in a turn that was cut short on some machine."""
    judged: list[str] = Field(default_factory=list[str])
    """Digests of workloads of the target that nights before judged right."""
    found: list[Finding] = Field(default_factory=list[Finding])
    """What others found since this crew was last told."""


class Ended(Note):
    """End the answer to a lease."""

    event: Literal["ended"] = "ended"
    lease: int
    finished: bool
    """Whether the batch was drawn to its end."""
    fresh: int
    """Workloads that ran."""
    uncharged: float = Field(ge=0)
    """Seconds that the target is not charged for: starting processes, and making a finding smaller."""
    shrunk: float = Field(ge=0)
    """Of these, seconds of making a finding smaller."""
    busy: float = Field(ge=0)
    judged_before: int = Field(default=0, ge=0)
    """Workloads that were left out, for nights before judged them right."""
    all_again: bool = False
    """Whether it held nothing else: from now on none is left out."""
    unsupported: list[str] = Field(default_factory=list[str])
    """Cases turned down so far, where the batch goes on in another turn."""
    problems: list[str] = Field(default_factory=list[str])
    closed: bool = False
    """Whether nothing more can be drawn of the target there."""
    problem: str = ""
    """Why."""
    ground: str = ""
    """What of that machine has given way, as a full disk does: it is of no use any more."""
    broken: list[tuple[str, int]] = Field(default_factory=list[tuple[str, int]])
    """Harness errors that no verdict tells of → how often."""


_ENDED: TypeAdapter[Ended] = TypeAdapter(Ended)


def told_line(told: Event | Ended) -> bytes:
    """Return the line of what a crew tells."""
    if isinstance(told, Ended):
        return seal(told.model_dump(mode="json"))
    return line_of(told)


def told_of(line: bytes) -> Event | Ended | None:
    """Return what a line tells; None where it is damaged, or of no kind that is known."""
    if (event := event_of(line)) is not None:
        return event
    text = unsealed(line)
    try:
        return None if text is None else _ENDED.validate_json(text)
    except (ValidationError, RecursionError):
        return None
