"""Mutants: wrong answers that a case must let the judge refuse."""

import pytest
import torch
from torch import Tensor

from eagerdiff.harness.judge.mutants import ask_mutants
from eagerdiff.harness.judge.truth import tell_truth
from eagerdiff.suites.tests.judged import draw, operator_of, reference


def test_mutants_are_asked_and_those_that_survive_are_named() -> None:
    inputs = draw((8, 16), (16, 8))
    truth = tell_truth(operator_of(), inputs)
    stale = reference(*draw((8, 16), (16, 8), seed=1).args)
    found = ask_mutants(truth, {"": stale}, seed=0)
    assert (found.asked, found.surviving_mutants) == (4, ())
    cancelled = tell_truth(operator_of(lambda x, w: (x @ w + 3e7) - 3e7), inputs)
    assert ask_mutants(cancelled, {}, seed=0).surviving_mutants
    for shape in ((0, 16), (1, 16)):
        small = tell_truth(operator_of(), draw(shape, (16, 8)))
        assert ask_mutants(small, {}, seed=0).asked == (2 if shape[0] else 0)


@pytest.mark.parametrize("dtype", [torch.float8_e4m3fn, torch.float8_e5m2], ids=str)
def test_mutants_of_fp8_are_asked(dtype: torch.dtype) -> None:
    def quantised(x: Tensor) -> Tensor:
        return x.to(dtype)

    truth = tell_truth(operator_of(quantised), draw((8, 16)))
    found = ask_mutants(truth, {}, seed=0)
    assert (found.asked, found.surviving_mutants) == (3, ())


@pytest.mark.parametrize("dtype", [torch.uint8, torch.uint16, torch.uint32, torch.uint64], ids=str)
@pytest.mark.parametrize(("shape", "asked"), [((8, 16), 3), ((1, 1), 1), ((5,), 3)])
def test_mutants_of_unsigned_integers_are_asked(dtype: torch.dtype, shape: tuple[int, ...], asked: int) -> None:
    def counted(x: Tensor) -> Tensor:
        return torch.arange(x.numel()).reshape(x.shape).to(dtype)

    found = ask_mutants(tell_truth(operator_of(counted), draw(shape)), {}, seed=0)
    assert (found.asked, found.surviving_mutants) == (asked, ())
