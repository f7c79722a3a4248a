"""A worker: runs tasks in a process of its own, and always comes back with an outcome."""

import time
from typing import Self

from eagerdiff.harness.execution.stage import Stage
from eagerdiff.harness.model.outcome import Outcome
from eagerdiff.harness.model.verdict import Oracle, Status, Verdict, harness_error
from eagerdiff.harness.processes.child import Child, Ended, Late
from eagerdiff.harness.processes.death import ended, overran
from eagerdiff.harness.processes.limits import Limits
from eagerdiff.harness.processes.patience import Patience
from eagerdiff.harness.processes.pool import WorkerPool, WorkerStartError
from eagerdiff.harness.processes.task import Task


class Orphaned(Exception):
    """Tell that a process ended because its fork server did: no case is to blame."""


class Worker:
    """Run tasks on one device in a process that may crash, hang or run out of memory.

    A process serves many tasks and is then replaced; one that dies is replaced at once. Use it as a context manager,
    from one thread at a time; `stop` may be called from any.
    """

    def __init__(self, device: str, limits: Limits | None = None, worker_pool: WorkerPool | None = None) -> None:
        self.device = device
        self.limits = limits or Limits()
        self._worker_pool = worker_pool or WorkerPool()
        self._owns_worker_pool = worker_pool is None
        self._child: Child | None = None
        self._stopped = False

    def run(self, task: Task, limits: Limits | None = None) -> Outcome:
        """Run a task and return its outcome; CRASHED, TIMED_OUT or OUT_OF_MEMORY where the process died over a case.

        Where no process can be had, or what the task names cannot be loaded, that is a harness error. `limits`
        stand in for the worker's own where they bound time.
        """
        started = time.perf_counter()
        limits = limits or self.limits
        try:
            try:
                outcome = self._attempt(task, limits)
            except (Ended, Orphaned):  # it died while idle, or with its fork server: no case of this task is to blame
                self.renew()
                outcome = self._attempt(task, limits)
        except (Ended, Orphaned):
            self.renew()
            outcome = _stopped() if self._stopped else _not_run("worker processes vanish as soon as they start")
        except WorkerStartError as error:
            outcome = _not_run(str(error))
        return outcome.model_copy(update={"seconds": time.perf_counter() - started})

    def prepare(self) -> None:
        """Have a process ready, so that no task waits for imports; raise WorkerStartError where none can be had."""
        if self._child is None and not self._stopped:
            self._child = self._worker_pool.fork(self.device, self.limits)

    def stop(self) -> None:
        """Kill the process, whatever it is doing; further tasks are skipped."""
        self._stopped = True
        if (child := self._child) is not None:
            child.kill()

    def renew(self) -> None:
        """Replace the process, so that the next task starts in a fresh one."""
        if (child := self._child) is not None:
            self._child = None
            child.kill()
            child.bury()

    def close(self) -> None:
        """End the process."""
        self.renew()
        if self._owns_worker_pool:
            self._worker_pool.close()

    @property
    def worker_pool(self) -> WorkerPool:
        """Where its processes come from."""
        return self._worker_pool

    @property
    def pid(self) -> int | None:
        """The process id, while there is one."""
        return self._child.pid if self._child else None

    def _attempt(self, task: Task, limits: Limits) -> Outcome:
        child = self._ready(task)
        child.send(task.model_dump_json().encode())
        return self._follow(child, limits)

    def _ready(self, task: Task) -> Child:
        child = self._child
        if child is not None and (child.root != task.source_root or self._worn(child)):
            self.renew()
            child = None
        if child is None:
            child = self._worker_pool.fork(self.device, self.limits, catalog=not task.source_root)
            child.root = task.source_root
            self._child = child
        if self._stopped:
            child.kill()
        return child

    def _worn(self, child: Child) -> bool:
        grown = child.resident[-1] - child.resident[0] if child.resident else 0
        return child.tasks >= self.limits.tasks or grown > self.limits.growth

    def _follow(self, child: Child, limits: Limits) -> Outcome:
        """Read a task's messages until its outcome, or its end."""
        case, stage = -1, Stage.HARNESS
        patience = Patience(child.pid, limits.harness_seconds, limits.idle_seconds)
        try:
            while True:
                notice = child.notice(patience)
                if "case" not in notice:
                    break
                case, stage = notice["case"], Stage(notice["stage"])
                ours = stage is Stage.HARNESS
                seconds = limits.harness_seconds if ours else limits.case_seconds
                patience = Patience(child.pid, seconds, limits.idle_seconds)
            outcome = Outcome.model_validate_json(child.receive(patience))
        except Late as late:
            child.trace()
            child.kill()
            child.bury()
            verdict = overran(case, stage, late.overrun, child.tail.decode(errors="replace"))
        except Ended:
            status = child.bury()
            if status is None and not self._stopped:
                raise Orphaned from None
            verdict = ended(case, status, child.tail.decode(errors="replace"))
        else:
            lost = outcome.workload.status is Status.CRASHED  # the process lives, its GPU context does not
            child.tasks = self.limits.tasks if lost else child.tasks + 1
            child.resident.append(notice["resident"])
            return outcome
        finally:
            if child.buried:
                self._child = None
        return _stopped() if self._stopped else Outcome(verdicts=[], workload=verdict)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _stopped() -> Outcome:
    return Outcome(verdicts=[], workload=Verdict(status=Status.SKIPPED, reason="stopped", oracle=Oracle.PROCESS))


def _not_run(reason: str) -> Outcome:
    return Outcome(verdicts=[], workload=harness_error(reason, Oracle.PROCESS))
