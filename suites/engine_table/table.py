"""The table: what was measured last, as the comparison that a night's report shows."""

from collections.abc import Callable, Mapping, Sequence

from eagerdiff import Cell, Comparison, Sheet
from eagerdiff.compiled.engines.known import ENGINES
from eagerdiff.suites.engine_table.line import COMMAND, FIGURES, Line, read

_SCALE = {"artifact_bytes": 1024.0, "peak_bytes": 1024.0**2}
_TIMED = ("to_eager", "to_inductor")
SAID = {
    "torchscript": "all sizes",
    "inductor.static": "a set of shapes",
    "inductor.automatic": "the first size, then all",
    "inductor.dynamic": "all sizes but 0 and 1",
    "inductor.mark_dynamic": "all sizes but 0 and 1",
    "inductor.unbacked": "all sizes",
    "inductor.bucketed": "a bucket",
    "export": "all sizes",
    "aoti": "all sizes from 2",
    **{engine.name: engine.one_artifact for engine in ENGINES},
}
"""For what an artifact is, as its documentation says, by way or back end."""


def comparison() -> Comparison | None:
    """Return the tables of the run that is kept, or None where there is none."""
    found = read()
    if found is None:
        return None
    head, lines = found
    programs = list(dict.fromkeys(line.program for line in lines))
    ways = list(dict.fromkeys(line.way for line in lines))
    at = {(line.program, line.way): line for line in lines}

    def sheet(what: str, cell: Callable[[Line], Cell]) -> Sheet:
        rows = {program: [cell(at[program, way]) for way in ways] for program in programs}
        return Sheet(what=what, columns=ways, rows=rows)

    return Comparison(
        title="Engines by programs",
        note=f"Measured on {head.made} beside torch {head.torch} on {head.processor}, by {COMMAND}: each program "
        "compiled anew by each way and timed in turn at one size, then judged at seven, 0 and 1 among them.",
        sheets=[
            sheet("Calls that are right, of those of seven sizes", _judged),
            _kinds(lines, ways),
            claims(lines, ways),
            *(sheet(what, figure_of(name)) for name, what in FIGURES.items()),
        ],
    )


def _judged(line: Line) -> Cell:
    look = "good" if line.right == line.of else "bad" if line.failed else "fair"
    text = f"{line.right}/{line.of}" if line.of and (line.right or line.failed) else ""
    return Cell(text=text, look=look if text else "", why="" if look == "good" and text else line.why or "not judged")


def figure_of(name: str) -> Callable[[Line], Cell]:
    """Return what makes the cell of a figure."""

    def cell(line: Line) -> Cell:
        if name not in line.figures:
            return Cell(why=line.missing.get(name) or line.why or "not measured")
        value = line.figures[name] / _SCALE.get(name, 1.0)
        look = ("good" if value < 1 else "fair" if value > 4 else "") if name in _TIMED else ""
        return Cell(text=_short(value), look=look)

    return cell


def _short(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:.2g}"


def _kinds(lines: Sequence[Line], ways: Sequence[str]) -> Sheet:
    """Count the programs of each kind of dynamism that are right at all sizes."""
    rows: dict[str, list[Cell]] = {}
    for kind in dict.fromkeys(line.kind for line in lines):
        rows[kind] = []
        for way in ways:
            of = [line for line in lines if (line.kind, line.way) == (kind, way)]
            whole = sum(0 < line.right == line.of for line in of)
            rows[kind].append(Cell(text=f"{whole} of {len(of)}", look="good" if whole == len(of) else ""))
    return Sheet(what="Kinds of dynamism: programs that are right at all seven sizes", columns=ways, rows=rows)


REFUSES = "refuses sizes that it was not made for"
CLAIMS: Mapping[str, Callable[[Line], bool]] = {
    "one artifact serves all sizes": lambda line: line.figures["artifacts"] == 1,
    "a compilation a set of shapes": lambda line: line.figures["artifacts"] >= line.right,
    REFUSES: lambda line: "GuardLost" not in line.why,
}
"""What is said of ways of compiling, and whether a line agrees; of programs that are right at some size."""


def claims(lines: Sequence[Line], ways: Sequence[str]) -> Sheet:
    """Count the programs that agree with what is claimed."""
    said = [SAID.get(way) or SAID[way.partition(".")[0]] for way in ways]
    rows = {"an artifact is for, as it is documented": [Cell(text=text) for text in said]}
    for claim, agrees in CLAIMS.items():
        rows[claim] = []
        for way in ways:
            of = [line for line in lines if line.way == way and line.right and "artifacts" in line.figures]
            if claim == REFUSES and not way.endswith(".bounded"):
                cell = Cell(why="no size is outside of what was declared here: a night judges that, as `outside`")
            elif of:
                cell = Cell(text=f"{sum(map(agrees, of))} of {len(of)}")
            else:
                cell = Cell(why="no program is right at any size")
            rows[claim].append(cell)
    what = "Claims: programs, of those that are right at some size, of which it holds"
    return Sheet(what=what, columns=ways, rows=rows)
