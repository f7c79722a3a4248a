"""`eagerdiff selfcheck`: does the search find the defects that were planted?"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from harness.cli.failure import BadInput

if TYPE_CHECKING:
    from rich.console import Console

    from harness.selfcheck import Attempt, Selfcheck


def selfcheck(
    operator: Annotated[list[str] | None, typer.Option(help="Only this operator's faults; may be repeated.")] = None,
    fault: Annotated[list[str] | None, typer.Option(help="Only the fault with this id; may be repeated.")] = None,
    budget: Annotated[str, typer.Option(help="Most time for each fault: 30s, 5m.")] = "60s",
    seed: Annotated[int, typer.Option(help="Seed of the search.")] = 0,
    json: Annotated[Path | None, typer.Option("--json", help="File to write the figures to.")] = None,
) -> None:
    """Plant each known defect in a copy of the source and run the ordinary search against it.

    Exit code 0 if every fault was found, 1 if one was missed, 2 if it could not run.
    """
    from harness.cli.console import console
    from harness.cli.options import read_budget, read_catalog, slots, writable_file

    seconds, target = read_budget(budget), writable_file(json)
    catalog = read_catalog(operator or [])
    from harness.faults import FaultError, load_faults
    from harness.selfcheck import selfcheck as check

    out = console()
    try:
        faults = [found for found in load_faults(catalog.operators.values()) if not fault or found.id in fault]
        if unknown := set(fault or ()) - {found.id for found in faults}:
            raise BadInput(f"unknown fault {', '.join(sorted(unknown))}")
        if not faults:
            raise BadInput(f"no faults are planted for {', '.join(catalog.operators) or 'any operator'}")
        out.print(f"{len(faults)} faults, at most {budget} each")
        done = check(
            faults, catalog, budget=seconds, seed=seed, slots=slots(), progress=lambda row: out.print(_line(row))
        )
    except FaultError as error:
        raise BadInput(str(error)) from error
    _print(out, done)
    if target:
        target.write_text(done.model_dump_json(indent=2) + "\n", encoding="utf-8")
    raise typer.Exit(1 if done.missed else 0)


def _line(row: "Attempt") -> str:
    if row.problem:
        return f"  could not try {row.id}: {row.problem}"
    how = f"{row.status}, {row.oracle}" if row.found else f"{row.cases} cases"
    return f"  {'found ' if row.found else 'MISSED'} {row.id} in {row.seconds:.1f}s ({how})"


def _print(out: "Console", done: "Selfcheck") -> None:
    from harness.cli.console import table

    rows = table(
        "",
        "fault",
        "operator",
        "implementation",
        "device",
        "",
        "seconds",
        "cases",
        "verdict",
        "oracle",
        "class",
        right=["seconds", "cases"],
    )
    for row in done.rows:
        state = "found" if row.found else "not tried" if row.problem else "MISSED"
        rows.add_row(
            row.id,
            row.operator,
            row.implementation,
            row.device,
            state,
            f"{row.seconds:.1f}",
            str(row.cases),
            row.status,
            row.oracle,
            row.defect,
        )
    out.print(rows)
    times = f", median {done.seconds['median']:.1f}s, p95 {done.seconds['p95']:.1f}s" if done.seconds else ""
    out.print(
        f"found {done.found} of {done.faults}{times}" + (f"; missed: {', '.join(done.missed)}" if done.missed else "")
    )
