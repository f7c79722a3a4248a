"""Inductor's GPU code on the interpreter agrees with eager, under the same checks as hand-written kernels."""

import math

import pytest

from eagerdiff.suites.tests.device_process import run_here

pytestmark = pytest.mark.usefixtures("each_device")
FUNCTIONS = "eagerdiff.suites.tests.kernel_inductor"
SIZES = (7, 16, 33, 1, 0)
NAMES = (
    *(
        "pointwise",
        "gelu",
        "softmax",
        "layer_norm",
        "matmul",
        "index",
        "cat",
        "sort",
        "cumsum",
        "var",
        "amax",
        "argmax",
    ),
    *("bfloat16", "index_add", "special", "powers", "random"),
)


@pytest.mark.parametrize("name", NAMES)
def test_inductor_agrees_with_eager_at_every_size(name: str) -> None:
    for rows, launches, faults, error in run_here(FUNCTIONS, "compare", name, SIZES):
        assert faults == [], f"{rows} rows"
        assert error <= (1e-2 if name == "bfloat16" else 2e-4), f"{rows} rows"
        assert launches >= 1 or rows == 0, f"{rows} rows"


def test_an_unchecked_index_in_generated_code_is_reported() -> None:
    assert run_here(FUNCTIONS, "unsafe_index", 4) == ([], [1.0] * 4)
    faults, out = run_here(FUNCTIONS, "unsafe_index", 6)
    assert faults == [("load", 4)]
    assert [math.isnan(value) for value in out] == [False] * 4 + [True] * 2


def test_an_index_out_of_range_raises_as_eager_does() -> None:
    assert run_here(FUNCTIONS, "checked_index", 4) == [1.0] * 4
    with pytest.raises(Exception, match="index out of bounds"):
        run_here(FUNCTIONS, "checked_index", 6)


def test_memory_that_generated_code_never_wrote_is_nan() -> None:
    assert all(math.isnan(value) for value in run_here(FUNCTIONS, "unwritten"))


def test_filling_memory_recompiles_nothing() -> None:
    assert run_here(FUNCTIONS, "recompilations") == [1, 1, 1]


def test_the_target_is_a_gpu_that_is_not_there() -> None:
    assert run_here(FUNCTIONS, "drivers") == ("cuda:90", 1)


def test_a_float64_number_is_not_rounded_to_float32() -> None:
    assert max(run_here(FUNCTIONS, "wide_number")) < 1e-15
