"""The record of a comparison: each planted fault found by our search and by baseline suites, kept beside the faults."""

import statistics

from pydantic import BaseModel, ConfigDict, Field

from eagerdiff.harness.results.attempt import Attempt, BaselineAttempt, SuiteUse


class Pair(BaseModel):
    """Hold one fault's two searches."""

    model_config = ConfigDict(extra="forbid")

    ours: Attempt
    theirs: BaselineAttempt


class Record(BaseModel):
    """Hold the comparison of one operator's faults, and what it was measured with."""

    model_config = ConfigDict(extra="forbid")

    operator: str
    made: str
    """ISO 8601, UTC."""
    command: str
    environment: dict[str, str]
    """eagerdiff, torch, triton, python, cores, load when it began, and the like."""
    budget: float
    """Seconds for each fault, of our search."""
    baseline_budget: float
    """Seconds for each fault, of all baseline suites together."""
    suites: list[SuiteUse]
    pairs: list[Pair]

    @property
    def ours(self) -> "Side":
        """What our search found."""
        return Side.of([(pair.ours.found, pair.ours.seconds) for pair in self.pairs])

    @property
    def theirs(self) -> "Side":
        """What the baseline suites found."""
        return Side.of([(pair.theirs.found, pair.theirs.seconds) for pair in self.pairs])

    @property
    def only_ours(self) -> int:
        """Faults that no suite found."""
        return sum(pair.ours.found and not pair.theirs.found for pair in self.pairs)

    @property
    def only_theirs(self) -> int:
        """Faults that only a suite found."""
        return sum(pair.theirs.found and not pair.ours.found for pair in self.pairs)


class Side(BaseModel):
    """Sum up one side of a comparison."""

    found: int
    faults: int
    median: float | None
    """Seconds, over the faults that were found; None where none was."""
    total: float
    """Seconds, over all faults."""

    @classmethod
    def of(cls, results: list[tuple[bool, float]]) -> "Side":
        """Sum up (found, seconds) of each fault."""
        times = [seconds for found, seconds in results if found]
        median = statistics.median(times) if times else None
        return cls(found=len(times), faults=len(results), median=median, total=sum(time for _, time in results))


class Reading(BaseModel):
    """Hold a record as it stands today."""

    record: Record
    added: list[str] = Field(default_factory=list)
    """Faults planted since."""
    gone: list[str] = Field(default_factory=list)
    """Faults that it names and that are no more."""

    @property
    def stale(self) -> bool:
        """Whether it is no longer about the faults there are."""
        return bool(self.added or self.gone)
