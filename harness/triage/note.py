"""Notes: what a maintainer would say of a cause, written by hand and kept."""

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from itertools import product

from pydantic import BaseModel, ConfigDict, Field

from eagerdiff.harness.triage.cause import Cause


class Kind(StrEnum):
    """Name what a cause is to a maintainer."""

    DEFECT = "defect"
    LIMIT = "documented limit"
    DESIGN = "by design"
    OURS = "ours"
    """A defect of this project that was met, and mended."""


class Note(BaseModel):
    """Say of one cause what it is. Several that are told apart are one where a note names them all."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(min_length=1)
    """A short name, the only one of its kind."""
    kind: Kind
    says: str = Field(min_length=1)
    """What goes wrong, in one sentence that a maintainer understands."""
    link: str = ""
    """The public issue, or the page that says so."""
    present: tuple[str, ...] = ()
    """Releases in which it was seen."""
    gone: tuple[str, ...] = ()
    """Releases that were tried and do not have it."""
    causes: tuple[Cause, ...] = Field(min_length=1)
    about: tuple[str, ...] = ()
    """Only where the workload consists of one of these; nothing given: of whatever. It splits a cause."""
    ways: tuple[str, ...] = ()
    """Only where one of these implementations met it; nothing given: any. It splits a cause further."""

    def tells_of(self, cause: Cause, about: str, way: str) -> bool:
        """Whether this is about a cause that `way` met in a workload that consists of `about` (joined with `+`)."""
        return cause in self.causes and about in (self.about or (about,)) and way in (self.ways or (way,))


def note_of(cause: Cause, about: str, way: str, notes: Mapping[Cause, Sequence[Note]]) -> Note | None:
    """Return the note on a cause that `way` met in a workload of `about`: of those `by_cause` the narrowest."""
    telling = (note for note in notes.get(cause, ()) if note.tells_of(cause, about, way))
    return max(telling, key=lambda note: (bool(note.about), bool(note.ways)), default=None)


def by_cause(notes: Iterable[Note]) -> dict[Cause, list[Note]]:
    """Return the notes on each cause: of thousands of findings each would else be held against all."""
    found: dict[Cause, list[Note]] = {}
    for note in notes:
        for cause in note.causes:
            found.setdefault(cause, []).append(note)
    return found


def name_of(cause: Cause, note: Note | None) -> str:
    """Return the name that findings of one cause share: the note's, which may join several causes, or its own."""
    return note.name if note else cause.digest


def clashing(notes: Sequence[Note]) -> str:
    """Return which name stands twice, or which cause two notes claim alike; empty where none."""
    names: set[str] = set()
    claimed: dict[tuple[Cause, str, str], str] = {}
    for note in notes:
        if note.name in names:
            return f"two notes are called {note.name!r}"
        names.add(note.name)
        for key in product(note.causes, note.about or ("",), note.ways or ("",)):
            if key in claimed:
                return f"{note.name!r} and {claimed[key]!r} are about one cause: {key[0]}"
            claimed[key] = note.name
    return ""
