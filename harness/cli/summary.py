"""What a campaign prints at its end: what was found, what changed, the totals, and the rows that need a look."""

import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from eagerdiff.harness.cli.duration import format_duration

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from eagerdiff.harness.results.results import Results, Row
    from eagerdiff.harness.triage.finding import Finding

FEW = 3
"""Causes of which the calls are shown, whether there is a page or not."""
MOST_CAUSES = 10
"""That are shown of a campaign that has a page."""
MOST_LINES = 5
"""Of each kind that is a line a place."""
MOST_ROWS = 25
"""Of the table."""
MOST_NOTES = 12
"""Of lines that say more of a row."""
WIDE = 120
"""Columns of a terminal in which all columns of the table stand."""


def print_summary(
    out: "Console", results: "Results", *, page: str = "", defaults: Mapping[str, Mapping[str, Any]] | None = None
) -> None:
    """Print findings and changes, the totals, and the rows that need a look.

    `page` is where all of it is; without one, every finding is shown. `defaults` are those of each operator's cases.
    """
    from eagerdiff.harness.report.words import headline

    out.print(headline(results), soft_wrap=True)
    for line in (*_found(results, page, defaults or {}), *_changed(results), *_odd(results), _totals(results)):
        out.print(line, soft_wrap=True)
    _print_rows(out, results, page)


