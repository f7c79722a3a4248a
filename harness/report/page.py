"""The page: one HTML file that opens offline."""

import functools
import json
import math
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from markupsafe import Markup

from eagerdiff.harness.model.metric import Metric, rows_of
from eagerdiff.harness.model.mode import MODES
from eagerdiff.harness.report.closeness import closeness_of
from eagerdiff.harness.report.comparison import compared
from eagerdiff.harness.report.first import first_of
from eagerdiff.harness.report.matrix import matrix_of
from eagerdiff.harness.report.past import past_section
from eagerdiff.harness.report.templates import template
from eagerdiff.harness.report.words import (
    by_class,
    duration,
    failing,
    figure,
    headline,
    is_calm,
    left_to_find,
    share,
    some,
)
from eagerdiff.harness.results.coverage import Table
from eagerdiff.harness.results.excuses import by_operation, lines_of
from eagerdiff.harness.results.kernels import KernelLine, kernel_lines
from eagerdiff.harness.results.results import OperatorMetrics, Replay, Results, Row
from eagerdiff.harness.sinks import html
from eagerdiff.harness.triage.finding import Finding


def page(results: Results) -> str:
    """Return the campaign as one self-contained HTML page: one script of ours, which filters; no external address."""
    shown = template("page.html.j2").render(
        results=results,
        headline=headline(results),
        classes=by_class(results),
        findings=sorted(results.findings, key=lambda finding: (not finding.new, finding.operator)),
        operators=[_operator(name, results) for name in dict.fromkeys(row.operator for row in results.rows)],
        past=past_section(results),
        recompiles=recompile_tables(results.rows),
        reasons=_top(results.rows, "recompile_reasons"),
        changes=_top(results.rows, "compile_changes"),
        skips=_top(results.rows, "skip_reasons"),
        stood_in=_top(results.rows, "stood_in"),
        excuses=lines_of(results.excuses, results.rows),
        specialised=by_operation(results.rows),
        tables=[Table(name=name, entries=entries) for name, entries in results.coverage.items()],
        kernels=_kernels(results),
        metrics={taken.operator: _metrics(taken) for taken in results.metrics if taken.metrics},
        comparisons=[found for taken in results.metrics if (found := compared(taken)) is not None],
        figure=figure,
        duration=duration,
        share=share,
        some=some,
        call=call,
        failing=failing,
        link=html.link,
        web_page=html.web_page,
        policy=html.policy(_script()),
        script=Markup(_script()),  # a file of ours
        first=first_of(results),
        matrix=matrix_of(results),
        closeness=closeness_of(results),
        calm=is_calm(results),
        unreplayed=_unreplayed(results),
        left_to_find=left_to_find,
    )
    return shown.replace(CONTENTS, _contents(shown), 1)


CONTENTS = "<!-- contents -->"
_SECTION = re.compile(r'<h2 id="([a-z0-9-]+)"><a class="here" href="#[a-z0-9-]+">([^<]*)</a></h2>')


def _contents(shown: str) -> str:
    """Return the table of contents of a page, of the sections that it has."""
    links = "".join(f'<li><a href="#{name}">{title}</a></li>' for name, title in _SECTION.findall(shown))
    return f'<nav aria-label="Contents"><ul class="contents">{links}</ul></nav>'


@functools.cache
def _script() -> str:
    return (Path(__file__).parent / "filter.js").read_text(encoding="utf-8")


def _unreplayed(results: Results) -> dict[str, list[Replay]]:
    """Return the kept findings that were skipped, by reason."""
    found: dict[str, list[Replay]] = {}
    for one in results.replays:
        if one.status == "SKIPPED":
            found.setdefault(one.reason or "no reason was told", []).append(one)
    return found


def _kernels(results: Results) -> dict[str, list[KernelLine]]:
    """Return the lines of each operator's kernels."""
    found: dict[str, list[KernelLine]] = {}
    for line in kernel_lines(results.rows):
        found.setdefault(line.operator, []).append(line)
    return found


def call(case: dict[str, Any]) -> str:
    """Write a case on one line, as `field=value` pairs."""
    return ", ".join(f"{name}={json.dumps(value)}" for name, value in case.items())


