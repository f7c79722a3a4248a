"""Write docs/others.md, what `check` made of functions that are not ours: `python docs/others.py`, after `make others`.

From docs/others.jsonl, which `make others` writes, and suites/others/readings.yaml, what was read of each finding.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from eagerdiff.suites.others import readings, record
from eagerdiff.suites.others.readings import Reading
from eagerdiff.suites.others.record import Met, Row
from eagerdiff.suites.others.table import strangers

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "others.md"
HEAD = """# Functions and modules of others

{functions} functions and modules of {packages}, with random weights, each held against eager by `check` in
[three lines at most](../suites/others), under {ways}. `make others` installs the packages, at pinned versions, into the
cache folder, runs the checks and writes this page. Torch {torch}.

{calls} calls were judged: {failing} of the functions have {findings} findings; {kinds}.

| function | of | calls by way | findings | found out about its arguments |
|---|---|---|---|---|
"""
READ = """
## What was found

Each finding was read. A way that fails again for the same reason is in the same row.

| function | way | it says, at these sizes | what it is | to change |
|---|---|---|---|---|
"""


def page() -> str:
    """Return the page."""
    rows, said = record.read(), readings.read()
    read = [(row, met, readings.reading_of(row, met, said)) for row, met in readings.findings(rows)]
    kinds = Counter(reading.kind for reading in dict.fromkeys(reading for _, _, reading in read) if reading is not None)
    head = HEAD.format(
        functions=len(rows),
        packages=", ".join(f"{package} {version}" for package, version in _packages(rows)),
        ways=", ".join(f"`{way}`" for way in dict.fromkeys(way for row in rows.values() for way in row.ways)),
        torch=" and ".join(sorted({row.torch for row in rows.values()})),
        calls=f"{sum(sum(row.ways.values()) for row in rows.values()):,}",
        failing=sum(bool(row.findings) for row in rows.values()),
        findings=len(read),
        kinds="read, they are " + ", ".join(f"{count} × {kind}" for kind, count in kinds.most_common()),
    )
    waiting = [f"`{name}`" for name in strangers() if name not in rows]
    told = f"\nWritten and not run yet (`make others ARGS=--missing`): {', '.join(waiting)}.\n" if waiting else ""
    return head + "\n".join(map(_row, rows.values())) + "\n" + told + READ + "\n".join(_readings(read)) + "\n"


def _packages(rows: Mapping[str, Row]) -> list[tuple[str, str]]:
    return list(dict.fromkeys((row.package, row.version) for row in rows.values()))


def _row(row: Row) -> str:
    calls = ", ".join(f"{way} {count}" for way, count in row.ways.items())
    if not all(row.ways.values()):
        calls += f" (left out: {_cell(max(row.left_out, key=row.left_out.__getitem__)[:160])})"
    said = "; ".join(row.said) or "nothing was left to find out"
    told = row.broken or str(len(row.findings) or "none")
    return f"| `{row.name.partition('.')[2]}` | {row.package} | {calls} | {_cell(told)} | {_cell(said)} |"


def _readings(read: Sequence[tuple[Row, Met, Reading | None]]) -> Iterator[str]:
    groups: dict[tuple[str, str], list[tuple[Row, Met, Reading | None]]] = {}
    for one in read:
        row, _, reading = one
        groups.setdefault((row.name, reading.says if reading else ""), []).append(one)
    for (name, _), group in groups.items():
        _, met, reading = group[0]
        ways = ", ".join(dict.fromkeys(one.way for _, one, _ in group))
        said = f"{met.defect}: {met.says[:200]} ({met.calls[:120]})"
        what, change = ("not read", "") if reading is None else (_what(reading), reading.change)
        yield f"| `{name.partition('.')[2]}` | {ways} | {_cell(said)} | {what} | {change} |"


def _what(reading: Reading) -> str:
    parts = [f"**{reading.kind}** {reading.says}"]
    if reading.script:
        parts.append(f"[`{Path(reading.script).stem}`](../suites/corpus/scripts/{reading.script})")
    if reading.link:
        parts.append(f"[known]({reading.link})")
    return " ".join(parts)


def _cell(text: str) -> str:
    return re.sub(r"([|*_<>\[\]\\])", r"\\\1", " ".join(text.split()))


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
