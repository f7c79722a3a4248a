"""A campaign: every operator × implementation × device, searched fairly within a budget of time."""

import contextlib
import os
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from eagerdiff.harness.campaign.account import Account
from eagerdiff.harness.campaign.asking import read_vocabulary
from eagerdiff.harness.campaign.events import Began, CrewAt, Crews
from eagerdiff.harness.campaign.first_turns import FirstTurns
from eagerdiff.harness.campaign.ground import Ground
from eagerdiff.harness.campaign.harvest import Harvest
from eagerdiff.harness.campaign.journal import Journal, JournalEnded
from eagerdiff.harness.campaign.progress import Progress
from eagerdiff.harness.campaign.resumption import Resumption
from eagerdiff.harness.campaign.schedule import Schedule
from eagerdiff.harness.campaign.shared import Shared
from eagerdiff.harness.campaign.slot import Slot
from eagerdiff.harness.campaign.target import Target, closed_row, survey, target_of
from eagerdiff.harness.campaign.workforce import Here, Workforce
from eagerdiff.harness.catalog.catalog import Catalog, our_operators
from eagerdiff.harness.corpus.turns import LastTurn
from eagerdiff.harness.devices import Device, parse
from eagerdiff.harness.history.judged import Judged
from eagerdiff.harness.model.implementation import Implementation
from eagerdiff.harness.model.outcome import Outcome
from eagerdiff.harness.model.shard import WHOLE, Shard
from eagerdiff.harness.model.workload import Workload
from eagerdiff.harness.processes import Limits, WorkerPool
from eagerdiff.harness.processes.catalog_tasks import worker_pool
from eagerdiff.harness.results.coverage import Vocabulary
from eagerdiff.harness.results.environment import environment
from eagerdiff.harness.results.results import Results, Row
from eagerdiff.harness.search.hunt import Shrinking
from eagerdiff.harness.triage.known import Known

GRACE = 2.0
"""Seconds after the deadline in which a workload under way may end."""
END_SECONDS = 10.0
"""Most that the slots have to end, once their workers are killed."""
HURRIED_SECONDS = 1.0
"""The same where it was told to stop twice: a verdict that is on record just then is counted still."""
CREWS_SECONDS = 10.0
"""How often it is written down how the machines stand that work on a campaign."""
FIRST_TURNS = 0.7
"""Share of the search that first turns may take."""
SHRINKING = 0.25
"""Share of the search that may go into making findings smaller."""


