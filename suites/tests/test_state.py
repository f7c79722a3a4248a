"""What a call changes of its process is a verdict on that call, and the next kernel sees nothing of it."""

import ctypes
import math
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest
import torch

from eagerdiff.harness.devices import parse
from eagerdiff.harness.execution.state import versions
from eagerdiff.harness.execution.state.namespaces import original
from eagerdiff.harness.execution.state.watch import Watch
from eagerdiff.harness.model.verdict import Oracle, Status
from eagerdiff.harness.processes import Limits, Task, Worker, WorkerPool
from eagerdiff.suites.tests.ending import alive, end_soon, soon
from eagerdiff.suites.tests.misbehaving import BAD, DISTURBANCES, SPEC, disturbing, left_behind

PAD = {"seed": 0, "program": "flatten_tokens", "dtype": "float32", "width": 8, "batch": 2, "seq": 3, "count": 0}
LIMITS = Limits(memory=1 << 30, case_seconds=5.0, idle_seconds=5.0)


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    with WorkerPool([SPEC]) as worker_pool, Worker("cpu", LIMITS, worker_pool) as worker:
        yield worker


def task(implementation: str, *sizes: int) -> Task:
    return Task(operator=SPEC, implementation=implementation, workload=[{"size": size} for size in sizes])


@pytest.mark.parametrize("what", DISTURBANCES)
def test_what_a_call_leaves_changed_is_told_and_ends_the_process(worker: Worker, what: str) -> None:
    outcome = worker.run(task(disturbing(what), 3, BAD, 3))
    pid = worker.pid
    assert [verdict.status for verdict in outcome.verdicts] == [Status.PASSED, Status.WRONG_MUTATION, Status.SKIPPED]
    told = outcome.verdicts[1]
    assert (told.oracle, told.output) == (Oracle.STATE, what.partition(",")[0])
    assert "was changed in an earlier call" in outcome.verdicts[2].reason
    assert not outcome.workload.failed
    worker.run(task(disturbing(what), 3))
    assert worker.pid != pid


def test_a_call_that_fails_and_changes_something_until_its_exception_is_gone_ends_the_process(worker: Worker) -> None:
    outcome = worker.run(task("change_and_fail", 3, BAD, 3))
    pid = worker.pid
    assert [verdict.status for verdict in outcome.verdicts] == [Status.PASSED, Status.RAISED, Status.SKIPPED]
    assert outcome.changed.startswith("torch.get_num_threads()")
    worker.run(task("change_and_fail", 3))
    assert worker.pid != pid


def test_nothing_changed_is_nothing_told() -> None:
    watch = Watch()
    before = watch.look()
    assert watch.changes(before) == []


@pytest.mark.parametrize(
    ("name", "was", "told"),
    [
        ("_TORCHINDUCTOR_PYOBJECT_TENSOR_DATA_PTR", "140000000000000", 0),
        ("_TORCHINDUCTOR_PYOBJECT_TENSOR_DATA_PTR", None, 0),
        ("TORCHINDUCTOR_CACHE_DIR", None, 0),
        ("TORCHINDUCTOR_CACHE_DIR", "/tmp/theirs", 1),
    ],
)
def test_an_address_of_the_process_before_is_inductors_to_change(
    monkeypatch: pytest.MonkeyPatch, name: str, was: str | None, told: int
) -> None:
    """A process that was started by one that had compiled for the CPU has that one's address in its environment."""
    monkeypatch.delenv(name, raising=False)
    if was:
        monkeypatch.setenv(name, was)
    watch = Watch()
    before = watch.look()
    monkeypatch.setenv(name, "139000000000000")
    assert len(watch.changes(before)) == told


@pytest.mark.parametrize(("name", "told"), [("pt_autograd_3", 0), ("pt_something", 1)])
def test_threads_of_autograds_engine_are_torchs_own(name: str, told: int) -> None:
    """A build for CUDA starts one for each GPU with the first backward."""
    begun, over = threading.Event(), threading.Event()

    def run() -> None:
        ctypes.CDLL(None).prctl(15, name.encode(), 0, 0, 0)  # PR_SET_NAME
        begun.set()
        over.wait()

    watch = Watch()
    before = watch.look()
    thread = threading.Thread(target=run)
    thread.start()
    begun.wait()
    try:
        assert len(watch.changes(before)) == told
    finally:
        over.set()
        thread.join()


@pytest.mark.parametrize("numbered", [True, False])
def test_a_name_that_is_replaced_is_told_once(monkeypatch: pytest.MonkeyPatch, numbered: bool) -> None:
    """Also where this Python gives dictionaries no versions."""
    monkeypatch.setattr(versions, "there_are", lambda: numbered)
    original.cache_clear()
    watch = Watch()
    before = watch.look()
    assert watch.changes(before) == []
    replaced = {"torch.Tensor.isfinite", "math.exp"}
    with monkeypatch.context() as names:
        names.setattr(torch.Tensor, "isfinite", torch.Tensor.isnan)
        names.setattr(math, "exp", math.sin)
        names.setattr(math, "nobody_had_this", math.sin, raising=False)
        assert {change.what for change in watch.changes(before)} == replaced
        assert watch.changes(before) == []
        assert Watch().changes(before) == []
    assert {change.what for change in watch.changes(before)} == replaced
    original.cache_clear()


