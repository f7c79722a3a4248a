"""Where exhibits lie: what the campaign must know of them, which reads none and imports no torch."""

from pathlib import Path


def place(folder: Path, case: int) -> Path:
    """Return the file of a case's exhibit."""
    return folder / f"{case}.bytes"
