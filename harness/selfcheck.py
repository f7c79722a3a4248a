"""Selfcheck: does the ordinary search find the defects that we planted?"""

import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from harness import devices
from harness.attempt import Attempt
from harness.catalog import Catalog
from harness.faults import Fault, FaultError, plant
from harness.finding import Finding
from harness.implementation import Implementation
from harness.outcome import Outcome
from harness.processes import Limits, Nursery, Task, Worker
from harness.processes.nursery import Stillborn
from harness.search.backed import ask_backed
from harness.search.chunk import Chunk, Shrinking
from harness.workload import Workload


class Selfcheck(BaseModel):
    """Sum up a selfcheck; the file that `eagerdiff selfcheck --json` writes."""

    model_config = ConfigDict(extra="forbid")

    faults: int
    found: int
    missed: list[str]
    seconds: dict[str, float]
    """median and p95 over the faults that were found; empty where none was."""
    rows: list[Attempt]

    @classmethod
    def of(cls, rows: Sequence[Attempt]) -> "Selfcheck":
        """Sum attempts up."""
        times = sorted(row.seconds for row in rows if row.found)
        seconds = {"median": statistics.median(times), "p95": _percentile(times, 0.95)} if times else {}
        missed = [row.id for row in rows if not row.found]
        return cls(faults=len(rows), found=len(times), missed=missed, seconds=seconds, rows=list(rows))


def _percentile(times: Sequence[float], share: float) -> float:
    return times[min(len(times) - 1, round(share * (len(times) - 1)))]


@dataclass
class _Attack:
    """Run the workloads of one fault's search, spoilt and clean, and keep the clock."""

    task: Task
    """With the root of the spoilt source."""
    spoilt: Worker
    clean: Worker
    row: Attempt
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
        outcome = self._outcomes[workload.digest] = self.spoilt.run(self.task.with_cases(workload))
        self.failed_at = time.perf_counter()
        self.row.workloads += 1
        self.row.cases += len(outcome.verdicts)
        return outcome

    def claim(self, finding: Finding) -> bool:
        """Return whether a failure is the fault's: the source without it passes the same workload."""
        seconds = self.failed_at - self.began
        if finding.workload != self._compared:
            self._compared = finding.workload
            clean = self.clean.run(self.task.model_copy(update={"workload": finding.workload, "source_root": ""}))
            self._clean_passes = clean.first_failure is None
        if not self._clean_passes:
            self.row.ignored += 1
            return False
        verdict = finding.verdict
        if verdict.oracle == "load":
            self.row.problem = verdict.reason
            return False
        self.row.found, self.row.seconds = True, seconds
        self.row.status, self.row.oracle, self.row.reason = verdict.status.value, verdict.oracle, verdict.reason
        finding.backed = ask_backed(finding, self.task, self.spoilt.run)
        self.row.defect = finding.defect.value
        return True


def selfcheck(
    faults: Sequence[Fault],
    catalog: Catalog,
    *,
    budget: float,
    seed: int = 0,
    slots: int = 2,
    progress: Callable[[Attempt], None] = lambda row: None,
) -> Selfcheck:
    """Search for each fault with the ordinary search, `slots` at a time, for at most `budget` seconds each.

    Each search stops at the first failure that the source without the fault does not show. `progress` is called, from
    a worker thread, when one ends. Raises FaultError for a fault whose implementation is not there.
    """
    rows = [_row(fault, catalog) for fault in faults]
    lock, halted = threading.Lock(), threading.Event()
    with Nursery() as nursery, ThreadPoolExecutor(slots) as pool:
        for device in sorted({row.device for row in rows if not row.problem}):
            for catalogued in (False, True):
                pool.submit(nursery.zygote, device, catalog=catalogued)  # importing torch is not part of the search

        def attack(fault: Fault, row: Attempt) -> None:
            try:
                if not row.problem:
                    _attack(fault, row, catalog, nursery, budget, seed, halted)
            except (FaultError, Stillborn, OSError) as error:
                row.problem = f"{type(error).__name__}: {error}"
            with lock:
                progress(row)

        try:
            for future in [pool.submit(attack, fault, row) for fault, row in zip(faults, rows, strict=True)]:
                future.result()
        except KeyboardInterrupt:
            halted.set()
            pool.shutdown(cancel_futures=True)
            raise
    return Selfcheck.of(rows)


def _row(fault: Fault, catalog: Catalog) -> Attempt:
    try:
        implementation = catalog.implementation(fault.operator, fault.implementation)
    except KeyError as error:
        raise FaultError(f"fault {fault.id}: {error.args[0]}") from error
    device = _device(implementation)
    row = Attempt(id=fault.id, operator=fault.operator, implementation=fault.implementation, device=device)
    if not device:
        row.problem = f"none of its devices is here: {', '.join(implementation.devices)}"
    return row


def _device(implementation: Implementation) -> str:
    here = (name for name in implementation.devices if devices.parse(name).unavailable() is None)
    return next(here, "")


def _attack(
    fault: Fault, row: Attempt, catalog: Catalog, nursery: Nursery, budget: float, seed: int, halted: threading.Event
) -> None:
    operator = catalog.operators[fault.operator]
    implementation = catalog.implementation(fault.operator, fault.implementation)
    task = Task(operator=fault.operator, implementation=fault.implementation, workload=[])
    limits = Limits(case_seconds=min(Limits().case_seconds, budget / 3))  # a hang is to be found within the budget
    with (
        tempfile.TemporaryDirectory(prefix="eagerdiff-fault-") as folder,
        Worker(row.device, limits, nursery) as spoilt,
        Worker(row.device, limits, nursery) as clean,
    ):
        for worker_catalog in (False, True):
            nursery.zygote(row.device, catalog=worker_catalog)
        root = str(plant(fault, Path(folder)))
        hunt = _Attack(task.model_copy(update={"source_root": root}), spoilt, clean, row)
        ends = time.perf_counter() + budget
        index = 0

        def going() -> bool:
            return time.perf_counter() < ends and not halted.is_set()

        while not row.found and not row.problem and going():
            chunk = Chunk(operator, implementation, row.device, index=index, campaign_seed=seed)
            report = chunk.explore(hunt.run, hunt.claim, going, Shrinking(runs=0))
            row.problem = report.problem
            index += 1
        if not row.found:
            row.seconds = time.perf_counter() - (hunt.began or time.perf_counter())
