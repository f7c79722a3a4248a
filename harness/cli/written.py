"""What a campaign wrote: its results, read back from the report's folder."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from eagerdiff.harness.cli.failure import BadInput

if TYPE_CHECKING:
    from pydantic import BaseModel

    from eagerdiff.harness.results.results import Results
    from eagerdiff.harness.results.sides import Sides

    Model = TypeVar("Model", bound=BaseModel)


def read_results(folder: Path) -> "Results":
    """Return the results in a report's folder; raise BadInput where there are none that can be read.

    What is said of causes is said of them again. An older report lacks what was not there yet; a newer one is refused.
    """
    from eagerdiff.harness.results.results import VERSION, Results

    results = _read(Results, folder / "report.json", VERSION)
    results.notes = list({family.note.name: family.note for family in results.causes if family.note}.values())
    return results


def read_sides_file(folder: Path) -> "Sides":
    """Return what `sides.json` in a folder holds; raise BadInput where it cannot be read."""
    from eagerdiff.harness.results.sides import FILE, VERSION, Sides

    return _read(Sides, folder / FILE, VERSION)


def _read(model: "type[Model]", path: Path, newest: int) -> "Model":
    """Return what a file holds of a version that is known; raise BadInput else."""
    from eagerdiff.harness.reading import REPORT, Unreadable, fitted, parse_json, read_bytes

    try:
        data = parse_json(read_bytes(path, REPORT), REPORT)
        version = data.get("version") if isinstance(data, dict) else None
        if isinstance(version, int) and version > newest:
            raise BadInput(f"{path} is of version {version}: a newer eagerdiff wrote it; this one reads {newest}")
        return fitted(model, data)
    except Unreadable as error:
        raise BadInput(f"{path} {error}") from error


def read_searched(folder: Path) -> "Results":
    """Return the same of a folder that has the journal, too: what was drawn."""
    if not os.path.isfile(folder / "journal.jsonl"):  # which takes any name, however long
        raise BadInput(f"{folder} holds no journal.jsonl: name the folder of a report of `nightly`")
    return read_results(folder)
