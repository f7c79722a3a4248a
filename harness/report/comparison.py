"""Comparisons that operators bring: their tables, with one letter a reason."""

from dataclasses import dataclass

from eagerdiff.harness.model.comparison import Cell, Comparison
from eagerdiff.harness.report.words import lettered
from eagerdiff.harness.results.results import OperatorMetrics


@dataclass(frozen=True)
class Compared:
    """Hold a comparison as it is shown."""

    told: Comparison
    reasons: dict[str, tuple[str, int]]
    """Why cells are empty, or not all that they could be → the letter that stands for it, and how many cells."""

    def letter(self, cell: Cell) -> str:
        """Return the letter of a cell's reason, empty where it has none."""
        return self.reasons[cell.why][0] if cell.why else ""


def compared(taken: OperatorMetrics) -> Compared | None:
    """Return an operator's comparison with its reasons lettered, the most frequent first; None where it has none."""
    told = taken.comparison
    if told is None:
        return None
    cells = (cell for sheet in told.sheets for row in sheet.rows.values() for cell in row)
    return Compared(told, lettered(cell.why for cell in cells if cell.why))
