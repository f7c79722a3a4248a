"""What came of each function of others: a file of lines, one a function, in the order of the table."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

RESULTS = Path(__file__).resolve().parents[2] / "docs" / "others.jsonl"


@dataclass(frozen=True)
class Met:
    """Hold a finding in short."""

    way: str
    status: str
    defect: str
    says: str
    """Its verdict, in a line."""
    calls: str
    """The smallest sizes that show it."""
    advice: Sequence[str] = ()
    """What `check` says is to be changed."""


@dataclass(frozen=True)
class Row:
    """Hold what came of one function."""

    name: str
    package: str
    version: str
    torch: str
    ways: Mapping[str, int] = field(default_factory=dict[str, int])
    """Calls that were judged, by way of compiling."""
    said: Sequence[str] = ()
    """What was found out of the arguments."""
    findings: Sequence[Met] = ()
    left_out: Mapping[str, int] = field(default_factory=dict[str, int])
    """Reason → calls that were not judged."""
    broken: str = ""
    """Why it could not be checked."""


def read(path: Path = RESULTS) -> dict[str, Row]:
    """Return the rows of a file by name; none where there is no file."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    rows = (json.loads(line) for line in lines)
    found = [Row(**row | {"findings": [Met(**one) for one in row["findings"]]}) for row in rows]
    return {row.name: row for row in found}


def write(rows: Iterable[Row], path: Path = RESULTS) -> None:
    """Write rows, a line each."""
    path.write_text("".join(f"{json.dumps(asdict(row))}\n" for row in rows), encoding="utf-8")