def test_versions_tell_every_change_and_no_reading() -> None:
    """CPython has them up to 3.12 (PEP 509)."""
    assert versions.there_are() == (sys.version_info < (3, 13))
    watched: dict[str, int] = {"one": 1}
    numbers = versions.Versions([watched])
    seen = [numbers.now()]
    assert (watched["one"], len(watched), numbers.now()) == (1, 1, seen[0])
    for change in (lambda: watched.update(one=2), lambda: watched.update(two=2), lambda: watched.pop("one")):
        change()
        seen.append(numbers.now())
    assert len(set(map(str, seen))) == (4 if versions.there_are() else 1)


def test_names_that_come_and_go_with_a_compiler_end_no_process() -> None:
    """Dynamo puts names into a module that it compiles from, and takes them away when it is reset."""
    compiled = Task(operator="symbolic", implementation="dynamo.dynamic", workload=[PAD])
    with WorkerPool(["symbolic"]) as worker_pool, Worker("cpu", Limits(), worker_pool) as worker:
        pids: set[int | None] = set()
        for _ in range(3):
            assert [verdict.status for verdict in worker.run(compiled).verdicts] == [Status.PASSED]
            pids.add(worker.pid)
    assert len(pids) == 1


def test_a_change_is_told_from_what_to_what(monkeypatch: pytest.MonkeyPatch) -> None:
    watch = Watch()
    before = watch.look()
    monkeypatch.setenv("EAGERDIFF_TOLD", "yes")
    assert [str(change) for change in watch.changes(before)] == ["os.environ['EAGERDIFF_TOLD'] from None to 'yes'"]


@pytest.mark.parametrize("tool", ["PTXAS", "LIBDEVICE"])
def test_tools_of_cuda_that_inductor_hands_on_are_torchs_own(tool: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a GPU it does so with its first kernel; what was set before must stay."""
    watch = Watch()
    before = watch.look()
    monkeypatch.setenv(f"TRITON_{tool}_PATH", "torch/bin")
    assert watch.changes(before) == []
    before = watch.look()
    monkeypatch.setenv(f"TRITON_{tool}_PATH", "elsewhere")
    assert len(watch.changes(before)) == 1


@pytest.mark.parametrize("name", ["cpu", "cuda"])
def test_torchs_progress_bars_start_no_thread(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As tqdm's do, which torch takes where it is installed: with the first graph that is interpreted."""

    class Bar:
        monitor_interval = 10

    monkeypatch.setattr("torch.hub.tqdm", Bar)
    parse(name).activate()
    assert Bar.monitor_interval == 0


def test_what_a_relations_call_leaves_changed_is_told_too(worker: Worker) -> None:
    (verdict,) = worker.run(task("second_thoughts", 3)).verdicts
    assert (verdict.status, verdict.oracle) == (Status.WRONG_MUTATION, Oracle.STATE)
    assert verdict.reason.startswith("the call for the relation 'rerun' changed the working directory")


def test_a_build_that_changes_the_process_is_told(worker: Worker) -> None:
    outcome = worker.run(task("build_elsewhere", 3, 4))
    assert [verdict.status for verdict in outcome.verdicts] == [Status.WRONG_MUTATION, Status.SKIPPED]
    assert outcome.verdicts[0].reason.startswith("the build changed the working directory")


def test_a_process_of_another_session_ends_with_its_worker(worker: Worker) -> None:
    worker.run(task(disturbing("who runs beside it"), 3, BAD))
    assert worker.pid is not None
    left = left_by(worker.pid)
    worker.renew()
    assert end_soon([left])


LEAVING = """
import sys
from eagerdiff.harness.processes import Limits, WorkerPool, Task, Worker
from eagerdiff.suites.tests.misbehaving import SPEC
with WorkerPool([SPEC]) as worker_pool, Worker("cpu", Limits(case_seconds=100), worker_pool) as worker:
    worker.prepare()
    print(worker.pid, flush=True)
    worker.run(Task(operator=SPEC, implementation="leave_and_spin", workload=[{"size": 20}]))
"""


def test_a_process_of_another_session_ends_with_a_campaign_that_is_killed() -> None:
    parent = subprocess.Popen([sys.executable, "-c", LEAVING], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    left = left_by(int(parent.stdout.readline()))
    assert alive(left)
    parent.kill()
    parent.wait()
    parent.stdout.close()
    assert end_soon([left])


def left_by(worker: int) -> int:
    """Wait for the number of the process that a worker left behind."""
    file = left_behind(worker)
    assert soon(lambda: file.is_file() and bool(file.read_text()))
    left = int(file.read_text())
    file.unlink()
    return left
