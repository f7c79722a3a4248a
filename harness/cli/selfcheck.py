"""`eagerdiff selfcheck`: does the search find the defects that were planted?"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from eagerdiff.harness.cli.baselines import check_record, keep_records, run_baselines
from eagerdiff.harness.cli.failure import BadInput

if TYPE_CHECKING:
    from rich.console import Console

    from eagerdiff.harness.mutation.selfcheck import Selfcheck
    from eagerdiff.harness.results.attempt import Attempt
    from eagerdiff.harness.results.detection import Record


def selfcheck(
    operator: Annotated[list[str] | None, typer.Option(help="Only this operator's faults; may be repeated.")] = None,
    fault: Annotated[list[str] | None, typer.Option(help="Only the fault with this id; may be repeated.")] = None,
    device: Annotated[str | None, typer.Option(help="Only faults of what runs on this device, and there.")] = None,
    budget: Annotated[str, typer.Option(help="Most time for each fault: 30s, 5m.")] = "60s",
    seed: Annotated[int, typer.Option(help="Seed of the search.")] = 0,
    json: Annotated[Path | None, typer.Option("--json", help="File to write the figures to.")] = None,
    baselines: Annotated[
        bool, typer.Option("--baselines", help="Run the suites that other projects publish against the same faults.")
    ] = False,
    baseline_budget: Annotated[
        str, typer.Option(help="Most time for each fault, of all baseline suites together.")
    ] = "60s",
    record: Annotated[
        bool, typer.Option("--record", help="As --baselines, and keep the table beside the faults: reports show it.")
    ] = False,
) -> None:
    """Plant each known defect in a copy of the source and run the ordinary search against it.

    Exit code 0 if every fault was found, 1 if one was missed, 2 if it could not run, or the harness itself broke.
    """
    from eagerdiff.harness.cli.console import console
    from eagerdiff.harness.cli.options import read_budget, read_devices, read_whole_catalog, slots, writable_file

    seconds, baseline_seconds, target = read_budget(budget), read_budget(baseline_budget), writable_file(json)
    (on,) = [found.name for found in read_devices([device])] if device else [""]
    catalog = read_whole_catalog(operator or [])
    if baselines or record:
        check_record(catalog, fault if record and fault else [])
    from eagerdiff.harness.mutation.faults import FaultError, load_faults
    from eagerdiff.harness.mutation.selfcheck import selfcheck as check

    out = console()
    try:
        faults = [found for found in load_faults(catalog.operators.values()) if not fault or found.id in fault]
        if unknown := set(fault or ()) - {found.id for found in faults}:
            raise BadInput(f"unknown fault {', '.join(sorted(unknown))}")
        if on:
            faults = [one for one in faults if catalog.implementation(one.operator, one.implementation).runs_on(on)]
        if not faults:
            where = f" on {on}" if on else ""
            raise BadInput(f"no faults are planted for {', '.join(catalog.operators) or 'any operator'}{where}")
        out.print(f"{len(faults)} faults, at most {budget} each")
        done = check(
            faults,
            catalog,
            budget=seconds,
            seed=seed,
            slots=slots(),
            device=on,
            progress=lambda row: out.print(line(row)),
        )
        show(out, done)
        wanted = baselines or record
        records = (
            run_baselines(out, faults, done, catalog, budget=seconds, baseline_budget=baseline_seconds)
            if wanted
            else []
        )
    except FaultError as error:
        raise BadInput(str(error)) from error
    if target:
        _write(target, done, records)
    if record:
        keep_records(out, records, catalog)
    raise typer.Exit(2 if any(row.harness_errors for row in done.rows) else 1 if done.missed else 0)


def _write(target: Path, done: "Selfcheck", records: "list[Record]") -> None:
    """Write the figures; those of baseline suites stand under `baselines`, one record an operator."""
    import json

    data = done.model_dump(mode="json")
    if records:
        data["baselines"] = [record.model_dump(mode="json") for record in records]
    target.write_text(json.dumps(data, indent=2) + "\n", encoding="utf-8")


def line(row: "Attempt") -> str:
    """Say in one line what became of a fault."""
    if row.problem:
        return f"  could not try {row.id}: {row.problem}"
    how = [row.status, row.oracle] if row.found else [f"{row.timed_out} time-outs, no hang"] if row.timed_out else []
    told = f" ({', '.join(how)})" if how else ""
    stood_in = "".join(f"; {count} on another device, for {what}" for what, count in row.stood_in.items())
    state = "found " if row.found else "MISSED"
    return f"  {state} {row.id} in {row.seconds:.1f}s, {row.cases} cases{told}{stood_in}"


def show(out: "Console", done: "Selfcheck") -> None:
    """Print a table of the faults, and the sums below it."""
    from eagerdiff.harness.cli.console import table

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
    out.print(f"found {done.found} of {done.faults}{_spread(done)}" + _missed(done))


def _spread(done: "Selfcheck") -> str:
    """Say how long it took, in seconds of this machine and in cases, which no machine changes."""
    seconds, cases = done.seconds, done.cases
    return "".join(
        f", {name} {seconds[name]:.1f}s and {cases[name]:.0f} cases" for name in ("median", "p95") if name in seconds
    )


def _missed(done: "Selfcheck") -> str:
    return f"; missed: {', '.join(done.missed)}" if done.missed else ""
