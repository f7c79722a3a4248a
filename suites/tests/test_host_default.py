"""Where no device is named, hand-written kernels are compiled for the host; what it refuses is interpreted instead."""

import dataclasses
from collections.abc import Iterator
from io import StringIO

import pytest
from rich.console import Console

from eagerdiff import Implementation
from eagerdiff.harness.campaign import Campaign
from eagerdiff.harness.campaign.differential import Check, Subject, subjects
from eagerdiff.harness.catalog.catalog import load
from eagerdiff.harness.cli.selfcheck import line
from eagerdiff.harness.cli.summary import print_summary
from eagerdiff.harness.devices import default_devices, parse
from eagerdiff.harness.mutation.faults import Fault
from eagerdiff.harness.mutation.selfcheck import selfcheck
from eagerdiff.harness.processes import Task, Worker, WorkerPool
from eagerdiff.harness.report.page import page
from eagerdiff.harness.report.summary import summary
from eagerdiff.harness.results.attempt import Attempt
from eagerdiff.harness.results.results import Results
from eagerdiff.suites.tests.standing_in import OPERATOR, SPEC

KERNEL = OPERATOR.implementations[0]
COMPILED = dataclasses.replace(KERNEL, mode=next(iter(load(["symbolic"]).implementations["symbolic"].values())).mode)
REFUSED = "rounding towards zero to f8E5M2 at "


@pytest.mark.parametrize(
    ("implementation", "names"),
    [
        (dataclasses.replace(KERNEL, devices=("interpreted", "cuda")), ("host", "cuda")),
        (dataclasses.replace(KERNEL, devices=("interpreted", "host")), ("host",)),
        (dataclasses.replace(KERNEL, devices=("cpu", "cuda")), ("cpu", "cuda")),
        (COMPILED, ("interpreted",)),
    ],
)
def test_what_is_written_by_hand_is_compiled_for_the_host(
    implementation: Implementation, names: tuple[str, ...]
) -> None:
    assert default_devices(implementation) == names


def test_where_nothing_compiles_kernels_are_interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.setenv("PATH", "")
    assert parse("host").unavailable()
    assert default_devices(KERNEL) == ("interpreted",)


@pytest.mark.parametrize(("asked", "device"), [([], "host"), (["host"], "host"), (["interpreted"], "interpreted")])
def test_a_device_that_is_named_is_the_one(asked: list[str], device: str) -> None:
    catalog = load([SPEC])
    assert [one.device for one in subjects(catalog, ["rounding"], asked)] == [device]
    campaign = Campaign(catalog, implementations=["rounding"], devices=asked or None)
    assert [one.device for one in campaign.targets] == [device]


@pytest.fixture(scope="module")
def worker_pool() -> Iterator[WorkerPool]:
    with WorkerPool([SPEC]) as worker_pool:
        yield worker_pool


@pytest.mark.parametrize(("sizes", "refused"), [((1, 2), ""), ((2, 5), REFUSED), ((5, 2), REFUSED)])
def test_what_the_host_refuses_is_judged_on_the_interpreter(
    worker_pool: WorkerPool, sizes: tuple[int, ...], refused: str
) -> None:
    task = Task(operator=SPEC, implementation="rounding", workload=[{"size": size} for size in sizes])
    with Worker("host", worker_pool=worker_pool) as worker:
        outcome = worker.run(task)
    assert [verdict.status for verdict in outcome.verdicts] == ["PASSED", "PASSED"]
    assert outcome.refused.startswith(refused)
    assert bool(outcome.refused) == bool(refused)
    assert ("standing_in.py:" in outcome.refused) == bool(refused)


def test_a_kernel_that_is_wrong_where_the_host_refuses_it_is_found(worker_pool: WorkerPool) -> None:
    task = Task(operator=SPEC, implementation="wrong", workload=[{"size": 5}])
    with Worker("host", worker_pool=worker_pool) as worker:
        outcome = worker.run(task)
    assert outcome.verdicts[0].status == "WRONG_VALUE"
    assert outcome.refused.startswith(REFUSED)


def test_reports_count_by_operation_what_was_judged_elsewhere(worker_pool: WorkerPool) -> None:
    results = Campaign(load([SPEC]), implementations=["rounding"], budget=6.0, slots=1, worker_pool=worker_pool).run()
    (row,) = results.rows
    ((what, count),) = row.stood_in.items()
    assert (row.device, row.findings, row.harness_errors) == ("host", 0, {})
    assert what.startswith(REFUSED)
    assert 0 < count <= row.cases
    for told in (page(results), summary(results), _printed(results)):
        assert "rounding towards zero to f8E5M2" in told


def _printed(results: Results) -> str:
    out = StringIO()
    print_summary(Console(file=out, width=400), results)
    return out.getvalue()


def test_a_differential_test_counts_them_too(worker_pool: WorkerPool) -> None:
    catalog = load([SPEC])
    (subject,) = subjects(catalog, ["rounding"])
    with Worker(subject.device, worker_pool=worker_pool) as worker:
        check = Check(catalog, Subject(subject.operator, subject.implementation, subject.device), worker)
        check.search(examples=4, max_cases=2)
    assert check.cases > 0
    assert not check.broken
    assert all(what.startswith(REFUSED) for what in check.stood_in)
    assert sum(check.stood_in.values()) > 0


@pytest.mark.parametrize(
    ("asked", "device"), [("", "host"), pytest.param("interpreted", "interpreted", marks=pytest.mark.slow)]
)
def test_selfcheck_searches_on_the_device_that_is_asked_for(asked: str, device: str) -> None:
    fault = Fault(
        id="masks-nothing",
        operator="cascade_merge",
        implementation="triton.merge",
        file="compiled/cascade_merge/__init__.py",
        text='"""',
        replacement='import os\nos.abort()\n"""',
        seen="nowhere",
        what="crashes",
    )
    (row,) = selfcheck([fault], load(["cascade_merge"]), budget=0.0, slots=1, device=asked).rows
    assert row.device == device


def test_selfcheck_says_of_what_does_not_run_on_the_device() -> None:
    fault = Fault(
        id="f",
        operator="kv_cache",
        implementation="blocks",
        file="compiled/kv_cache/__init__.py",
        text="x",
        replacement="y",
        seen="nowhere",
        what="nothing",
    )
    (row,) = selfcheck([fault], load(["kv_cache"]), budget=1.0, device="interpreted").rows
    assert row.problem.startswith("it does not run on interpreted: ")


@pytest.mark.slow
def test_a_line_of_selfcheck_says_what_was_judged_elsewhere() -> None:
    row = Attempt(id="f", operator="o", implementation="i", device="host", cases=3, stood_in={"tt.x at k.py:1": 3})
    assert "3 on another device, for tt.x at k.py:1" in line(row)
