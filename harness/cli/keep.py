"""`eagerdiff keep`: what a campaign met, taken into the corpora."""

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from eagerdiff.harness.cli.failure import BadInput

if TYPE_CHECKING:
    from eagerdiff.harness.catalog.catalog import Catalog
    from eagerdiff.harness.cli.interruption import Interruption
    from eagerdiff.harness.corpus.replaying import Replayer
    from eagerdiff.harness.results.results import Results
    from eagerdiff.harness.triage.cause import Cause
    from eagerdiff.harness.triage.finding import Finding

TRIES = 3
"""Findings of one cause whose scripts are tried before it is said that none shows it."""


def keep(
    report: Annotated[Path, typer.Argument(help="Folder of a report of `nightly`.")] = Path("report"),
    operator: Annotated[
        list[str] | None, typer.Option(help="An operator of the report; needed for `module:OPERATOR`. Default: all.")
    ] = None,
    budget: Annotated[str, typer.Option(help="Time for scripts: 30s, 5m, 1h30m.")] = "30m",
) -> None:
    """Add what a campaign found to the corpora: one finding of each cause that is new, with a script that shows it.

    One that no script shows is kept without, where it fails again in a worker process. What the budget did not suffice
    for is taken up when the command is given again. Exit code 0: each new cause is kept; 1: one is not, and says why;
    2: it could not run.
    """
    from eagerdiff.harness.cli.console import console
    from eagerdiff.harness.cli.folder import occupied, save
    from eagerdiff.harness.cli.interruption import Interruption
    from eagerdiff.harness.cli.keeping import keep_found
    from eagerdiff.harness.cli.options import names_only, read_budget, read_catalog
    from eagerdiff.harness.cli.written import read_searched

    seconds = read_budget(budget)
    interruption = Interruption()
    with interruption.handled(), occupied(report):
        results = read_searched(report)
        catalog = read_catalog(operator or names_only({row.operator for row in results.rows}))
        new = _new_causes(results, catalog)
        chosen = _shown_again(new, report, catalog, seconds, interruption)
        problems = keep_found(chosen.values(), catalog, report)
        save(results, report)
    out = console()
    for cause, findings in new.items():
        if cause not in chosen:
            out.print(f"not kept: {cause.digest} {cause}", markup=False, soft_wrap=True)
            out.print(f"  {findings[0].script_note}", markup=False, soft_wrap=True)
    for problem in problems:
        out.print(problem, markup=False, soft_wrap=True)
    out.print(f"{len(new)} new causes, {len(chosen) - len(problems)} kept")
    raise typer.Exit(1 if problems or len(chosen) < len(new) else 0)


def _new_causes(results: "Results", catalog: "Catalog") -> "dict[Cause, list[Finding]]":
    """Return the causes that no corpus holds and no note tells of, each with its findings, the smallest first."""
    from eagerdiff.harness.cli.keeping import own_corpus
    from eagerdiff.harness.corpus.evals import CorpusError
    from eagerdiff.harness.corpus.notes import notes
    from eagerdiff.harness.corpus.replaying import corpora, known
    from eagerdiff.harness.triage.cause import cause_of
    from eagerdiff.harness.triage.note import by_cause, note_of

    try:
        held, said = known(corpora(catalog, own_corpus())), by_cause(notes(catalog))
    except CorpusError as error:
        raise BadInput(str(error)) from error
    new: dict[Cause, list[Finding]] = {}
    for finding in results.findings:
        cause = cause_of(finding)
        told = note_of(cause, "+".join(finding.about), finding.implementation, said)
        if not (finding.flaky or told or cause in held.causes or finding.signature in held.failures):
            new.setdefault(cause, []).append(finding)
    return {cause: sorted(found, key=_order) for cause, found in new.items()}


def _order(finding: "Finding") -> tuple[bool, bool, int]:
    return not finding.script, not finding.shrunk, len(str(finding.workload))


def _shown_again(
    new: "Mapping[Cause, Sequence[Finding]]",
    report: Path,
    catalog: "Catalog",
    seconds: float,
    interruption: "Interruption",
) -> "dict[Cause, Finding]":
    """Return of each cause the first finding that a script shows, which is written where there is none yet.

    Where no script does, the first is returned if it fails as before in a worker.
    """
    from eagerdiff.harness.cli.clock import Clock
    from eagerdiff.harness.cli.console import console
    from eagerdiff.harness.cli.options import slots
    from eagerdiff.harness.cli.scripts import Scripts
    from eagerdiff.harness.cli.steps import steps
    from eagerdiff.harness.corpus.replaying import Replayer
    from eagerdiff.harness.processes.catalog_tasks import worker_pool

    clock = Clock(seconds, late=0.0)
    with worker_pool(catalog) as pool:
        for turn in zip_longest(*(found[:TRIES] for found in new.values())):
            shown = _shown(new)
            asked = [
                finding for cause, finding in zip(new, turn, strict=True) if finding is not None and cause not in shown
            ]
            with steps(console(), "verifying scripts", len(asked)) as advance:
                Scripts(
                    folder=report,
                    catalog=catalog,
                    worker_pool=pool,
                    clock=clock,
                    interrupted=lambda: interruption.asked,
                    progress=advance,
                ).write(asked, slots())
        shown = _shown(new)
        left = {} if clock.left() <= 0 else {cause: found[0] for cause, found in new.items() if cause not in shown}
        replayer = Replayer(catalog, pool, slots=slots(), going=lambda: not interruption.asked)
        return shown | {cause: finding for cause, finding in left.items() if _fails_again(finding, replayer)}


def _fails_again(finding: "Finding", replayer: "Replayer") -> bool:
    from eagerdiff.harness.corpus.evals import corpus_of

    (row,) = replayer.replay(corpus_of(finding.operator, [finding]))
    return row.status == "PRESENT"


def _shown(new: "Mapping[Cause, Sequence[Finding]]") -> "dict[Cause, Finding]":
    with_scripts = ((cause, next((one for one in found if one.script), None)) for cause, found in new.items())
    return {cause: finding for cause, finding in with_scripts if finding is not None}
