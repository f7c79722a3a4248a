"""Attention: which findings and rows of a campaign a reader is shown first, and what is said of the others."""

from collections.abc import Iterator

from eagerdiff.harness.report.words import plural, some
from eagerdiff.harness.results.past import Standing, State
from eagerdiff.harness.results.results import Results, Row
from eagerdiff.harness.triage.cause import cause_of
from eagerdiff.harness.triage.finding import Finding

FEW_ROWS = 12
"""So many rows are all shown."""


def first_of_causes(results: Results) -> dict[str, list[Finding]]:
    """Return findings by their cause: those with a new one first, of each the new ones first, with a script first."""
    found: dict[str, list[Finding]] = {}
    for finding in sorted(results.findings, key=lambda one: (not one.new, one.flaky, not one.script)):
        found.setdefault(str(cause_of(finding)), []).append(finding)
    return found


def noteworthy(results: Results) -> list[Row]:
    """Return the rows of which something failed, broke or was mostly skipped, failures first; of few rows all."""
    ran = [row for row in results.rows if row.workloads or not row.problem]
    if len(ran) > FEW_ROWS:
        ran = [row for row in ran if row.failed or row.harness_errors or is_refused(row)]
    return sorted(ran, key=lambda row: (not row.failed_anew, not row.failed))


def is_refused(row: Row) -> bool:
    """Whether more than half of what was drawn for a row was skipped."""
    return bool(row.cases) and row.skipped > row.cases


def mostly_skipped(row: Row) -> str:
    """Say why most of a row was skipped; empty where most was judged."""
    if not is_refused(row) or not row.skip_reasons:
        return ""
    return f"{row.skipped} skipped: {max(row.skip_reasons, key=row.skip_reasons.__getitem__)}"


def unjudged(results: Results) -> Iterator[str]:
    """Say which implementations can run here and were never judged, a line for each reason."""
    found: dict[str, list[str]] = {}
    for row in results.never_judged:
        found.setdefault(row.why_unjudged, []).append(f"{row.operator}/{row.implementation}")
    for why, names in sorted(found.items(), key=lambda item: -len(item[1])):
        yield f"{plural(len(names), 'implementation')}: {why} ({some(names, 3)})"


def others(results: Results) -> int:
    """Return how many rows ran and are not shown."""
    return sum(bool(row.workloads or not row.problem) for row in results.rows) - len(noteworthy(results))


def turned_otherwise(results: Results) -> list[Standing]:
    """Return what tonight brought to another state, but for new findings, which are told as such."""
    past = results.past
    return [] if past is None else [one for one in past.standings if one.turned and one.state is not State.NEW]