class Campaign:
    """Search a catalog for failures, in worker processes, until the budget is used up.

    `operators`, `implementations` (names, `operator/name` or specs) and `devices` narrow the search; by default every
    implementation runs on its `default_devices`. `known` holds what the corpus knows already. With a
    `journal` that exists the campaign goes on where the journal ends. The budget is the search's, all sessions on
    record included: neither start-up nor the importing of torch counts. Raises ValueError for a negative budget, an
    unknown device, and a journal of another seed or build or one that a running campaign writes.
    `shrink_seconds` bounds the shrinking of one finding: by default 10 to 60, less where a short budget must do for
    many streams. `worker_pool` lets several campaigns share their fork servers. `turns` remembers when each target was
    last judged in a first turn, and is kept up to date: what there is no time for comes first in the next campaign.
    `judged` holds workloads that campaigns before judged right: they are left out while others are drawn; this one's
    are added. `shard` leaves other batches to other machines. `workforce` has others work on it: then nothing runs in
    processes of this machine. `examples` is Hypothesis' example database, a folder or an address of Redis, which
    searches share: what failed there is run first, and what fails joins it.
    """

    def __init__(
        self,
        catalog: Catalog,
        *,
        operators: Sequence[str] | None = None,
        implementations: Sequence[str] | None = None,
        devices: Sequence[str] | None = None,
        budget: float = 300.0,
        seed: int = 0,
        slots: int | None = None,
        journal: Path | None = None,
        progress: Callable[[Progress], None] | None = None,
        known: Known | None = None,
        limits: Limits | None = None,
        shrink_seconds: float | None = None,
        worker_pool: WorkerPool | None = None,
        turns: dict[str, LastTurn] | None = None,
        judged: Judged | None = None,
        shard: Shard = WHOLE,
        workforce: Workforce | None = None,
        examples: str = "",
    ) -> None:
        if budget < 0:
            raise ValueError(f"the budget must not be negative: {budget}")
        self._catalog = catalog
        self._wanted = (_resolved(catalog, operators), _resolved(catalog, implementations))
        self._devices = [parse(name) for name in devices] if devices is not None else None
        self._environment = environment()
        self._build = build_of(self._environment)
        self._budget = budget
        self._seed = seed
        self._shard = shard
        self._workforce: Workforce = workforce or Here(slots or os.cpu_count() or 1)
        self._is_here = workforce is None
        self._slot_count = self._workforce.size
        self._journal_path = journal
        self._progress = progress or _ignore
        self._limits = limits or Limits.of_one_in(self._slot_count)
        self._worker_pool = worker_pool
        self._shrink_seconds = shrink_seconds
        self._judged = judged
        self._examples = examples
        if judged is not None:
            judged.begin(self._environment, catalog.revisions)
        self._first_turns = FirstTurns({} if turns is None else turns)
        self._known = known or Known()
        self._harvest = Harvest(self._known)
        self._problems = list(catalog.problems)
        self._targets, self._closed = self._look()
        self._on_record = Resumption(self._targets, self._harvest, self._closed)
        self._lock = threading.Lock()
        self._stops = 0
        """How often it was told to stop: a plain number, for a handler of a signal may not take a lock."""
        self._deadline = 0.0
        self._closing = False
        self._crews: list[CrewAt] = []
        self._lost = ""
        self._vocabularies: dict[str, Vocabulary] = {}

    def run(self, budget: float | None = None) -> Results:
        """Search, and return what was found; a Ctrl-C or `stop` ends it early with what there is.

        `budget` stands in for the one that it was made with, where some of that has been used meanwhile.
        Raises OSError where the journal cannot be opened; one that cannot be written to any more ends the search, and
        is said in `Results.broken`.
        """
        self._budget = self._budget if budget is None else budget
        began, started = time.monotonic(), datetime.now(UTC)
        with (
            tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
            Journal(self._journal_path or Path(folder) / "journal") as journal,
        ):
            earlier = journal.searched
            shard = "" if self._shard == WHOLE else str(self._shard)
            start = Began(seed=self._seed, build=self._build, shard=shard, budget=self._budget)
            self._on_record.take_over(journal, start)
            with contextlib.suppress(JournalEnded):  # said as its failure
                journal.note(start)
            with self._processes() as worker_pool:
                self._read_vocabularies()
                if self._is_here:
                    self._prepare(worker_pool)
                journal.search()
                self._deadline = time.monotonic() + self._budget - earlier
                shared = self._share(journal, worker_pool)
                slots, interrupted = self._drive(shared, journal)
                with self._lock:
                    self._closing = True  # a slot that did not end changes nothing any more
        results = Account(
            targets=self._targets,
            elsewhere=self._on_record.elsewhere,
            closed=self._closed,
            harvest=self._harvest,
            known=self._known,
            first_turns=self._first_turns,
            vocabularies=self._vocabularies.values(),
        ).results(time.monotonic() - began + earlier)
        results.environment = self._environment | _shown(slots)
        results.budget, results.seed = self._budget, self._seed
        results.shard = shard
        said = [*shared.problems, *self._workforce.complaints(), *_redone(shared), *_damage(journal)]
        results.problems = [*self._problems, *said]
        results.broken = self._broken(slots, journal, interrupted)
        results.started = started.isoformat(timespec="seconds")
        results.interrupted = interrupted
        results.add_up()
        return results

    @property
    def targets(self) -> Sequence[Target]:
        """What is searched, and how far each has come."""
        return self._targets

    def stop(self) -> None:
        """End the campaign soon, a second time at once; safe from any thread, and from the handler of a signal."""
        self._stops += 1

    def prepare(self) -> None:
        """Read the tables that operators draw from, and start the fork servers of the pool that was given.

        `run` does what is missing.
        """
        self._read_vocabularies()
        if self._worker_pool is not None and self._is_here:
            self._prepare(self._worker_pool)

    def _read_vocabularies(self) -> None:
        """Have tables read that a machine reads once: search processes have no time for that."""
        operators = {target.operator.name: target.operator for target in self._targets}
        for name, operator in operators.items():
            if operator.extras.vocabulary is None or name in self._vocabularies or self._stops:
                continue
            found = read_vocabulary(self._catalog.spec_of(name) or name, lambda: not self._stops)
            self._vocabularies[name] = found.model_copy(update={"operator": name})
            if found.problem:
                self._problems.append(f"{name}: {found.problem}")

    def _processes(self) -> contextlib.AbstractContextManager[WorkerPool]:
        if self._worker_pool is not None:
            return contextlib.nullcontext(self._worker_pool)  # the caller's to close
        names = {target.operator.name for target in self._targets}
        return worker_pool(self._catalog, names)

    def _look(self) -> tuple[list[Target], list[Row]]:
        """Return what the workforce can search, and the rows of what it cannot."""
        targets, closed = list[Target](), list[Row]()
        operators, ours = self._wanted[0], our_operators()
        names = [name for name in self._catalog.operators if operators is None or name in operators]
        for one, device, reason in survey(self._catalog, names, self._devices_of, self._workforce.obstacle):
            if reason is not None:
                closed.append(closed_row(one, device.name, reason))
            else:
                targets.append(target_of(self._catalog, one, device.name, ours=ours, shard=self._shard))
        return targets, closed

    def _devices_of(self, implementation: Implementation) -> Sequence[Device]:
        """Return the devices on which an implementation is searched; none where it is not asked for."""
        wanted, name = self._wanted[1], implementation.name
        if wanted is not None and wanted.isdisjoint({name, f"{implementation.operator}/{name}"}):
            return ()
        return self._devices or self._workforce.devices(implementation)

    def _join(self, schedule: Schedule) -> None:
        """Add what machines that came later can search, and none before them could."""
        targets, _ = self._look()
        there = {target.key for target in self._targets}
        for target in targets:
            if target.key not in there:
                self._on_record.opened(target)
                self._targets.append(target)
                schedule.add(target)

    def _share(self, journal: Journal, worker_pool: WorkerPool) -> Shared:
        share = self._budget * self._slot_count / (3 * max(1, len(self._targets)))
        self._first_turns.seconds = FIRST_TURNS * self._budget * self._slot_count
        slice_seconds = min(5.0, max(0.5, share))
        shrink_seconds = min(60.0, max(10.0, share)) if self._shrink_seconds is None else self._shrink_seconds
        return Shared(
            harvest=self._harvest,
            log=journal,
            worker_pool=worker_pool,
            limits=self._limits,
            shrinking=Shrinking(seconds=shrink_seconds),
            shrink_left=self._slot_count * max(SHRINKING * self._budget, shrink_seconds),
            seed=self._seed,
            deadline=self._deadline,
            slice_seconds=slice_seconds,
            account=self._account,
            judged=self._judged,
            examples=self._examples,
            siblings=lambda target: list(self._catalog.implementations[target.operator.name].values()),
        )

    def _prepare(self, worker_pool: WorkerPool) -> None:
        """Start the fork servers, unless the campaign is stopped meanwhile."""

        def prepare() -> None:
            with contextlib.suppress(OSError):  # said by the first workload that has no process
                worker_pool.prepare({target.device for target in self._targets})

        starting = threading.Thread(target=prepare, daemon=True)
        try:
            starting.start()
            while starting.is_alive() and not self._stops:
                starting.join(0.05)
        except KeyboardInterrupt:
            self._stops += 1

    def _drive(self, shared: Shared, journal: Journal) -> tuple[list[Slot], bool]:
        """Run a slot for each hand to its end; return them, and whether they were interrupted."""
        interrupted, ground, slots = self._stops > 0, Ground(), list[Slot]()
        schedule = Schedule(self._targets, shared.slice_seconds, self._first_turns)

        def begin() -> None:
            hands, first = self._workforce.hands(), not slots
            if hands and not first:
                self._join(schedule)
            for hand in hands:
                slots.append(Slot(len(slots), hand, schedule, shared))
                slots[-1].start()

        told = 0.0
        try:
            if not interrupted:
                begin()
            while any(slot.is_alive() for slot in slots) and not self._stops and not journal.failure:
                time.sleep(0.05)
                begin()
                told = self._tell_crews(journal, told)
                self._lost = ground.lost()
                if self._lost:
                    self._lost += ": the search ended, and what failed last may be due to that"
                    break
                if time.monotonic() > self._deadline + GRACE:
                    for slot in slots:
                        if not slot.hand.shrinking:
                            slot.hand.stop()
        except KeyboardInterrupt:
            interrupted = True
        journal.end()
        with contextlib.suppress(KeyboardInterrupt):  # whoever presses again wants no more waiting
            self._end(slots)
        return slots, interrupted or self._stops > 0

    def _tell_crews(self, journal: Journal, told: float) -> float:
        """Write down now and then how the machines stand that work on it; return when that was done last."""
        now = time.monotonic()
        if now - told < CREWS_SECONDS or not (crews := self._workforce.crews()):
            return told
        self._crews = crews
        with contextlib.suppress(JournalEnded):  # said as its failure
            journal.note(Crews(crews=crews))
        return now

    def _end(self, slots: list[Slot]) -> None:
        """Stop the slots, and wait for them to end."""
        for slot in slots:
            slot.hand.stop()
        began = time.monotonic()
        while any(slot.is_alive() for slot in slots):
            if time.monotonic() - began > (END_SECONDS if self._stops < 2 else HURRIED_SECONDS):
                return
            time.sleep(0.02)

    def _broken(self, slots: list[Slot], journal: Journal, interrupted: bool) -> list[str]:
        """Say, one line each, what ended the search before its time."""
        said = [line for line in (journal.failure, self._lost) if line]
        said += [f"{slot.name} died: {slot.died}" for slot in slots if slot.died]
        if interrupted or said:
            return said
        said += [f"{slot.name} did not end" for slot in slots if slot.is_alive()]
        left = self._deadline - time.monotonic()
        if left > GRACE and not all(target.closed for target in self._targets):
            said.append(f"the search ended {left:.0f} s before its time")
        return said

    def _account(
        self, target: Target, workload: Workload, about: tuple[str, ...], outcome: Outcome, shrinking: bool
    ) -> None:
        with self._lock:
            if self._closing:
                return
            target.tally.add(workload.to_data(), outcome, about, shrinking=shrinking)
            if self._judged is not None and outcome.right and not shrinking:
                self._judged.add(str(target.key), workload.digest)
            rows = [other.tally.row for other in self._targets]
            progress = Progress(
                operator=target.operator.name,
                implementation=target.implementation.name,
                device=target.device,
                cases=sum(row.cases for row in rows),
                workloads=sum(row.workloads for row in rows),
                compiles=sum(row.compiles for row in rows),
                findings=self._harvest.count,
                skipped=sum(row.skipped for row in rows),
                seconds_left=max(0.0, self._deadline - time.monotonic()),
                crews=self._crews,
                shrinking=shrinking,
            )
            self._progress(progress)


