"""Events: what a campaign writes into its journal, as typed models, and the line that each of them is there.

A line is a checksum, a space and JSON: what a disk, a kill or an editor did to it shows, whatever it was. JSON that is
long is compressed (zlib, RFC 1950, as base64): workloads and outcomes of many calls take a fraction of the room.
"""

import base64
import json
import zlib
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from eagerdiff.harness.model.outcome import Outcome
from eagerdiff.harness.model.workload import Workload
from eagerdiff.harness.results.results import Row
from eagerdiff.harness.triage.finding import Finding
from eagerdiff.harness.triage.signature import FailureSignature, failures

VERSION = 3
"""Of the format; lines of another are passed over. The one before had no compressed lines."""
LONG_BYTES = 400
"""Of JSON that is compressed: less is as short as it is."""
MOST_BYTES = 1 << 26
"""Of one line: what is longer is not read."""
_CHECKSUM = 8


class TargetKey(NamedTuple):
    """Name what a campaign searches."""

    operator: str
    implementation: str
    device: str

    @classmethod
    def of(cls, one: Row | Finding) -> "TargetKey":
        """Return whose row or whose finding it is."""
        return cls(one.operator, one.implementation, one.device)

    def __str__(self) -> str:
        """Write it for a person."""
        return f"{self.operator}/{self.implementation} on {self.device}"


class Note(BaseModel):
    """Hold what every event has."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)

    number: int = Field(default=-1, ge=0, lt=1 << 32)
    """Lines of this journal before it."""
    time: float = 0.0
    """Seconds since 1970."""
    searched: float = Field(default=0.0, ge=0)
    """Seconds of search that the campaign has had so far, those before it was resumed included."""


class Began(Note):
    """A session of a campaign begins."""

    event: Literal["campaign"] = "campaign"
    version: Literal[2, 3] = VERSION
    seed: int
    build: str
    """What is searched: the releases and the commit."""
    shard: str = ""
    """Which part of the campaign, `2/4`; empty for the whole."""
    budget: float = 0.0
    """Seconds of search that it may have in all; 0 where that is not said."""


class Started(Note):
    """A workload is about to run."""

    event: Literal["start"] = "start"
    target: TargetKey
    batch: int
    digest: str
    workload: list[dict[str, Any]]


class Judged(Note):
    """A workload was run to its end."""

    event: Literal["verdict"] = "verdict"
    target: TargetKey
    digest: str
    outcome: Outcome
    workload: list[dict[str, Any]] = Field(default_factory=list[dict[str, Any]])
    """Once more where it failed: that a failure is known must not hang on two lines."""
    about: tuple[str, ...] = ()
    """What it consists of, where it failed, or where that is counted."""
    shrinking: bool = False
    """Whether a finding was being made smaller: then nobody drew it."""


class Drawn(Note):
    """A batch was drawn to its end."""

    event: Literal["batch"] = "batch"
    target: TargetKey
    batch: int
    unsupported: list[str]


class Found(Note):
    """A finding was made smaller, and run again."""

    event: Literal["finding"] = "finding"
    target: TargetKey
    batch: int
    finding: Finding
    aliases: list[FailureSignature]


class CrewAt(BaseModel):
    """Say of one of a fleet's crews how far it is."""

    model_config = ConfigDict(extra="forbid", strict=True)

    name: str
    lanes: int
    """Turns that it does at a time."""
    turns: int = 0
    workloads: int = 0
    lost: int = 0
    """Turns of it that ended with its machine."""
    gone: bool = False


class Crews(Note):
    """The machines that work on a campaign, as they stand; written now and then."""

    event: Literal["crews"] = "crews"
    crews: list[CrewAt]


Event = Began | Started | Judged | Drawn | Found | Crews
_EVENT: TypeAdapter[Event] = TypeAdapter(Annotated[Event, Field(discriminator="event")])


def judged_of(
    target: TargetKey,
    workload: Workload,
    outcome: Outcome,
    about: tuple[str, ...],
    *,
    always: bool,
    shrinking: bool,
) -> Judged:
    """Return the event of an outcome; what the workload consists of is in it where it failed, or `always`."""
    told = about if always else ()
    event = Judged(target=target, digest=workload.digest, outcome=outcome, about=told, shrinking=shrinking)
    if failures(outcome):
        event = event.model_copy(update={"workload": workload.to_data(), "about": about})
    return event


def line_of(event: Event) -> bytes:
    """Return the line of an event, its end included."""
    data = event.model_dump(mode="json", exclude_defaults=True)
    always = {"event": event.event, "number": event.number}
    return seal(data | always | ({"version": event.version} if isinstance(event, Began) else {}))


def seal(data: dict[str, Any]) -> bytes:
    """Return the line of data that may or may not be an event."""
    text = json.dumps(data, separators=(",", ":")).encode()
    if len(text) > LONG_BYTES:
        text = base64.b64encode(zlib.compress(text))
    return f"{zlib.crc32(text):0{_CHECKSUM}x} ".encode() + text + b"\n"


def unsealed(line: bytes) -> bytes | None:
    """Return the JSON that a line holds; None where it is damaged, or is longer than a line may be."""
    checksum, text = line[: _CHECKSUM + 1], line[_CHECKSUM + 1 :].removesuffix(b"\n")
    if checksum != f"{zlib.crc32(text):0{_CHECKSUM}x} ".encode():
        return None
    return text if text.startswith(b"{") else _inflated(text)


def _inflated(text: bytes) -> bytes | None:
    try:
        inflating = zlib.decompressobj()
        found = inflating.decompress(base64.b64decode(text, validate=True), MOST_BYTES)
    except (ValueError, zlib.error):
        return None
    return found if inflating.eof else None


def event_of(line: bytes) -> Event | None:
    """Return the event that a line holds; None where it is damaged, or of no kind that is known."""
    text = unsealed(line)
    try:
        return None if text is None else _EVENT.validate_json(text)
    except (ValidationError, RecursionError):
        return None
