"""Notes on causes, read as data from the file beside a corpus."""

from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from eagerdiff.harness.catalog.catalog import Catalog
from eagerdiff.harness.corpus.evals import CorpusError
from eagerdiff.harness.reading import CORPUS, Unreadable, misfit, parse_yaml, read_text
from eagerdiff.harness.triage.note import Note, clashing

FILE = "causes.yaml"


class _Notes(BaseModel):
    model_config = ConfigDict(extra="forbid")

    causes: list[Note]


def read_notes(path: Path) -> list[Note]:
    """Read a file of notes; raise CorpusError in one line for one that is malformed, or says two things of a cause."""
    try:
        data: Any = parse_yaml(read_text(path, CORPUS), CORPUS)
        notes = _Notes.model_validate(data).causes
    except Unreadable as error:
        raise CorpusError(f"notes {path} {error}") from error
    except ValidationError as error:
        raise CorpusError(f"notes {path} are malformed: {misfit(error)}") from error
    if clash := clashing(notes):
        raise CorpusError(f"notes {path}: {clash}")
    return notes


def notes(catalog: Catalog) -> list[Note]:
    """Return the notes that stand beside the operators' corpora."""
    corpora = {operator.extras.corpus for operator in catalog.operators.values()}
    files = sorted({corpus.with_name(FILE) for corpus in corpora if corpus is not None})
    return [note for file in files if file.exists() for note in read_notes(file)]
