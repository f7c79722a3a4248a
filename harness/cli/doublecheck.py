"""`eagerdiff doublecheck`: is what nearly failed right, and is what failed more than rounding?"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from eagerdiff.harness.campaign.doublecheck import Second


def doublecheck(
    report: Annotated[Path, typer.Argument(help="Folder of a report of `nightly`.")] = Path("report"),
    operator: Annotated[
        list[str] | None, typer.Option(help="An operator of the report; needed for `module:OPERATOR`. Default: all.")
    ] = None,
    count: Annotated[int, typer.Option(help="How many of the close passes to look at.", min=0)] = 50,
    seed: Annotated[int, typer.Option(help="Seed by which they are drawn.")] = 0,
) -> None:
    """Run a campaign's close passes and wrong values again in float64, where rounding cannot be the cause.

    Exit code 0: every close pass agrees there; 1: one differs, so that the judge was too lenient; 2: it could not run.
    """
    from eagerdiff.harness.campaign.doublecheck import close_passes, look_again, wrong_values
    from eagerdiff.harness.campaign.record import Record
    from eagerdiff.harness.cli.console import console
    from eagerdiff.harness.cli.options import names_only, read_whole_catalog, slots
    from eagerdiff.harness.cli.written import read_searched

    results = read_searched(report)
    catalog = read_whole_catalog(operator or names_only({row.operator for row in results.rows}))
    close, found = close_passes(Record(report / "journal.jsonl"), catalog, count, seed)
    out = console()
    looks = [*close, *wrong_values(results.findings, catalog)]
    out.print(f"{len(close)} of {found} close passes, {len(looks) - len(close)} wrong values, once more in float64")
    rows = look_again(looks, catalog, slots=slots(), progress=lambda row: out.print(_line(row), soft_wrap=True))
    _print(out, rows)
    raise typer.Exit(1 if any(row.missed for row in rows) else 0)


def _line(row: "Second") -> str:
    look = row.look
    first = look.first.status.value if look.first.failed else f"passed at {look.first.numbers['excess']:.2f}"
    what = "MISSED " if row.missed else ""
    return (
        f"  {what}{look.operator} {look.implementation}: {first}; in float64 {row.status.value} {row.reason}".rstrip()
    )


def _print(out: "Console", rows: "list[Second]") -> None:
    from collections import Counter

    counts = Counter(("finding" if row.look.first.failed else "close pass", row.status.value) for row in rows)
    for (what, status), number in sorted(counts.items()):
        out.print(f"{what}, in float64 {status}: {number}")
