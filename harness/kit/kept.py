"""Kept scripts: what was said by hand of the cause of the entry that a script shows."""

import functools
from collections.abc import Iterator
from pathlib import Path

from eagerdiff.harness.corpus.evals import Corpus, cause_of_entry, read_corpus
from eagerdiff.harness.corpus.notes import FILE, read_notes
from eagerdiff.harness.kit.similar import Known
from eagerdiff.harness.sinks.file_name import module_stem
from eagerdiff.harness.triage.note import Note, by_cause, note_of

SCRIPTS = "scripts"


def note_on(script: Path) -> Note | None:
    """Return the note on a kept script's cause; None for another script, and where nobody has read the cause.

    A script lies in `scripts/OPERATOR` beside `OPERATOR.yaml`. Raises CorpusError for a malformed file.
    """
    script = script.resolve()
    folder = script.parent.parent
    corpus = folder.parent / f"{script.parent.name}.yaml"
    if folder.name != SCRIPTS or not corpus.exists():
        return None
    return _notes_of(corpus).get(script.stem)


@functools.cache
def _notes_of(path: Path) -> dict[str, Note]:
    """Return the notes on a corpus' causes, by the names of scripts."""
    return dict(_read(read_corpus(path), notes_beside(path.parent)))


def _read(corpus: Corpus, notes: tuple[Note, ...]) -> Iterator[tuple[str, Note]]:
    said = by_cause(notes)
    for entry in corpus.cases:
        cause = cause_of_entry(corpus.name, entry)
        if cause is None:
            continue
        note = note_of(cause, "+".join(entry.inputs.about), entry.inputs.implementation, said)
        if note is not None:
            yield module_stem(str(entry.name)), note


@functools.cache
def notes_beside(folder: Path) -> tuple[Note, ...]:
    """Return the notes in a folder of corpora; none where it has none. Raises CorpusError for a malformed file."""
    return tuple(read_notes(folder / FILE)) if (folder / FILE).exists() else ()


def known_causes(folder: Path) -> list[Known]:
    """Return what was said by hand of causes, to be searched. Raises CorpusError for a malformed file."""
    return [
        Known(note.name, note.link, f"{note.says} {' '.join(f'{one.where} {one.shape}' for one in note.causes)}")
        for note in notes_beside(folder)
    ]
