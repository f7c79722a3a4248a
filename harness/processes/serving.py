"""Serving: what a forked worker does until it is told to stop, or dies."""

import faulthandler
import functools
import os
import resource
import signal
import sys
import time
from collections.abc import Mapping
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eagerdiff.harness.catalog.plugin import is_spec
from eagerdiff.harness.catalog.provenance import is_shipped
from eagerdiff.harness.execution.stage import Stage
from eagerdiff.harness.internals.inductor_builds import clear_cut_short
from eagerdiff.harness.model.outcome import Outcome
from eagerdiff.harness.model.verdict import Oracle, Verdict, harness_error, skipped
from eagerdiff.harness.model.workload import Workload
from eagerdiff.harness.processes.kinship import adopt_orphans, die_with_parent, doomed, hear_signals
from eagerdiff.harness.processes.message import DEAF, Entered, Envelope, Finished, Helped, Message, Order, Reached
from eagerdiff.harness.processes.spare import LENT
from eagerdiff.harness.processes.task import Task, Unresolved, resolve, resolve_operator

if TYPE_CHECKING:
    from eagerdiff.harness.devices import Device
    from eagerdiff.harness.model.identity import Stage as CompilerStage
    from eagerdiff.harness.model.implementation import Implementation
    from eagerdiff.harness.model.operator import Operator

DOOM_SECONDS = 30.0
"""Most that it takes a fork server which was killed to end."""


def serve(descriptors: list[int], limits: dict[str, Any], device_name: str, fork_server: int) -> None:
    """Run the tasks that come in on the first descriptor; everything printed goes to the second."""
    from eagerdiff.harness.devices import parse

    channel, output = descriptors
    settle(output, fork_server)
    device = parse(device_name)
    clear_cut_short(Path(os.environ["TORCHINDUCTOR_CACHE_DIR"]))  # what the worker before left, where it was killed
    if device.kind != "cuda":
        limit_memory(limits["memory"])
    elif "torch" not in sys.modules:
        _prepare_late(device_name)
    device.begin()
    connection = Connection(channel)
    known: dict[Any, tuple[Operator, Implementation | None]] = {}
    pid = os.getpid()
    while os.getpid() == pid:  # a task that forks must not give a second server
        try:
            order = Order.model_validate_json(connection.recv_bytes())
        except EOFError:
            return
        telling = Telling(connection, order.name)
        telling.say(Entered())
        LENT.tell = telling.help
        telling.say(_run(order, device, telling, known))


class Telling:
    """Tell the parent about one task; what the task forked off tells nothing."""

    def __init__(self, connection: Connection, task: str) -> None:
        self._connection = connection
        self._task = task
        self._said = 0
        self._pid, self._parent = os.getpid(), os.getppid()

    def say(self, message: Message) -> None:
        """Send the next message."""
        if os.getpid() == self._pid:
            envelope = Envelope(task=self._task, number=self._said, message=message)
            try:
                self._connection.send_bytes(envelope.model_dump_json().encode())
            except OSError:  # what is under test has closed it
                os._exit(DEAF)
            self._said += 1

    def enter(self, case: int, stage: Stage, relation: str = "", /) -> None:
        """Say who is at work on which case."""
        self.say(Entered(case=case, stage=stage, relation=relation))

    def help(self, by: int | None, /) -> None:
        """Say which process works for this one, or that this one waits for it."""
        self.say(Helped(by=by))

    def reach(self, case: int, verdict: Verdict, launched: Mapping[str, int], /) -> None:
        """Say the verdict on a case, unless its call has ended the fork server: then this process ends too."""
        if doomed(self._parent):
            time.sleep(DOOM_SECONDS)
        self.say(Reached(case=case, verdict=verdict, launched=dict(launched)))


def _prepare_late(device_name: str) -> None:
    """Do what the fork server could not do without touching the GPU."""
    from eagerdiff.harness.processes.fork_server import prepare

    prepare(device_name, None)


