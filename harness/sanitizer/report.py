"""What a program's kernels did wrong, as lines and as JSON."""

import dataclasses
from collections.abc import Sequence
from typing import Any

from eagerdiff.harness.report.words import plural
from eagerdiff.harness.sanitizer.record import Record


def lines(record: Record, refused: Sequence[str] = ()) -> list[str]:
    """Return what is to be printed."""
    if not record.kernels and not refused:
        return ["no Triton kernel was launched"]
    ran = f"{plural(record.launches, 'launch', 'es')} of {plural(len(record.kernels), 'kernel')}"
    found = [one.describe() for one in record.findings]
    notes = [f"note: {one.describe()}" for one in record.notes]
    left = [f"not compiled: {line}" for line in refused]
    return [*found, *notes, *left, f"{plural(len(found), 'finding') if found else 'nothing found'} in {ran}"]


def as_data(record: Record, refused: Sequence[str] = ()) -> dict[str, Any]:
    """Return the same as data: `findings`, `notes`, `kernels` (launches by name) and `refused`."""
    return {
        "findings": [dataclasses.asdict(one) for one in record.findings],
        "notes": [dataclasses.asdict(one) for one in record.notes],
        "kernels": dict(record.kernels),
        "refused": list(refused),
    }
