"""Serving: what a forked worker does until it is told to stop, or dies."""

import ctypes
import faulthandler
import json
import os
import resource
import signal
import sys
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eagerdiff.harness.execution.stage import Stage
from eagerdiff.harness.internals.inductor_builds import clear_cut_short
from eagerdiff.harness.model.outcome import Outcome
from eagerdiff.harness.model.verdict import Oracle, Status, Verdict, harness_error, skipped
from eagerdiff.harness.model.workload import Workload
from eagerdiff.harness.processes.task import Task, Unresolved, resolve

if TYPE_CHECKING:
    from eagerdiff.harness.model.implementation import Implementation
    from eagerdiff.harness.model.operator import Operator

PR_SET_PDEATHSIG = 1


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
    connection = Connection(channel)
    resolved: dict[tuple[Any, ...], tuple[Operator, Implementation]] = {}
    pid = os.getpid()
    while os.getpid() == pid:  # a task that forks must not give a second server
        try:
            task = Task.model_validate_json(connection.recv_bytes())
        except EOFError:
            return
        key = (task.operator, task.implementation, task.plugins, task.source_root)
        outcome = _run(task, device, connection, resolved, key)
        if os.getpid() == pid:
            connection.send_bytes(json.dumps({"resident": _resident()}).encode())
            connection.send_bytes(outcome.model_dump_json().encode())


def _prepare_late(device_name: str) -> None:
    """Do what the fork server could not do without touching the GPU."""
    from eagerdiff.harness.processes.fork_server import prepare

    prepare(device_name, None)


def settle(output: int, fork_server: int) -> None:
    """Give the process its own group, output and crash reports, and tie its life to the fork server's."""
    os.setpgid(0, 0)
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
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


def _run(task: Task, device: Any, connection: Connection, resolved: dict[Any, Any], key: tuple[Any, ...]) -> Outcome:
    from eagerdiff.harness.execution.baseline_execution import execute_as_baseline
    from eagerdiff.harness.execution.execution import execute
    from eagerdiff.harness.judge import broken

    pid = os.getpid()

    def announce(case: int, stage: Stage) -> None:
        if os.getpid() == pid:  # what a task forked off may come by here too
            connection.send_bytes(json.dumps({"case": case, "stage": stage}).encode())

    try:
        if key not in resolved:
            resolved[key] = resolve(task)
        operator, implementation = resolved[key]
        workload = Workload.from_data(operator.case, task.workload)
    except Unresolved as error:
        return _whole(harness_error(str(error), Oracle.LOAD))
    except ValueError as error:
        return _whole(skipped(f"not a workload of {task.operator}: {' '.join(str(error).split())[:200]}"))
    try:
        if task.baseline_suite:
            outcome = execute_as_baseline(
                operator, implementation, task.baseline_suite, workload, device, announce=announce
            )
        else:
            outcome = execute(operator, implementation, workload, device, relations=task.relations, announce=announce)
    except MemoryError as error:
        return _whole(Verdict(status=Status.OUT_OF_MEMORY, reason=f"MemoryError: {error}", oracle=Oracle.PROCESS))
    except Exception as error:  # noqa: BLE001  the judge broke, not the implementation: said, and not blamed on it
        return _whole(broken(error, Oracle.HARNESS, "the harness"))
    return outcome


def _whole(verdict: Verdict) -> Outcome:
    return Outcome(verdicts=[], workload=verdict)
