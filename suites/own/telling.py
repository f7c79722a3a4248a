"""What a check says: in at most 25 lines, the failures first, each with its sizes, what to change, and its script."""

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from eagerdiff import Check, Finding
from eagerdiff.suites.own.advice import advice

MOST_LINES = 25
WIDEST = 160


def told(name: str, ways: Mapping[str, Check], said: Sequence[str]) -> str:
    """Say what became of each way of compiling some code."""
    failing = [way for way, one in ways.items() if one.findings or one.broken]
    calls, workloads = sum(one.cases for one in ways.values()), sum(one.workloads for one in ways.values())
    compiles = sum(one.compiles for one in ways.values())
    failed = f"{len(failing)} of {len(ways)} ways of compiling fail" if len(ways) > 1 else "fails"
    state = failed if failing else "right"
    head = f"{name}: {state} ({calls} calls judged, {workloads} workloads, {compiles} compilations)"
    lines = [head, *(f"  {line}" for line in said)]
    for way in failing:
        lines += _failing(way, ways[way])
    for way, one in ways.items():
        if way not in failing:
            lines.append(f"  {way}: {one.cases} calls right" if one.cases else f"  {way}: nothing judged")
            lines += [f"    left out: {reason} × {count}" for reason, count in _reasons(one)]
    cut = [line if len(line) <= WIDEST else f"{line[: WIDEST - 1]}…" for line in lines]
    return "\n".join(
        cut if len(cut) <= MOST_LINES else [*cut[: MOST_LINES - 1], f"  and {len(cut) - MOST_LINES + 1} lines more"]
    )


def _failing(way: str, check: Check) -> Iterator[str]:
    if check.broken:
        yield f"  {way}: harness error: {check.broken}"
    for finding in check.findings:
        yield f"  {way} on {finding.device}: {finding.verdict.describe()}"
        yield f"    calls: {calls_of(finding)}"
        for line in advice(finding):
            yield f"    {line}"
        if finding.script:
            yield f"    script: {_shown(finding.script)}"
        elif finding.script_note:
            yield f"    no script: {finding.script_note}"


def calls_of(finding: Finding) -> str:
    """Write the calls of a finding: sizes, and what else is not as it is by default."""
    return "; ".join(_call(case) for case in finding.workload)


def _call(case: Mapping[str, object]) -> str:
    told = [f"{field}={case[field]}" for field in ("dtype", "config", "batch") if case.get(field)]
    for field in ("sizes", "numbers", "choices"):
        found = case.get(field)
        found = dict(found) if isinstance(found, list | tuple) else found
        told += [f"{name}={value}" for name, value in found.items()] if isinstance(found, dict) else []
    for field, usual in (("layouts", "contiguous"), ("fills", "normal")):
        found = case.get(field)
        told += (
            [f"{name} {value}" for name, value in found.items() if value != usual] if isinstance(found, dict) else []
        )
    return " ".join(told) or "as the example"


def _reasons(check: Check) -> list[tuple[str, int]]:
    return Counter(check.skipped).most_common(2)


def _shown(script: str) -> str:
    path = Path(script)
    return os.path.relpath(path) if path.is_absolute() and path.is_relative_to(Path.cwd()) else script
