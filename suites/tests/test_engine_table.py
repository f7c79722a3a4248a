"""The table of engines is measured: each way in a process of its own, timed in turn, judged at seven sizes."""

import os
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import torch

from eagerdiff import Cell, Implementation
from eagerdiff.compiled.engines.known import ENGINES
from eagerdiff.reference.symbolic import EVERY
from eagerdiff.suites.engine_table import measuring
from eagerdiff.suites.engine_table.line import FIGURES, MEASURED, Line
from eagerdiff.suites.engine_table.measuring import Measurer, measure_one, shortened, ways
from eagerdiff.suites.engine_table.table import claims, figure_of
from eagerdiff.suites.engines import OPERATOR

FOUND = {one.name: one for one in OPERATOR.implementations}
SCRIPTED = FOUND["torchscript.script"]


@pytest.fixture(autouse=True)
def few_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measuring, "ROUNDS", 3)


def test_each_engine_has_one_column_and_torch_each_of_its_modes() -> None:
    names = [one.name for one in ways()]
    assert len({*names}) == len(names)
    on_cpu = [engine for engine in ENGINES if engine.device == "cpu"]
    assert {name.partition(".")[0] for name in names} == {
        *(engine.name for engine in on_cpu),
        "torchscript",
        "export",
        "inductor",
        "aoti",
    }
    assert {"executorch.bounded", "tvm.named", "inductor.unbacked", "inductor.bucketed"} < {*names}


def test_each_column_says_for_what_its_artifact_is() -> None:
    lines = [Line(program="mlp", kind="bounded", way=one.name, why="not run") for one in ways()]
    said = claims(lines, [line.way for line in lines]).rows["an artifact is for, as it is documented"]
    assert all(cell.text for cell in said)


def test_a_way_that_is_right_is_timed_beside_eager() -> None:
    line = measure_one(SCRIPTED, "mlp")
    assert (line.right, line.of, line.failed, line.why) == (7, 7, 0, "")
    assert 0 < line.figures["to_eager"] < 20
    assert line.figures["artifacts"] == 1
    assert line.figures["padding"] == 0
    assert {*line.figures} | {*line.missing} == {*FIGURES}
    assert line.missing["to_inductor"] == "inductor.dynamic does not compile the program"


def test_what_is_padded_is_told() -> None:
    line = measure_one(replace(FOUND["inductor.bucketed"], build=_eager), "mlp")
    assert 20 < line.figures["padding"] < 80


@pytest.mark.parametrize(
    ("build", "right", "why"),
    [
        (lambda case: lambda x, *rest, **_: EVERY["mlp"].function(x, *rest)[:9], 3, "shape"),
        (lambda case: os._exit(3), 0, "its process ended with exit code 3"),
        (lambda case: 1 // 0, 0, "ZeroDivisionError"),
    ],
    ids=["wrong at some sizes", "dies", "raises"],
)
def test_what_is_not_right_says_why_in_each_cell(build: Callable[[Any], Any], right: int, why: str) -> None:
    line = measure_one(replace(SCRIPTED, build=build), "mlp")
    assert line.right == right
    assert why in line.why
    if not right:
        assert not line.figures
        assert all(why in reason for reason in line.missing.values())
        assert all(why in cell.why for cell in cells(line))


def cells(line: Line) -> list[Cell]:
    """Return those of its figures in the tables."""
    return [figure_of(name)(line) for name in FIGURES]


def test_a_process_that_ended_is_begun_anew() -> None:
    calls = Measurer(replace(SCRIPTED, build=_dying))
    try:
        assert calls.ask("compile", "softmax_pool") == {"why": "its process ended with exit code 3"}
        assert "figures" in calls.ask("compile", "mlp")
    finally:
        calls.end()


def _dying(case: Any) -> Callable[..., torch.Tensor]:
    return os._exit(3) if case.program == "softmax_pool" else _eager(case)


def _eager(case: Any) -> Callable[..., torch.Tensor]:
    return lambda *args, **_: EVERY[case.program].function(*args)


def test_what_is_not_installed_says_what_installs_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    monkeypatch.setenv("EAGERDIFF_CACHE", str(tmp_path))
    way: Implementation[Any] = FOUND["tvm.named"]
    line = measure_one(way, "mlp")
    assert (line.right, line.why) == (0, "needs tvm: make engines ENGINE=tvm")
    assert {cell.why for cell in cells(line)} == {line.why}


def test_what_a_compiler_says_names_no_folder_of_this_machine() -> None:
    said = (
        'cannot: File "/home/me/project/programs.py", line 61; /v/lib/site-packages/torch/_tensor.py(1059): a/b of 1/2'
    )
    assert shortened(said) == 'cannot: File "programs.py", line 61; _tensor.py(1059): a/b of 1/2'
    assert not any("site-packages" in line for line in MEASURED.read_text().splitlines())
