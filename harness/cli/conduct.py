"""Conducting a campaign: corpus, search, report, scripts, and an end that is valid whenever it comes."""

import contextlib
import signal
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eagerdiff.harness.cli.clock import REPLAY, Clock
from eagerdiff.harness.cli.failure import BadInput, complain, in_writing

if TYPE_CHECKING:
    from rich.console import Console

    from eagerdiff.harness.catalog.catalog import Catalog
    from eagerdiff.harness.corpus.evals import Corpus
    from eagerdiff.harness.processes import WorkerPool
    from eagerdiff.harness.results.results import OperatorMetrics, Replay, Results
    from eagerdiff.harness.triage.finding import Finding
    from eagerdiff.harness.triage.signature import FailureSignature


@dataclass(frozen=True, kw_only=True)
class Plan:
    """Say what to search, for how long in all, and where the report goes."""

    catalog: "Catalog"
    budget: float
    operators: Sequence[str] | None = None
    implementations: Sequence[str] | None = None
    devices: Sequence[str] | None = None
    seed: int = 0
    journal: Path | None = None
    out: Path | None = None
    replay: bool = False
    measure: bool = False
    """Whether the searched operators' metrics are taken, after the search."""
    from_scratch: bool = False
    """Whether to search as if nothing had been kept yet: nothing is replayed, every finding is new."""
    keep: bool = False
    """Whether new findings join the operators' corpus files."""


