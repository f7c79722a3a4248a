"""Coverage of kernels: what the interpreter notes of branches, loops, flags, configurations and programs."""

import triton.language as tl

from eagerdiff.harness.devices.interpreted.coverage import Coverage
from eagerdiff.harness.model.kernel_coverage import Places, add_places
from eagerdiff.harness.results.kernels import KernelLine
from eagerdiff.suites.tests.device_process import interpreted

KERNELS = "eagerdiff.suites.tests.interpreter_coverage"


def reached(places: Places, word: str) -> list[str]:
    (found,) = (states for place, states in places.items() if word in place)
    return [state for state, is_reached in found.items() if is_reached]


def test_a_kernel_tells_what_of_it_was_reached() -> None:
    sums, kernels = interpreted(KERNELS, "covered", [0, 8, 9], 1, True)
    assert sums == [0.0, 16.0, 18.0]  # marks change nothing
    kernel, scaled = kernels["sum_kernel"], kernels["_scaled"]
    assert reached(kernel, "for first in range(0, n, BLOCK)") == ["0", "1", "2"]
    assert reached(kernel, "if tl.program_id(0) == 0") == ["taken"]
    assert reached(scaled, "if DOUBLE") == ["taken"]
    assert kernel["constexpr DOUBLE"] == {"False": False, "True": True}
    assert reached(kernel, "configuration, of 3") == [
        "BLOCK: 8, num_warps: 4, num_ctas: 1, num_stages: 3, maxnreg: None"
    ]
    assert reached(kernel, "programs") == ["1"]


def test_what_another_call_reaches_is_told_too() -> None:
    interpreted(KERNELS, "covered", [0], 1, True)
    sums, kernels = interpreted(KERNELS, "covered", [160, 7], 2, False)
    assert sums == [160.0, 7.0]
    kernel, scaled = kernels["sum_kernel"], kernels["_scaled"]
    assert {"1", "many"} <= set(reached(kernel, "for first in range(0, n, BLOCK)"))
    assert reached(kernel, "if tl.program_id(0) == 0") == ["taken", "not taken"]
    assert reached(scaled, "if DOUBLE") == ["taken", "not taken"]
    chosen = reached(kernel, "configuration, of 3")
    assert [text.partition(",")[0] for text in chosen] == ["BLOCK: 8", "BLOCK: 16"]
    assert {"1", "2"} <= set(reached(kernel, "programs"))


def test_what_was_told_is_not_told_again() -> None:
    coverage = Coverage()
    reach = coverage.of(test_what_was_told_is_not_told_again)  # pyright: ignore[reportArgumentType]
    reach.call({"FLAG": True, "TILE": 16}, 2)
    (first,) = coverage.news().values()
    assert first["constexpr FLAG"] == {"False": False, "True": True}
    assert first["constexpr TILE"] == {"16": True}
    assert first["programs"] == {"1": False, "2": True, "many": False}
    assert coverage.news() == {}
    reach.call({"FLAG": False, "TILE": 16}, 2)
    assert [list(places) for places in coverage.news().values()] == [["constexpr FLAG"]]


def test_functions_of_triton_are_not_told_of() -> None:
    coverage = Coverage()
    coverage.of(tl.cdiv.fn).call({}, 1)
    assert coverage.news() == {}


def test_lines_add_up_over_processes_and_count_what_is_known_beforehand() -> None:
    known: dict[str, Places] = {}
    add_places(known, {"kernel": {"line 3: if FLAG": {"taken": True, "not taken": False}, "constexpr N": {"1": True}}})
    add_places(known, {"kernel": {"line 3: if FLAG": {"taken": False, "not taken": False}, "constexpr N": {"2": True}}})
    line = KernelLine(operator="one", kernel="kernel", places=known["kernel"])
    assert (line.reached, line.states) == (1, 2)
    assert line.missing == {"line 3: if FLAG": ["not taken"]}
    assert line.met == {"constexpr N": ["1", "2"]}
