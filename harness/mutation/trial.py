"""Trials: planted faults tried several at a time, each with a worker on the spoilt source and one on the clean."""

import contextlib
import tempfile
import threading
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from eagerdiff.harness.mutation.faults import Fault, FaultError, plant
from eagerdiff.harness.processes import Limits, Task, Worker, WorkerPool
from eagerdiff.harness.processes.pool import WorkerStartError
from eagerdiff.harness.results.attempt import Attempt, BaselineAttempt

RowT = TypeVar("RowT", Attempt, BaselineAttempt)


@dataclass
class Trial:
    """Hold a planted fault and the processes to try it in."""

    task: Task
    """Without cases, with the root of the spoilt source."""
    spoilt: Worker
    clean: Worker


@contextlib.contextmanager
def planted(fault: Fault, device: str, limits: Limits, worker_pool: WorkerPool) -> Generator[Trial]:
    """Plant a fault in a copy of the source for as long as the context lasts.

    Raises FaultError, WorkerStartError or OSError.

    Importing torch is over when it begins: that is no part of a search.
    """
    task = Task(operator=fault.operator, implementation=fault.implementation, workload=[])
    with (
        tempfile.TemporaryDirectory(prefix="eagerdiff-fault-") as folder,
        Worker(device, limits, worker_pool) as spoilt,
        Worker(device, limits, worker_pool) as clean,
    ):
        for catalogued in (False, True):
            worker_pool.fork_server(device, catalog=catalogued)
        yield Trial(task.model_copy(update={"source_root": str(plant(fault, Path(folder)))}), spoilt, clean)


def try_each(
    tries: Sequence[tuple[Fault, RowT]],
    attempt: Callable[[Fault, RowT, WorkerPool, Callable[[], bool]], None],
    *,
    slots: int,
    progress: Callable[[RowT], None],
) -> None:
    """Call `attempt(fault, row, worker_pool, going)` for each row without a problem, `slots` at a time.

    What cannot be tried becomes the row's problem. `progress` is called, from a worker thread, when one ends; `going`
    says no after an interruption.
    """
    lock, halted = threading.Lock(), threading.Event()

    def run(fault: Fault, row: RowT, worker_pool: WorkerPool) -> None:
        try:
            if not row.problem:
                attempt(fault, row, worker_pool, lambda: not halted.is_set())
        except (FaultError, WorkerStartError, OSError) as error:
            row.problem = f"{type(error).__name__}: {error}"
        with lock:
            progress(row)

    with WorkerPool() as worker_pool, ThreadPoolExecutor(slots) as pool:
        try:
            for future in [pool.submit(run, fault, row, worker_pool) for fault, row in tries]:
                future.result()
        except KeyboardInterrupt:
            halted.set()
            pool.shutdown(cancel_futures=True)
            raise