def settle(output: int, fork_server: int) -> None:
    """Give the process its own group, signals, output and crash reports, and tie its life to the fork server's."""
    os.setpgid(0, 0)
    die_with_parent()
    adopt_orphans()
    hear_signals()
    if os.getppid() != fork_server:
        os._exit(1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.close(output)
    sys.stdout, sys.stderr = (os.fdopen(number, "w", buffering=1, errors="replace") for number in (1, 2))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    faulthandler.enable(sys.stderr, all_threads=False)
    faulthandler.register(signal.SIGUSR1, sys.stderr, all_threads=False, chain=False)


def limit_memory(allowance: int) -> None:
    """Bound the address space to what is mapped now and `allowance` bytes more."""
    with open("/proc/self/statm") as file:
        mapped = int(file.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (mapped + allowance, resource.RLIM_INFINITY))


def _resident() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def _run(
    order: Order, device: "Device", telling: Telling, known: "dict[Any, tuple[Operator, Implementation | None]]"
) -> Finished:
    """Return what a task comes to, whatever its code raises, and whether it left the process as it was."""
    from eagerdiff.harness.execution.rehearsal import rehearse
    from eagerdiff.harness.execution.state.watch import Watch
    from eagerdiff.harness.judge import broken, is_out_of_memory, raised

    task = order.task
    try:
        operator, implementation = _found(task, known, order.again or task.rehearses)
        workload = Workload.from_data(operator.case, task.workload)
    except Unresolved as error:
        return _whole(harness_error(str(error), Oracle.LOAD))
    except ValueError as error:
        return _whole(skipped(f"not a workload of {task.operator}: {' '.join(str(error).split())[:200]}"))
    except BaseException as error:  # noqa: BLE001  what is loaded is a plug-in's: said, and not a kernel's failure
        return _whole(broken(error, Oracle.LOAD, "loading"))
    if implementation is not None and device.torch_device == "cuda":  # the fork server could not
        _warm(implementation.identity.stage)
    state = Watch()
    before = state.look()
    try:
        if task.rehearses:
            outcome = rehearse(operator, workload, device, task.relation)
        elif implementation is None:
            outcome = _judge_again(order, operator, workload, device, telling)
        else:
            outcome = _execute(task, operator, implementation, workload, device, telling, order.exhibits)
    except BaseException as error:  # noqa: BLE001  the judge broke, not the implementation: said, and not blamed on it
        exhausted = is_out_of_memory(error)
        verdict = raised(error, oracle=Oracle.PROCESS) if exhausted else broken(error, Oracle.HARNESS, "the harness")
        outcome = Outcome(verdicts=[], workload=verdict)
    changes = state.changes(before, () if implementation is None else implementation.leaves)
    return Finished(outcome=outcome, resident=_resident(), changed=str(changes[0]) if changes else outcome.changed)


@functools.cache
def _warm(stage: "CompilerStage | None") -> None:
    """Have a compiler do what it does at its first use on a GPU, so that a task is not to blame for that."""
    from eagerdiff.harness.processes.warming import warm_up

    warm_up({stage}, "cuda")


def _found(
    task: Task, known: "dict[Any, tuple[Operator, Implementation | None]]", again: bool
) -> "tuple[Operator, Implementation | None]":
    """Return what a task names; without the implementation, which is not even imported, where it only judges."""
    key = (*task.subject, task.implementation, again)
    if key not in known:
        known[key] = (resolve_operator(task), None) if again else resolve(task)
    return known[key]


def _judge_again(order: Order, operator: "Operator", workload: Workload, device: "Device", telling: Telling) -> Outcome:
    from eagerdiff.harness.execution.rejudging import judge_again

    folder = Path(order.exhibits)
    return judge_again(operator, workload, folder, device, announce=telling.enter, reach=telling.reach)


def _execute(
    task: Task,
    operator: "Operator",
    implementation: "Implementation",
    workload: Workload,
    device: "Device",
    telling: Telling,
    exhibits: str,
) -> Outcome:
    from eagerdiff.harness.execution.baseline_execution import execute_as_baseline
    from eagerdiff.harness.execution.execution import execute

    if task.baseline_suite:
        return execute_as_baseline(
            operator,
            implementation,
            task.baseline_suite,
            workload,
            device,
            announce=telling.enter,
            reach=telling.reach,
        )
    specs = [spec for spec in (*task.plugins, task.implementation) if is_spec(spec)]
    ours = is_shipped(operator, implementation, specs)
    return execute(
        operator,
        implementation,
        workload,
        device,
        relations=task.relations,
        announce=telling.enter,
        reach=telling.reach,
        exhibits=None if ours else Path(exhibits),
    )


def _whole(verdict: Verdict) -> Finished:
    return Finished(outcome=Outcome(verdicts=[], workload=verdict), resident=_resident())
