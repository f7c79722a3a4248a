"""A comparison: tables that an operator brings to the report, such as compilers by programs; no cell is empty."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

Look = Literal["", "good", "fair", "bad"]


@dataclass(frozen=True, kw_only=True)
class Cell:
    """Hold what is told of a row under a column, and why where it is nothing, or not all."""

    text: str = ""
    look: Look = ""
    why: str = ""
    """In one line."""

    def __post_init__(self) -> None:
        """Refuse an empty cell without a reason; raise ValueError."""
        if not self.text and not self.why:
            raise ValueError("a cell needs a text, or a reason why it has none")


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """Hold one table: a cell for each row and column."""

    what: str
    """What stands in it, with its unit: time of a call, as multiples of eager's."""
    columns: Sequence[str]
    rows: Mapping[str, Sequence[Cell]]

    def __post_init__(self) -> None:
        """Refuse rows of other lengths; raise ValueError."""
        if odd := [name for name, cells in self.rows.items() if len(cells) != len(self.columns)]:
            raise ValueError(f"{self.what}: the row {odd[0]} has another number of cells than there are columns")


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """Hold all tables; the first is shown open."""

    title: str
    note: str
    """When and where it was measured, and the command that measures it anew."""
    sheets: Sequence[Sheet]
