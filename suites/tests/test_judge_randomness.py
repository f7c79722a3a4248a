"""The judge on random numbers, and on an eager run that does not repeat itself."""

import math
from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from eagerdiff import Inputs, Status
from eagerdiff.harness.judge import tell_truth
from eagerdiff.harness.judge.reference import seed_generators
from eagerdiff.suites.tests.judged import draw, verdict_on
from eagerdiff.suites.tests.rows import operator_of


def test_random_numbers_of_the_narrow_run_stand_in_the_float64_run() -> None:
    """In float64 other numbers would be drawn, and eager's error would look as large as the numbers themselves."""

    def noisy(x: torch.Tensor) -> torch.Tensor:
        return F.dropout(x * torch.rand_like(x) + torch.empty_like(x).uniform_(), 0.5)

    x = torch.randn(64, generator=torch.Generator().manual_seed(0)).bfloat16()
    operator = operator_of(noisy, random=lambda given: True)
    truth = tell_truth(operator, Inputs((x,)))
    (leaf,) = truth.leaves
    assert leaf.exact is not None
    assert float((leaf.exact - truth.output.double()).abs().max()) < 0.1
    without = tell_truth(operator_of(noisy), Inputs((x,)))
    assert float((without.leaves[0].exact - without.output.double()).abs().max()) > 0.1


def test_random_numbers_beside_control_flow_are_replayed() -> None:
    def branching(x: Tensor) -> Tensor:
        return torch.cond((x > 0).any(), torch.sin, torch.cos, (x,)) + torch.rand_like(x)

    given = draw((8, 8))
    truth = tell_truth(operator_of(branching, random=lambda inputs: True), given)
    assert truth.raised is None
    assert not truth.leaves[0].alone
    assert verdict_on(lambda x: x * 0.5, given, branching, random=lambda inputs: True).failed


def test_an_operation_that_draws_and_computes_may_round_otherwise() -> None:
    def dropout(x: Tensor) -> Tensor:
        return F.alpha_dropout(x, 0.5, training=True)

    def precise(x: Tensor) -> Tensor:
        seed_generators()
        kept = torch.empty_like(x).bernoulli_(0.5).float()
        alpha = 1.7580993408473766
        a = 1 / math.sqrt((alpha**2 * 0.5 + 1) * 0.5)
        return (x.float() * kept * a + (kept - 1) * alpha * a + alpha * a * 0.5).to(x.dtype)

    for seed in range(20):
        given = draw((8, 8), dtype="bfloat16", seed=seed)
        assert not verdict_on(precise, given, dropout, random=lambda inputs: True).failed
        assert verdict_on(lambda x: precise(x) * 1.05, given, dropout, random=lambda inputs: True).failed


def test_what_is_drawn_and_computed_of_cancelling_terms_may_round_otherwise() -> None:
    def drawing(x: Tensor, w: Tensor) -> Tensor:
        return F.rrelu(F.instance_norm(x, weight=w, bias=w), training=True)

    def otherwise(x: Tensor, w: Tensor) -> Tensor:
        centred = x - x.mean(-1, keepdim=True)
        normal = centred * (centred.square().mean(-1, keepdim=True) + 1e-5).rsqrt()
        return F.rrelu(normal * w[:, None] + w[:, None], training=True)

    def run(function: Callable[..., Any]) -> Callable[..., Any]:
        def seeded(*args: Any) -> Any:
            seed_generators()
            return function(*args)

        return seeded

    inputs = draw((2, 3, 2), (3,))
    of = {"right": drawing, "random": lambda given: True}
    assert verdict_on(run(otherwise), inputs, **of).status is Status.PASSED
    assert verdict_on(run(lambda x, w: otherwise(x, w) + 1e-3), inputs, **of).status is Status.WRONG_VALUE


def test_what_eager_does_not_repeat_later_is_not_blamed_on_others() -> None:
    """Eager may agree with itself twice by luck: it is asked again before a value is refused."""
    runs: list[int] = []
    steady = [False]

    def flaky(x: Tensor) -> Tensor:
        runs.append(1)
        return x * (1.0 if len(runs) <= 3 or steady[0] else 2.0)

    for steady[0], status in ((False, Status.SKIPPED), (True, Status.WRONG_VALUE)):
        runs.clear()
        assert verdict_on(lambda x: x * 1.5, draw((8, 8)), flaky).status is status
