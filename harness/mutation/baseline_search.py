"""Baseline suites run against planted faults: what the fixed shapes that others publish find, and when."""

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from eagerdiff.harness.catalog.catalog import Catalog
from eagerdiff.harness.model.baseline_suite import BaselineSuite
from eagerdiff.harness.model.case import Case
from eagerdiff.harness.model.operator import Operator
from eagerdiff.harness.model.outcome import Outcome
from eagerdiff.harness.model.verdict import Status
from eagerdiff.harness.model.workload import Workload
from eagerdiff.harness.mutation.baseline_order import order_cases, work
from eagerdiff.harness.mutation.faults import Fault, FaultError
from eagerdiff.harness.mutation.trial import Trial, planted, try_each
from eagerdiff.harness.processes import Limits, WorkerPool
from eagerdiff.harness.results.attempt import Attempt, BaselineAttempt, SuiteUse

CASE_SECONDS = 20.0
"""A case that takes the source without a fault longer is not run: nor are those of its suite that are more work."""
_UNRUN = (Status.TIMED_OUT, Status.OUT_OF_MEMORY)


@dataclass
class _Lane:
    """Hold one suite's cases in the order in which they are run, and what the clean source makes of them."""

    name: str
    cases: list[Case]
    works: list[float]
    use: SuiteUse
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

    trial: Trial
    lanes: Sequence[_Lane]
    row: BaselineAttempt
    lock: threading.Lock
    hangs: bool = False
    """Whether the fault is a hang: of no other does a time-out count."""

    def run(self, budget: float, going: Callable[[], bool]) -> None:
        """Run cases until one fails, the suites end or `budget` seconds are spent on the spoilt source."""
        spent = [0.0] * len(self.lanes)
        positions = [0] * len(self.lanes)
        while self.row.seconds < budget and not self.row.found and going():
            open_lanes = [i for i, lane in enumerate(self.lanes) if positions[i] < len(lane.cases)]
            if not open_lanes:
                return
            chosen = min(open_lanes, key=lambda i: spent[i])
            lane, index = self.lanes[chosen], positions[chosen]
            positions[chosen] += 1
            if not lane.fits(index, lambda case, lane=lane: self._run("", lane, case, CASE_SECONDS), self.lock):
                continue
            start = time.perf_counter()
            limit = 10.0 + 3 * lane.clean[index].seconds
            outcome = self._run(self.trial.task.source_root, lane, lane.cases[index], limit)
            seconds = time.perf_counter() - start
            spent[chosen] += seconds
            self.row.seconds += seconds
            self.row.cases += 1
            self._look(lane, outcome)

    def _run(self, root: str, lane: _Lane, case: Case, seconds: float) -> Outcome:
        """Run a case on the spoilt source, or, without a root, on the clean one."""
        worker = self.trial.spoilt if root else self.trial.clean
        task = self.trial.task.model_copy(update={"source_root": root, "baseline_suite": lane.name})
        limits = worker.limits.model_copy(update={"case_seconds": seconds, "idle_seconds": seconds})
        return worker.run(task.with_cases(Workload((case,))), limits)

    def _look(self, lane: _Lane, outcome: Outcome) -> None:
        verdict = outcome.first_failure
        if outcome.workload.status is Status.HARNESS_ERROR:
            raise FaultError(outcome.workload.reason)
        if verdict is None or (verdict.status is Status.TIMED_OUT and not self.hangs):
            return
        self.row.found, self.row.suite = True, lane.name
        self.row.status, self.row.reason = verdict.status.value, verdict.reason


def search_baselines(
    faults: Sequence[Fault],
    attempts: Sequence[Attempt],
    catalog: Catalog,
    *,
    budget: float,
    slots: int = 2,
    progress: Callable[[BaselineAttempt], None] = lambda row: None,
) -> tuple[list[BaselineAttempt], list[SuiteUse]]:
    """Run the operators' baseline suites against each fault on the device of its attempt, for `budget` seconds each.

    A case counts only where the source without the fault passes it under the same rule; that run costs the suite no
    time. `progress` is called, from a worker thread, when one ends.
    """
    rows = [
        BaselineAttempt(id=fault.id, problem=attempt.problem) for fault, attempt in zip(faults, attempts, strict=True)
    ]
    lanes = _lay_lanes(faults, catalog)
    devices = {attempt.id: attempt.device for attempt in attempts}
    lock = threading.Lock()

    def hunt(fault: Fault, row: BaselineAttempt, worker_pool: WorkerPool, going: Callable[[], bool]) -> None:
        mine = lanes[fault.operator, fault.implementation]
        row.of = sum(len(lane.cases) for lane in mine)
        if row.of:
            with planted(fault, devices[fault.id], Limits(), worker_pool) as trial:
                _Hunt(trial, mine, row, lock, fault.hangs).run(budget, going)

    try_each(list(zip(faults, rows, strict=True)), hunt, slots=slots, progress=progress)
    return rows, [lane.use for found in lanes.values() for lane in found]


def _lay_lanes(faults: Sequence[Fault], catalog: Catalog) -> dict[tuple[str, str], list[_Lane]]:
    """Expand and order the suites of every implementation that has faults, each operator's once."""
    named = dict.fromkeys((fault.operator, fault.implementation) for fault in faults)
    ordered = {name: _order(catalog.operators[name]) for name, _ in named}
    return {pair: [_lane(suite, cases, works, pair[1]) for suite, cases, works in ordered[pair[0]]] for pair in named}


def _order(operator: Operator) -> list[tuple[BaselineSuite, list[Case], list[float]]]:
    """Return each suite with its cases in the order in which they are run, and how much work they are."""
    ordered = [(suite, order_cases(operator, suite.cases())) for suite in operator.extras.baseline_suites]
    return [(suite, cases, [work(operator, case) for case in cases]) for suite, cases in ordered]


def _lane(suite: BaselineSuite, cases: list[Case], works: list[float], implementation: str) -> _Lane:
    use = SuiteUse(
        suite=suite.name, implementation=implementation, rule=str(suite.rule), cases=len(cases), note=suite.note
    )
    return _Lane(suite.name, cases, works, use)
