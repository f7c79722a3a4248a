"""Ties: of equal elements any may be taken, and nothing else may."""

import pytest
import torch

from eagerdiff import Inputs, Status, Verdict
from eagerdiff.harness.judge.judge import judge
from eagerdiff.harness.judge.truth import tell_truth
from eagerdiff.reference.ties import PreferredChoices
from eagerdiff.suites.torch_api import OPERATOR

TIED = torch.tensor([[1.0, 1.0, 0.0], [2.0, 3.0, 3.0]])
NANS = torch.tensor([[float("nan"), 1.0, float("nan")]])
CHOSEN = [
    ("x.sort(dim=1)", [[2, 1, 0], [0, 2, 1]]),
    ("torch.argsort(x, 1)", [[2, 1, 0], [0, 2, 1]]),
    ("torch.argsort(x, 1, True)", [[1, 0, 2], [2, 1, 0]]),
    ("x.topk(2, 1)", [[1, 0], [2, 1]]),
    ("torch.topk(x, 2, dim=-1, sorted=False)", [[1, 0], [1, 2]]),
    ("x.kthvalue(3, 1)", [0, 2]),
    ("x.kthvalue(3, dim=1, keepdim=True)", [[0], [2]]),
    ("torch.median(x, 1)", [1, 2]),
    ("x.nanmedian(-1)", [1, 2]),
    ("torch.mode(x, 1)", [0, 1]),
]


PROGRAM = """
def program(x):
    result = {}
    return tuple(result) if isinstance(result, tuple) else (result,)
"""


def verdict_of(
    expression: str, indices: list[object], values: torch.Tensor | None = None, x: torch.Tensor = TIED
) -> Verdict:
    given = Inputs((x,), {"source": PROGRAM.format(expression), "gradients": False, "random": False})
    truth = tell_truth(OPERATOR, given)
    own = truth.output
    choice = torch.tensor(indices)
    return judge(truth, (choice,) if len(own) == 1 else (own[0] if values is None else values, choice))


@pytest.mark.parametrize(("expression", "indices"), CHOSEN)
def test_any_of_equal_elements_may_be_taken(expression: str, indices: list[object]) -> None:
    assert verdict_of(expression, indices).status is Status.PASSED


@pytest.mark.parametrize(
    ("expression", "indices"),
    [
        ("x.sort(dim=1)", [[2, 1, 1], [0, 2, 1]]),  # one element twice
        ("x.sort(dim=1)", [[0, 1, 2], [0, 2, 1]]),  # another value
        ("x.sort(dim=1, stable=True)", [[2, 1, 0], [0, 2, 1]]),  # the order of equal elements is promised
        ("torch.argsort(x, 1)", [[2, 1, 3], [0, 2, 1]]),  # outside
        ("x.topk(2, 1)", [[1, 1], [2, 1]]),
        ("x.kthvalue(3, 1)", [2, 2]),
        ("torch.median(x, 1)", [2, 2]),
        ("torch.max(x, 1)", [1, 2]),  # torch promises the first
        ("torch.argmax(x, 1)", [1, 2]),
    ],
)
def test_what_is_no_tie_is_refused(expression: str, indices: list[object]) -> None:
    assert verdict_of(expression, indices).status is Status.WRONG_VALUE


def test_wrong_values_are_refused_whatever_was_chosen() -> None:
    values = torch.tensor([[0.0, 1.0, 2.0], [2.0, 3.0, 3.0]])
    assert verdict_of("x.sort(dim=1)", [[2, 1, 0], [0, 2, 1]], values).status is Status.WRONG_VALUE


def test_nans_are_equal_elements() -> None:
    assert verdict_of("x.sort(dim=1)", [[1, 2, 0]], x=NANS).status is Status.PASSED


def test_gradients_go_to_the_elements_that_were_taken() -> None:
    x = TIED.clone().requires_grad_()
    with PreferredChoices([torch.tensor([0, 1])]) as preferred:
        values, indices = torch.mode(x, 1)
    (gradient,) = torch.autograd.grad(values.sum(), x)
    assert preferred.taken == 1
    assert indices.tolist() == [0, 1]
    assert gradient.tolist() == [[1, 0, 0], [0, 1, 0]]
