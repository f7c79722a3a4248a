"""The spare process: one for all workers of a fork server, and one for a process that has none."""

import json
import os
import signal
import sys
import time
from collections.abc import Generator
from typing import Any

import pytest

from eagerdiff.harness.processes import patience
from eagerdiff.harness.processes.child import Child
from eagerdiff.harness.processes.cpu_time import CpuUsage, cpu_usage
from eagerdiff.harness.processes.fresh_process import run_fresh
from eagerdiff.harness.processes.kinship import doomed
from eagerdiff.harness.processes.limits import Limits
from eagerdiff.harness.processes.patience import Overrun, Patience
from eagerdiff.harness.processes.pool import WorkerPool
from eagerdiff.suites.tests import helped

OWN = """
import os, sys
sys.path[:] = {path}
from eagerdiff.harness.processes.spare import helper
first, second = (helper("eagerdiff.suites.tests.helped") for _ in range(2))
first, second = (eval(one.recv(1000)) for one in (first, second))
print(first["spare"] == second["spare"], first["helper"] != second["helper"], first["hash"] != hash("text"))
"""


@pytest.fixture(scope="module")
def workers() -> Generator[WorkerPool]:
    with WorkerPool(None) as pool:
        yield pool


def said(worker: Child) -> dict[str, Any]:
    worker.send(b"?")
    return json.loads(worker.receive(Patience(worker.pid, 60.0, 60.0)))


def await_end(*pids: int) -> None:
    while not all(map(doomed, pids)):  # the fork server buries them when it next reaps a worker
        time.sleep(0.02)  # a time-out of the run, if they stay


def test_workers_share_a_spare_process_and_their_helpers_end_with_them(workers: WorkerPool) -> None:
    one, other = (workers.fork("cpu", Limits(), catalog=False, serve=helped.__name__) for _ in range(2))
    first, second = said(one), said(other)
    assert first["spare"] == second["spare"]
    assert first["hash"] == second["hash"] != hash("text")
    one.end()
    await_end(first["helper"])
    assert not doomed(second["helper"])
    os.kill(second["spare"], signal.SIGKILL)
    await_end(second["helper"])
    third = said(other)
    assert third["spare"] != second["spare"]
    other.end()
    await_end(third["helper"])


def test_a_spare_process_ends_with_its_fork_server() -> None:
    with WorkerPool(None) as pool:
        told = said(pool.fork("cpu", Limits(), catalog=False, serve=helped.__name__))
        assert not doomed(told["spare"])
    await_end(told["spare"], told["helper"])


def test_a_process_without_a_fork_server_has_its_own() -> None:
    code, printed = run_fresh([sys.executable, "-c", OWN.format(path=sys.path)], 60.0)
    assert (code, printed.split()) == (0, ["True"] * 3)


def test_the_cpu_time_of_a_helper_is_the_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    used = {1: 0.0, 2: 0.0}
    monkeypatch.setattr(patience, "cpu_usage", lambda *pids: CpuUsage(sum(used[pid] for pid in pids), busy=True))
    monkeypatch.setattr(patience, "slowness", lambda: 1.0)
    alone, helped = Patience(1, 10.0, 60.0), Patience(1, 10.0, 60.0, helper=2)
    assert (alone.ended(), helped.ended()) == (None, None)
    used[2] = 11.0
    assert alone.ended() is None
    assert helped.ended() == Overrun("did not end within 10 s of CPU time", idle=False)


def test_the_cpu_time_of_several_processes_is_added_up() -> None:
    here = os.getpid()
    assert cpu_usage(here, here).seconds >= 2 * cpu_usage(here).seconds - 0.5
    assert cpu_usage().seconds == 0.0
