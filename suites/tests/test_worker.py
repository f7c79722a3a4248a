"""A worker comes back with an outcome about the right case, whatever the implementation does to its process."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from eagerdiff.harness.catalog.plugin import Spec
from eagerdiff.harness.model.verdict import Oracle, Status
from eagerdiff.harness.processes import Limits, Task, Worker, WorkerPool
from eagerdiff.harness.processes.death import ended, entered, innermost
from eagerdiff.harness.processes.limits import KEPT
from eagerdiff.harness.processes.message import Entered
from eagerdiff.harness.triage.normalisation import normalise
from eagerdiff.harness.triage.signature import failures, kind
from eagerdiff.suites.tests.ending import alive, end_soon
from eagerdiff.suites.tests.misbehaving import BAD, ENDLESS_SPEC, SPEC

LIMITS = Limits(memory=1 << 30, case_seconds=1.0, idle_seconds=2.0)


@pytest.fixture(scope="module")
def worker_pool() -> Iterator[WorkerPool]:
    with WorkerPool([SPEC]) as worker_pool:
        yield worker_pool


@pytest.fixture
def worker(worker_pool: WorkerPool) -> Iterator[Worker]:
    with Worker("cpu", LIMITS, worker_pool) as worker:
        yield worker


def task(implementation: str, *sizes: int) -> Task:
    return Task(operator=SPEC, implementation=implementation, workload=[{"size": size} for size in sizes])


@pytest.mark.parametrize(
    ("implementation", "status", "said"),
    [
        ("segfault", Status.CRASHED, "SIGSEGV"),
        ("abort", Status.CRASHED, "SIGABRT in case 1: ran into the ground"),
        ("exit", Status.CRASHED, "exit with status 3 in case 1"),
        ("exit_well", Status.CRASHED, "exit with status 0 in case 1"),
        ("kill_itself", Status.CRASHED, "SIGKILL in case 1"),
        ("write_to_the_channel", Status.CRASHED, "case 1 wrote to the harness's channel"),
        ("write_a_header", Status.CRASHED, "case 1 wrote to the harness's channel"),
        ("close_the_channel", Status.CRASHED, "case 1 closed the harness's channel"),
        ("leave_the_channel_to_a_child", Status.CRASHED, "exit with status 4 in case 1"),
        ("spin_in_c", Status.TIMED_OUT, "case 1 hangs: no CPU used for 2 s"),
        ("sort_forever", Status.TIMED_OUT, "case 1 did not end within 1 s of CPU time"),
        ("spin_in_python", Status.TIMED_OUT, "1 s of CPU time"),
        ("chatter", Status.TIMED_OUT, "1 s of CPU time"),
        ("busy_child", Status.TIMED_OUT, "1 s of CPU time"),
    ],
)
def test_a_dead_process_is_a_verdict_about_the_case_it_was_on(
    worker: Worker, implementation: str, status: Status, said: str
) -> None:
    outcome = worker.run(task(implementation, 3, BAD, 4))
    assert outcome.workload.status is status
    assert outcome.workload.numbers["case"] == 1
    assert said in outcome.workload.reason
    assert [verdict.status for verdict in outcome.verdicts] == [Status.PASSED]  # that of the case before is kept
    after = worker.run(task("right", 3, BAD, 4))
    assert [verdict.status for verdict in after.verdicts] == [Status.PASSED] * 3


def test_what_may_share_a_process_does_and_each_is_itself(worker: Worker) -> None:
    found: list[tuple[int | None, Status]] = []
    for name in ("right", "wrong", "right"):
        outcome = worker.run(task(name, BAD).model_copy(update={"process": "a back end"}))
        found.append((worker.pid, outcome.verdicts[0].status))
    assert [status for _, status in found] == [Status.PASSED, Status.WRONG_VALUE, Status.PASSED]
    assert len({pid for pid, _ in found}) == 1
    assert worker.run(task("right", BAD)).verdicts[0].status is Status.PASSED
    assert worker.pid != found[0][0], "nothing else may"


@pytest.mark.parametrize("implementation", ["allocate", "allocate_in_steps"])
def test_memory_past_the_limit_is_out_of_memory(worker_pool: WorkerPool, implementation: str) -> None:
    with Worker("cpu", Limits(memory=1 << 28, case_seconds=20), worker_pool) as worker:
        outcome = worker.run(task(implementation, 3, BAD))
    failure = outcome.first_failure
    assert failure is not None
    assert failure.status is Status.OUT_OF_MEMORY
    assert not outcome.verdicts or not outcome.verdicts[0].failed


def test_ways_to_end_are_findings_of_their_own(worker: Worker) -> None:
    outcomes = [worker.run(task(name, 3, BAD)) for name in ("exit", "exit_well", "kill_itself", "interrupt", "leave")]
    met = [(kind(verdict), normalise(verdict.reason)) for outcome in outcomes for verdict in failures(outcome)]
    assert len(met) == len(set(met)) == len(outcomes)


IN_THE_BACKGROUND = """
from eagerdiff.harness.processes import Limits, WorkerPool, Task, Worker
from eagerdiff.suites.tests.misbehaving import BAD, SPEC
with WorkerPool([SPEC]) as worker_pool, Worker("cpu", Limits(), worker_pool) as worker:
    print(worker.run(Task(operator=SPEC, implementation="interrupt", workload=[{"size": BAD}])).verdicts[0].status)
