"""Every memory oracle of the interpreted device catches a planted defect, and lets the right kernel pass."""

import math

import pytest
import torch

from eagerdiff.harness.internals.releases import release
from eagerdiff.suites.tests.device_process import run_here

pytestmark = pytest.mark.usefixtures("each_device")
INTERPRETED = pytest.mark.parametrize("each_device", ["interpreted"], indirect=True)
"""Triton's front end refuses what is tested: the interpreter alone takes it."""
KERNELS = "eagerdiff.suites.tests.kernel_memory"


@pytest.mark.parametrize("size", [0, 1, 15, 16, 17, 33])
def test_a_masked_copy_has_no_faults(size: int) -> None:
    faults, copied, fence = run_here(KERNELS, "copy", size, True, True)
    assert (faults, copied) == ([], [float(index) for index in range(size)])
    assert set(fence) == {-1.0}


def test_a_load_past_the_end_is_reported() -> None:
    faults, copied, _ = run_here(KERNELS, "copy", 17, False, True)
    assert faults == [("load", "x_ptr", 15, 17, 17)]
    assert copied == [float(index) for index in range(17)]


def test_a_store_past_the_end_is_reported_and_not_performed() -> None:
    faults, copied, fence = run_here(KERNELS, "copy", 17, True, False)
    assert faults == [("store", "o_ptr", 15, 17, 17)]
    assert copied == [float(index) for index in range(17)]
    assert set(fence) == {-1.0}


def test_the_span_of_a_strided_view_ends_with_its_last_element() -> None:
    assert run_here(KERNELS, "copy_strided", 16) == []
    assert run_here(KERNELS, "copy_strided", 10) == [("load", "x_ptr", 6, 58, 58)]


@pytest.mark.parametrize("kind", ["load", "store", "atomic", "cas"])
@pytest.mark.parametrize("distance", [4, -1, 10**9, -(10**9)])
def test_wild_accesses_neither_crash_nor_pass(kind: str, distance: int) -> None:
    faults, out = run_here(KERNELS, "far", kind, distance)
    named = {"load": ("load", "x_ptr"), "store": ("store", "o_ptr")}.get(kind, ("atomic", "o_ptr"))
    assert faults == [(*named, 1, distance, 4)]
    assert out[1:] == [0, 0, 0]


@pytest.mark.parametrize("kind", ["load", "store", "atomic"])
def test_near_accesses_pass(kind: str) -> None:
    faults, out = run_here(KERNELS, "far", kind, 3)
    assert faults == []
    assert out[3] == (0 if kind == "load" else 1)


@pytest.mark.parametrize("holds", [True, False])
def test_what_points_into_a_tensor_reaches_all_of_it_and_no_more(holds: bool) -> None:
    """A program's own class, as one for strides that are negative, which a tensor has not."""
    for distance in (-2, -1, 0, 1):
        faults, out = run_here(KERNELS, "pointing", holds, "store", distance)
        assert faults == []
        assert out.index(1) == 2 + distance
    for kind in ("load", "store", "atomic"):
        assert [fault[0] for fault in run_here(KERNELS, "pointing", holds, kind, -(10**9))[0]] == [kind]
        assert [fault[0] for fault in run_here(KERNELS, "pointing", holds, kind, 2)[0]] == [kind]
        assert [fault[0] for fault in run_here(KERNELS, "pointing", holds, kind, -3)[0]] == [kind]


def test_a_wild_access_that_nothing_watches_raises() -> None:
    with pytest.raises(Exception, match="outside `x_ptr`: element 9 of 4"):
        run_here(KERNELS, "far_unwatched", "load", 9)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.float16, torch.bfloat16], ids=str)
def test_masked_lanes_without_other_are_nan(dtype: torch.dtype) -> None:
    assert run_here(KERNELS, "masked_sum", 16, dtype) == 16.0
    assert math.isnan(run_here(KERNELS, "masked_sum", 15, dtype))


