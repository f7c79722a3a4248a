"""One line for a function or a module: what is found out, what is found wrong, and what is said of it."""

import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

import eagerdiff
from eagerdiff import CheckFailed, check, sizes, tensor
from eagerdiff.strategies.cases.own_code import OwnCase
from eagerdiff.strategies.own_code.argument import SizeRange, TensorOf
from eagerdiff.suites.own.pages import page_of
from eagerdiff.suites.own.source import needed
from eagerdiff.suites.tests import own_functions as own
from eagerdiff.suites.tests.unscripted import unscripted

QUICK: dict[str, Any] = {"seconds": 1.0, "workloads": 12}


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Scripts are written where pytest runs."""
    monkeypatch.chdir(tmp_path)


def interface(code: Any, *args: Any, dynamic: Any = None, **named: Any) -> Any:
    return page_of(code, args, named, dynamic)[0].interface


def failure(code: Any, *args: Any, scripted: bool = False, **options: Any) -> str:
    with nullcontext() if scripted else unscripted(), pytest.raises(CheckFailed) as caught:
        check(code, *args, **QUICK, **options)
    assert len(str(caught.value).splitlines()) <= 25
    return str(caught.value)


def test_integers_that_index_are_found_out_with_what_they_index() -> None:
    page, said = page_of(own.chosen_rows, (), {"x": ("length", 8), "idx": ("picked",)})
    assert page.interface.tensors["idx"] == TensorOf(("picked",), torch.int64, "indices", "length")
    assert any("idx: int64" in line for line in said)
    assert any("idx: indices below length" in line for line in said)


def test_what_integers_index_may_be_a_size_that_does_not_change() -> None:
    found = interface(own.table, x=("n",), ids=("count",), weight=tensor(100, 3)).tensors["ids"]
    assert (found.dtype, found.below) == (torch.int64, 100)


def test_dims_of_an_example_that_may_change_are_found_out() -> None:
    found = interface(own.chosen_rows, torch.randn(7, 5), torch.tensor([0, 3, 6]))
    assert found.tensors["x"].shape == ("x_0", "x_1")
    assert found.tensors["idx"] == TensorOf(("idx_0",), torch.int64, "indices", "x_0")


def test_dims_that_must_be_equal_have_one_name() -> None:
    found = interface(lambda q, k: q @ k.transpose(-1, -2), torch.randn(3, 5, 8), torch.randn(3, 6, 8))
    q, k = found.tensors["q"].shape, found.tensors["k"].shape
    assert q[0] == k[0]
    assert q[2] == k[2]
    assert len({q[0], q[1], q[2], k[1]}) == 4


def test_dims_that_a_modules_weights_hold_do_not_change() -> None:
    assert interface(own.Normed(), torch.randn(7, 4)).tensors["x"].shape == ("x_0", 4)


def test_the_sizes_that_eager_refuses_are_found_out() -> None:
    assert interface(own.last_of_three, x=("rows", 4)).ranges == {"rows": SizeRange(3, 64)}


def test_a_size_may_be_bounded_by_another() -> None:
    page, _ = page_of(own.chosen_rows, (), {"x": ("length", 8), "idx": ("picked",), "picked": sizes(0, "length")})

    @settings(max_examples=30, database=None, deadline=None)
    @given(page.interface.cases())
    def holds(case: OwnCase) -> None:
        assert 0 <= case.sizes["picked"] <= case.sizes["length"]
        assert page.interface.outside(case) is None

    holds()


def test_random_numbers_are_noticed() -> None:
    assert page_of(own.noisy, (), {"x": ("n", 3)})[0].random
    assert not page_of(own.scaled, (), {"x": ("n", 3)})[0].random


def test_a_docstring_says_what_nobody_gives() -> None:
    assert interface(own.branching).tensors["x"].shape == ("rows", 4)


@pytest.mark.parametrize(
    ("named", "line"),
    [
        ({}, "missing a required argument: 'x'"),
        ({"x": ("n", "2*")}, "x: not a size"),
        ({"x": ("n",), "y": 3}, "unexpected keyword argument 'y'"),
        ({"x": torch.randn(2, 3), "dynamic": {"z": {0: "n"}}}, "dynamic names 'z', which is no argument: there is x"),
        ({"x": torch.randn(2, 3), "dynamic": {"x": {2: "n"}}}, "dynamic: x has 2 dims, and no dim 2"),
        ({"x": ("n",), "ways": ["dynamik"]}, "no way of compiling is called 'dynamik': dynamic"),
    ],
)
def test_what_cannot_be_called_so_is_said_in_one_line(named: dict[str, Any], line: str) -> None:
    with pytest.raises(ValueError, match=r"^[^\n]*$") as caught:
        check(own.scaled, **named)
    assert line in str(caught.value)


def test_a_call_that_eager_refuses_is_said() -> None:
    with pytest.raises(ValueError, match="eager refuses"):
        check(own.chosen_rows, torch.randn(3, 4), torch.tensor([9]))


def test_a_right_function_passes_and_says_what_was_judged() -> None:
    done = check(
        own.chosen_rows, x=("length", 8), idx=("picked",), picked=sizes(0, "length"), ways=["dynamo.dynamic"], **QUICK
    )
    assert done.ways["dynamo.dynamic"].cases > 0
    assert "right" in str(done)


def test_a_wrong_value_fails_with_a_script_that_stands_alone(tmp_path: Path) -> None:
    text = failure(own.wrong_when_compiled, x=("rows", 4), ways=["dynamo.dynamic"], scripted=True)
    assert "WRONG_VALUE" in text
    (script,) = (tmp_path / ".eagerdiff" / "findings").glob("*.py")
    assert "eagerdiff" not in script.read_text().partition("\nimport")[2]
    ended = subprocess.run([sys.executable, str(script)], cwd=tmp_path, capture_output=True, check=False)
    assert ended.returncode == 1, ended.stderr


def test_what_fails_at_one_size_is_shrunk_to_it() -> None:
    text = failure(own.wrong_when_empty, x=("rows", "width"), ways=["dynamo.dynamic"])
    assert "calls: rows=0" in text


def test_a_function_that_is_made_in_a_test_is_handed_over() -> None:
    offset = 3.0

    def made(x: Tensor) -> Tensor:
        return x + offset + (1 if torch.compiler.is_compiling() else 0)

    text = failure(made, x=("rows",), ways=["dynamo.dynamic"], scripted=True)
    assert "WRONG_VALUE" in text
    assert "script:" in text


def test_gradients_are_compared() -> None:
    class Wrong(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Tensor) -> Tensor:
            return x * 2

        @staticmethod
        def backward(ctx: Any, gradient: Tensor) -> Tensor:  # pyright: ignore[reportIncompatibleMethodOverride]
            return gradient * (3 if torch.compiler.is_compiling() else 2)

    def doubled(x: Tensor) -> Tensor:
        return Wrong.apply(x)  # pyright: ignore[reportReturnType]

    assert "[1]" in failure(doubled, x=("rows", 3), gradients=True, ways=["aot_eager.dynamic"])


def test_a_modules_state_after_the_call_is_compared() -> None:
    text = failure(own.Forgetful(), torch.randn(5, 4), ways=["dynamo.dynamic"])
    assert "total" in text


def test_a_right_module_passes_in_training_with_its_gradients() -> None:
    done = check(own.Normed(), torch.randn(7, 4), ways=["aot_eager.dynamic"], **QUICK)
    assert done.ways["aot_eager.dynamic"].cases > 0


def test_a_compile_too_many_is_told_with_its_guard_its_line_and_what_to_change() -> None:
    text = failure(own.branching, x=("rows", 4), rows=sizes(2, 64), max_compiles=1, ways=["dynamo.dynamic"])
    assert "OVER_BUDGET" in text
    assert "guard: " in text
    assert "line: own_functions.py:" in text
    assert "to change: a branch on dim 0 of x compiles each side" in text


def test_of_a_size_of_1_it_is_said_how_to_leave_it_out() -> None:
    text = failure(own.scaled, x=("rows", 4), max_compiles=1, ways=["dynamo.dynamic"])
    assert "to change: 0 and 1 are compiled apart" in text


def test_numbers_of_a_strategy_change_from_call_to_call() -> None:
    done = check(
        lambda x, scale: x * scale,
        x=("rows",),
        scale=st.sampled_from([0.5, 2.0, 3.0]),
        ways=["dynamo.dynamic"],
        **QUICK,
    )
    assert done.findings == []


@check.ways("dynamo.dynamic", "aot_eager.unbacked")
def test_one_test_a_way(way: Any) -> None:
    done = way.check(own.scaled, x=("rows", 4), **QUICK)
    assert list(done.ways) == [str(way)]


def test_of_a_file_a_script_has_what_it_needs_and_nothing_else() -> None:
    source = needed(Path(own.__file__).read_text(), "wrong_when_compiled")
    assert "def scaled" in source
    assert "SCALE = 2.0" in source
    assert "class Normed" not in source
    assert "nn" not in source


def test_the_names_are_on_the_face() -> None:
    assert eagerdiff.check is check
    assert {"check", "sizes", "tensor", "CheckFailed"} <= set(dir(eagerdiff))


def test_the_command_line_checks_with_no_code(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "eagerdiff.harness.cli", "check", f"{own.__file__}:chosen_rows"]
    options = ["--example", "make_example", "--way", "dynamo.dynamic", "--seconds", "1"]
    ended = subprocess.run([*command, *options], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "chosen_rows: right" in ended.stdout
    assert "idx: indices below" in ended.stdout


@pytest.mark.parametrize(
    ("target", "line"),
    [("nowhere", "names no function"), ("{own}:missing", "missing"), ("{own}:scaled", "missing a required argument")],
)
def test_what_the_command_line_cannot_check_is_one_line(target: str, line: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "eagerdiff.harness.cli", "check", target.format(own=own.__file__)]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ended.returncode == 2
    assert line in ended.stderr
    assert len(ended.stderr.splitlines()) == 1


def test_a_module_in_training_is_exported_without_its_gradients() -> None:
    module = torch.nn.Sequential(torch.nn.Linear(4, 3), torch.nn.ReLU())
    done = check(module, torch.randn(5, 4), ways=["export"], **QUICK)
    assert done.ways["export.named"].cases > 0
