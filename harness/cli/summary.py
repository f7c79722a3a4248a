"""What a campaign prints at its end."""

import textwrap
from collections import Counter
from typing import TYPE_CHECKING

from eagerdiff.harness.cli.duration import format_duration

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from eagerdiff.harness.results.results import Results, Row
    from eagerdiff.harness.triage.finding import Finding


def print_summary(out: "Console", results: "Results", *, workloads: bool = False) -> None:
    """Print the rows, the findings and the totals of a campaign; with `workloads`, each finding's shrunk cases too."""
    from eagerdiff.harness.cli.console import table
    from eagerdiff.harness.report.words import by_class, failing, left_to_find, plural, since, standing, turned

    names = ("cases", "workloads", "compiles", "failed", "findings", "new", "skipped", "survived", "seconds")
    made = table("", "operator", "implementation", "device", *names, "", right=names)
    idle = [row for row in results.rows if row.problem and not row.workloads]
    for row in results.rows:
        if row not in idle:
            made.add_row(row.operator, row.implementation, row.device, *_figures(row), _note(row))
    out.print(made)
    for row in results.rows:
        if said := failing(row):
            out.print(f"{row.operator} {row.implementation} {row.device} failed: {said}", soft_wrap=True)
    for (device, problem), count in Counter((row.device, row.problem) for row in idle).items():
        out.print(f"not run: {count} implementations on {device}: {problem}", soft_wrap=True)
    for row in results.rows:
        for reason, count in row.harness_errors.items():
            place = f"{row.operator} {row.implementation} {row.device}"
            out.print(f"HARNESS ERROR {place}: {reason} (no finding; {count} times)", soft_wrap=True)
    for row in results.rows:
        for what, count in row.stood_in.items():
            place = f"{row.operator} {row.implementation}"
            out.print(f"{row.device} does not take {what}: {count} cases of {place} judged elsewhere", soft_wrap=True)
    if results.metrics:
        out.print(_metrics(results))
    for finding in results.findings:
        out.print(describe(finding, workloads=workloads), soft_wrap=True)
    if results.replays:
        counts = Counter(replay.status for replay in results.replays)
        out.print("corpus: " + ", ".join(f"{count} {status.lower()}" for status, count in sorted(counts.items())))
    if results.past is not None:
        out.print(since(results.past), soft_wrap=True)
        for one in turned(results.past):
            out.print(f"{one.operator} {one.implementation} {one.device} {one.name}: {standing(one)}", soft_wrap=True)
    for one in results.unseen:
        if one.causes:
            out.print(f"{one.operator}: {left_to_find(one)}", soft_wrap=True)
    if results.findings:
        out.print(f"by class: {by_class(results)}", soft_wrap=True)
    never = len(results.never_judged)
    if never:
        out.print(f"never judged: {plural(never, 'implementation')} that can run here")
    for problem in results.problems:
        out.print(f"problem: {problem}", soft_wrap=True)
    totals = results.totals
    end = " (interrupted)" if results.interrupted else ""
    out.print(
        f"{totals.cases} cases, {totals.workloads} workloads, {totals.compiles} compiles, {totals.findings} findings "
        f"({totals.new} new), {plural(totals.harness_errors, 'harness error')}, {totals.skipped} skipped, "
        f"{totals.survived} with surviving mutants in {format_duration(results.elapsed)}{end}"
    )


def _metrics(results: "Results") -> "Table":
    from eagerdiff.harness.cli.console import table
    from eagerdiff.harness.model.metric import rows_of
    from eagerdiff.harness.report.words import figures

    made = table("", "operator", "what", "by", "value", "unit", "published", right=("value",))
    for taken in results.metrics:
        for row in rows_of(taken.metrics):
            one = row[0]
            made.add_row(taken.operator, one.what, one.by, figures(row), one.unit, one.published)
    return made


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


def _figures(row: "Row") -> list[str]:
    counts = (row.cases, row.workloads, row.compiles, row.failures, row.findings, row.new, row.skipped, row.survived)
    return [*map(str, counts), f"{row.seconds:.1f}"]


def _note(row: "Row") -> str:
    return row.problem if len(row.problem) < 60 else f"{row.problem[:57]}..."
