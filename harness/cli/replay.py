"""`eagerdiff replay`: kept findings, run again."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from harness.cli.failure import BadInput

if TYPE_CHECKING:
    from harness.catalog import Catalog
    from harness.evals import Corpus


def replay(
    file: Annotated[Path | None, typer.Argument(help="Corpus file; by default those of the operators.")] = None,
    operator: Annotated[list[str] | None, typer.Option(help="Only this operator; may be repeated.")] = None,
) -> None:
    """Run kept findings again and say which are still there, changed or gone.

    Exit code 0: none fails in a new way; 1: one does; 2: it could not run, and says why.
    """
    from harness.cli.console import console, table
    from harness.evals import CorpusError
    from harness.processes import Nursery
    from harness.replaying import Replayer

    terminal = console()
    try:
        catalog, corpora = _read(file, operator or [])
    except CorpusError as error:
        raise BadInput(str(error)) from error
    with Nursery() as nursery:
        replayer = Replayer(catalog, nursery)
        rows = [row for corpus in corpora for row in replayer.replay(corpus)]
    made = table("", "operator", "implementation", "device", "kept finding", "now", "reason")
    for row in rows:
        made.add_row(row.operator, row.implementation, row.device, row.name, row.status, row.reason)
    terminal.print(made if rows else "the corpus is empty")
    raise typer.Exit(1 if any(row.status == "CHANGED" for row in rows) else 0)


def _read(file: Path | None, operators: list[str]) -> "tuple[Catalog, list[Corpus]]":
    """Read the corpora before the catalog where a file names its operator: a malformed one is said at once."""
    from harness.cli.options import read_catalog
    from harness.evals import read_corpus
    from harness.replaying import corpora

    if file is None:
        catalog = read_catalog(operators)
        return catalog, corpora(catalog.operators.values())
    corpus = read_corpus(file)
    catalog = read_catalog(operators or [corpus.name])
    if corpus.name not in catalog.operators:
        raise BadInput(f"corpus {file} is of {corpus.name}, not of {', '.join(catalog.operators)}")
    return catalog, [corpus]