def _found(results: "Results", page: str, defaults: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Say what was found, one finding of each cause; all of them where there is no page."""
    from eagerdiff.harness.cli.brief import brief
    from eagerdiff.harness.report.attention import first_of_causes
    from eagerdiff.harness.report.words import by_class, left_to_find, plural

    causes = list(first_of_causes(results).values())
    shown = [group for group in causes if group[0].new][:MOST_CAUSES] if page else causes
    for first, *others in shown:
        for finding in (first,) if page else (first, *others):
            yield from brief(finding, None if page and len(shown) > FEW else defaults.get(finding.operator, {}))
        if page and others:
            yield f"  {plural(len(others), 'finding')} more of this cause"
    if rest := causes[len(shown) :]:
        new = sum(finding.new for group in rest for finding in group)
        found = plural(sum(map(len, rest)), "finding") + (" more" if shown else "")
        yield f"on the page: {found}, {new} new, of {plural(len(rest), 'cause')}"
    if results.findings:
        yield f"by class: {by_class(results)}"
    yield from (f"{one.operator}: {left_to_find(one)}" for one in results.unseen if one.causes)


def _changed(results: "Results") -> Iterator[str]:
    """Say what differs from the night before, and how kept findings stand."""
    from eagerdiff.harness.report.attention import turned_otherwise
    from eagerdiff.harness.report.words import since, standing

    if results.past is not None:
        yield since(results.past)
    turned = turned_otherwise(results)
    yield from _some(f"{one.operator} {one.implementation} {one.device} {one.name}: {standing(one)}" for one in turned)
    if results.replays:
        counts = Counter(replay.status for replay in results.replays)
        yield "corpus: " + ", ".join(f"{count} {status.lower()}" for status, count in sorted(counts.items()))


def _odd(results: "Results") -> Iterator[str]:
    """Say what broke, what did not run, and what was judged elsewhere."""
    from eagerdiff.harness.report.attention import unjudged
    from eagerdiff.harness.report.words import plural

    yield from _some(
        f"HARNESS ERROR {_place(row)}: {reason} (no finding; {count} times)"
        for row in results.rows
        for reason, count in row.harness_errors.items()
    )
    idle = Counter((row.device, row.problem) for row in results.rows if row.problem and not row.workloads)
    yield from (f"not run: {plural(count, 'implementation')} on {on}: {why}" for (on, why), count in idle.items())
    yield from _some(f"never judged: {line}" for line in unjudged(results))
    yield from _some(
        f"{row.device} does not take {what}: {count} cases of {row.operator} {row.implementation} judged elsewhere"
        for row in results.rows
        for what, count in row.stood_in.items()
    )
    yield from _some(f"problem: {problem}" for problem in results.problems)


def _totals(results: "Results") -> str:
    from eagerdiff.harness.report.words import plural

    totals = results.totals
    end = " (interrupted)" if results.interrupted else ""
    return (
        f"{totals.cases} cases, {totals.workloads} workloads, {totals.compiles} compiles, {totals.findings} findings "
        f"({totals.new} new), {plural(totals.harness_errors, 'harness error')}, {totals.skipped} skipped, "
        f"{totals.survived} with surviving mutants in {format_duration(results.elapsed)}{end}"
    )


def _print_rows(out: "Console", results: "Results", page: str) -> None:
    """Print the rows that need a look, and how many others there are."""
    from eagerdiff.harness.report.attention import mostly_skipped, noteworthy, others
    from eagerdiff.harness.report.words import failing, plural

    rows = noteworthy(results)
    if rows:
        out.print(_table(rows[:MOST_ROWS], out.width))
    if len(rows) > MOST_ROWS:
        out.print(f"{len(rows) - MOST_ROWS} more rows of which something failed, broke or was mostly skipped")
    notes = ((row, failing(row) or row.problem or row.why_unjudged or mostly_skipped(row)) for row in rows)
    for line in _some((f"{_place(row)}: {note}" for row, note in notes if note), MOST_NOTES):
        out.print(line, soft_wrap=True)
    where = f"; all are on the page: {page}" if page else ""
    if rest := others(results):
        out.print(f"{plural(rest, 'other row')}: nothing failed or broke{where}", soft_wrap=True)


def _table(rows: "list[Row]", width: int) -> "Table":
    """Return a table of rows, without the columns in which every row has 0, and with fewer where there is no room."""
    from eagerdiff.harness.cli.console import table

    columns = {
        "cases": [row.cases for row in rows],
        "workloads": [row.workloads for row in rows],
        "compiles": [row.compiles for row in rows],
        "failed": [row.failures for row in rows],
        "findings": [row.findings for row in rows],
        "skipped": [row.skipped for row in rows],
        "survived": [row.survived for row in rows],
    }
    told = [*columns] if width >= WIDE else ["cases", "failed", "findings", "skipped"]
    shown = {name: columns[name] for name in told if name == "cases" or any(columns[name])}
    made = table("", "", *shown, right=[*shown])
    for number, row in enumerate(rows):
        made.add_row(_place(row), *(str(values[number]) for values in shown.values()))
    return made


def _some(lines: Iterable[str], most: int = MOST_LINES) -> Iterator[str]:
    """Return the first few lines, and how many more there are."""
    known = list(lines)
    yield from known[:most]
    if len(known) > most:
        yield f"and {len(known) - most} more such lines"


def _place(row: "Row") -> str:
    return f"{row.operator} {row.implementation} {row.device}"


def describe(finding: "Finding", *, workloads: bool = False) -> str:
    """Return a finding's place, verdict and script, and with `workloads` its source and its shrunk cases as YAML."""
    import yaml

    state = "NEW" if finding.new else finding.standing
    head = f"{state} {finding.operator} {finding.implementation} {finding.device}: {finding.verdict.describe()}"
    oracle = finding.verdict.decided_by
    lines = [head, f"  {finding.defect.value}, oracle {oracle}, met {finding.count} times, seed {finding.seed}"]
    if finding.script or finding.script_note:
        lines.append(f"  script: {finding.script or f'none ({finding.script_note})'}")
    if workloads:
        if finding.source:
            lines += ["  source:", textwrap.indent(finding.source.rstrip(), "    ")]
        text = yaml.safe_dump(finding.calls, sort_keys=False, default_flow_style=None, width=110)
        lines += ["  workload:", textwrap.indent(text.rstrip(), "    ")]
    return "\n".join(lines)
