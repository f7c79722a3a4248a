"""Families: the findings of one cause, and what is said of it."""

from collections.abc import Iterable, Sequence

from pydantic import BaseModel

from eagerdiff.harness.triage.cause import Cause, cause_of
from eagerdiff.harness.triage.finding import Finding
from eagerdiff.harness.triage.note import Note, by_cause, name_of, note_of


class Family(BaseModel, extra="forbid"):
    """Say of one cause who met it."""

    cause: Cause
    """Of several that a note joins, the one that was met first."""
    note: Note | None = None
    """What a maintainer would say of it; None where nobody has read it yet."""
    findings: int
    parts: list[str]
    """What the workloads consist of, the operators where they do not say."""
    ways: list[str]
    """The implementations that meet it."""
    new: bool
    """Whether any of its findings is new."""
    script: str = ""
    """A standalone script that shows it, relative to the report's folder; empty where there is none."""

    @classmethod
    def of(cls, cause: Cause, members: Sequence[Finding], note: Note | None = None) -> "Family":
        """Sum up the findings of a cause."""
        return cls(
            cause=cause,
            note=note,
            findings=len(members),
            parts=sorted({"+".join(found.about) or found.operator for found in members}),
            ways=sorted({found.implementation for found in members}),
            new=any(found.new for found in members),
            script=next((found.script for found in members if found.script), ""),
        )


def families(findings: Iterable[Finding], notes: Sequence[Note] = ()) -> list[Family]:
    """Return the causes of some findings, those with the most first; notes join and split them."""
    said = by_cause(notes)
    found: dict[str, tuple[Cause, Note | None, list[Finding]]] = {}
    for finding in findings:
        cause = cause_of(finding)
        note = note_of(cause, "+".join(finding.about), finding.implementation, said)
        _, _, members = found.setdefault(name_of(cause, note), (cause, note, []))
        members.append(finding)
    ordered = sorted(found.values(), key=lambda item: -len(item[2]))
    return [Family.of(cause, members, note) for cause, note, members in ordered]
