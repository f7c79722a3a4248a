"""`check(kernel=…, reference=…)`: what is drawn of a kernel, which of its faults are found, and what is said."""

import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

from eagerdiff import CheckFailed, check, sizes
from eagerdiff.suites.own.launched import launched
from eagerdiff.suites.tests import own_kernels as own
from eagerdiff.suites.tests.unscripted import unscripted

QUICK: dict[str, Any] = {"seconds": 1.0, "reference": own.plain_twice}
pytestmark = pytest.mark.usefixtures("elsewhere")


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Scripts are written where pytest runs."""
    monkeypatch.chdir(tmp_path)


def failure(kernel: Any, *, scripted: bool = False, **options: Any) -> str:
    with nullcontext() if scripted else unscripted(), pytest.raises(CheckFailed) as caught:
        check(kernel=kernel, **{**QUICK, **options})
    assert len(str(caught.value).splitlines()) <= 25
    return str(caught.value)


def test_blocks_are_those_of_launches_and_of_configurations() -> None:
    assert launched(own.twice).blocks == (own.BLOCK,)
    assert launched(own.twice_tuned).blocks == (16, 64)
    assert launched(own.twice_tuned).configs == 2
    assert launched(own.Sums.apply).kernels


def test_a_right_kernel_passes_at_any_rank_in_each_dtype() -> None:
    checked = check(kernel=own.twice, x=(..., "width"), **QUICK)
    assert checked.ways["kernel"].cases > 10
    assert "blocks: 32" in str(checked)


def test_a_forgotten_tail_is_found_beside_a_multiple_of_the_block() -> None:
    told = failure(own.twice_without_the_tail, x=("length",))
    assert "WRONG_VALUE" in told
    assert "length=33" in told


def test_the_script_stands_alone() -> None:
    told = failure(own.twice_without_the_tail, x=("length",), scripted=True)
    (script,) = Path(".eagerdiff/findings").glob("*.py")
    assert str(script) in told
    text = script.read_text()
    assert "import eagerdiff" not in text
    assert "size: tl.constexpr" in text
    ended = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert ended.returncode == 1, ended.stderr
    script.write_text(text.replace("if x.numel() < BLOCK:", "if True:"))
    mended = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert mended.returncode == 0, mended.stderr


def test_an_argument_taken_for_contiguous_is_found() -> None:
    assert any(layout in failure(own.twice_where_dense, x=("rows", "width")) for layout in ("strided", "transposed"))
    assert check(kernel=own.twice_where_dense, x=("rows", "width"), layouts=False, **QUICK)


def test_a_rank_that_is_not_taken_is_found() -> None:
    assert "RAISED" in failure(own.twice_of_matrices, x=(..., "width"))


def test_what_is_written_in_place_is_compared() -> None:
    told = failure(own.twice_in_place, reference=own.plain_twice_in_place, x=("rows", 3))
    assert "rows=33" in told


def test_a_dtype_that_is_wrong_alone_is_found() -> None:
    assert "dtype=bfloat16" in failure(own.twice_but_of_bfloat16, x=("length",))
    only = check(kernel=own.twice_but_of_bfloat16, x=("length",), dtypes=(torch.float16, torch.float32), **QUICK)
    assert not only.findings


def test_a_call_that_fails_keeps_a_dtype_that_was_asked_for() -> None:
    halves = (torch.float16, torch.bfloat16)
    assert "dtype=float16" in failure(own.twice_without_the_tail, x=("length",), dtypes=halves)


def test_each_configuration_has_its_turn() -> None:
    assert "configurations: 2" in str(check(kernel=own.twice_tuned, x=("length",), **QUICK))
    told = failure(own.twice_tuned_wrong, x=("length",), scripted=True)
    assert "config=1" in told
    assert "script:" in told


def test_gradients_are_compared() -> None:
    rows: dict[str, Any] = {"reference": lambda x: x.sum(1), "x": ("rows", "width"), "dtypes": (torch.float32,)}
    assert not check(kernel=own.Sums.apply, **{**QUICK, **rows}).findings
    assert "width=41" in failure(own.Sums.apply, **rows, gradients=True)


def test_what_is_not_supported_is_seldom_drawn() -> None:
    assert "RAISED" in failure(own.twice_of_sixteens, x=("rows", "width"))
    checked = check(
        kernel=own.twice_of_sixteens,
        x=("rows", "width"),
        supports=lambda call: None if call.sizes["width"] % 16 == 0 else "a width of 16 is wanted",
        **QUICK,
    )
    way = checked.ways["kernel"]
    assert way.cases > len(way.skipped)


def noise(x: Tensor) -> Tensor:
    return torch.rand_like(x)


@pytest.mark.parametrize(
    ("options", "line"),
    [
        ({"kernel": own.twice, "reference": None}, "kernel= needs reference="),
        ({"kernel": None}, "nothing to check"),
        ({"kernel": own.twice, "reference": noise, "x": ("n",)}, "another result each time"),
        ({"kernel": own.twice, "x": ("n", ...)}, "before the sizes"),
        ({"kernel": own.twice, "x": ("n",), "dtypes": ("half",)}, "torch dtypes are wanted"),
        ({"kernel": "twice", "x": ("n",)}, "a function is wanted"),
    ],
)
def test_what_cannot_be_checked_is_said_in_one_line(options: dict[str, Any], line: str) -> None:
    with pytest.raises(ValueError, match=line) as caught:
        check(**{**QUICK, **options})
    assert "\n" not in str(caught.value)


def test_a_size_may_be_bounded() -> None:
    checked = check(kernel=own.twice, x=("n",), n=sizes(3, 9), **QUICK)
    assert not checked.findings


def test_an_argument_may_be_called_code() -> None:
    def named(code: Tensor) -> Tensor:
        return own.twice(code)

    assert not check(kernel=named, code=("n",), **QUICK).findings
