"""Races and uninitialised reads are seen on the host device, and nothing else is."""

import pytest
import torch

from eagerdiff.suites.tests.device_process import run_on

KERNELS = "eagerdiff.suites.tests.host_tracking"
DTYPES = (torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int32, torch.int64, torch.uint8)


def test_a_scatter_without_atomics_races_where_two_programs_meet() -> None:
    met = run_on("host", KERNELS, "scatter", [0, 1, 2, 1], False)
    assert {("race", "load", "o_ptr"), ("race", "store", "o_ptr")} & set(met)
    assert run_on("host", KERNELS, "scatter", [0, 1, 2, 3], False) == []


def test_atomics_do_not_race_with_one_another() -> None:
    assert run_on("host", KERNELS, "scatter", [0, 1, 2, 1, 1, 1], True) == []


@pytest.mark.parametrize(("step", "faults"), [(8, []), (7, [("race", "store", "o_ptr")])])
def test_tiles_that_overlap_race(step: int, faults: list[object]) -> None:
    assert run_on("host", KERNELS, "tiles", step, 4) == faults


def test_a_read_races_with_the_write_of_another() -> None:
    assert run_on("host", KERNELS, "shift", True)[0][0] == "race"
    assert run_on("host", KERNELS, "shift", False) == []


@pytest.mark.parametrize("writer", [0, 1, 2, 3])
def test_a_write_races_with_the_reads_of_several(writer: int) -> None:
    assert ("race", "store", "x_ptr") in run_on("host", KERNELS, "shared", writer) or writer == 0
    assert run_on("host", KERNELS, "shared", writer)
    assert run_on("host", KERNELS, "shared", 4) == []


def test_elements_that_are_narrower_than_another_views_do_not_race() -> None:
    assert run_on("host", KERNELS, "narrow") == []
    assert run_on("host", KERNELS, "cast", 1) == []
    assert run_on("host", KERNELS, "cast", 2) == [("race", "store", "o_ptr")]


@pytest.mark.parametrize("interleaves", [False, True])
def test_an_acquired_release_orders_programs(interleaves: bool) -> None:
    for seed in range(1, 6):
        assert run_on("host", KERNELS, "split", "acq_rel", interleaves, seed) == ([], 2016.0)


def test_a_relaxed_atomic_orders_nothing() -> None:
    faults, _ = run_on("host", KERNELS, "split", "relaxed")
    assert faults == [("race", "load", "part_ptr")]


def test_a_volatile_load_is_a_look_at_what_another_program_writes() -> None:
    """As the flags of a decoupled look-back: Triton has no store that says so."""
    assert run_on("host", KERNELS, "look_back", False) == [("race", "load", "flag_ptr")]
    assert run_on("host", KERNELS, "look_back", True) == []


def test_programs_may_wait_for_a_later_one() -> None:
    assert run_on("host", KERNELS, "wait", 5) == ([], [7.0] * 4)
    assert run_on("host", KERNELS, "wait", 100) == ([], [7.0] * 99)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_what_nothing_wrote_is_told(dtype: torch.dtype) -> None:
    assert run_on("host", KERNELS, "unwritten", dtype, 7) == [("uninitialised", "load", "x_ptr")]
    assert run_on("host", KERNELS, "unwritten", dtype, 8) == []


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_what_torch_wrote_is_not_told(dtype: torch.dtype) -> None:
    assert run_on("host", KERNELS, "written_by_torch", dtype) == []


@pytest.mark.parametrize(
    ("atomic", "filled", "seed", "said"),
    [
        (True, True, 0, "PASSED: "),
        (False, True, 0, "RACE: scatter_kernel: load of `o_ptr` that another program touches too at element 0 of 8"),
        (False, True, 1, "PASSED: "),  # not tracked
        (True, False, 0, "UNWRITTEN: scatter_kernel: atomic of `o_ptr` that nothing has written at element 0 of 8"),
        (True, False, 1, "PASSED: "),
    ],
)
def test_a_call_of_four_is_judged_by_races_and_reads_of_nothing(
    atomic: bool, filled: bool, seed: int, said: str
) -> None:
    assert run_on("host", KERNELS, "judged", atomic, filled, seed).startswith(said)