"""


def test_a_campaign_in_the_background_sees_the_same() -> None:
    """What a shell starts there ignores Ctrl-C, and hands that on."""
    taken = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        done = subprocess.run([sys.executable, "-c", IN_THE_BACKGROUND], capture_output=True, text=True, check=True)
    finally:
        signal.signal(signal.SIGINT, taken)
    assert done.stdout.strip() == "RAISED"


def test_what_failed_before_a_crash_is_kept_beside_it(worker: Worker) -> None:
    outcome = worker.run(task("wrong_then_crash", 3, BAD, 3, 2 * BAD, 3))
    assert [verdict.status for verdict in outcome.verdicts] == [Status.PASSED, Status.WRONG_VALUE, Status.PASSED]
    assert [verdict.status for verdict in failures(outcome)] == [Status.WRONG_VALUE, Status.CRASHED]
    assert outcome.workload.numbers["case"] == 3


@pytest.mark.slow  # three fork servers start for it
def test_who_kills_the_fork_server_is_blamed_and_others_are_run_again(worker_pool: WorkerPool) -> None:
    with Worker("cpu", LIMITS, worker_pool) as culprit, Worker("cpu", LIMITS, worker_pool) as other:
        other.prepare()
        with ThreadPoolExecutor() as threads:
            running = threads.submit(other.run, task("long_nap", *[3] * 6))
            outcome = culprit.run(task("kill_the_fork_server", 3, BAD, 3))
        assert (outcome.workload.status, outcome.workload.numbers["case"]) == (Status.CRASHED, 1)
        assert "killed its fork server" in outcome.workload.reason
        assert [verdict.status for verdict in outcome.verdicts] == [Status.PASSED]
        assert [verdict.status for verdict in running.result().verdicts] == [Status.PASSED] * 6


def test_a_call_for_a_relation_has_limits_of_its_own_and_says_for_which(worker: Worker) -> None:
    outcome = worker.run(task("tiring", 3))
    assert [verdict.status for verdict in outcome.verdicts] == [Status.PASSED]
    assert (outcome.workload.status, outcome.workload.relation) == (Status.TIMED_OUT, "rerun")
    assert outcome.workload.reason.startswith("case 0, called for the relation 'rerun', did not end")
    assert kind(outcome.workload) != kind(worker.run(task("sort_forever", BAD)).workload)


def test_calls_that_take_their_time_are_not_one_long_call(worker: Worker) -> None:
    outcome = worker.run(task("compute", *range(BAD, BAD + 4)))  # half a second each; together past the limit
    assert not outcome.workload.failed
    assert [verdict.status for verdict in outcome.verdicts] == [Status.PASSED] * 4


def test_a_hang_is_named_after_the_frame_that_the_harness_called(worker: Worker) -> None:
    outcome = worker.run(task("sort_forever", BAD))
    assert outcome.workload.frame == "eagerdiff.suites.tests.misbehaving:compute"


def test_a_reference_that_does_not_end_is_ours_and_no_finding(worker_pool: WorkerPool) -> None:
    with Worker("cpu", Limits(case_seconds=60, harness_seconds=3), worker_pool) as worker:
        endless = Task(operator=ENDLESS_SPEC, implementation="right", workload=[{"size": BAD}])
        outcome = worker.run(endless)
    assert outcome.workload.status is Status.HARNESS_ERROR
    assert "the reference or the judge of case 0 did not end within 3 s" in outcome.workload.reason
    assert outcome.workload.frame == "eagerdiff.suites.tests.misbehaving:spin_in_python"


def test_what_names_nothing_is_a_verdict(worker: Worker) -> None:
    unnamed = worker.run(task("no_such", 3)).workload
    assert unnamed.status is Status.HARNESS_ERROR
    assert "no_such" in unnamed.reason
    unknown = worker.run(Task(operator="no_such", implementation="x", workload=[{"size": 1}]))
    assert (unknown.workload.status, unknown.workload.oracle) == (Status.HARNESS_ERROR, Oracle.LOAD)


def test_a_process_that_died_between_tasks_is_replaced(worker: Worker) -> None:
    worker.run(task("right", 3))
    assert worker.pid is not None
    os.kill(worker.pid, signal.SIGKILL)
    time.sleep(0.1)
    assert [verdict.status for verdict in worker.run(task("right", 3)).verdicts] == [Status.PASSED]


def test_a_process_is_recycled_after_its_share_of_tasks(worker_pool: WorkerPool) -> None:
    with Worker("cpu", Limits(tasks=2), worker_pool) as worker:
        pids: list[int | None] = []
        for _ in range(4):
            worker.run(task("right", 1))
            pids.append(worker.pid)
    assert pids[0] == pids[1] != pids[2] == pids[3]


def pids_of(worker: Worker, *names: str) -> list[int | None]:
    """Run a task of each implementation and return the process that each ran in."""
    pids: list[int | None] = []
    for name in names:
        worker.run(task(name, 1))
        pids.append(worker.pid)
    return pids


def test_a_process_runs_one_implementation_and_waits_for_more_of_it(worker_pool: WorkerPool) -> None:
    with Worker("cpu", LIMITS, worker_pool) as worker:
        worker.prepare()
        prepared = worker.pid
        one, again, other, back, other_again = pids_of(worker, "right", "right", "wrong", "right", "wrong")
    assert prepared == one == again == back
    assert one != other == other_again


def test_renewing_ends_those_that_wait_too(worker_pool: WorkerPool) -> None:
    with Worker("cpu", LIMITS, worker_pool) as worker:
        before = pids_of(worker, "right", "wrong")
        worker.renew()
        assert end_soon(pid for pid in before if pid)
        assert set(before).isdisjoint(pids_of(worker, "right", "wrong"))


def test_whoever_dies_takes_those_that_wait_along(worker_pool: WorkerPool) -> None:
    with Worker("cpu", LIMITS, worker_pool) as worker:
        (before,) = pids_of(worker, "right")
        assert worker.run(task("segfault", BAD)).workload.status is Status.CRASHED
        assert pids_of(worker, "right") != [before]


def test_what_is_read_of_files_is_not_held(worker_pool: WorkerPool) -> None:
    with Worker("cpu", Limits(memory=KEPT * (8 << 20)), worker_pool) as worker:  # 8 MiB in all
        small, _, kept = pids_of(worker, "right", "wrong", "right")  # each maps 20 MiB of torch's libraries
        assert small == kept


def test_those_that_wait_hold_no_more_than_their_share(worker_pool: WorkerPool) -> None:
    with Worker("cpu", Limits(memory=KEPT * (64 << 20)), worker_pool) as worker:  # 64 MiB in all
        small, _, kept = pids_of(worker, "right", "wrong", "right")
        assert small == kept
        worker.run(task("hoarding", 1))  # gains 128 MiB
        hoarding = worker.pid
        assert pids_of(worker, "right") == [small]
        assert hoarding is not None
        assert end_soon([hoarding])
        assert pids_of(worker, "wrong")  # and goes on


def test_nothing_of_one_implementation_reaches_the_next(worker_pool: WorkerPool) -> None:
    with Worker("cpu", LIMITS, worker_pool) as worker:
        assert worker.run(task("multiply_otherwise", 3, BAD)).first_failure is not None
        assert [verdict.status for verdict in worker.run(task("right", 3, BAD)).verdicts] == [Status.PASSED] * 2


def test_a_restart_takes_well_under_a_second(worker: Worker) -> None:
    worker.run(task("right", 1))
    worker.renew()
    started = time.perf_counter()
    worker.prepare()
    assert time.perf_counter() - started < 1.0


def test_the_fork_server_has_one_thread(worker_pool: WorkerPool) -> None:
    pid = worker_pool.fork_server("cpu").pid
    assert len(os.listdir(f"/proc/{pid}/task")) == 1


def test_a_killed_fork_server_is_replaced(worker_pool: WorkerPool) -> None:
    with Worker("cpu", LIMITS, worker_pool) as worker:
        worker.run(task("right", 1))
        os.kill(worker_pool.fork_server("cpu").pid, signal.SIGKILL)
        time.sleep(0.1)
        assert [verdict.status for verdict in worker.run(task("right", 1)).verdicts] == [Status.PASSED]


SPOILT = """
from eagerdiff import Implementation
def build(case):
    return lambda x: x * 3
