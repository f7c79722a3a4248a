"""On a machine that does much else less is judged, and nothing is found that is not there."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from eagerdiff.harness.campaign import Campaign
from eagerdiff.harness.catalog.catalog import load
from eagerdiff.harness.model.verdict import Status
from eagerdiff.harness.processes import Limits, Task, Worker, WorkerPool
from eagerdiff.harness.processes.cpu_time import cpu_usage
from eagerdiff.suites.tests.kept_corpora import known_failures
from eagerdiff.suites.tests.misbehaving import BAD, SPEC

OTHERS_A_CORE = 2
SEARCHED = {
    "symbolic": ("aot_eager.dynamic", "inductor_triton.dynamic"),
    "moe_routing": ("triton.routing",),
    "expert_parallel": ("eager", "aot_eager.unbacked"),
}
"""Compiled code, a kernel on the interpreter, processes that wait for one another."""


def start_others(*, core: int | None, count: int) -> "list[subprocess.Popen[bytes]]":
    """Start endless loops, on one core or on any."""
    pin = f"os.sched_setaffinity(0, {{{core}}})" if core is not None else ""
    return [subprocess.Popen([sys.executable, "-c", f"import os\n{pin}\nwhile True: pass"]) for _ in range(count)]


@pytest.fixture
def others(request: pytest.FixtureRequest) -> "Iterator[list[subprocess.Popen[bytes]]]":
    """Endless loops beside the test: two a core, or as many on the first core."""
    cores = os.sched_getaffinity(0)
    first = min(cores) if request.param == "first core" else None
    started = start_others(core=first, count=4 if first is not None else OTHERS_A_CORE * len(cores))
    yield started
    for other in started:
        other.kill()
        other.wait()


@pytest.mark.parametrize("others", ["first core"], indirect=True)
@pytest.mark.slow
def test_a_case_that_waits_for_the_processor_of_others_is_not_late(others: "list[subprocess.Popen[bytes]]") -> None:
    """It needs half a second of CPU time, and gets a fifth of a core: over two seconds of wall clock."""
    with Worker("cpu", Limits(case_seconds=1.0, idle_seconds=1.0), WorkerPool([SPEC])) as worker:
        outcome = worker.run(Task(operator=SPEC, implementation="compute", workload=[{"size": BAD}]))
        worker._worker_pool.close()
    assert [verdict.status for verdict in outcome.verdicts] == [Status.PASSED]
    assert outcome.seconds > 1.0  # else nothing was asked


@pytest.mark.slow
@pytest.mark.parametrize("others", ["all cores"], indirect=True)
def test_a_search_beside_two_busy_loops_a_core_finds_nothing(others: "list[subprocess.Popen[bytes]]") -> None:
    catalog = load(list(SEARCHED))
    campaign = Campaign(
        catalog,
        implementations=[f"{operator}/{name}" for operator, names in SEARCHED.items() for name in names],
        budget=12.0,
        slots=2,
        known=known_failures(),
        limits=Limits(case_seconds=20.0, idle_seconds=20.0),
    )
    results = campaign.run()
    assert all(other.poll() is None for other in others)
    assert [finding.verdict.describe() for finding in results.findings if finding.new] == []
    assert [row.harness_errors for row in results.rows if row.harness_errors] == []
    assert results.totals.cases > 0


@pytest.mark.parametrize("others", ["all cores"], indirect=True)
def test_what_waits_for_a_core_is_busy_and_what_sleeps_is_not(others: "list[subprocess.Popen[bytes]]") -> None:
    sleeping = subprocess.Popen(["sleep", "100"])
    try:
        assert all(cpu_usage(other.pid).busy for other in others)
        deadline = time.monotonic() + 30
        while cpu_usage(sleeping.pid).busy and time.monotonic() < deadline:
            time.sleep(0.1)  # it has to start first, and the cores are taken
        assert not cpu_usage(sleeping.pid).busy
        assert cpu_usage(sleeping.pid).seconds < 1.0
    finally:
        sleeping.kill()
        sleeping.wait()
