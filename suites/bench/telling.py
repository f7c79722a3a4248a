"""What `eagerdiff bench` says: how long it takes before it starts, and at its end what changed."""

from collections.abc import Iterator, Sequence

from eagerdiff.suites.bench.changes import Row, Value

MOST_ROWS = 20
_SCALES = ((1.0, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns"))


def table(rows: Sequence[Row], before: str, after: str, most: int = MOST_ROWS) -> Iterator[str]:
    """Say which rows changed, the worst first, each with its spread, and how many did not."""
    changed = sorted((row for row in rows if row.word), key=lambda row: -abs(row.share))
    changed.sort(key=lambda row: row.word != "worse")
    for row in changed[:most]:
        old, new = (value_of(one, row.unit) for one in (row.before, row.after))
        yield f"{row.word}: {row.name}: {old} → {new} ({_share(row)})"
    if len(changed) > most:
        yield f"and {len(changed) - most} more"
    yield f"{len(rows) - len(changed)} of {len(rows)} figures are the same, {before} before and {after} after"


def duration(seconds: float) -> str:
    """Write a duration as a person says it."""
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"


def _share(row: Row) -> str:
    return f"{row.share:+.1%}" if row.before.value else "there was none"


def value_of(value: Value, unit: str) -> str:
    if unit != "seconds":
        return f"{value.value:,.6g} {unit}"
    scale, name = next((one for one in _SCALES if value.value >= one[0]), _SCALES[-1])
    low, high = value.range
    spread = f" [{low / scale:.3g} to {high / scale:.3g}]" if value.samples else ""
    return f"{value.value / scale:.3g} {name}{spread}"
