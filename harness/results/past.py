"""The past: what nights before say of tonight's findings, and how each implementation has fared."""

from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field


class State(StrEnum):
    """Say how a finding stands, seen over nights."""

    NEW = "new"
    """It fails, and no night before has seen it."""
    RETURNED = "returned"
    """It fails, passed before, and something changed in between."""
    FLAKY = "flaky"
    """It failed and passed, and nothing changed in between."""
    FIXED = "fixed"
    """It passes, failed before, and something changed in between."""
    STILL = "still"
    """It fails, as it did when it was last seen."""


class Change(BaseModel):
    """Say what was one thing on the night before, and is another now: torch, triton, the commit, a kernel."""

    model_config = ConfigDict(extra="forbid")

    what: str
    before: str
    now: str

    def __str__(self) -> str:
        """Write it for a person."""
        return f"{self.what} {self.before or 'none'} → {self.now or 'none'}"


class Standing(BaseModel):
    """Say of one finding how it stands and since when."""

    model_config = ConfigDict(extra="forbid")

    operator: str
    implementation: str
    device: str
    name: str
    """The entry that keeps it."""
    what: str
    """How it fails, in one line."""
    state: State
    found: bool = False
    """Whether a night's search found it; else it was kept before there was a history."""
    tonight: bool
    """Whether tonight's run saw it, failing or passing; else its state is that of `last_seen`."""
    since: str
    """When it came to this state, ISO 8601."""
    first_seen: str
    last_seen: str
    changed: list[Change] = Field(default_factory=list[Change])
    """What differs between the night that brought it to this state and the one that had seen it last before."""

    @property
    def turned(self) -> bool:
        """Whether tonight brought it to this state."""
        if self.state is State.STILL or not self.tonight or self.since != self.last_seen:
            return False
        return self.state is State.NEW or self.first_seen != self.last_seen  # else it was kept before any night

    @property
    def worse(self) -> bool:
        """Whether it is a failure that was not there the night before."""
        return self.turned and self.state in (State.NEW, State.RETURNED)


class Point(BaseModel):
    """Say how an implementation fared in one night."""

    model_config = ConfigDict(extra="forbid")

    when: str
    cases: int
    compiles: int
    failures: int
    seconds: float
    """Worker time."""
    compile_seconds: float


class Trend(BaseModel):
    """Say how an implementation fared night after night, the last of which is tonight."""

    model_config = ConfigDict(extra="forbid")

    operator: str
    implementation: str
    device: str
    points: list[Point]


class Past(BaseModel):
    """Hold what nights before say; `nights` counts them, tonight's not among them."""

    model_config = ConfigDict(extra="forbid")

    nights: int
    before: str = ""
    """When the last one began, ISO 8601; empty where tonight's is the first."""
    changed: list[Change] = Field(default_factory=list[Change])
    """What differs from the last one."""
    standings: list[Standing] = Field(default_factory=list[Standing])
    trends: list[Trend] = Field(default_factory=list[Trend])

    def of(self, state: State) -> list[Standing]:
        """Return what came to a state tonight; of those that still fail, all that tonight saw."""
        return [one for one in self.standings if one.state is state and (one.turned or _is_still(one))]

    @property
    def left(self) -> list[Standing]:
        """Return what nights found and nothing has fixed, what tonight did not come to among it."""
        return [one for one in self.standings if one.found and one.state is not State.FIXED]

    @property
    def worse(self) -> int:
        """How many failures were not there the night before."""
        return sum(one.worse for one in self.standings)


def _is_still(standing: Standing) -> bool:
    return standing.state is State.STILL and standing.tonight
