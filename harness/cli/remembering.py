"""Remembering: what a run adds to a history, and what the history says of it."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from eagerdiff.harness.cli.failure import BadInput
from eagerdiff.harness.history import VERSION, History, HistoryError, Night, Ran, Sighting, past_of

if TYPE_CHECKING:
    from eagerdiff.harness.catalog.catalog import Catalog
    from eagerdiff.harness.corpus.evals import Corpus
    from eagerdiff.harness.results.results import Results
    from eagerdiff.harness.triage.finding import Finding

FAILS = ("PRESENT", "CHANGED")
PASSES = ("GONE",)


class Memory:
    """Hold a history while a night goes on. Raises BadInput where it cannot be read."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._history = History(folder)
        try:
            self._nights = self._history.nights()
        except HistoryError as error:
            raise BadInput(str(error)) from error

    def corpora(self, catalog: "Catalog") -> "list[Corpus]":
        """Return what earlier nights found of the operators that are there; raise CorpusError for a malformed file."""
        from eagerdiff.harness.corpus.evals import CorpusError, read_corpus
        from eagerdiff.harness.corpus.replaying import identified

        found: list[Corpus] = []
        for path in self._history.corpora():
            corpus = read_corpus(path)
            if corpus.name != path.stem:
                raise CorpusError(f"corpus {path} is of {corpus.name}, not of {path.stem}")
            if corpus.name in catalog.operators:
                found.append(identified(corpus, catalog))
        return found

    def keep(self, results: "Results", kept: "Sequence[Corpus]", report: Path | None) -> None:
        """Add what was found to the history's corpora, with the scripts that the report has by now.

        What `kept` holds, or could not be shown again, is left out. What cannot be written is said in the results.
        """
        from eagerdiff.harness.cli.keeping import keep_in

        taken = {str(entry.name) for corpus in kept for entry in corpus.cases}
        new = [finding for finding in results.findings if finding.new and not finding.flaky]
        results.broken += keep_in(new, self._history.corpus, report, taken)

    def add(self, results: "Results", catalog: "Catalog", kept: "Sequence[Corpus]") -> None:
        """Append the night, and have the results say what nights before do; what cannot be written is said there."""
        night = _night(results, catalog, [*kept, *self.corpora(catalog)])
        results.past = past_of([*self._nights, night])
        try:
            self._history.append(night)
        except OSError as error:
            results.broken.append(f"cannot write to {self._history.path}: {error.strerror or error}")


def _night(results: "Results", catalog: "Catalog", kept: "Sequence[Corpus]") -> Night:
    return Night(
        version=VERSION,
        when=results.started,
        seed=results.seed,
        budget=results.budget,
        elapsed=round(results.elapsed, 1),
        interrupted=results.interrupted,
        environment=results.environment,
        ran=[
            Ran(
                operator=row.operator,
                implementation=row.implementation,
                device=row.device,
                cases=row.cases,
                compiles=row.compiles,
                failures=row.failures,
                seconds=round(row.seconds, 2),
                compile_seconds=round(row.compile_seconds, 2),
            )
            for row in results.rows
            if row.workloads
        ],
        seen=list({one.key: one for one in _sightings(results, catalog, kept)}.values()),
    )


def _sightings(results: "Results", catalog: "Catalog", kept: "Sequence[Corpus]") -> Iterable[Sighting]:
    """Return what was seen of findings that are kept: those that were run again, then those that the search met."""
    for row in results.replays:
        if row.status in (*FAILS, *PASSES):
            yield Sighting(
                operator=row.operator,
                implementation=row.implementation,
                device=row.device,
                name=row.name,
                revision=catalog.revisions.get(f"{row.operator}/{row.implementation}", ""),
                fails=row.status in FAILS,
                what=row.reason,
            )
    names = _names(kept)
    for finding in results.findings:
        name = names.get((finding.operator, str(finding.signature)))
        if name is not None and not finding.flaky:
            yield Sighting(
                operator=finding.operator,
                implementation=finding.implementation,
                device=finding.device,
                name=name,
                revision=catalog.revisions.get(f"{finding.operator}/{finding.implementation}", ""),
                fails=True,
                found=finding.new,
                what=_said(finding),
            )


def _names(kept: "Sequence[Corpus]") -> dict[tuple[str, str], str]:
    """Return the entry that keeps a failure, by the operator and the failure's signature."""
    from eagerdiff.harness.corpus.evals import signature_of

    found: dict[tuple[str, str], str] = {}
    for corpus in kept:
        for entry in corpus.cases:
            signature = signature_of(corpus.name, entry.inputs, entry.expected_output)
            if signature is not None:
                found.setdefault((signature.operator, str(signature)), str(entry.name))
    return found


def _said(finding: "Finding") -> str:
    return f"{finding.verdict.status.value} {finding.verdict.reason}"[:300]
