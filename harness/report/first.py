"""What a reader wants first: what broke, since when, whose it is, and what to do."""

import shlex
from collections.abc import Iterator
from dataclasses import dataclass

from eagerdiff.harness.report.words import plural, shortened, standing
from eagerdiff.harness.results.past import State
from eagerdiff.harness.results.results import Results
from eagerdiff.harness.sinks import html
from eagerdiff.harness.triage.cause import Cause, cause_of
from eagerdiff.harness.triage.finding import Finding

MOST = 5


@dataclass(frozen=True)
class Entry:
    """Hold one thing that broke."""

    standing: str
    """New, or returned."""
    what: str
    """Its class, and how it fails."""
    who: str
    """Operator, implementation and device."""
    whose: str
    """The function that is to blame, where one is told."""
    said: str
    """Since when, and what changed."""
    commands: list[str]
    """What shows it, and what makes it ready to file."""


@dataclass(frozen=True)
class First:
    """Hold the first of what broke, and how many more there are."""

    entries: list[Entry]
    more: int


def first_of(results: Results) -> First:
    """Return what broke: new findings, one of each cause, then those that returned."""
    found = [*_new(results), *_returned(results)]
    return First(found[:MOST], max(0, len(found) - MOST))


def _new(results: Results) -> Iterator[Entry]:
    nights = results.past is not None and bool(results.past.before)
    since = f"not there on {results.past.before[:10]}" if nights and results.past is not None else ""
    causes: dict[Cause, list[Finding]] = {}
    for finding in results.findings:
        if finding.new:
            causes.setdefault(cause_of(finding), []).append(finding)
    for cause, found in causes.items():
        finding = next((one for one in found if html.link(one.script)), found[0])
        script, more = html.link(finding.script), len(found) - 1
        lacking = f"no script: {finding.script_note}" if finding.script_note and not script else ""
        yield Entry(
            standing="New",
            what=shortened(f"{finding.defect.value}: {finding.verdict.reason or finding.verdict.status.value}"),
            who=f"{finding.operator} · {finding.implementation} · {finding.device}"
            + (f", and {plural(more, 'finding')} more of this cause" if more else ""),
            whose=cause.where if ":" in cause.where else finding.verdict.frame,
            said=" · ".join(filter(None, (since, lacking))),
            commands=[f"python {script}", f"eagerdiff kit {script} --run-scripts"]
            if script
            else _again(finding, results.seed),
        )


def _again(finding: Finding, seed: int) -> list[str]:
    """Return the command that searches where a finding without a script was met, as the night did."""
    if not finding.operator.isidentifier():
        return []
    where = ["--implementation", finding.implementation, "--device", finding.device, "--seed", str(seed)]
    return [shlex.join(["eagerdiff", "run", finding.operator, *where])]


def _returned(results: Results) -> Iterator[Entry]:
    for one in results.past.of(State.RETURNED) if results.past is not None else ():
        yield Entry(
            standing="Returned",
            what=shortened(one.what),
            who=f"{one.operator} · {one.implementation} · {one.device}",
            whose="",
            said=standing(one),
            commands=[f"eagerdiff replay --operator {one.operator}"] if one.operator.isidentifier() else [],
        )
