"""One night, as a line of a history: what ran, and what was seen of each finding."""

from pydantic import BaseModel, ConfigDict, Field

VERSION = 1
"""Of the lines that are written. Lines of every version before are read (`history.read_night`)."""


class Ran(BaseModel):
    """Say how one implementation fared on one device."""

    model_config = ConfigDict(extra="forbid")

    operator: str
    implementation: str
    device: str
    cases: int = 0
    compiles: int = 0
    failures: int = 0
    seconds: float = 0.0
    compile_seconds: float = 0.0


class Sighting(BaseModel):
    """Say that a finding was seen, and whether it failed."""

    model_config = ConfigDict(extra="forbid")

    operator: str
    implementation: str
    device: str
    name: str
    """The entry that keeps it, in the operator's corpus or in the history's."""
    revision: str = ""
    """Of the implementation's source, where that is not this project's: versions of packages, a digest of a file."""
    fails: bool
    found: bool = False
    """Whether that night's search found it, and nothing had kept it before."""
    what: str = ""
    """How it fails, in one line."""

    @property
    def key(self) -> tuple[str, str]:
        """What tells one finding from another: the operator and the entry."""
        return self.operator, self.name


class Night(BaseModel):
    """Say what one run met. What it did not come to is not in it."""

    model_config = ConfigDict(extra="forbid")

    version: int
    when: str
    """When it began, ISO 8601, UTC."""
    seed: int
    budget: float
    """Seconds."""
    elapsed: float
    """Seconds of search."""
    interrupted: bool = False
    environment: dict[str, str] = Field(default_factory=dict[str, str])
    """python, torch, triton, platform, cores, gpu, commit."""
    ran: list[Ran] = Field(default_factory=list[Ran])
    seen: list[Sighting] = Field(default_factory=list[Sighting])
