"""Rules of peers' tests: what each calls equal, and what it does not."""

import math
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor

from eagerdiff import Allclose, Each, OfRms, ShareWithin, WholeDifference

Change = Callable[[Tensor], Tensor]
RIGHT = torch.linspace(1.0, 2.0, 100)
SHARE, RMS, WHOLE = ShareWithin(1e-2, 1e-2, 0.95), OfRms(2e-2, 4e-3), WholeDifference(1e-5)


def added(error: float, elements: int) -> Change:
    """Add an error to the first elements."""
    return lambda right: right + error * (torch.arange(len(right)) < elements)


def replaced(number: float) -> Change:
    return lambda right: right.where(torch.arange(len(right)) > 0, number)


@pytest.mark.parametrize(
    ("rule", "change", "equal"),
    [
        (SHARE, added(9.0, 5), True),  # five in a hundred may be anything
        (SHARE, added(9.0, 6), False),
        (SHARE, added(9e-3, 100), True),  # 0.9 % of the smallest
        (SHARE, replaced(math.nan), False),
        (SHARE, replaced(math.inf), False),
        (SHARE, lambda right: right.half(), False),
        (SHARE, lambda right: right[:, None], False),
        (RMS, added(2.9e-2, 1), True),
        (RMS, added(3.2e-2, 1), False),
        (RMS, added(3e-3, 100), True),
        (RMS, added(9e-3, 100), False),  # each little, all together not
        (RMS, replaced(math.nan), False),
        (RMS, replaced(math.inf), False),
        (RMS, lambda right: right[1:], False),
        (WHOLE, added(0.04, 1), True),
        (WHOLE, added(0.1, 1), False),
        (WHOLE, added(4e-3, 100), True),
        (WHOLE, replaced(math.nan), False),
        (WHOLE, lambda right: -right, False),
        (WHOLE, lambda right: right[:, None], False),
    ],
)
def test_a_rule_calls_equal_what_its_project_does(rule: Callable[[Any, Any], str], change: Change, equal: bool) -> None:
    assert rule(RIGHT, RIGHT) == ""
    assert (rule(change(RIGHT), RIGHT) == "") is equal


def test_an_element_matches_that_is_near_in_either_sense() -> None:
    large, small = torch.full((10,), 100.0), torch.full((10,), 1e-3)
    assert SHARE(large + 0.5, large) == ""  # relative error 0.5 %
    assert SHARE(small + 5e-3, small) == ""  # absolute error 0.005, five times the number
    assert SHARE(large + 2.0, large)
    assert SHARE(small + 5e-2, small)


def test_the_share_that_matches_is_said() -> None:
    assert SHARE(added(9.0, 30)(RIGHT), RIGHT) == "70.0 % of the elements match, largest error 9"


@pytest.mark.parametrize("rule", [SHARE, RMS, WHOLE], ids=str)
def test_nothing_and_zeros_equal_themselves(rule: Callable[[Any, Any], str]) -> None:
    for tensor in (torch.empty(0, 3), torch.zeros(4)):
        assert rule(tensor, tensor) == ""
    assert rule(torch.ones(4), torch.zeros(4))


def test_infinities_may_stand_where_they_are_expected() -> None:
    right = replaced(math.inf)(RIGHT)
    assert RMS(right, right) == ""
    assert RMS(added(0.1, 100)(right), right)


def test_each_output_is_held_to_its_own_rule() -> None:
    rule = Each((Allclose(1e-2, 0.0), Allclose(0.0, 0.0)))
    ids = torch.arange(4)
    assert rule((RIGHT + 5e-3, ids), (RIGHT, ids)) == ""
    assert rule((RIGHT + 5e-2, ids), (RIGHT, ids))
    assert rule((RIGHT, ids.flip(0)), (RIGHT, ids))
    assert str(rule) == "atol 0.01, rtol 0; exact"
