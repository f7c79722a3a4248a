"""Conducting a campaign: corpus, search, report, scripts, and an end that is valid whenever it comes."""

import contextlib
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from eagerdiff.harness.cli.clock import REPLAY, Clock
from eagerdiff.harness.cli.failure import BadInput, in_writing
from eagerdiff.harness.cli.fleet import FleetAsked, hire
from eagerdiff.harness.cli.folder import occupied, save, set_aside, usable_cache
from eagerdiff.harness.cli.interruption import Interruption
from eagerdiff.harness.cli.keeping import keep_new, own_corpus
from eagerdiff.harness.cli.proposing import propose
from eagerdiff.harness.cli.remembering import Memory
from eagerdiff.harness.model.shard import WHOLE, Shard

if TYPE_CHECKING:
    from rich.console import Console

    from eagerdiff.harness.campaign import Campaign
    from eagerdiff.harness.catalog.catalog import Catalog
    from eagerdiff.harness.cli.progress import Display
    from eagerdiff.harness.corpus.evals import Corpus
    from eagerdiff.harness.corpus.turns import LastTurn, Turns
    from eagerdiff.harness.following.segments import Mirror
    from eagerdiff.harness.history.judged import Judged
    from eagerdiff.harness.processes import WorkerPool
    from eagerdiff.harness.results.results import OperatorMetrics, Replay, Results
    from eagerdiff.harness.triage.note import Note


@dataclass(frozen=True, kw_only=True)
class Plan:
    """Say what to search, for how long in all, and where the report goes."""

    catalog: "Catalog"
    budget: float
    operators: Sequence[str] | None = None
    implementations: Sequence[str] | None = None
    devices: Sequence[str] | None = None
    seed: int = 0
    repeats: bool = False
    """Whether the seed was asked for: then what nights before judged is drawn again."""
    journal: Path | None = None
    out: Path | None = None
    resume: bool = False
    """Whether to go on where the journal ends; else what is in `out` is set aside."""
    replay: bool = False
    measure: bool = False
    """Whether the searched operators' metrics are taken, before the search."""
    from_scratch: bool = False
    """Whether to search as if nothing had been kept yet: nothing is replayed, every finding is new."""
    keep: bool = False
    """Whether new findings join the operators' corpus files."""
    memory: Memory | None = None
    """What nights before found, to which this one is added."""
    copy: "Mirror | None" = None
    """What copies the journal to a store as it grows."""
    shard: Shard = WHOLE
    """Which part of the campaign is drawn, and replayed, here."""
    examples: str = ""
    """The example database: a folder, or an address of Redis."""
    fleet: FleetAsked | None = None
    """Whose machines do the search; None: this one."""

    @property
    def searched(self) -> Sequence[str]:
        """Names of the operators that are searched."""
        return self.operators or list(self.catalog.operators)


@dataclass(frozen=True)
class Conducted:
    """Say what came of a plan, and where its report is."""

    results: "Results"
    folder: Path | None
    """None where no report was asked for; a temporary folder where its own does not take it."""


def conduct(plan: Plan, out: "Console") -> Conducted:
    """Carry a plan out; the report is written before the scripts are, and again after.

    The first signal ends the search and the second what is waited for; the report is written whatever comes. Raises
    BadInput where the folder is another run's, or where nothing can be written from the start.
    """
    from eagerdiff.harness.processes.catalog_tasks import worker_pool

    interruption = Interruption()
    with (
        interruption.handled(),
        occupied(plan.out),
        occupied(plan.memory.folder if plan.memory is not None else None),
        worker_pool(plan.catalog) as pool,
        contextlib.ExitStack() as crews,
    ):
        usable_cache()
        if plan.out is not None and not plan.resume and (kept := set_aside(plan.out)):
            out.print(f"the report of the run before is kept in {kept}", soft_wrap=True)
        night = _Night(plan, pool, out, interruption, crews)
        results = night.search()
        folder = night.report(results)
        if plan.keep:
            keep_new(results, plan.catalog, folder)
    return Conducted(results, folder)