class Interruption:
    """Turn the first Ctrl-C (or SIGTERM) into a request to end, and leave the second to Python."""

    def __init__(self) -> None:
        self.asked = False
        self._stop: Callable[[], None] = lambda: None

    @contextlib.contextmanager
    def handled(self) -> Generator[None]:
        """Handle the signals in the block."""
        before = {number: signal.signal(number, self._ask) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def stops(self, stop: Callable[[], None]) -> None:
        """Name what is to be stopped."""
        self._stop = stop
        if self.asked:
            stop()

    def _ask(self, number: int, frame: Any) -> None:
        self.asked = True
        signal.signal(number, signal.default_int_handler)
        complain("interrupted: writing the report of what was done")
        self._stop()


def conduct(plan: Plan, out: "Console") -> "Results":
    """Carry a plan out and return the results; the report is written before the scripts are, and again after."""
    from eagerdiff.harness.campaign import Campaign
    from eagerdiff.harness.corpus.evals import CorpusError
    from eagerdiff.harness.corpus.replaying import corpora, known, worker_pool
    from eagerdiff.harness.mutation.records import read_records

    interruption, clock = Interruption(), Clock(plan.budget)
    with interruption.handled(), worker_pool(plan.catalog) as pool:
        try:
            kept = [] if plan.from_scratch else corpora(plan.catalog)
        except CorpusError as error:
            raise BadInput(str(error)) from error
        replays = _replay(plan, kept, pool, clock, out, interruption) if plan.replay else []
        metrics, unmeasured = _measure(plan, out, interruption) if plan.measure else ([], [])
        results = _search(plan, Campaign, known(kept), pool, clock, out, interruption)
        results.replays, results.interrupted = replays, results.interrupted or interruption.asked
        results.budget, results.metrics = plan.budget, metrics
        results.problems += unmeasured
        searched = {row.operator for row in results.rows}
        results.detections, problems = read_records(plan.catalog.operators[name] for name in sorted(searched))
        results.problems += problems
        if plan.out is not None:
            _write(results, plan.out)
            _write_scripts(results, plan.out, plan.catalog, pool, clock, out, interruption)
            _write(results, plan.out)
        if plan.keep:
            _keep(results, plan.catalog)
    return results


def _replay(
    plan: Plan,
    corpora: "Sequence[Corpus]",
    pool: "WorkerPool",
    clock: Clock,
    out: "Console",
    interruption: Interruption,
) -> "list[Replay]":
    """Run kept findings again, in turn, within their share of the time."""
    from eagerdiff.harness.cli.options import slots
    from eagerdiff.harness.cli.steps import steps
    from eagerdiff.harness.corpus.replaying import Replayer
    from eagerdiff.harness.corpus.turns import Turns
    from eagerdiff.harness.devices import cache_folder

    turns = Turns.read(cache_folder() / "turns.json")
    entries = turns.order(corpora, date.today().toordinal())

    def going() -> bool:
        return not interruption.asked and clock.left(REPLAY) > 0

    with steps(out, "replaying kept findings", len(entries)) as advance:
        replayer = Replayer(plan.catalog, pool, progress=advance, slots=slots(), going=going)
        rows = replayer.replay_in_turn(entries, turns)
    with in_writing(turns.path.parent):
        turns.write()
    return rows


def _search(
    plan: Plan,
    kind: Any,
    known: "set[FailureSignature]",
    pool: "WorkerPool",
    clock: Clock,
    out: "Console",
    interruption: Interruption,
) -> "Results":
    from eagerdiff.harness.cli.options import slots
    from eagerdiff.harness.cli.progress import Display

    display = Display(out, clock.search())
    try:
        campaign = kind(
            plan.catalog,
            operators=plan.operators,
            implementations=plan.implementations,
            devices=plan.devices,
            budget=clock.search(),
            seed=plan.seed,
            slots=slots(),
            journal=plan.journal,
            progress=display.update,
            known=known,
            worker_pool=pool,
        )
        interruption.stops(campaign.stop)
        with display.shown():
            results: Results = campaign.run()
    except ValueError as error:
        raise BadInput(str(error)) from error
    if not results.rows:
        raise BadInput("nothing to run: no implementation fits the operators and devices asked for")
    if not any(row.can_run for row in results.rows):
        told = [f"{row.implementation}: {row.problem}" for row in results.rows]
        raise BadInput(f"nothing could run: {'; '.join(dict.fromkeys(told if plan.implementations else told[:1]))}")
    return results


def _measure(plan: Plan, out: "Console", interruption: Interruption) -> "tuple[list[OperatorMetrics], list[str]]":
    """Take the metrics of the operators that are searched; return them, and in one line each what went wrong."""
    from eagerdiff.harness.campaign.measuring import measure
    from eagerdiff.harness.cli.steps import steps

    catalog = plan.catalog
    found: list[OperatorMetrics] = []
    problems: list[str] = []
    searched = [name for name in plan.operators or catalog.operators if catalog.operators[name].extras.metrics]
    with steps(out, "measuring", len(searched)) as advance:
        for name in searched:
            taken = measure(catalog.spec_of(name) or name, lambda: not interruption.asked)
            found += [taken.model_copy(update={"operator": name})] if taken.metrics else []
            problems += [f"{name}: {taken.problem}"] if taken.problem else []
            advance()
    return found, problems


def _write(results: "Results", folder: Path) -> None:
    from eagerdiff.harness import report

    with in_writing(folder):
        report.write(results, folder)


def _write_scripts(
    results: "Results",
    folder: Path,
    catalog: "Catalog",
    pool: "WorkerPool",
    clock: Clock,
    out: "Console",
    interruption: Interruption,
) -> None:
    from eagerdiff.harness import repro
    from eagerdiff.harness.cli.options import slots
    from eagerdiff.harness.cli.steps import steps
    from eagerdiff.harness.corpus.replaying import task_for

    def write(finding: "Finding") -> None:
        if interruption.asked:
            finding.script_note = "interrupted before its script was verified"
            return
        if clock.left() <= 0 and not finding.new:
            finding.script_note = "no time was left to verify its script: it is known"
            return
        task = task_for(catalog, finding.operator, finding.implementation)
        with repro.Writer(finding.device, pool) as writer:
            repro.write_script(finding, folder, writer.drafts(task, finding))

    ordered = sorted(results.findings, key=lambda finding: not finding.new)
    with ThreadPoolExecutor(slots()) as threads, steps(out, "verifying scripts", len(ordered)) as advance:
        for _ in threads.map(write, ordered):
            advance()


def _keep(results: "Results", catalog: "Catalog") -> None:
    from eagerdiff.harness.corpus.evals import CorpusError, keep

    for finding in results.findings:
        path = catalog.operators[finding.operator].extras.corpus
        if not finding.new:
            continue
        if path is None:
            complain(f"warning: {finding.operator} has no corpus: {finding.signature} is not kept")
            continue
        try:
            with in_writing(path.parent):
                keep(finding, path)
        except CorpusError as error:
            raise BadInput(str(error)) from error
