"""Writing a report's files: whole, or as they were."""

from pathlib import Path


def replace(path: Path, text: str) -> None:
    """Write beside and rename: an interrupted run leaves the previous file or the new one, never half of one.

    Raises OSError where the disk does not take it.
    """
    partial = path.with_name(f".{path.name}.partial")
    try:
        partial.write_text(text, encoding="utf-8")
        partial.replace(path)
    except OSError:
        partial.unlink(missing_ok=True)
        raise
