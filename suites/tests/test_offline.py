"""Offline compilation: real assemblers, no GPU."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from eagerdiff.harness.devices import machine_code, offline
from eagerdiff.suites.tests.device_process import interpreted

TARGETS = ("sm_80", "sm_90", "sm_100", "gfx942")


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Compile everything once, in a process that is not the interpreter's and with an empty cache."""
    cache = tmp_path_factory.mktemp("triton")
    environment = {**os.environ, "TRITON_INTERPRET": "0", "TRITON_CACHE_DIR": str(cache)}
    command = [sys.executable, "-m", "eagerdiff.suites.tests.offline_kernels"]
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, timeout=280, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


@pytest.mark.parametrize("index", range(len(TARGETS)), ids=TARGETS)
def test_vector_add_needs_few_registers_and_no_memory(compiled: dict[str, Any], index: int) -> None:
    report = compiled["add"][index]

    assert report["target"] == TARGETS[index]
    assert 0 < report["registers"] <= 32
    assert report["spill_bytes"] == report["shared_bytes"] == 0
    assert report["code_bytes"] > 0
    assert {"load", "store"} <= report["instructions"].keys()
    assert "matrix" not in report["instructions"]


@pytest.mark.parametrize("index", range(len(TARGETS)), ids=TARGETS)
def test_matmul_uses_shared_memory_and_matrix_instructions(compiled: dict[str, Any], index: int) -> None:
    report = compiled["multiply"][index]

    assert report["shared_bytes"] > 0
    assert report["spill_bytes"] == 0
    assert report["instructions"]["matrix"] > 0
    assert report["instructions"]["shared_load"] > 0
    assert report["instructions"]["total"] > compiled["add"][index]["instructions"]["total"]


def test_a_planted_huge_tile_spills(compiled: dict[str, Any]) -> None:
    assert [report["target"] for report in compiled["spilling"]] == ["sm_90", "gfx942"]
    assert all(report["spill_bytes"] > 0 for report in compiled["spilling"])


def test_specialisations_are_one_divisible_by_16_and_other(compiled: dict[str, Any]) -> None:
    assert compiled["counts"] == {"1 16 17 33": 3, "17 33": 1, "16 2**33": 2}


def test_capture_gives_a_report_a_specialisation_and_runs_nothing(compiled: dict[str, Any]) -> None:
    reports = compiled["captured"]["reports"]

    assert compiled["captured"]["untouched"]
    assert [(report["kernel"], report["launches"]) for report in reports] == [
        ("add", 1),
        ("add", 2),
        ("add", 2),
        ("double", 2),  # once to be timed
        ("double", 1),
    ]
    assert len({report["specialisation"] for report in reports}) == 5
    assert "n: i32 /16" in reports[1]["specialisation"]


def test_the_interpreter_tells_the_specialisations_that_the_compiler_would_make(compiled: dict[str, Any]) -> None:
    reports = compiled["captured"]["reports"]
    told: list[tuple[str, str]] = interpreted("eagerdiff.suites.tests.offline_kernels", "interpreted")

    chosen = [report for report in reports if "BLOCK=128" not in report["specialisation"]]
    assert told == [(report["kernel"], report["specialisation"]) for report in chosen]


def test_capture_leaves_no_compiled_code_behind(compiled: dict[str, Any]) -> None:
    assert compiled["count after capture"] == compiled["counts"]["1 16 17 33"]


def test_an_unknown_target_is_named() -> None:
    with pytest.raises(ValueError, match="no such offline target: 'sm_1'"):
        offline.compile_kernel(None, {}, {}, "sm_1")


def test_the_interpreter_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRITON_INTERPRET", "1")
    with pytest.raises(RuntimeError, match="TRITON_INTERPRET=0"):
        offline.count_specialisations(None, [])


def test_what_is_no_machine_code_is_refused() -> None:
    with pytest.raises(ValueError, match="ELF"):
        machine_code.code_bytes(b"PK\x03\x04 not a cubin")
    with pytest.raises(RuntimeError, match="cuobjdump"):
        machine_code.cubin_usage(b"not a cubin")
    with pytest.raises(RuntimeError, match="metadata"):
        machine_code.amdgcn_usage("s_endpgm")


def test_instructions_are_counted_by_class() -> None:
    ptx = """
    .visible .entry add(
    { .reg .b32 %r<3>;
    $L__BB0_1:
    @%p1 ld.global.v4.b32 { %r1 }, [ %rd1 + 0 ];
    ld.shared.b32 %r2, [%r1]; // a comment
    mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1};
    red.global.add.f32 [%rd1], %f1;
    ret;
    """
    assert machine_code.instruction_mix(ptx) == {
        "atomic": 1,
        "branch": 1,
        "load": 1,
        "matrix": 1,
        "shared_load": 1,
        "total": 5,
    }
