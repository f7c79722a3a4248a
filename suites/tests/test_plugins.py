"""Plug-ins from outside the repository: the files in `examples/`, through each of the three routes."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from eagerdiff.harness.campaign.differential import Check, Subject
from eagerdiff.harness.catalog import catalog
from eagerdiff.harness.catalog.conformance import misfit_of_build
from eagerdiff.harness.processes import Worker, WorkerPool

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
ROOT = EXAMPLES.parent
METADATA = "Metadata-Version: 2.1\nName: acme-attention\nVersion: 0.1.0\n"
ENTRY_POINTS = "[eagerdiff.implementations]\nacme = acme_attention:IMPLEMENTATIONS\n"
BENCHMARK = """
from eagerdiff.suites.benchmarks.{module} import {benchmark} as Benchmark

implementations, workloads = Benchmark.params
assert "{name}" in implementations, implementations
benchmark = Benchmark()
benchmark.setup("{name}", workloads[0])
print(benchmark.{track}())
"""

pytestmark = pytest.mark.skipif(not EXAMPLES.is_dir(), reason="the examples lie in the repository, not in the wheel")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Install the plug-in package as pip would: its module and its dist-info folder on sys.path."""
    folder = tmp_path_factory.mktemp("site-packages")
    (folder / "acme_attention.py").write_text((EXAMPLES / "acme_plugin" / "acme_attention.py").read_text())
    distribute(folder, f"{ENTRY_POINTS}broken = acme_attention:NONE\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "path", [*sys.path, str(folder)])
        yield


def distribute(folder: Path, entry_points: str) -> None:
    info = folder / "acme_attention-0.1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(METADATA)
    (info / "entry_points.txt").write_text(entry_points)


@pytest.fixture(scope="module")
def worker_pool(installed: None) -> Iterator[WorkerPool]:
    with WorkerPool() as found:
        yield found


def search(found: catalog.Catalog, subject: Subject, worker_pool: WorkerPool) -> Check:
    with Worker(subject.device, worker_pool=worker_pool) as worker:
        check = Check(found, subject, worker)
        check.search(examples=8, max_cases=3)
    return check


def test_an_installed_plugin_is_found_and_searched_and_a_broken_one_is_one_line(worker_pool: WorkerPool) -> None:
    found = catalog.load(["paged_attention"])
    assert "acme.padded" in found.implementations["paged_attention"]
    assert [line for line in found.problems if "broken" in line and "acme-attention" in line] == found.problems
    check = search(found, Subject("paged_attention", "acme.padded", "cpu"), worker_pool)
    assert (check.findings, check.broken) == ([], "")
    assert check.cases >= 4


@pytest.mark.slow
def test_a_kernel_in_a_file_is_searched(worker_pool: WorkerPool) -> None:
    spec = f"{EXAMPLES / 'one_query.py'}:IMPLEMENTATION"
    found = catalog.load_typed(["paged_attention"], [spec], misfit=misfit_of_build)
    assert found.refused == {}
    check = search(found, Subject("paged_attention", "one_query", "interpreted"), worker_pool)
    assert (check.findings, check.broken) == ([], "")
    assert check.cases >= 2


def test_an_operator_in_a_file_is_searched(worker_pool: WorkerPool) -> None:
    spec = f"{EXAMPLES / 'rms_norm.py'}:OPERATOR"
    found = catalog.load_typed([spec], misfit=misfit_of_build)
    assert found.refused == {}
    check = search(found, Subject("rms_norm", "torch.rms_norm", "cpu"), worker_pool)
    assert (check.findings, check.broken) == ([], "")
    assert check.cases >= 4


@pytest.mark.slow
def test_a_wrong_kernel_in_a_file_is_found_out(worker_pool: WorkerPool, tmp_path: Path) -> None:
    text = (EXAMPLES / "one_query.py").read_text()
    assert text.count("/ tl.where(total == 0, 1.0, total)") == 1
    wrong = tmp_path / "wrong.py"
    wrong.write_text(text.replace("/ tl.where(total == 0, 1.0, total)", "* 1.01 / tl.where(total == 0, 1.0, total)"))
    found = catalog.load_typed(["paged_attention"], [f"{wrong}:IMPLEMENTATION"])
    check = search(found, Subject("paged_attention", "one_query", "interpreted"), worker_pool)
    assert {finding.verdict.status for finding in check.findings} == {"WRONG_VALUE"}  # an output's, or a copied one's
    assert all(finding.reproduced for finding in check.findings)
    assert {len(finding.workload) for finding in check.findings if finding.shrunk} == {1}  # others were met beside it


def test_the_examples_are_as_short_as_promised() -> None:
    for name, most in (("one_query.py", 26), ("rms_norm.py", 25)):
        lines = (EXAMPLES / name).read_text().splitlines()
        own = [line for line in lines if line.strip() and not line.startswith(("import", "from", "#", '"""'))]
        assert len(own) <= most, name


@pytest.mark.slow
@pytest.mark.parametrize("route", ["entry point", "implementation", "operator"])
def test_each_route_gives_verdicts_compile_counts_a_report_row_and_a_benchmark_row(route: str, tmp_path: Path) -> None:
    """The lines of one file: installed as a package, named on the command line, and an operator of their own."""
    operator, name, device = "paged_attention", "one_query", "interpreted"
    arguments, environment = [operator], dict(os.environ, OMP_NUM_THREADS="1")
    if route == "entry point":
        (tmp_path / "one_query.py").write_text((EXAMPLES / "one_query.py").read_text())
        distribute(tmp_path, "[eagerdiff.implementations]\nacme = one_query:IMPLEMENTATION\n")
        environment["PYTHONPATH"] = str(tmp_path)
    elif route == "implementation":
        spec = f"{EXAMPLES / 'one_query.py'}:IMPLEMENTATION"
        arguments += ["--implementation", spec]
        environment["EAGERDIFF_IMPLEMENTATIONS"] = spec
    else:
        spec = f"{EXAMPLES / 'rms_norm.py'}:OPERATOR"
        operator, name, device = "rms_norm", "torch.compile", "cpu"
        arguments, environment["EAGERDIFF_OPERATORS"] = [spec], spec
    report = tmp_path / "report"
    command = ["-m", "eagerdiff.harness.cli", "run", *arguments, "--implementation", name, "--device", device]
    outcome = python([*command, "--budget", "5s", "--out", str(report)], environment)
    assert outcome.returncode == 0, outcome.stdout + outcome.stderr
    (row,) = json.loads((report / "report.json").read_text())["rows"]
    assert (row["operator"], row["implementation"], row["device"]) == (operator, name, device)
    assert (row["cases"] > 0, row["compiles"] > 0, row["new"]) == (True, True, 0)
    assert name in (report / "index.html").read_text()
    module, benchmark, track = ("counting", "CountingPagedAttention", "track_specialisations")
    if route == "operator":
        module, benchmark, track = ("compiling", "CompilingRmsNorm", "track_compiles")
    text = BENCHMARK.format(module=module, benchmark=benchmark, name=name, track=track)
    outcome = python(["-c", text], environment)
    assert outcome.returncode == 0, outcome.stderr
    assert int(outcome.stdout) >= 1


def python(arguments: list[str], environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=200)
