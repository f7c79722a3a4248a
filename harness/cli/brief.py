"""A finding in a few lines: what of its calls differs from the default, the guard, the script."""

import textwrap
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from eagerdiff.harness.triage.finding import Finding

MOST_CALLS = 3
"""That are shown of a finding."""
MOST_SOURCE = 8
"""Lines that are shown of a finding's source."""
WIDEST = 160
MOST_WRAPPED = 3
"""Lines over which a text that is too wide is spread."""


def brief(finding: "Finding", defaults: Mapping[str, Any] | None) -> list[str]:
    """Return a finding's place, verdict, calls, guard and script, in lines no wider than `WIDEST`.

    `defaults` are those of the operator's cases; a field that has its default is left out. None: what is called is on
    a page, and not shown.
    """
    state, verdict = "NEW" if finding.new else finding.standing, finding.verdict
    source = finding.source.rstrip().splitlines() if defaults is not None else []
    lines = [
        f"{state} {finding.operator} {finding.implementation} {finding.device}: {verdict.describe()}",
        f"  {finding.defect.value}, oracle {verdict.decided_by}, met {finding.count} times, seed {finding.seed}",
        *(f"    {line}" for line in source[:MOST_SOURCE]),
        *(f"    and {len(source) - MOST_SOURCE} lines more" for _ in source[MOST_SOURCE : MOST_SOURCE + 1]),
        *(f"  {line}" for line in (calls(finding.calls, defaults) if defaults is not None else ())),
        *(f"  {word}: {said}" for word, said in (("guard", verdict.guard), ("line", verdict.line)) if said),
    ]
    if not finding.script and finding.script_note:
        lines.append(f"  script: none ({finding.script_note})")
    shown = [part for line in lines for part in wrapped(line)]
    return [*shown, f"  script: {finding.script}"] if finding.script else shown  # a path is never cut


def wrapped(line: str) -> list[str]:
    """Return a line as some that are no wider than `WIDEST`, at most `MOST_WRAPPED` of them."""
    indent = " " * (len(line) - len(line.lstrip()) + 4)
    return textwrap.wrap(
        line, WIDEST, subsequent_indent=indent, max_lines=MOST_WRAPPED, placeholder=" …", break_on_hyphens=False
    )


def calls(cases: Sequence[Mapping[str, Any]], defaults: Mapping[str, Any]) -> list[str]:
    """Return a line for each of the first calls, with what differs from the default and from the call before."""
    lines: list[str] = []
    before = defaults
    for number, case in enumerate(cases[:MOST_CALLS]):
        told = [f"{name}={_value(value)}" for name, value in case.items() if _differs(name, value, before)]
        usual = "the same again" if number else "as by default"
        lines.append(f"call {number + 1}: {' '.join(told) or usual}")
        before = case
    return [*lines, f"and {len(cases) - MOST_CALLS} calls more"] if len(cases) > MOST_CALLS else lines


def _differs(name: str, value: Any, before: Mapping[str, Any]) -> bool:
    """Whether a field is worth telling; one that has no default and holds nothing is not."""
    return before[name] != value if name in before else value not in (None, [], {}, "")


def _value(value: Any) -> str:
    return str(value).replace(" ", "") if isinstance(value, list | dict) else str(value)
