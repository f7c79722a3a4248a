"""Coverage of tables that are not ours: what of each was drawn, what was compared, and why the rest was not."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, Field

from eagerdiff.harness.model.vocabulary import BACKWARD, NOT_ON_CPU

if TYPE_CHECKING:
    from eagerdiff.harness.results.results import Row


class Vocabulary(BaseModel):
    """Hold what an operator draws from a table that is not its own."""

    model_config = ConfigDict(extra="forbid")

    operator: str
    words: dict[str, str] = Field(default_factory=dict[str, str])
    """Table and entry (`op_db:add`) → why it is not drawn, empty where it is."""
    problem: str = ""


class Met(BaseModel):
    """Say how often something was drawn, and how often compiled code was held against eager on it."""

    model_config = ConfigDict(extra="forbid")

    drawn: int = 0
    compared: int = 0


class Covered(BaseModel):
    """Say what became of one entry of a table."""

    model_config = ConfigDict(extra="forbid")

    name: str
    why: str = ""
    """Why it is not drawn; empty where it is."""
    drawn: int = 0
    """Calls drawn, those that no way of compiling took included."""
    compared: int = 0
    """Calls of compiled code that were held against eager."""
    backward: int = 0
    """Of these, with gradients."""
    ways: dict[str, int] = Field(default_factory=dict[str, int])
    """Implementation → calls compared."""


class Table(BaseModel):
    """Sum up the coverage of one table."""

    name: str
    entries: list[Covered]

    @property
    def here(self) -> list[Covered]:
        """The entries that can run on this machine."""
        return [one for one in self.entries if not one.why.startswith(NOT_ON_CPU)]

    @property
    def compared(self) -> list[Covered]:
        """The entries of which a call was held against eager."""
        return [one for one in self.entries if one.compared]

    @property
    def backward(self) -> list[Covered]:
        """The entries of which gradients were held against eager's."""
        return [one for one in self.entries if one.backward]

    @property
    def missing(self) -> dict[str, list[str]]:
        """Why entries were not compared → their names."""
        found: dict[str, list[str]] = {}
        for one in self.entries:
            if not one.compared:
                why = one.why or ("drawn, and compared in no way of compiling" if one.drawn else "not drawn yet")
                found.setdefault(why, []).append(one.name)
        return found


def coverage(vocabularies: Iterable[Vocabulary], rows: "Iterable[Row]") -> dict[str, list[Covered]]:
    """Return the entries of each table, with what the rows of its operator met of them."""
    tables: dict[str, list[Covered]] = {}
    rows = list(rows)
    for vocabulary in vocabularies:
        found = {word: Covered(name=word.partition(":")[2], why=why) for word, why in vocabulary.words.items()}
        for row in (row for row in rows if row.operator == vocabulary.operator):
            for names, met in row.met.items():
                _count(found, names.split("+"), row.implementation, met)
        for word, one in found.items():
            tables.setdefault(word.partition(":")[0], []).append(one)
    return tables


def _count(found: dict[str, Covered], parts: list[str], implementation: str, met: Met) -> None:
    for one in (found[part] for part in parts if part in found):
        one.drawn += met.drawn
        one.compared += met.compared
        one.backward += met.compared if BACKWARD in parts else 0
        if met.compared:
            one.ways[implementation] = one.ways.get(implementation, 0) + met.compared
