"""The matrix of what was judged: implementations by devices, and why each empty cell is empty."""

from dataclasses import dataclass

from eagerdiff.harness.report.words import lettered, plural
from eagerdiff.harness.results.results import Results, Row


@dataclass(frozen=True)
class Cell:
    """Hold one implementation on one device."""

    text: str
    look: str
    """Class of the page's style: new, known, judged, none."""
    said: str


@dataclass(frozen=True)
class Group:
    """Hold the rows of one operator."""

    operator: str
    rows: dict[str, dict[str, Cell | None]]


@dataclass(frozen=True)
class Matrix:
    """Hold all of it."""

    devices: list[str]
    groups: list[Group]
    reasons: dict[str, tuple[str, int]]
    """Why cells are empty → the letter that stands for it, and how many."""
    idle: dict[str, list[str]]
    """Why nothing was judged → the implementations of which that is so on every device; they have no row."""


def matrix_of(results: Results) -> Matrix:
    """Return the matrix of a campaign's rows, in their order."""
    devices = list(dict.fromkeys(row.device for row in results.rows))
    names: dict[str, dict[str, None]] = {}
    idle: dict[str, list[str]] = {}
    judged = {(row.operator, row.implementation) for row in results.rows if row.cases}
    for row in results.rows:
        if (row.operator, row.implementation) in judged:
            names.setdefault(row.operator, {})[row.implementation] = None
        else:
            idle.setdefault(f"on {row.device}: {row.why_unjudged}", []).append(f"{row.operator} · {row.implementation}")
    reasons = lettered(
        row.why_unjudged for row in results.rows if not row.cases and (row.operator, row.implementation) in judged
    )
    cells = {
        (row.operator, row.implementation, row.device): _cell(row, reasons)
        for row in results.rows
        if (row.operator, row.implementation) in judged
    }
    groups = [
        Group(operator, {name: {device: cells.get((operator, name, device)) for device in devices} for name in found})
        for operator, found in names.items()
    ]
    return Matrix(devices, groups, reasons, idle)


def _cell(row: Row, reasons: dict[str, tuple[str, int]]) -> Cell:
    if not row.cases:
        return Cell(reasons[row.why_unjudged][0], "none", row.why_unjudged)
    failed = f", {plural(row.new, 'new finding')}" if row.new else f", {plural(row.failures, 'failure')}"
    said = f"{plural(row.cases, 'case')} judged, {row.skipped:,} skipped{failed if row.failed else ''}"
    look = "new" if row.failed_anew else "known" if row.failed else "judged"
    text = f"{row.cases:,}" + (f" · {row.new} new" if row.new else f" · {row.failures} failed" if row.failed else "")
    return Cell(text, look, said)