IMPLEMENTATION = Implementation(operator="doubling", name="spoilt", build=build, devices=("cpu",))
"""


def test_a_source_root_stands_in_for_the_shipped_source(tmp_path: Path) -> None:
    (tmp_path / "compiled").mkdir()
    (tmp_path / "compiled" / "__init__.py").write_text("")
    (tmp_path / "compiled" / "spoilt.py").write_text(SPOILT)
    spoilt = Task(
        operator=SPEC,
        implementation=Spec("eagerdiff.compiled.spoilt:IMPLEMENTATION"),
        workload=[{"size": 3}],
        source_root=str(tmp_path),
    )
    with Worker("cpu", LIMITS) as worker:
        assert worker.run(spoilt).verdicts[0].status is Status.WRONG_VALUE


ORPHANS = """
import sys, time
from eagerdiff.harness.processes import Limits, WorkerPool, Task, Worker
from eagerdiff.suites.tests.misbehaving import SPEC
with WorkerPool([SPEC]) as worker_pool, Worker("cpu", Limits(case_seconds=100), worker_pool) as worker:
    worker.prepare()
    print(worker.pid, worker_pool.fork_server("cpu").pid, flush=True)
    worker.run(Task(operator=SPEC, implementation="sort_forever", workload=[{"size": 20}]))
