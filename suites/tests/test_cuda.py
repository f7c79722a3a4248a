"""A real GPU: the same workloads, judged the same way. Without one these are skipped, and run on `interpreted`."""

import pytest
import torch
from torch import Tensor

from eagerdiff import Status, benchmark_subjects, measure_subject
from eagerdiff.harness.catalog.catalog import load
from eagerdiff.harness.devices import parse
from eagerdiff.harness.processes import Task, Worker, WorkerPool
from eagerdiff.harness.timing.roofline import measure
from eagerdiff.harness.timing.timers import timing_of
from eagerdiff.suites.tests.misbehaving import SPEC
from eagerdiff.suites.tests.rows import implementation_of, reference, run, statuses

pytestmark = [
    pytest.mark.cuda,
    pytest.mark.skipif(not torch.cuda.is_available(), reason="no NVIDIA GPU here; the kernels run on `interpreted`"),
]

no_rows = pytest.mark.skipif(
    torch.__version__ < "2.13", reason="a grid of no rows: corpus/scripts/earlier/inductor_grid_of_no_rows.py"
)
KERNELS = [
    ("paged_attention", "triton.varlen"),
    ("paged_attention", "triton.split_kv"),
    ("moe", "triton.grouped_gemm"),
    ("moe", "triton.scatter_add"),
    ("moe", "torch.grouped_mm"),
    ("symbolic", "inductor.dynamic"),
    pytest.param("symbolic", "inductor.unbacked", marks=no_rows),
]


@pytest.mark.parametrize(("operator", "implementation"), KERNELS)
def test_fixed_workloads_are_right_on_the_gpu(operator: str, implementation: str, worker_pool: WorkerPool) -> None:
    catalog = load()
    with Worker("cuda", worker_pool=worker_pool) as worker:
        for name, workload in list(catalog.operators[operator].workloads.items())[:4]:
            task = Task(operator=operator, implementation=implementation, workload=workload.to_data())
            outcome = worker.run(task)
            failure = outcome.first_failure
            assert failure is None, f"{name}: {failure.describe()}"
            assert outcome.verdicts


def test_one_process_serves_task_after_task(worker_pool: WorkerPool) -> None:
    """To start CUDA takes longer than a workload: its threads are not what a task left behind."""
    workload = next(iter(load().operators["cache_write"].workloads.values()))
    task = Task(operator="cache_write", implementation="triton.write", workload=workload.to_data())
    with Worker("cuda", worker_pool=worker_pool) as worker:
        processes = {worker.pid for _ in range(3) if worker.run(task).verdicts}
    assert len(processes) == 1


def test_an_answer_that_is_wrong_on_the_gpu_is_seen() -> None:
    task = Task(operator=SPEC, implementation="wrong_on_gpu", workload=[{"size": 40}])
    with Worker("cuda") as worker:
        outcome = worker.run(task)
    assert [verdict.status for verdict in outcome.verdicts] == [Status.WRONG_VALUE]


def test_an_index_outside_spares_the_process() -> None:
    """Eager's assertion in a kernel would end this process' CUDA, and the call after it would find none."""

    def third(x: Tensor, w: Tensor) -> Tensor:
        return reference(x, w)[torch.tensor([3], device=x.device)]

    device = parse("cuda")
    device.activate()
    outcome = run(device, implementation_of(third, devices=("cuda",)), 4, 2, 5, reference=third, may_raise=True)
    assert statuses(outcome) == [Status.PASSED, Status.SKIPPED, Status.PASSED]


def test_cuda_graphs_in_use_are_counted() -> None:
    found = {one.name: one for one in benchmark_subjects(load(), "cuda")}
    figures = {
        name: measure_subject(found[f"symbolic/inductor.{name}:mlp"]).figures
        for name in ("static", "automatic+cudagraphs")
    }
    assert 0 <= figures["static"]["fragmentation"] < 100
    assert figures["static"]["graphs"] == 0
    assert figures["static"]["unreplayed"] > 0
    assert figures["automatic+cudagraphs"]["graphs"] > 0
    assert figures["automatic+cudagraphs"]["unreplayed"] == 0


def test_cuda_events_time_longer_work_longer() -> None:
    small, large = (torch.randn(size, size, device="cuda") for size in (256, 4096))
    short, long = (timing_of([lambda x=x: x @ x], "cuda", rounds=5).median for x in (small, large))
    assert 0 < short < long


def test_the_roofline_of_a_gpu_is_above_the_processors() -> None:
    assert measure("cuda", torch.bfloat16).flops > 10 * measure("cpu", torch.float32).flops
