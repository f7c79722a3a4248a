"""The record of a comparison: each planted fault found by our search and by peers' grids, kept beside the faults."""

import statistics
from collections.abc import Iterable
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from harness.attempt import Attempt, GridUse, PeerAttempt
from harness.faults import FaultError, faults_of
from harness.operator import Operator

FILE = "detection.json"
"""Stands in the operator's folder of faults; only `eagerdiff selfcheck --peers --record` writes it."""


class Pair(BaseModel):
    """Hold one fault's two searches."""

    model_config = ConfigDict(extra="forbid")

    ours: Attempt
    theirs: PeerAttempt


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
    peer_budget: float
    """Seconds for each fault, of all peers' grids together."""
    grids: list[GridUse]
    pairs: list[Pair]

    @property
    def ours(self) -> "Side":
        """What our search found."""
        return Side.of([(pair.ours.found, pair.ours.seconds) for pair in self.pairs])

    @property
    def theirs(self) -> "Side":
        """What the peers' grids found."""
        return Side.of([(pair.theirs.found, pair.theirs.seconds) for pair in self.pairs])

    @property
    def only_ours(self) -> int:
        """Faults that no grid found."""
        return sum(pair.ours.found and not pair.theirs.found for pair in self.pairs)

    @property
    def only_theirs(self) -> int:
        """Faults that only a grid found."""
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


def write_record(record: Record, operator: Operator) -> Path:
    """Write a record beside the operator's faults and return its path; raise OSError where that cannot be."""
    assert operator.faults is not None
    path = operator.faults / FILE
    path.write_text(record.model_dump_json(indent=1) + "\n", encoding="utf-8")
    return path


def read_records(operators: Iterable[Operator]) -> tuple[list[Reading], list[str]]:
    """Read the record of each operator that has one; return in one line each those that cannot be read."""
    readings: list[Reading] = []
    problems: list[str] = []
    for operator in operators:
        path = operator.faults / FILE if operator.faults is not None else None
        if path is None or not path.exists():
            continue
        try:
            readings.append(_read(operator, path))
        except (OSError, ValidationError, FaultError) as error:
            problems.append(f"{FILE} of {operator.name} cannot be read: {' '.join(str(error).split())[:160]}")
    return readings, problems


def _read(operator: Operator, path: Path) -> Reading:
    record = Record.model_validate_json(path.read_text(encoding="utf-8"))
    known = [pair.ours.id for pair in record.pairs]
    today = [fault.id for fault in faults_of(operator)]
    added, gone = ([name for name in one if name not in other] for one, other in ((today, known), (known, today)))
    return Reading(record=record, added=added, gone=gone)
