"""Write docs/causes.md, the kept defects of torch by cause, from the corpora and the notes: `python docs/causes.py`."""

import functools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from eagerdiff.harness.catalog.catalog import load
from eagerdiff.harness.corpus.evals import Entry, cause_of_entry
from eagerdiff.harness.corpus.notes import notes
from eagerdiff.harness.corpus.replaying import corpora
from eagerdiff.harness.sinks.file_name import module_stem
from eagerdiff.harness.triage.cause import Cause
from eagerdiff.harness.triage.note import Note, by_cause, name_of, note_of

ROOT = Path(__file__).resolve().parents[1]
CORPUS = ROOT / "suites" / "corpus"
PAGE = ROOT / "docs" / "causes.md"
OPERATORS = ["torch_api", "programs", "symbolic", "engines"]
MOST = 6
"""Operations, or ways of compiling, that a row names."""
HEAD = """# Causes

Every kept defect of torch 2.13.0 and of the engines beside it, one row a cause: the class, torch's own function and
what it says (without sizes and symbols), who met it, and what a maintainer would say, where somebody has read it.
Written by `python docs/causes.py` from [the corpora](../suites/corpus) and
[`causes.yaml`](../suites/corpus/causes.yaml), which joins and splits causes;
[how causes are told](guides/report.md#from-the-top).

{count} kept findings have {causes} causes; {read} of them are read: {kinds}. {scripts} rows have a script, in
[`suites/corpus/scripts`](../suites/corpus/scripts); what other releases make of a cause is what its scripts say there.

| class | torch says | met by | compiled by | said of it | releases | script |
|---|---|---|---|---|---|---|
"""

Group = tuple[Cause, Note | None, list[tuple[str, Entry]]]


@functools.cache
def groups() -> tuple[Group, ...]:
    """Return kept findings by cause, or by the note that joins causes: those with the most first."""
    catalog = load(OPERATORS)
    said = by_cause(notes(catalog))
    found: dict[str, Group] = {}
    for corpus in corpora(catalog):
        for entry in corpus.cases:
            cause, operator = cause_of_entry(corpus.name, entry), str(corpus.name)
            if cause is None:
                continue
            note = note_of(cause, "+".join(entry.inputs.about), entry.inputs.implementation, said)
            _, _, members = found.setdefault(name_of(cause, note), (cause, note, []))
            members.append((operator, entry))
    return tuple(sorted(found.values(), key=lambda group: (-len(group[2]), group[0].defect.value, str(group[0]))))


def page() -> str:
    """Return the page."""
    found = groups()
    rows = [_row(*group) for group in found]
    head = HEAD.format(
        count=sum(len(members) for _, _, members in found),
        causes=len(found),
        read=sum(note is not None for _, note, _ in found),
        kinds=", ".join(f"{count} {kind}" for kind, count in Counter(_kinds(found)).most_common()),
        scripts=sum(not row.endswith("| none |") for row in rows),
    )
    return head + "\n".join(rows) + "\n"


def _kinds(found: Iterable[Group]) -> Iterator[str]:
    return (note.kind.value for _, note, _ in found if note)


def _row(cause: Cause, note: Note | None, members: Sequence[tuple[str, Entry]]) -> str:
    parts = sorted({"+".join(entry.inputs.about) or operator for operator, entry in members})
    ways = sorted({entry.inputs.implementation for _, entry in members})
    said = f"**{note.kind.value}** {note.says}" + (f" [read]({note.link})" if note.link else "") if note else ""
    scripts = (path for operator, entry in members if (path := _script(operator, str(entry.name))))
    where = f"`{cause.where}` " if ":" in cause.where and "op_db" not in cause.where else ""
    met = (f"{where}{_cell(cause.shape)}", _some(parts), _some(ways))
    cells = (cause.defect.value, *met, said, _releases(note), next(scripts, "none"))
    return f"| {' | '.join(cells)} |"


def _releases(note: Note | None) -> str:
    seen, gone = (note.present, note.gone) if note else ((), ())
    return ", ".join(seen) + (f"; gone in {', '.join(gone)}" if gone else "")


def _script(operator: str, name: str) -> str:
    for path in (CORPUS / "scripts" / operator / f"{module_stem(name)}.py", _named(name)):
        if path.exists():
            return f"[`{path.stem}`](../{path.relative_to(ROOT)})"
    return ""


def _named(name: str) -> Path:
    return CORPUS / "scripts" / (re.sub(r"-\d+$", "", name) + ".py")


def _some(names: Iterable[str]) -> str:
    shown = [f"`{name}`" for name in names]
    more = f" and {len(shown) - MOST} more" if len(shown) > MOST else ""
    return ", ".join(shown[:MOST]) + more


def _cell(text: str) -> str:
    return re.sub(r"([|*_<>\[\]\\])", r"\\\1", text)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
