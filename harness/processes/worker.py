"""A worker: runs tasks in a process of its own, and always comes back with an outcome."""

import secrets
import shutil
import time
from pathlib import Path
from typing import Self

from eagerdiff.harness.devices import parse
from eagerdiff.harness.model.outcome import Outcome
from eagerdiff.harness.model.verdict import Oracle, Status, Verdict, harness_error
from eagerdiff.harness.processes.account import Account
from eagerdiff.harness.processes.child import Child, Ended, Late
from eagerdiff.harness.processes.death import crashed, ended, overran
from eagerdiff.harness.processes.exhaustion import memory_kills
from eagerdiff.harness.processes.framing import Unreadable
from eagerdiff.harness.processes.judgement import new_folder, settle
from eagerdiff.harness.processes.kept import Kept
from eagerdiff.harness.processes.limits import Limits
from eagerdiff.harness.processes.message import DEAF, Finished, Helped, Order, read
from eagerdiff.harness.processes.patience import Patience
from eagerdiff.harness.processes.pool import WorkerPool, WorkerStartError
from eagerdiff.harness.processes.task import Task


class Idle(Exception):
    """Tell that a process ended before it took its task up: no case is to blame."""


class Orphaned(Exception):
    """Tell that a process ended because its fork server did: whose case is to blame is not known."""

    def __init__(self, account: Account) -> None:
        super().__init__("the fork server ended")
        self.account = account


