"""Nights under several torches, side by side: one page and one summary, a column each."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from eagerdiff.harness.report.templates import template
from eagerdiff.harness.report.words import duration, plural
from eagerdiff.harness.results.results import Results, Row
from eagerdiff.harness.results.sides import FILE, Crossed, Sides
from eagerdiff.harness.sinks import html
from eagerdiff.harness.sinks.markdown import text
from eagerdiff.harness.sinks.whole import write_whole

_TOTALS = {
    "cases": "cases judged",
    "workloads": "workloads",
    "compiles": "compiles",
    "findings": "findings",
    "new": "new findings",
    "skipped": "skipped, with reason",
    "harness_errors": "harness errors",
}
_SAID = {"present": "fails", "gone": "passes", "other": "cannot tell"}
_LOOKS = {"present": "new", "gone": "judged", "other": "none"}


@dataclass(frozen=True)
class Cell:
    """Hold what one column says in a row."""

    text: str
    look: str = ""
    """Class of the page's style: new, known, judged, none."""
    said: str = ""
    """More, for a tooltip."""


@dataclass(frozen=True)
class Line:
    """Hold one row: who, what, and a cell a side."""

    who: tuple[str, ...]
    cells: list[Cell]
    script: str = ""
    differs: bool = False


def write_sides(sides: Sides, results: Mapping[str, Results], out: Path) -> None:
    """Write index.html, summary.md and sides.json into a folder that is there; raise OSError else.

    `results` are those of the sides that have a report, by name.
    """
    texts = {
        FILE: sides.model_dump_json(indent=1) + "\n",
        "summary.md": sides_summary(sides, results),
        "index.html": sides_page(sides, results),
    }
    for name, content in texts.items():
        write_whole(out / name, content)


def sides_page(sides: Sides, results: Mapping[str, Results]) -> str:
    """Return the sides as one self-contained HTML page, which links the page of each night."""
    causes = [_crossed(one, sides) for one in _ordered(sides.crossed)]
    rows = list(_rows(sides, results))
    return template("sides.html.j2").render(
        headline=sides_headline(sides),
        sides=sides,
        results=results,
        causes=causes,
        kept=list(_kept(sides, results)),
        rows=rows,
        unasked=sum(bool(one.script) and not one.told for one in sides.crossed),
        totals=list(_totals(sides, results)),
        link=html.link,
        policy=html.policy(""),
    )


def sides_headline(sides: Sides) -> str:
    """Say in one line what is worse under which."""
    first = sides.sides[0].name if sides.sides else ""
    said = list[str]()
    for side in sides.sides:
        if count := len(sides.worse(side.name)):
            fail, passes = ("fail", "pass") if count > 1 else ("fails", "passes")
            other = "another" if side.name == first else first
            said.append(f"{plural(count, 'cause')} {fail} under {side.name} and {passes} under {other}")
    ended = ", interrupted" if sides.interrupted else ""
    return ("; ".join(said) or "No script fails under one torch and passes under another") + ended


def sides_summary(sides: Sides, results: Mapping[str, Results]) -> str:
    """Return the sides as Markdown."""
    names = [side.name for side in sides.sides]
    parts = [f"# {text(sides_headline(sides))}", _table(["", *names], list(_totals(sides, results)))]
    causes = [
        [*one.who, *(cell.text for cell in one.cells)]
        for one in (_crossed(cause, sides) for cause in _ordered(sides.crossed))
    ]
    if causes:
        parts += ["## What fails under which", _table(["what", "where", *names], causes)]
    kept = [[*line.who, *(cell.text for cell in line.cells)] for line in _kept(sides, results)]
    if kept:
        parts += ["## Kept findings that stand otherwise", _table(["operator", "kept as", *names], kept)]
    return "\n\n".join(parts) + "\n"


def _totals(sides: Sides, results: Mapping[str, Results]) -> Iterator[list[str]]:
    found = [results.get(side.name) for side in sides.sides]
    yield ["exit code", *(str(side.code) for side in sides.sides)]
    yield ["triton", *("–" if one is None else one.environment.get("triton", "–") for one in found)]
    for name, title in _TOTALS.items():
        yield [title, *("–" if one is None else f"{getattr(one.totals, name):,}" for one in found)]
    yield ["time taken", *("–" if one is None else duration(one.elapsed) for one in found)]


def _table(heads: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    written = [heads, ["---"] * len(heads), *lines]
    return "\n".join(f"| {' | '.join(cell if cell == '---' else text(cell) for cell in line)} |" for line in written)


def _ordered(crossed: Sequence[Crossed]) -> list[Crossed]:
    """Return what differs first, then what could not be asked, each with what is new first."""
    return sorted(crossed, key=lambda one: (not one.differs, bool(one.told), not one.new))


def _crossed(one: Crossed, sides: Sides) -> Line:
    cells = list[Cell]()
    for side in sides.sides:
        told = one.told.get(side.name)
        met = "; its night met it" if side.name in one.met else ""
        if told is None:
            why = "no time was left to run its script" if one.script else "no script shows it"
            cells.append(Cell("met" if met else "–", "known" if met else "none", why + met))
        else:
            said = _SAID.get(told.state, told.state)
            cells.append(Cell(said, _LOOKS.get(told.state, "none"), (told.why or said) + met))
    who = f"{one.operator} · {one.implementation} · {one.device}"
    return Line((f"{one.defect}: {one.what}", who), cells, one.script, one.differs)


def _kept(sides: Sides, results: Mapping[str, Results]) -> Iterator[Line]:
    """Return the kept findings that were replayed under two or more, and not with the same outcome."""
    statuses: dict[tuple[str, str], dict[str, str]] = {}
    for name, found in results.items():
        for replay in found.replays:
            if replay.status in ("PRESENT", "CHANGED", "GONE"):
                statuses.setdefault((replay.operator, replay.name), {})[name] = replay.status
    looks = {"PRESENT": "known", "CHANGED": "new", "GONE": "judged"}
    for who, told in statuses.items():
        if len(set(told.values())) > 1:
            cells = [told.get(side.name, "") for side in sides.sides]
            yield Line(who, [Cell(cell.lower() or "–", looks.get(cell, "none")) for cell in cells], differs=True)


def _rows(sides: Sides, results: Mapping[str, Results]) -> Iterator[Line]:
    """Return what ran, a row an implementation and device; those that fail under one alone are marked."""
    rows: dict[tuple[str, str, str], dict[str, Row]] = {}
    for name, found in results.items():
        for row in found.rows:
            if row.cases:
                rows.setdefault((row.operator, row.implementation, row.device), {})[name] = row
    for who, told in rows.items():
        cells = [_cell(told.get(side.name)) for side in sides.sides]
        yield Line(who, cells, differs=len({row.failed for row in told.values()}) > 1)


def _cell(row: Row | None) -> Cell:
    if row is None:
        return Cell("–", "none", "no case was judged")
    compiles = f" · {row.compiles / row.workloads:.1f}" if row.compiles else ""
    failed = f" · {row.failures:,} failed" if row.failures else ""
    said = (
        f"{plural(row.cases, 'case')} judged, {plural(row.failures, 'failure')}, {plural(row.compiles, 'compile')} in "
    )
    said += f"{plural(row.workloads, 'workload')}, {row.compile_seconds:.1f} s of compiling"
    return Cell(f"{row.cases:,}{failed}{compiles}", "known" if row.failed else "judged", said)
