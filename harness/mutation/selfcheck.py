"""Selfcheck: does the ordinary search find the defects that we planted?"""

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel, ConfigDict

from eagerdiff.harness import devices
from eagerdiff.harness.catalog.catalog import Catalog
from eagerdiff.harness.catalog.requirements import unmet
from eagerdiff.harness.model.implementation import Implementation
from eagerdiff.harness.model.outcome import Outcome
from eagerdiff.harness.model.verdict import Status
from eagerdiff.harness.model.workload import Workload
from eagerdiff.harness.mutation.faults import Fault, FaultError
from eagerdiff.harness.mutation.trial import Trial, planted, try_each
from eagerdiff.harness.processes import Limits, WorkerPool
from eagerdiff.harness.results.attempt import Attempt
from eagerdiff.harness.search.backed import ask_backed, backed_twin
from eagerdiff.harness.search.batch import Batch
from eagerdiff.harness.search.hunt import Shrinking
from eagerdiff.harness.triage.finding import Finding

DRAWING_SECONDS = 60.0
"""More than the first workload takes to be drawn, on a machine that is busy: a budget begins when it is run."""


class Selfcheck(BaseModel):
    """Sum up a selfcheck; the file that `eagerdiff selfcheck --json` writes."""

    model_config = ConfigDict(extra="forbid")

    faults: int
    found: int
    missed: list[str]
    seconds: dict[str, float]
    """median and p95 over the faults that were found; empty where none was."""
    cases: dict[str, float]
    """The same of the cases that were judged until then: what a slow machine does not change."""
    rows: list[Attempt]

    @classmethod
    def of(cls, rows: Sequence[Attempt]) -> "Selfcheck":
        """Sum attempts up."""
        found = [row for row in rows if row.found]
        seconds, cases = _spread([row.seconds for row in found]), _spread([row.cases for row in found])
        missed = [row.id for row in rows if not row.found]
        return cls(faults=len(rows), found=len(found), missed=missed, seconds=seconds, cases=cases, rows=list(rows))


def _spread(figures: Sequence[float]) -> dict[str, float]:
    """Return median and 95th percentile; empty without figures."""
    ranked = sorted(figures)
    return {"median": statistics.median(ranked), "p95": ranked[round(0.95 * (len(ranked) - 1))]} if ranked else {}


@dataclass
class _Attack:
    """Run the workloads of one fault's search, spoilt and clean, and keep the clock."""

    trial: Trial
    row: Attempt
    hangs: bool = False
    """Whether the fault is a hang."""
    twin: Implementation | None = None
    """The same way of compiling with backed sizes, where the fault is in one with unbacked ones."""
    began: float = 0.0
    failed_at: float = 0.0
    _outcomes: dict[str, Outcome] = field(default_factory=dict[str, Outcome])
    _compared: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    _clean_passes: bool = False

    def run(self, workload: Workload) -> Outcome:
        """Run a workload on the spoilt source; the same workload is run once."""
        self.began = self.began or time.perf_counter()
        if (known := self._outcomes.get(workload.digest)) is not None:
            return known
        outcome = self._outcomes[workload.digest] = self.trial.spoilt.run(self.trial.task.with_cases(workload))
        self.failed_at = time.perf_counter()
        self.row.workloads += 1
        # Where the process died over a case, that one has no verdict, and the workload's is about it.
        judged = min(len(workload.cases), len(outcome.verdicts) + outcome.workload.failed)
        self.row.cases += judged
        if outcome.refused:
            self.row.stood_in[outcome.refused] = self.row.stood_in.get(outcome.refused, 0) + judged
        broken = [one for one in (*outcome.verdicts, outcome.workload) if one.status is Status.HARNESS_ERROR]
        self.row.harness_errors += len(broken)
        if outcome.workload in broken:  # it would say so of every workload
            self.row.problem = outcome.workload.reason
        return outcome

    def claim(self, finding: Finding) -> bool:
        """Return whether a failure is the fault's: the source without it passes the same workload.

        A time-out is the fault's only where it is a hang.
        """
        seconds = self.failed_at - self.began
        if finding.verdict.status is Status.TIMED_OUT and not self.hangs:
            self.row.timed_out += 1
            return False
        if finding.workload != self._compared:
            self._compared = finding.workload
            task = self.trial.task.model_copy(update={"workload": finding.workload, "source_root": ""})
            clean = self.trial.clean.run(task)
            self._clean_passes = clean.first_failure is None
        if not self._clean_passes:
            self.row.ignored += 1
            return False
        verdict = finding.verdict
        self.row.found, self.row.seconds = True, seconds
        self.row.status, self.row.oracle, self.row.reason = verdict.status.value, verdict.decided_by, verdict.reason
        twin = self.trial.task.model_copy(update={"implementation": self.twin.name}) if self.twin else None
        finding.backed = ask_backed(finding, twin, self.trial.spoilt.run)
        self.row.defect = finding.defect.value
        return True


