"""The summary: Markdown for a CI job's page."""

from collections import Counter
from collections.abc import Iterable

from eagerdiff.harness.model.metric import rows_of
from eagerdiff.harness.report.attention import (
    first_of_causes,
    mostly_skipped,
    noteworthy,
    others,
    unjudged,
)
from eagerdiff.harness.report.words import (
    by_class,
    duration,
    failing,
    figures,
    headline,
    left_to_find,
    plural,
    share,
    since,
    standing,
    turned,
    unturned,
)
from eagerdiff.harness.results.results import Results, Row
from eagerdiff.harness.sinks.markdown import text

MOST_CAUSES = 50
_COLUMNS = (
    *("operator", "implementation", "device"),
    *("cases", "workloads", "compiles", "failed", "findings", "skipped", "survived"),
)


def summary(results: Results) -> str:
    """Return the campaign as Markdown: headline, findings, rows, what did not run."""
    parts = [
        f"# {headline(results)}",
        _environment(results),
        _findings(results),
        _past(results),
        _harness_errors(results),
        _problems(results),
        _rows(results),
        _stood_in(results),
        _never_judged(results),
        _unseen(results),
        _metrics(results),
        _detections(results),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _environment(results: Results) -> str:
    known = ", ".join(text(f"{name} {value}") for name, value in results.environment.items())
    return f"{known}; seed {results.seed}, budget {duration(results.budget)}"


def _past(results: Results) -> str:
    if (past := results.past) is None:
        return ""
    lines = [_line((one.operator, one.implementation, one.device, standing(one), one.what)) for one in turned(past)]
    table = ["| operator | implementation | device | stands | what |", "|---|---|---|---|---|", *lines] if lines else []
    others = ", ".join(f"{count} {state}" for state, count in unturned(past).items())
    parts = ["## The nights before", text(since(past)), "\n".join(table), f"Others: {others}." if others else ""]
    return "\n\n".join(part for part in parts if part)


def _findings(results: Results) -> str:
    """Return a table with one finding of each cause, new ones first, and how many others there are."""
    if not results.findings:
        return ""
    lines = [
        "| | class | operator | implementation | device | status | what | script | of this cause |",
        "|---|---|---|---|---|---|---|---|--:|",
    ]
    causes = list(first_of_causes(results).values())
    for group in causes[:MOST_CAUSES]:
        finding = group[0]
        cells = (
            finding.standing,
            finding.defect.value,
            finding.operator,
            finding.implementation,
            finding.device,
            finding.verdict.status.value,
            finding.verdict.reason,
            finding.script or finding.script_note,
            str(len(group)),
        )
        lines.append(_line(cells))
    rest = sum(map(len, causes[MOST_CAUSES:]))
    more = f"\n\n{plural(rest, 'finding')} of other causes are on the page." if rest else ""
    return f"## Findings\n\nBy class: {by_class(results)}.\n\n" + "\n".join(lines) + more + _patch(results)


def _patch(results: Results) -> str:
    if not results.patch:
        return ""
    return f"\n\n{text(results.patch)} beside the report adds one of each new cause to the corpora: git apply takes it."


def _rows(results: Results) -> str:
    """Return the rows that need a look, how many others there are, and what did not run."""
    rows, totals, rest = noteworthy(results), results.totals, others(results)
    lines = [f"| {' | '.join(_COLUMNS)} | |", "|---|---|---|--:|--:|--:|--:|--:|--:|--:|---|", *map(_row, rows)]
    idle = Counter((row.device, row.problem) for row in results.rows if row.problem and not row.workloads)
    unrun = [f"- {count} on {text(device)}: {text(problem)}" for (device, problem), count in idle.items()]
    parts = [
        "## What ran",
        f"{totals.cases} cases, {totals.workloads} workloads, {totals.compiles} compiles, {totals.skipped} skipped.",
        "\n".join(lines) if rows else "",
        f"Of {plural(rest, 'other row')} nothing failed or broke: all are on the page." if rest else "",
        "Not run:\n\n" + "\n".join(unrun) if unrun else "",
    ]
    return "\n\n".join(part for part in parts if part)


def _row(row: Row) -> str:
    survived = f"{row.survived} ({share(row.survived, row.cases)})"
    figures = (row.cases, row.workloads, row.compiles, row.failures, row.findings, row.skipped, survived)
    return _line(
        (row.operator, row.implementation, row.device, *map(str, figures), failing(row) or mostly_skipped(row))
    )


def _metrics(results: Results) -> str:
    if not results.metrics:
        return ""
    lines = ["| operator | what | by | value | published |", "|---|---|---|--:|---|"]
    for taken in results.metrics:
        for row in rows_of(taken.metrics):
            one, value = row[0], f"{figures(row)} {row[0].unit}".strip()
            lines.append(_line((taken.operator, one.what, one.by, value, one.published)))
    return "## Metrics\n\n" + "\n".join(lines)


def _detections(results: Results) -> str:
    if not results.detections:
        return ""
    lines = [
        "| operator | faults | found by ours | found by baseline suites | only ours | only theirs | measured |",
        "|---|--:|--:|--:|--:|--:|---|",
    ]
    for reading in results.detections:
        record = reading.record
        figures = (len(record.pairs), record.ours.found, record.theirs.found, record.only_ours, record.only_theirs)
        made = record.made[:10] + (", stale" if reading.stale else "")
        lines.append(_line((record.operator, *map(str, figures), made)))
    return "## Planted faults: found by baseline suites, found by ours\n\n" + "\n".join(lines)


def _harness_errors(results: Results) -> str:
    lines = [
        f"- {_place(row)} on {text(row.device)}: {text(reason)} ({count} times)"
        for row in results.rows
        for reason, count in row.harness_errors.items()
    ]
    return "## Harness errors\n\nNone of these is a finding.\n\n" + "\n".join(lines) if lines else ""


def _stood_in(results: Results) -> str:
    lines = [
        f"- {_place(row)} on {text(row.device)}: {text(what)} ({count} cases)"
        for row in results.rows
        for what, count in row.stood_in.items()
    ]
    return "## Judged on the device that stands in\n\n" + "\n".join(lines) if lines else ""


def _never_judged(results: Results) -> str:
    lines = [f"- {text(line)}" for line in unjudged(results)]
    return "## Never judged\n\n" + "\n".join(lines) if lines else ""


def _unseen(results: Results) -> str:
    lines = [f"- {text(one.operator)}: {text(left_to_find(one))}" for one in results.unseen if one.causes]
    return "## Left to find, an estimate\n\n" + "\n".join(lines) if lines else ""


def _problems(results: Results) -> str:
    lines = [f"- {text(problem)}" for problem in (*results.broken, *results.problems)]
    return "## Problems\n\n" + "\n".join(lines) if lines else ""


def _line(cells: Iterable[str]) -> str:
    """Return a line of a table."""
    return f"| {' | '.join(map(text, cells))} |"


def _place(row: Row) -> str:
    return f"{text(row.operator)} {text(row.implementation)}"
