"""A second look at a campaign: close passes and wrong values once more in float64, where rounding cannot be the cause.

What differs in float64 too is a defect, whatever the first look said; what agrees there was off by rounding at most,
or is wrong in narrow dtypes alone.
"""

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from eagerdiff.harness import devices
from eagerdiff.harness.campaign.events import Judged, Started, TargetKey
from eagerdiff.harness.campaign.record import Record
from eagerdiff.harness.catalog.catalog import Catalog
from eagerdiff.harness.model.verdict import Status, Verdict
from eagerdiff.harness.model.workload import Workload
from eagerdiff.harness.processes import Worker, WorkerPool
from eagerdiff.harness.processes.catalog_tasks import task_for
from eagerdiff.harness.triage.finding import Finding

CLOSE = 0.5
"""Share of what is allowed from which a pass is close."""
VALUES = (Status.WRONG_VALUE, Status.WRONG_MUTATION, Status.WRONG_SHAPE)
"""Statuses of findings that rounding might explain."""


@dataclass(frozen=True)
class Look:
    """Name a call that is looked at again: the last of its workload."""

    operator: str
    implementation: str
    device: str
    workload: Sequence[dict[str, object]]
    first: Verdict
    """What it came to."""


@dataclass(frozen=True)
class Second:
    """Say what a call comes to in float64."""

    look: Look
    status: Status
    reason: str = ""

    @property
    def missed(self) -> bool:
        """Whether a call that passed is wrong."""
        return not self.look.first.failed and self.status in VALUES


def close_passes(record: Record, catalog: Catalog, count: int, seed: int = 0) -> tuple[list[Look], int]:
    """Draw some of the calls on record that passed with more than `CLOSE` of what is allowed; return how many did.

    Operators that are not in the catalog, or that have no float64, are left out.
    """
    found = [look for look in _close(record) if _has_float64(look.operator, catalog)]
    return random.Random(seed).sample(found, min(count, len(found))), len(found)


def _close(record: Record) -> Iterator[Look]:
    workloads: dict[tuple[TargetKey, str], list[dict[str, object]]] = {}
    for event in record.events():
        if isinstance(event, Started):
            workloads[event.target, event.digest] = event.workload
        elif isinstance(event, Judged):
            workload = workloads.pop((event.target, event.digest), [])
            for index, verdict in enumerate(event.outcome.verdicts if workload else ()):
                if verdict.status is Status.PASSED and verdict.numbers.get("excess", 0.0) > CLOSE:
                    yield Look(*event.target, workload[: index + 1], verdict)


def wrong_values(findings: Iterable[Finding], catalog: Catalog) -> list[Look]:
    """Return the findings that rounding might explain, of operators that have a float64."""
    return [
        Look(found.operator, found.implementation, found.device, found.workload, found.verdict)
        for found in findings
        if found.verdict.status in VALUES and _has_float64(found.operator, catalog)
    ]


def _has_float64(operator: str, catalog: Catalog) -> bool:
    found = catalog.operators.get(operator)
    return found is not None and found.judging.in_float64 is not None


def look_again(
    looks: Sequence[Look], catalog: Catalog, *, slots: int = 1, progress: Callable[[Second], None] = lambda row: None
) -> list[Second]:
    """Run each call's workload in float64, `slots` at a time; SKIPPED where it has no such twin or cannot run."""
    with WorkerPool() as worker_pool, ThreadPoolExecutor(slots) as pool:

        def look(one: Look) -> Second:
            done = _second(one, catalog, worker_pool)
            progress(done)
            return done

        return list(pool.map(look, looks))


def _second(look: Look, catalog: Catalog, worker_pool: WorkerPool) -> Second:
    operator = catalog.operator(look.operator)
    try:
        catalog.implementation(look.operator, look.implementation)
        devices.parse(look.device)
        workload = Workload.from_data(operator.case, look.workload)
    except (KeyError, ValueError) as error:  # what a report says need not be so
        return Second(look, Status.SKIPPED, " ".join(str(error.args[0] if error.args else error).split())[:200])
    wide = operator.judging.in_float64(workload) if operator.judging.in_float64 is not None else None
    if wide is None:
        return Second(look, Status.SKIPPED, "it has no twin in float64")
    task = task_for(catalog, look.operator, look.implementation).with_cases(wide)
    with Worker(look.device, worker_pool=worker_pool) as worker:
        outcome = worker.run(task)
    verdict = outcome.first_failure or (outcome.verdicts[-1] if outcome.verdicts else outcome.workload)
    return Second(look, verdict.status, verdict.reason)