def selfcheck(
    faults: Sequence[Fault],
    catalog: Catalog,
    *,
    budget: float,
    seed: int = 0,
    slots: int = 2,
    device: str = "",
    progress: Callable[[Attempt], None] = lambda row: None,
) -> Selfcheck:
    """Search for each fault with the ordinary search, `slots` at a time, for at most `budget` seconds each.

    It runs on `device`, by default on the first of an implementation's `default_devices` that is here. Each search
    stops at the first failure that the source without the fault does not show. `progress` is called, from a worker
    thread, when one ends. Raises FaultError for a fault whose implementation is not there.
    """
    rows = [_row(fault, catalog, device) for fault in faults]

    def attack(fault: Fault, row: Attempt, worker_pool: WorkerPool, going: Callable[[], bool]) -> None:
        # A hang is to be found within the budget.
        limits = Limits().sooner(min(1.0, budget / 3 / Limits().case_seconds))
        with planted(fault, row.device, limits, worker_pool) as trial:
            implementation = catalog.implementation(fault.operator, fault.implementation)
            twin = backed_twin(implementation, catalog.implementations[fault.operator].values())
            _attack(_Attack(trial, row, fault.hangs, twin), catalog, budget, seed, going)

    try_each(list(zip(faults, rows, strict=True)), attack, slots=slots, progress=progress)
    return Selfcheck.of(rows)


def _row(fault: Fault, catalog: Catalog, asked: str) -> Attempt:
    try:
        implementation = catalog.implementation(fault.operator, fault.implementation)
    except KeyError as error:
        raise FaultError(f"fault {fault.id}: {error.args[0]}") from error
    device = asked if implementation.runs_on(asked) else "" if asked else _device(implementation)
    row = Attempt(id=fault.id, operator=fault.operator, implementation=fault.implementation, device=device)
    if not device:
        why = f"it does not run on {asked}" if asked else "none of its devices is here"
        row.problem = f"{why}: {', '.join(implementation.devices)}"
    else:
        row.problem = unmet(implementation.requires, devices.parse(device)) or ""
    return row


def _device(implementation: Implementation) -> str:
    names = devices.default_devices(implementation)
    return next((name for name in names if devices.parse(name).unavailable() is None), "")


def _attack(attack: _Attack, catalog: Catalog, budget: float, seed: int, going: Callable[[], bool]) -> None:
    row = attack.row
    operator, implementation = catalog.operators[row.operator], catalog.implementation(row.operator, row.implementation)
    started = time.perf_counter()
    index = 0

    def on() -> bool:
        ends = (attack.began or started + DRAWING_SECONDS) + budget
        return time.perf_counter() < ends and going()

    while not row.found and not row.problem and on():
        batch = Batch(operator, implementation, row.device, index=index, campaign_seed=seed)
        report = batch.explore(attack.run, attack.claim, on, Shrinking(runs=0))
        row.harness_errors += bool(report.broken)
        row.problem = row.problem or report.broken
        index += 1
    if not row.found:
        row.seconds = time.perf_counter() - (attack.began or time.perf_counter())
