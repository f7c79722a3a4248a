"""`eagerdiff replay`: kept findings, run again, here or under another torch."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from eagerdiff.harness.cli.failure import BadInput
from eagerdiff.harness.cli.given_scripts import named_scripts, refuse_others, warn_of_network

if TYPE_CHECKING:
    from eagerdiff.harness.catalog.catalog import Catalog
    from eagerdiff.harness.corpus.evals import Corpus
    from eagerdiff.harness.corpus.interpreters import Comparison


def replay(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(
            help="Corpus file; with --torch, scripts or folders of them. By default those of the operators."
        ),
    ] = None,
    operator: Annotated[list[str] | None, typer.Option(help="Only this operator; may be repeated.")] = None,
    implementation: Annotated[
        list[str] | None, typer.Option(help="An implementation of yours: module:ATTRIBUTE; may be repeated.")
    ] = None,
    torch: Annotated[
        str | None,
        typer.Option(metavar="PYTHON", help="Run the standalone scripts here and under this Python's torch."),
    ] = None,
    timeout: Annotated[str, typer.Option(help="Most time for each script, with --torch: 90s, 5m.")] = "5m",
    run_scripts: Annotated[
        bool, typer.Option("--run-scripts", help="With --torch, run scripts that did not come with this package.")
    ] = False,
) -> None:
    """Run kept findings again and say which are still there, changed or gone.

    Exit code 0: none fails in a new way; 1: one does; 2: it could not run, or the harness broke, and says why.
    With --torch, 1: a script that passes here does not pass there. Scripts are programs: they run within limits of
    memory and time, and without network where the system can cut it off; others than ours with --run-scripts alone.
    """
    if torch is not None:
        raise typer.Exit(_compare(torch, paths or [], operator or [], timeout, run_scripts))
    if paths and len(paths) > 1:
        raise BadInput("give one corpus file; scripts are run with --torch PYTHON")
    raise typer.Exit(_replay(paths[0] if paths else None, operator or [], implementation or []))


def _replay(file: Path | None, operators: list[str], implementations: list[str]) -> int:
    from eagerdiff.harness.cli.console import console, table
    from eagerdiff.harness.cli.options import slots
    from eagerdiff.harness.cli.steps import steps
    from eagerdiff.harness.corpus.evals import CorpusError
    from eagerdiff.harness.corpus.replaying import Replayer
    from eagerdiff.harness.processes.catalog_tasks import worker_pool

    try:
        catalog, corpora = _read(file, operators, implementations)
    except CorpusError as error:
        raise BadInput(str(error)) from error
    count = sum(len(corpus.cases) for corpus in corpora)
    with worker_pool(catalog) as pool, steps(console(), "replaying kept findings", count) as advance:
        replayer = Replayer(catalog, pool, progress=advance, slots=slots())
        rows = [row for corpus in corpora for row in replayer.replay(corpus)]
    made = table("", "operator", "implementation", "device", "kept finding", "now", "reason")
    for row in rows:
        made.add_row(row.operator, row.implementation, row.device, row.name, row.status, row.reason)
    console().print(made if rows else "the corpus is empty")
    if any(row.status == "HARNESS_ERROR" for row in rows):
        return 2
    return 1 if any(row.status == "CHANGED" for row in rows) else 0


def _read(file: Path | None, operators: list[str], implementations: list[str]) -> "tuple[Catalog, list[Corpus]]":
    """Read the corpora before the catalog where a file names its operator: a malformed one is said at once."""
    from eagerdiff.harness.cli.keeping import own_corpus
    from eagerdiff.harness.cli.options import names_only, read_catalog
    from eagerdiff.harness.corpus.evals import read_corpus
    from eagerdiff.harness.corpus.replaying import corpora, identified

    if file is None:
        catalog = read_catalog(operators, implementations)
        return catalog, corpora(catalog, own_corpus())
    corpus = read_corpus(file)
    catalog = read_catalog(operators or names_only([corpus.name]), implementations)
    if corpus.name not in catalog.operators:
        raise BadInput(f"corpus {file} is of {corpus.name}, not of {', '.join(catalog.operators)}")
    return catalog, [identified(corpus, catalog)]


def _compare(python: str, paths: Sequence[Path], operators: list[str], timeout: str, run_scripts: bool) -> int:
    from eagerdiff.harness.cli.options import read_budget, slots
    from eagerdiff.harness.corpus.interpreters import Interpreter, InterpreterError, compare

    seconds = read_budget(timeout)
    try:
        scripts = named_scripts(paths) if paths else _kept_scripts(operators)
        if not run_scripts:
            refuse_others(scripts)
        there = Interpreter.find(python)
        warn_of_network()
        here, rows = compare(scripts, there, slots=slots(), seconds=seconds)
    except InterpreterError as error:
        raise BadInput(str(error)) from error
    _print(rows, here=f"torch {here.torch} ({here.python})", there=f"torch {there.torch} ({there.python})")
    return 1 if any(row.worse for row in rows) else 0


def _kept_scripts(operators: list[str]) -> list[Path]:
    """Return the scripts beside the operators' corpora."""
    from eagerdiff.harness.cli.options import read_catalog

    extras = [found.extras for found in read_catalog(operators).operators.values()]
    corpora = [found.corpus for found in extras if found.corpus is not None]
    folders = dict.fromkeys(corpus.parent / "scripts" for corpus in corpora)
    return named_scripts([folder for folder in folders if folder.is_dir()])


def _print(rows: "Sequence[Comparison]", *, here: str, there: str) -> None:
    from eagerdiff.harness.cli.console import console, table

    out = console()
    out.print(f"here:  {here}\nthere: {there}", soft_wrap=True)
    made = table("", "script", "here", "there", "what it says")
    for row in sorted(rows, key=lambda row: (not row.worse, row.here.state == row.there.state)):
        said = row.there if row.there.why else row.here
        made.add_row(row.script.stem, row.here.state, row.there.state, said.why)
    out.print(made)
    counts = Counter(f"{row.here.state} here, {row.there.state} there" for row in rows)
    out.print("; ".join(f"{count} {state}" for state, count in sorted(counts.items())), soft_wrap=True)
