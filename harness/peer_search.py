"""Peers' grids run against planted faults: what the fixed shapes that others publish find, and when."""

import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from harness.attempt import Attempt, GridUse, PeerAttempt
from harness.case import Case
from harness.catalog import Catalog
from harness.faults import Fault, FaultError, plant
from harness.operator import Operator
from harness.outcome import Outcome
from harness.peer_order import order_cases, work
from harness.processes import Limits, Nursery, Task, Worker
from harness.processes.nursery import Stillborn
from harness.verdict import Status
from harness.workload import Workload

CASE_SECONDS = 20.0
"""A case that takes the source without a fault longer is not run: nor are those of its grid that are more work."""
_UNRUN = (Status.TIMED_OUT, Status.OUT_OF_MEMORY)


@dataclass
class _Lane:
    """Hold one grid's cases in the order in which they are run, and what the clean source makes of them."""

    name: str
    cases: list[Case]
    works: list[float]
    use: GridUse
    clean: dict[int, Outcome] = field(default_factory=dict[int, Outcome])
    """By index, what was found out so far."""
    limit: float = float("inf")
    """The least work of a case that was too large."""

    def fits(self, index: int, run: Callable[[Case], Outcome], lock: threading.Lock) -> bool:
        """Return whether the clean source passes a case, which is run once for all faults."""
        if self.works[index] >= self.limit:
            return False
        if index not in self.clean:
            outcome = run(self.cases[index])
            with lock:
                if self.clean.setdefault(index, outcome) is outcome:
                    self._note(index, outcome)
        outcome = self.clean[index]
        return outcome.first_failure is None and not _skipped(outcome)

    def _note(self, index: int, outcome: Outcome) -> None:
        failure = outcome.first_failure
        if failure is not None and failure.status in _UNRUN:
            self.limit = min(self.limit, self.works[index])
            self.use.too_large = sum(work >= self.limit for work in self.works)
        elif failure is not None:
            self.use.refused += 1
        elif _skipped(outcome):
            self.use.unsupported += 1


def _skipped(outcome: Outcome) -> bool:
    return any(verdict.status is Status.SKIPPED for verdict in (*outcome.verdicts, outcome.workload))


@dataclass
class _Hunt:
    """Run the lanes of one fault's implementation in turn: next comes the one that has taken the least time so far."""

    task: Task
    """With the root of the spoilt source."""
    spoilt: Worker
    clean: Worker
    lanes: Sequence[_Lane]
    row: PeerAttempt
    lock: threading.Lock

    def run(self, budget: float, going: Callable[[], bool]) -> None:
        """Run cases until one fails, the grids end or `budget` seconds are spent on the spoilt source."""
        spent = [0.0] * len(self.lanes)
        positions = [0] * len(self.lanes)
        while self.row.seconds < budget and not self.row.found and going():
            open_lanes = [i for i, lane in enumerate(self.lanes) if positions[i] < len(lane.cases)]
            if not open_lanes:
                return
            chosen = min(open_lanes, key=lambda i: spent[i])
            lane, index = self.lanes[chosen], positions[chosen]
            positions[chosen] += 1
            if not lane.fits(index, lambda case, lane=lane: self._run(self.clean, lane, case, CASE_SECONDS), self.lock):
                continue
            start = time.perf_counter()
            outcome = self._run(self.spoilt, lane, lane.cases[index], 10.0 + 3 * lane.clean[index].seconds)
            seconds = time.perf_counter() - start
            spent[chosen] += seconds
            self.row.seconds += seconds
            self.row.cases += 1
            self._look(lane, outcome)

    def _run(self, worker: Worker, lane: _Lane, case: Case, seconds: float) -> Outcome:
        root = self.task.source_root if worker is self.spoilt else ""
        task = self.task.model_copy(update={"source_root": root, "peer_grid": lane.name})
        return worker.run(task.with_cases(Workload((case,))), seconds)

    def _look(self, lane: _Lane, outcome: Outcome) -> None:
        verdict = outcome.first_failure
        if verdict is None:
            return
        if verdict.oracle == "load":
            raise FaultError(verdict.reason)
        self.row.found, self.row.grid = True, lane.name
        self.row.status, self.row.reason = verdict.status.value, verdict.reason


def search_peers(
    faults: Sequence[Fault],
    attempts: Sequence[Attempt],
    catalog: Catalog,
    *,
    budget: float,
    slots: int = 2,
    progress: Callable[[PeerAttempt], None] = lambda row: None,
) -> tuple[list[PeerAttempt], list[GridUse]]:
    """Run the operators' peer grids against each fault on the device of its attempt, for `budget` seconds each.

    A case counts only where the source without the fault passes it under the same rule; that run costs the grid no
    time. `progress` is called, from a worker thread, when one ends.
    """
    rows = [PeerAttempt(id=fault.id, problem=attempt.problem) for fault, attempt in zip(faults, attempts, strict=True)]
    lanes = _lay_lanes(faults, catalog)
    lock, halted = threading.Lock(), threading.Event()

    def hunt(fault: Fault, attempt: Attempt, row: PeerAttempt, nursery: Nursery) -> None:
        mine = lanes[fault.operator, fault.implementation]
        row.of = sum(len(lane.cases) for lane in mine)
        try:
            if row.of and not row.problem:
                _hunt(fault, attempt.device, row, mine, nursery, budget, lock, lambda: not halted.is_set())
        except (FaultError, Stillborn, OSError) as error:
            row.problem = f"{type(error).__name__}: {error}"
        with lock:
            progress(row)

    with Nursery() as nursery, ThreadPoolExecutor(slots) as pool:
        try:
            triples = zip(faults, attempts, rows, strict=True)
            for future in [pool.submit(hunt, *triple, nursery) for triple in triples]:
                future.result()
        except KeyboardInterrupt:
            halted.set()
            pool.shutdown(cancel_futures=True)
            raise
    return rows, [lane.use for found in lanes.values() for lane in found]


def _lay_lanes(faults: Sequence[Fault], catalog: Catalog) -> dict[tuple[str, str], list[_Lane]]:
    """Expand and order the grids of every implementation that has faults."""
    named = dict.fromkeys((fault.operator, fault.implementation) for fault in faults)
    return {pair: _lanes_of(catalog.operators[pair[0]], pair[1]) for pair in named}


def _lanes_of(operator: Operator, implementation: str) -> list[_Lane]:
    lanes: list[_Lane] = []
    for grid in operator.peer_grids:
        cases = order_cases(operator, grid.cases())
        use = GridUse(
            grid=grid.name, implementation=implementation, rule=str(grid.rule), cases=len(cases), note=grid.note
        )
        lanes.append(_Lane(grid.name, cases, [work(operator, case) for case in cases], use))
    return lanes


def _hunt(
    fault: Fault,
    device: str,
    row: PeerAttempt,
    lanes: Sequence[_Lane],
    nursery: Nursery,
    budget: float,
    lock: threading.Lock,
    going: Callable[[], bool],
) -> None:
    task = Task(operator=fault.operator, implementation=fault.implementation, workload=[])
    with (
        tempfile.TemporaryDirectory(prefix="eagerdiff-fault-") as folder,
        Worker(device, Limits(), nursery) as spoilt,
        Worker(device, Limits(), nursery) as clean,
    ):
        for worker_catalog in (False, True):
            nursery.zygote(device, catalog=worker_catalog)  # importing torch is not part of the search
        root = str(plant(fault, Path(folder)))
        _Hunt(task.model_copy(update={"source_root": root}), spoilt, clean, lanes, row, lock).run(budget, going)