def test_masked_lanes_without_other_are_wild_integers() -> None:
    assert run_here(KERNELS, "masked_sum", 16, torch.int32) == 16
    assert run_here(KERNELS, "masked_sum", 15, torch.int32) == 15 + 0x5A5A5A5A


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int32], ids=str)
def test_masked_lanes_without_other_show_in_extremes_which_drop_nan(dtype: torch.dtype) -> None:
    assert run_here(KERNELS, "masked_extremes", 16, dtype) == [[-5, -20]] * 4
    largest, smallest = zip(*run_here(KERNELS, "masked_extremes", 15, dtype), strict=True)
    assert max(largest) > 1000
    assert min(smallest) < -1000


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.int32], ids=str)
@pytest.mark.parametrize("block", [0, 1])
def test_a_masked_number_is_other_even_where_that_is_zero(block: int, dtype: torch.dtype) -> None:
    assert [run_here(KERNELS, "one_other", n, other, block, dtype) for n, other in ((1, 0), (0, 0), (0, 7))] == [
        1,
        0,
        7,
    ]


@pytest.mark.skipif(
    release("triton") >= (3, 9), reason="triton 3.9 has no block pointers: descriptors took their place"
)
def test_block_pointers_are_checked() -> None:
    assert run_here(KERNELS, "block_pointer", 10, "zero", True) == ([], 10.0)
    faults, total = run_here(KERNELS, "block_pointer", 10, "", False)
    assert (faults, math.isnan(total)) == ([("load", "x_ptr", 6, 10, 10)], True)
    faults, total = run_here(KERNELS, "block_pointer", 10, "", True)
    assert (faults, math.isnan(total)) == ([], True)


def test_tensor_descriptors_are_checked() -> None:
    assert run_here(KERNELS, "descriptor", 5, 5) == ([], [32.0] * 5)
    assert run_here(KERNELS, "descriptor", 5, 6)[0] == [("load", "x_ptr", 16, 80, 80)]


def test_a_race_shows_when_the_order_is_shuffled() -> None:
    natural, launches = run_here(KERNELS, "race", 0)
    assert launches == 1
    assert run_here(KERNELS, "race", 0)[0] == natural
    assert run_here(KERNELS, "race", 1) == run_here(KERNELS, "race", 1)
    assert len({run_here(KERNELS, "race", seed)[0] for seed in range(4)}) > 2


def test_programs_that_wait_for_one_another_keep_their_order() -> None:
    assert run_here(KERNELS, "wait", 3) == [0, 1, 2, 3]


def test_an_output_left_unwritten_is_nan() -> None:
    out = run_here(KERNELS, "forget")
    assert out[:7] == [1.0] * 7
    assert math.isnan(out[7])


def test_pointers_from_memory_reach_live_tensors_only() -> None:
    assert run_here(KERNELS, "pointer_table", False) == ([], [0.0, 1.0, 2.0])
    faults, out = run_here(KERNELS, "pointer_table", True)
    assert [fault[0] for fault in faults] == ["load"]
    assert math.isnan(out[1])


@pytest.mark.parametrize("n", [16, 33])
def test_autotuned_kernels_with_heuristics_use_one_configuration(n: int) -> None:
    assert run_here(KERNELS, "tuned", n) == ([], [float(index) for index in range(n)])


def test_device_assertions_fail_the_launch() -> None:
    run_here(KERNELS, "talk", [1.0, 2.0])
    with pytest.raises(Exception, match="negative"):
        run_here(KERNELS, "talk", [1.0, -2.0])


def test_a_grid_beyond_cuda_is_refused() -> None:
    with pytest.raises(Exception, match="65536 programs along y"):
        run_here(KERNELS, "launch_over", (1, 65536))


@INTERPRETED
@pytest.mark.parametrize(("key", "place"), [(0, 0), (3, 1), (9, 4)])
def test_idioms_of_published_kernels(key: int, place: int) -> None:
    assert run_here(KERNELS, "search", [1, 3, 5, 7], key) == place + 4


def test_a_kernel_is_told_how_many_processors_there_are() -> None:
    assert run_here(KERNELS, "processors") == 132


@INTERPRETED
def test_a_kernel_may_be_a_closure() -> None:
    assert run_here(KERNELS, "closure", 3) == [0.0, 3.0, 6.0, 9.0]
