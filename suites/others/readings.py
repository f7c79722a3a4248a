"""What was read of findings about others' code: whose they are, why, and what to change; kept beside, in YAML."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal

import yaml
from pydantic import BaseModel, ConfigDict

from eagerdiff.suites.others.record import Met, Row

READINGS = Path(__file__).with_name("readings.yaml")


class Reading(BaseModel):
    """Say what a finding is."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    of: tuple[str, ...]
    """Functions, as the table names them."""
    way: str = ""
    """What the name of the way of compiling begins with; any where it is empty."""
    said: str = ""
    """A part of what the verdict says."""
    kind: Literal["defect of torch", "defect of the package", "documented limit", "by design", "open"]
    """Open: it is read, and not settled."""
    says: str
    change: str
    """What to change in one's own code."""
    script: str = ""
    """A kept script, under `suites/corpus/scripts`."""
    link: str = ""

    def reads(self, row: Row, met: Met) -> bool:
        """Whether it is about a finding."""
        return row.name in self.of and met.way.startswith(self.way) and self.said in met.says


def read(path: Path = READINGS) -> tuple[Reading, ...]:
    """Return the readings."""
    found = yaml.safe_load(path.read_text(encoding="utf-8")) if path.is_file() else []
    return tuple(Reading.model_validate(one) for one in found or [])


def findings(rows: Mapping[str, Row]) -> Iterator[tuple[Row, Met]]:
    """Return every finding with its function."""
    yield from ((row, met) for row in rows.values() for met in row.findings)


def reading_of(row: Row, met: Met, readings: tuple[Reading, ...]) -> Reading | None:
    """Return what was read of a finding; None where nobody has."""
    return next((one for one in readings if one.reads(row, met)), None)