class _Night:
    """Carry out the parts of a plan, one after the other."""

    def __init__(
        self,
        plan: Plan,
        pool: "WorkerPool",
        out: "Console",
        interruption: Interruption,
        crews: contextlib.ExitStack,
    ) -> None:
        self._crews = crews
        """What ends the machines' part in it."""
        self._plan = plan
        self._pool = pool
        self._out = out
        self._interruption = interruption
        self._clock = Clock(plan.budget)
        self._problems: list[str] = []
        self._kept: list[Corpus] = []
        """The corpora that are replayed, those of nights before among them."""

    def search(self) -> "Results":
        """Replay, measure and search; the clock runs from when all workers are there to be had."""
        from eagerdiff.harness.corpus.evals import CorpusError
        from eagerdiff.harness.corpus.notes import notes
        from eagerdiff.harness.corpus.replaying import corpora
        from eagerdiff.harness.corpus.turns import Turns
        from eagerdiff.harness.diagnosis.installation import installation
        from eagerdiff.harness.mutation.records import read_records

        plan, wait_for = self._plan, self._interruption.wait_for
        try:
            kept = [] if plan.from_scratch else corpora(plan.catalog, own_corpus())
            if plan.memory is not None and not plan.from_scratch:
                kept += plan.memory.corpora(plan.catalog)
            said = notes(plan.catalog)
        except CorpusError as error:
            raise BadInput(str(error)) from error
        self._kept = kept
        first_turns = Turns.read(self._remembered / "first_turns.json")
        judged = self._judged()
        campaign, display = self._campaign(kept, first_turns.last, judged)
        self._interruption.stops(campaign.stop)
        campaign.prepare()
        self._clock = Clock(plan.budget)
        with ThreadPoolExecutor(1, "measuring") as beside:
            asked = self._ask_metrics(beside) if plan.measure and self._plan.shard.index == 0 else []
            replays = wait_for(lambda: self._replay(kept, said), []) if plan.replay else []
            metrics = wait_for(lambda: self._metrics(asked), [])
        results = self._searched(campaign, display)
        self._remember(first_turns)
        if judged is not None:
            self._remember(judged)
        results.replays, results.interrupted = replays, results.interrupted or self._interruption.asked
        results.budget, results.metrics, results.notes = plan.budget, metrics, said
        results.installed = installation()
        searched = sorted({row.operator for row in results.rows} & set(plan.catalog.operators))
        results.detections, unread = read_records(plan.catalog.operators[name] for name in searched)
        results.problems += [*self._problems, *unread]
        return results

    def report(self, results: "Results") -> Path | None:
        """Write the report, the scripts and the report again; return its folder.

        The night is in its history before scripts are verified, which takes long.
        """
        if self._plan.memory is not None:
            self._plan.memory.keep(results, self._kept, None)
            self._plan.memory.add(results, self._plan.catalog, self._kept)
        if self._plan.out is None:
            return None
        folder = save(results, self._plan.out)
        self._interruption.wait_for(lambda: self._write_scripts(results, folder), None)
        if self._plan.memory is not None:
            self._plan.memory.keep(results, self._kept, folder)
        if not self._plan.keep:
            propose(results, self._plan.catalog, folder)
        return save(results, folder)

    def _campaign(
        self, kept: "Sequence[Corpus]", turns: "dict[str, LastTurn]", judged: "Judged | None"
    ) -> "tuple[Campaign, Display]":
        from eagerdiff.harness.campaign import Campaign
        from eagerdiff.harness.cli.options import slots
        from eagerdiff.harness.cli.progress import Display
        from eagerdiff.harness.corpus.replaying import known

        plan, display, told = self._plan, Display(self._out, self._plan.budget), known(kept)
        devices, examples = plan.devices or (), plan.examples
        fleet = plan.fleet and hire(plan.fleet, plan.catalog, plan.searched, devices, told, examples, self._crews)
        if fleet is not None:
            self._out.print(fleet.said, soft_wrap=True)
        try:
            campaign = Campaign(
                plan.catalog,
                operators=plan.operators,
                implementations=plan.implementations,
                devices=plan.devices,
                budget=plan.budget,
                seed=plan.seed,
                slots=slots(),
                journal=plan.journal,
                progress=display.update,
                known=told,
                worker_pool=self._pool,
                turns=turns,
                judged=judged,
                shard=self._plan.shard,
                workforce=fleet,
                examples=plan.examples,
            )
        except ValueError as error:
            raise BadInput(str(error)) from error
        return campaign, display

    def _replay(self, corpora: "Sequence[Corpus]", said: "Sequence[Note]") -> "list[Replay]":
        """Run kept findings again, in turn, within their share of the time; notes say which causes are one."""
        from eagerdiff.harness.cli.options import slots
        from eagerdiff.harness.cli.steps import steps
        from eagerdiff.harness.corpus.replaying import Replayer, without_unsearched_environments
        from eagerdiff.harness.corpus.turns import Turns, key_of

        turns = Turns.read(self._remembered / "turns.json")
        due = without_unsearched_environments(corpora, self._plan.catalog, self._plan.searched)
        ordered = turns.order(due, date.today().toordinal(), said)
        entries = [one for one in ordered if self._plan.shard.holds(key_of(*one), 0)]

        def going() -> bool:
            return not self._interruption.asked and self._clock.left(REPLAY) > 0

        with steps(self._out, "replaying kept findings", len(entries)) as advance:
            replayer = Replayer(self._plan.catalog, self._pool, progress=advance, slots=slots(), going=going)
            rows = replayer.replay_in_turn(entries, turns)
        self._remember(turns)
        return rows

    @property
    def _remembered(self) -> Path:
        """Where it is kept what had its turn: with the history, which goes from machine to machine, if there is one."""
        from eagerdiff.harness.devices import cache_folder

        return cache_folder() if self._plan.memory is None else self._plan.memory.folder

    def _judged(self) -> "Judged | None":
        """Return what nights before judged right, where this one has a history and is not to repeat another's seed."""
        from eagerdiff.harness.history.judged import FILE, Judged

        plan = self._plan
        if plan.memory is None or plan.repeats or plan.from_scratch:
            return None
        return Judged(plan.memory.folder / FILE)

    def _remember(self, what: "Turns | Judged") -> None:
        try:
            what.write()
        except OSError as error:  # it only orders
            self._problems.append(f"cannot write {what.path}: {error.strerror or error}")

    def _ask_metrics(self, beside: "ThreadPoolExecutor") -> "list[Future[OperatorMetrics]]":
        """Have the metrics of the operators that are searched taken, one after the other, beside the replaying."""
        from eagerdiff.harness.campaign.asking import measure

        catalog = self._plan.catalog
        searched = [name for name in self._plan.searched if _is_measured(catalog, name)]
        specs = {name: catalog.spec_of(name) or name for name in searched}

        def take(name: str) -> "OperatorMetrics":
            return measure(specs[name], lambda: not self._interruption.asked).model_copy(update={"operator": name})

        return [beside.submit(take, name) for name in searched]

    def _metrics(self, asked: "Sequence[Future[OperatorMetrics]]") -> "list[OperatorMetrics]":
        """Wait for the metrics; return those that have figures."""
        from eagerdiff.harness.cli.steps import steps

        taken: list[OperatorMetrics] = []
        with steps(self._out, "measuring", len(asked)) as advance:
            for one in asked:
                taken.append(one.result())
                advance()
        self._problems += [f"{one.operator}: {one.problem}" for one in taken if one.problem]
        return [one for one in taken if one.metrics or one.comparison]

    def _searched(self, campaign: "Campaign", display: "Display") -> "Results":
        try:
            with (
                display.shown(),
                in_writing(self._plan.journal or self._plan.out or Path()),
                self._plan.copy or contextlib.nullcontext(),
            ):
                results = campaign.run(self._clock.search())
            if self._plan.copy is not None and self._plan.copy.failure:
                self._problems.append(self._plan.copy.failure)
        except ValueError as error:
            raise BadInput(str(error)) from error
        if not results.rows:
            raise BadInput("nothing to run: no implementation fits the operators and devices asked for")
        if not any(row.can_run or row.cases for row in results.rows):
            told = [f"{row.implementation}: {row.problem}" for row in results.rows]
            told = told if self._plan.implementations else told[:1]
            raise BadInput(f"nothing could run: {'; '.join(dict.fromkeys(told))}")
        return results

    def _write_scripts(self, results: "Results", folder: Path) -> None:
        from eagerdiff.harness.cli.options import slots
        from eagerdiff.harness.cli.scripts import Scripts
        from eagerdiff.harness.cli.steps import steps

        with steps(self._out, "verifying scripts", len(results.findings)) as advance:
            scripts = Scripts(
                folder=folder,
                catalog=self._plan.catalog,
                worker_pool=self._pool,
                clock=self._clock,
                interrupted=lambda: self._interruption.asked,
                progress=advance,
            )
            scripts.write(results.findings, slots())


def _is_measured(catalog: "Catalog", name: str) -> bool:
    extras = catalog.operators[name].extras
    return extras.metrics is not None or extras.comparison is not None
