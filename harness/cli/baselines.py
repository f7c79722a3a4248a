"""The part of `eagerdiff selfcheck` that runs baseline suites against the same faults."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from eagerdiff.harness.cli.failure import BadInput, in_writing

if TYPE_CHECKING:
    from rich.console import Console

    from eagerdiff.harness.catalog.catalog import Catalog
    from eagerdiff.harness.mutation.faults import Fault
    from eagerdiff.harness.mutation.selfcheck import Selfcheck
    from eagerdiff.harness.results.attempt import BaselineAttempt
    from eagerdiff.harness.results.detection import Record


def check_record(catalog: "Catalog", faults: Sequence[str]) -> None:
    """Refuse what would make a record of part of an operator's faults, and a comparison with nobody."""
    if not any(operator.extras.baseline_suites for operator in catalog.operators.values()):
        raise BadInput(f"no project publishes a suite for {', '.join(catalog.operators) or 'any operator'}")
    if faults:
        raise BadInput("a record is of all faults of an operator: leave --fault out, or --record")


def run_baselines(
    out: "Console",
    faults: "Sequence[Fault]",
    done: "Selfcheck",
    catalog: "Catalog",
    *,
    budget: float,
    baseline_budget: float,
) -> "list[Record]":
    """Run the baseline suites, print a line a fault and a table an operator, and return the records."""
    from eagerdiff.harness.cli.options import slots
    from eagerdiff.harness.mutation.comparison import compare

    out.print(f"the same faults under baseline suites, at most {baseline_budget:g}s each")
    records = compare(
        faults,
        done,
        catalog,
        budget=budget,
        baseline_budget=baseline_budget,
        command=command(sys.argv[1:]),
        slots=slots(),
        progress=lambda row: out.print(_line(row)),
    )
    for record in records:
        _print(out, record)
    return records


def command(arguments: Sequence[str]) -> str:
    """Return what was typed, without the file that a copy went to."""
    kept = [
        text
        for before, text in zip(("", *arguments), arguments, strict=False)
        if before != "--json" and not text.startswith("--json")
    ]
    return " ".join(("eagerdiff", *kept))


def keep_records(out: "Console", records: "Sequence[Record]", catalog: "Catalog") -> None:
    """Write each record beside its operator's faults, where the report finds it."""
    from eagerdiff.harness.mutation.records import write_record

    for record in records:
        operator = catalog.operators[record.operator]
        assert operator.extras.faults is not None
        with in_writing(operator.extras.faults):
            out.print(f"record: {write_record(record, operator)}", soft_wrap=True)


def _line(row: "BaselineAttempt") -> str:
    if row.problem:
        return f"  could not try {row.id}: {row.problem}"
    if row.found:
        return f"  found  {row.id} in {row.seconds:.1f}s, case {row.cases} ({row.suite}: {row.status})"
    return f"  MISSED {row.id} in {row.cases} of {row.of} cases, {row.seconds:.1f}s"


def _print(out: "Console", record: "Record") -> None:
    from eagerdiff.harness.cli.console import table

    numbers = ("ours, s", "baseline suites, s", "cases", "of")
    rows = table(record.operator, "fault", *numbers, "suite", right=numbers)
    for pair in record.pairs:
        ours, theirs = pair.ours, pair.theirs
        cells = (_seconds(ours.found, ours.seconds), _seconds(theirs.found, theirs.seconds))
        rows.add_row(ours.id, *cells, str(theirs.cases), str(theirs.of), theirs.suite or theirs.problem)
    out.print(rows)
    for use in record.suites:
        if use.refused or use.too_large or use.unsupported:
            out.print(
                f"  {use.implementation}, {use.suite}: of {use.cases} cases {use.too_large} are too large for "
                f"one worker, {use.unsupported} are not taken, {use.refused} fail without a fault",
                soft_wrap=True,
            )
    ours, theirs = record.ours, record.theirs
    out.print(
        f"{record.operator}: found by ours {ours.found} of {ours.faults}{_median(ours.median)}, by baseline suites "
        f"{theirs.found} of {theirs.faults}{_median(theirs.median)}; only by ours {record.only_ours}, "
        f"only by theirs {record.only_theirs}",
        soft_wrap=True,
    )


def _seconds(found: bool, seconds: float) -> str:
    return f"{seconds:.1f}" if found else f"not in {seconds:.0f}"


def _median(seconds: float | None) -> str:
    return "" if seconds is None else f" (median {seconds:.1f}s)"
