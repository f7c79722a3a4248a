"""Whole files: written to their end, or as they were."""

from pathlib import Path


def write_whole(path: Path, text: str) -> None:
    """Write beside and rename: an interrupted run leaves the previous file or the new one, never half of one.

    Raises OSError where the disk does not take it.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.partial")
    try:
        partial.write_text(text, encoding="utf-8")
        partial.replace(path)
    except OSError:
        partial.unlink(missing_ok=True)
        raise