@dataclass(frozen=True)
class OperatorSection:
    """Hold what the page shows of one operator."""

    name: str
    rows: list[Row]
    findings: list[Finding]
    idle: dict[str, int]
    """Why rows did not run, and how many."""
    most_cases: int
    """The longest bar's figure."""

    @property
    def cases(self) -> int:
        """Cases judged over all rows."""
        return sum(row.cases for row in self.rows)


def _operator(name: str, results: Results) -> OperatorSection:
    rows = [row for row in results.rows if row.operator == name]
    findings = [finding for finding in results.findings if finding.operator == name]
    ran = [row for row in rows if not row.problem or row.workloads]
    idle = Counter(f"on {row.device}: {row.problem}" for row in rows if row not in ran)
    return OperatorSection(name, ran, findings, dict(idle), max((row.cases for row in rows), default=0) or 1)


@dataclass(frozen=True)
class Cell:
    """Hold the compiles that one way of compiling spent, for the recompile table."""

    mean: float
    most: int
    workloads: int
    heat: int
    """0 (one compile a workload) to 4 (the most of the table)."""


@dataclass(frozen=True)
class RecompileTable:
    """Hold compiles a workload, by implementation family and mode, for one operator."""

    operator: str
    modes: list[str]
    families: dict[str, list[Cell | None]]


def recompile_tables(rows: list[Row]) -> list[RecompileTable]:
    """Tabulate every operator that has rows with a mode and a compile count."""
    counted = [row for row in rows if row.mode and row.compiles_per_workload]
    return [
        _table(name, [row for row in counted if row.operator == name])
        for name in dict.fromkeys(row.operator for row in counted)
    ]


def _table(operator: str, rows: list[Row]) -> RecompileTable:
    met = dict.fromkeys(row.mode for row in rows)
    modes = list(dict.fromkeys([*(mode.name for mode in MODES if mode.name in met), *met]))
    top = max(_mean(row) for row in rows)
    families = dict.fromkeys(_family(row) for row in rows)
    return RecompileTable(
        operator,
        modes,
        {family: [_cell(rows, family, mode, top) for mode in modes] for family in families},
    )


def _family(row: Row) -> str:
    return (row.identity.compiled_as or row.implementation) + (f" on {row.device}" if row.device != "cpu" else "")


def _cell(rows: list[Row], family: str, mode: str, top: float) -> Cell | None:
    row = next((row for row in rows if _family(row) == family and row.mode == mode), None)
    if row is None:
        return None
    mean = _mean(row)
    heat = round(4 * (mean - 1) / (top - 1)) if top > 1 and mean > 1 else 0
    return Cell(mean, max(row.compiles_per_workload), sum(row.compiles_per_workload.values()), heat)


def _mean(row: Row) -> float:
    workloads = sum(row.compiles_per_workload.values())
    return sum(count * times for count, times in row.compiles_per_workload.items()) / workloads


@dataclass(frozen=True)
class MetricLine:
    """Hold one line of an operator's table of metrics."""

    metrics: list[Metric]
    first: bool
    """Whether it is the first of its `what`."""
    percents: list[int]
    """The bars' lengths."""


def _metrics(taken: OperatorMetrics) -> list[MetricLine]:
    lines: list[MetricLine] = []
    for row in rows_of(taken.metrics):
        first = not lines or lines[-1].metrics[0].what != row[0].what
        lines.append(MetricLine(row, first, [_percent(one, taken.metrics) for one in row]))
    return lines


def _percent(one: Metric, among: list[Metric]) -> int:
    alike = [abs(other.value) for other in among if (other.what, other.unit) == (one.what, one.unit)]
    whole = 100.0 if one.unit == "%" else max(alike)
    share = abs(one.value) / whole if whole and math.isfinite(one.value / whole) else 0
    return round(100 * min(1.0, share))


def _top(rows: list[Row], field: str, most: int = 12) -> list[tuple[str, int, int]]:
    """Add up a row's counter over all rows; return (text, count, percent of the largest), largest first."""
    counts: dict[str, int] = {}
    for row in rows:
        for text, count in getattr(row, field).items():
            counts[text] = counts.get(text, 0) + count
    ranked = sorted(counts.items(), key=lambda item: -item[1])[:most]
    return [(text, count, round(100 * count / ranked[0][1])) for text, count in ranked]