def _resolved(catalog: Catalog, names: Sequence[str] | None) -> set[str] | None:
    """Replace specs by the names that they stand for."""
    if names is None:
        return None
    return {found for name in names for found in catalog.specs.get(name, [name])}


def build_of(found: dict[str, str]) -> str:
    """Return what an environment searches, in one line: the releases and the commit."""
    commit, _, changes = found["commit"].partition("+")
    commit = commit[:12] + (f"+{changes}" if changes else "")
    return f"torch {found['torch']}, triton {found['triton']}, commit {commit}"


def _shown(slots: Sequence[Slot]) -> dict[str, str]:
    """Return how busy the slots were, as the report shows it."""
    shares = [slot.hand.busy / max(slot.lived - slot.hand.waited, 1e-9) for slot in slots]
    waited = max((slot.hand.waited for slot in slots), default=0.0)
    return {
        "slots": str(len(slots)),
        "startup_seconds": f"{waited:.1f}",
        "utilisation": " ".join(f"{100 * share:.0f}%" for share in shares),
    }


def _ignore(progress: Progress) -> None:
    """Do nothing: no one watches."""


def _redone(shared: Shared) -> list[str]:
    """Say what was lost with machines, and done again."""
    if not (shared.lost or shared.redone):
        return []
    turns = "1 turn" if shared.lost == 1 else f"{shared.lost} turns"
    again = f"{shared.redone} {'workload' if shared.redone == 1 else 'workloads'} ran again, counted once"
    return [f"{turns} ended with the machine that was at it, and went on elsewhere; {again}"]


def _damage(journal: Journal) -> list[str]:
    """Say how many lines of a journal were passed over."""
    count = journal.record.damaged
    noun = "1 damaged line was" if count == 1 else f"{count} damaged lines were"
    return [f"{journal.path}: {noun} passed over"] if count else []