class Worker:
    """Run tasks on one device in a process that may crash, hang or run out of memory.

    A process serves many tasks of one implementation and is then replaced; one that dies is replaced at once, and
    while another implementation has its turn it may wait for more. Use it as a context manager, from one thread at a
    time; `stop` may be called from any.
    """

    def __init__(
        self,
        device: str,
        limits: Limits | None = None,
        worker_pool: WorkerPool | None = None,
        *,
        judges: bool = False,
    ) -> None:
        """Talk to processes of a pool; `judges` has them judge what others called, and load nothing plugged in."""
        self.device = device
        self.limits = limits or Limits()
        self._worker_pool = worker_pool or WorkerPool()
        self._owns_worker_pool = worker_pool is None
        self._child: Child | None = None
        """Who has the latest task."""
        self._kept = Kept(0 if device == "cuda" else self.limits.kept)
        self._stopped = False
        self._judges = judges
        self._judge: Worker | None = None
        """Who judges again what passed, where it is not ours."""
        self._stand_in: Worker | None = None
        """Who runs what the device refuses."""

    def run(self, task: Task, limits: Limits | None = None) -> Outcome:
        """Run a task and return its outcome; CRASHED, TIMED_OUT or OUT_OF_MEMORY where the process died over a case.

        The verdicts reached before that case are kept. Where no process can be had, or what the task names cannot be
        loaded, that is a harness error. `limits` stand in for the worker's own where they bound time. What passed of
        an implementation that is not ours has been judged again in a process that knows nothing of it. What the
        device refuses is run on the one that stands in for it, and the outcome says so.
        """
        started = time.perf_counter()
        folder = new_folder()
        try:
            outcome = self._perform(task, limits or self.limits, folder)
            outcome = self._cleared(task, limits or self.limits, outcome)
            if outcome.refused and not self._judges:
                outcome = self._instead(task, limits, outcome.refused)
            elif folder.is_dir():
                outcome = settle(outcome, self._in_judgement(task, limits or self.limits, folder), folder)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        return outcome.model_copy(update={"seconds": time.perf_counter() - started})

    def _instead(self, task: Task, limits: Limits | None, refused: str) -> Outcome:
        """Return the outcome of a task on the device that stands in for this one."""
        if self._stand_in is None:
            self._stand_in = Worker(parse(self.device).stand_in, self.limits, self._worker_pool)
        if self._stopped:
            self._stand_in.stop()
        return self._stand_in.run(task, limits).model_copy(update={"refused": refused})

    def _in_judgement(self, task: Task, limits: Limits, folder: Path) -> Outcome:
        """Return what a clean process makes of what was kept."""
        if self._judge is None:
            self._judge = Worker(self.device, self.limits, self._worker_pool, judges=True)
        if self._stopped:
            self._judge.stop()
        return self._judge._perform(task, limits, folder)

    def _perform(self, task: Task, limits: Limits, folder: Path) -> Outcome:
        try:
            return self._persist(task, limits, folder)
        except Idle:
            return _stopped() if self._stopped else _not_run("worker processes vanish as soon as they start")
        except WorkerStartError as error:
            return _not_run(str(error))

    def _persist(self, task: Task, limits: Limits, folder: Path) -> Outcome:
        """Run a task again where its first process was lost to something else."""
        try:
            return self._attempt(task, limits, folder)
        except Idle:  # it died between two tasks
            return self._attempt(task, limits, folder)
        except Orphaned:  # some kernel killed the fork server: it is this one where that happens to one of its own
            shutil.rmtree(folder, ignore_errors=True)
            return self._attempt_apart(task, limits, folder)

    def prepare(self) -> None:
        """Have a process ready, so that no task waits for imports; raise WorkerStartError where none can be had."""
        if self._child is None and not self._stopped:
            self._child = self._worker_pool.fork(self.device, self.limits)

    def stop(self) -> None:
        """Kill the process, whatever it is doing; further tasks are skipped."""
        self._stopped = True
        if (child := self._child) is not None:
            child.kill()
        for other in (self._judge, self._stand_in):
            if other is not None:
                other.stop()

    def renew(self, task: Task | None = None) -> None:
        """End the process that has run what a task names, by default every one: the next starts in a fresh one."""
        if task is None or (self._child is not None and self._child.subject == task.subject):
            self._end_child()
        if task is None:
            self._kept.clear()
        elif (child := self._kept.take(task.subject)) is not None:
            child.end()
        if self._stand_in is not None:
            self._stand_in.renew(task)

    def _end_child(self) -> None:
        if (child := self._child) is not None:
            self._child = None
            child.end()

    def close(self) -> None:
        """End the process."""
        self.renew()
        for other in (self._judge, self._stand_in):
            if other is not None:
                other.close()
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

    def _attempt(self, task: Task, limits: Limits, folder: Path) -> Outcome:
        return self._ask(self._ready(task), task, limits, folder)

    def _attempt_apart(self, task: Task, limits: Limits, folder: Path) -> Outcome:
        """Run a task in a child of a fork server that nobody shares: where that one is killed too, the case did it."""
        self.renew()
        fork_server = self._worker_pool.start(self.device, catalog=not task.source_root)
        try:
            self._child = fork_server.fork(self.limits)
            return self._ask(self._child, task, limits, folder)
        except Orphaned as orphaned:
            account = orphaned.account
            verdict = crashed(account.at.case, "killed its fork server, and again when it was alone")
            return account.ended_by(self._blamed(task, limits, account, verdict))
        finally:
            self.renew()
            fork_server.close()

    def _ask(self, child: Child, task: Task, limits: Limits, folder: Path) -> Outcome:
        """Send a task and follow it to its end; raise Idle where the process was gone before."""
        order = Order(name=secrets.token_hex(8), task=task, exhibits=str(folder), again=self._judges)
        kills = memory_kills()
        account = Account()
        try:
            child.send(order.model_dump_json().encode())
            finished = self._follow(child, order.name, limits, account)
        except Ended:
            verdict = self._blamed(task, limits, account, self._ended(child, account, kills))
        except Late as late:
            child.trace()
            child.end()
            verdict = overran(account.at, late.overrun, child.tail.decode(errors="replace"))
        except Unreadable as unreadable:
            child.end()
            verdict = crashed(account.at.case, f"wrote to the harness's channel: {unreadable}")
            verdict = self._blamed(task, limits, account, verdict)
        else:
            self._keep(child, finished)
            return finished.outcome
        finally:
            if child.buried:
                self._child = None
                self._kept.clear()  # nothing runs on what it may have half written before that is cleared away
        return _stopped() if self._stopped else account.ended_by(verdict)

    def _follow(self, child: Child, name: str, limits: Limits, account: Account) -> Finished:
        """Read a task's messages up to the last."""
        patience = Patience(child.pid, limits.harness_seconds, limits.idle_seconds, child.helper)
        while True:
            message = read(child.receive(patience), name, account.heard)
            account.heard += 1
            if isinstance(message, Finished):
                return message
            if isinstance(message, Helped):
                child.helper = message.by or child.helper
            else:
                account.note(message)
            seconds = limits.harness_seconds if account.ours else limits.case_seconds
            patience = Patience(child.pid, seconds, limits.idle_seconds, child.helper)

    def _ended(self, child: Child, account: Account, kills: int) -> Verdict:
        """Return the verdict on a process that ended; raise Idle or Orphaned where no case is known to be to blame."""
        deaf = child.lives_on()  # it closed its channel, and is ended for that
        status = child.bury()
        self._child = None
        if not account.heard:
            raise Idle
        if status is None and not self._stopped:
            raise Orphaned(account)
        if (deaf or status == DEAF << 8) and not self._stopped:
            return crashed(account.at.case, "closed the harness's channel")
        exhausted = memory_kills() > kills
        return ended(account.at, status, child.tail.decode(errors="replace"), killed_for_memory=exhausted)

    def _blamed(self, task: Task, limits: Limits, account: Account, verdict: Verdict) -> Verdict:
        """Return a harness error in place of a crash where the operator's own code ends a process by itself."""
        at = account.at
        if self._judges or self._stopped or not account.ours or not 0 <= at.case < len(task.workload):
            return verdict
        return self._rehearsed(task, limits, at.case, at.relation) or verdict

    def _rehearsed(self, task: Task, limits: Limits, case: int, relation: str = "") -> Verdict | None:
        """Return a harness error where the operator's own code ends a process, or has no memory, by itself; or None."""
        alone = {"workload": [task.workload[case]], "rehearses": True, "relation": relation}
        with Worker(self.device, limits, self._worker_pool, judges=True) as clean:
            rehearsal = clean.run(task.model_copy(update=alone)).workload
        if rehearsal.status not in (Status.CRASHED, Status.OUT_OF_MEMORY):
            return None
        return harness_error(f"the operator's own code, with nothing under test: {rehearsal.reason}", Oracle.OPERATOR)

    def _cleared(self, task: Task, limits: Limits, outcome: Outcome) -> Outcome:
        """Return an outcome that blames nobody for memory which the operator's own code lacks by itself, too."""
        for case, verdict in enumerate(outcome.verdicts):
            if verdict.status is Status.OUT_OF_MEMORY and verdict.oracle is Oracle.OPERATOR:
                told = self._rehearsed(task, limits, case) or verdict
                verdicts = [*outcome.verdicts[:case], told, *outcome.verdicts[case + 1 :]]
                outcome = outcome.model_copy(update={"verdicts": verdicts})
        return outcome

    def _keep(self, child: Child, finished: Finished) -> None:
        """Go on with a process, or be done with it: its GPU context is lost, a task changed it, or the harness failed.

        What an earlier task broke may show there alone, and would in every later task.
        """
        outcome = finished.outcome
        failed = any(one.status is Status.HARNESS_ERROR for one in (*outcome.verdicts, outcome.workload))
        lost = outcome.workload.status is Status.CRASHED or finished.changed or failed
        child.tasks = self.limits.tasks if lost else child.tasks + 1
        child.resident.append(finished.resident)

    def _ready(self, task: Task) -> Child:
        if self._child is not None and self._worn(self._child):
            self._end_child()
        if self._child is not None and not _may_run(self._child, task):
            self._kept.put(self._child)
            self._child = None
        if self._child is None:
            self._child = self._kept.take(task.subject)
        if self._child is None:
            self._child = self._worker_pool.fork(self.device, self.limits, catalog=not task.source_root)
        self._child.subject = task.subject
        if self._stopped:
            self._child.kill()
        return self._child

    def _worn(self, child: Child) -> bool:
        grown = child.resident[-1] - child.resident[0] if child.resident else 0
        return child.tasks >= self.limits.tasks or grown > self.limits.growth

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _may_run(child: Child, task: Task) -> bool:
    """Whether a process has run nothing else yet; a copy of ours stands in from the fork on alone."""
    return child.subject == task.subject or (child.subject is None and not task.source_root)


def _stopped() -> Outcome:
    return Outcome(verdicts=[], workload=Verdict(status=Status.SKIPPED, reason="stopped", oracle=Oracle.PROCESS))


def _not_run(reason: str) -> Outcome:
    return Outcome(verdicts=[], workload=harness_error(reason, Oracle.PROCESS))
