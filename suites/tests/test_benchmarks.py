"""Benchmarks: a third party's kernel gets its rows, and what asv would discover is only ours to time."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from eagerdiff.harness.catalog import catalog
from eagerdiff.suites.benchmarks.suite import in_camel_case

ROOT = Path(__file__).resolve().parents[2]
ROWS = """
from eagerdiff import benchmark_subjects, curated_subjects, load_catalog, measure_subject
from eagerdiff.suites.benchmarks import compiling, counting, steady_state
from eagerdiff.suites.benchmarks.subjects import subject

counted = counting.CountingPagedAttention
assert "one_query" in counted.params[0], counted.params
benchmark = counted()
benchmark.setup("one_query", "growing_contexts")
print("specialisations", benchmark.track_specialisations(), "registers", benchmark.track_registers())

timed = steady_state.SteadyStateRmsNorm
assert timed.params[0] == ["torch.rms_norm", "torch.compile"], timed.params
benchmark = timed()
benchmark.setup("torch.rms_norm", timed.params[1][0])
print("microseconds", benchmark.track_microseconds())

found = {one.name: one for one in curated_subjects(benchmark_subjects(load_catalog(), "cpu"))}
measured = measure_subject(next(one for name, one in found.items() if "symbolic/inductor." in name)).figures
print("cold", measured["compile_seconds"], "warm", measured["warm_seconds"])

compiled = compiling.CompilingSymbolic()
compiled.setup("dynamo.static", "mlp")
print("compiles", compiled.track_compiles())
"""


@pytest.mark.slow
def test_a_third_partys_kernel_and_operator_get_their_benchmark_rows() -> None:
    plugged = {
        "EAGERDIFF_IMPLEMENTATIONS": "examples/one_query.py:IMPLEMENTATION",
        "EAGERDIFF_OPERATORS": "examples/rms_norm.py:OPERATOR",
        "OMP_NUM_THREADS": "1",
    }
    command = [sys.executable, "-c", ROWS]
    done = subprocess.run(command, cwd=ROOT, env=os.environ | plugged, capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stderr
    figures = dict(line.split(maxsplit=1) for line in done.stdout.splitlines())
    assert figures["compiles"] == "7"
    assert float(figures["microseconds"]) > 0
    cold, _, warm = figures["cold"].split()
    assert 0 < float(warm) < float(cold) / 2
    assert int(figures["specialisations"].split()[0]) >= 1


def test_the_classes_of_our_operators_stand_in_the_source() -> None:
    operators = [name for name, one in catalog.load().operators.items() if not one.drawing.exploratory]
    assert len(operators) > 10
    for module, kind in (("compiling", "Compiling"), ("steady_state", "SteadyState")):
        source = (ROOT / "suites" / "benchmarks" / f"{module}.py").read_text()
        assert [name for name in operators if f"class {kind}{in_camel_case(name)}(" not in source] == []


def test_asv_discovers_benchmarks_alone() -> None:
    """A function imported into a benchmark module whose name begins with time_ or track_ would become a benchmark."""
    command = [sys.executable, "-m", "asv", "check", "--environment", f"existing:{sys.executable}"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "No problems found" in done.stdout