"""


def test_nothing_outlives_a_killed_parent() -> None:
    parent = subprocess.Popen([sys.executable, "-c", ORPHANS], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    pids = [int(text) for text in parent.stdout.readline().split()]
    time.sleep(1.0)  # the worker is in its endless loop by now
    assert all(map(alive, pids))
    parent.kill()
    parent.wait()
    parent.stdout.close()
    assert end_soon(pids)


STACK = """some warning
Fatal Python error: Segmentation fault

Current thread 0x00007f (most recent call first):
  File "/usr/lib/python3/site-packages/triton/runtime/jit.py", line 12 in run
  File "/somewhere/kernel.py", line 3 in compute
  File "{harness}/execution/execution.py", line 100 in call
"""


def test_a_crash_is_named_after_its_innermost_frame_and_a_hang_after_its_outermost() -> None:
    from eagerdiff import harness

    stack = STACK.format(harness=Path(harness.__file__).parent)
    assert innermost(stack).endswith("jit:run")
    assert entered(stack) == "kernel:compute"


def test_a_kill_is_out_of_memory_only_where_the_system_killed_for_that() -> None:
    at = Entered(case=2)
    assert ended(at, signal.SIGKILL, "").status is Status.CRASHED
    assert ended(at, signal.SIGKILL, "", killed_for_memory=True).status is Status.OUT_OF_MEMORY
    assert ended(at, signal.SIGABRT, "", killed_for_memory=True).status is Status.CRASHED
    assert ended(at, signal.SIGABRT, "terminate called ... std::bad_alloc").status is Status.OUT_OF_MEMORY
