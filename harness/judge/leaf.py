"""One output leaf: what is right about it, and the check of an implementation's value."""

import functools
import math
from dataclasses import dataclass, field, replace
from typing import Any

import torch

from eagerdiff.harness.judge.bounds import Bounds, Evidence, draw_bounds, measure, rows
from eagerdiff.harness.judge.nonfinite import check_nonfinite
from eagerdiff.harness.judge.strides import Promise, check_strides
from eagerdiff.harness.judge.structure import check_tensor
from eagerdiff.harness.memory.guards import same_bits
from eagerdiff.harness.model.tolerance import Tolerance
from eagerdiff.harness.model.verdict import Oracle, Status, Verdict


@dataclass
class LeafTruth:
    """Hold the truth about one leaf of the output (or of a mutated input)."""

    path: str
    eager: Any
    """Eager's value in the case's own dtype: a tensor, a scalar or None."""
    exact: torch.Tensor | None
    """The float64 run's value, same shape; None for what is not floating-point and where there is no such run."""
    again: Any
    """Eager's second value."""
    tolerance: Tolerance
    promise: Promise | None = None
    """Why it must lie in memory as eager's does; None where it need not."""
    must_equal: bool = False
    """Whether every value must equal eager's: the operator is exact, or the output is a copy of inputs."""
    magnitude: torch.Tensor | None = None
    """Sum of the absolute terms, float64, where the operator gives it."""
    sensitivity: torch.Tensor | None = None
    """Estimate of that sum by perturbing the inputs, float64; set when a closer look was needed."""
    eager_error: torch.Tensor | None = None
    """Eager's errors on neighbouring inputs, float64, stacked along dim 0; set when a closer look was needed."""
    coarse: torch.dtype = torch.float32
    """Precision of a scalar leaf: Python's floats come out of narrower tensors."""
    mutated: bool = False
    """Whether this is an input after the call."""
    paired: bool = False
    """Whether these are the parts of complex numbers."""
    alone: bool = False
    """Whether eager is the only witness (no comparable float64 run): floors are widened."""
    undecided: torch.Tensor | None = None
    """bool: integers that a perturbation smaller than a rounding of the inputs changes; set by a closer look."""
    _bounds: Bounds | None = field(default=None, repr=False)

    @property
    def floating(self) -> bool:
        """Whether the error budget applies."""
        return isinstance(self.eager, float) or (
            isinstance(self.eager, torch.Tensor) and self.eager.is_floating_point()
        )

    @property
    def set_aside(self) -> bool:
        """Whether eager's two runs do not even agree in shape: nothing about the value is judged."""
        both = isinstance(self.eager, torch.Tensor) and isinstance(self.again, torch.Tensor)
        return both and self.eager.shape != self.again.shape

    @functools.cached_property
    def steady(self) -> torch.Tensor | None:
        """Where eager's two runs agree; None where they do everywhere."""
        return None if same_bits(self.eager, self.again) else _equal(self.eager, self.again)

    @property
    def bounds(self) -> Bounds:
        """The error budget, worked out once."""
        if self._bounds is None:
            self._bounds = self._draw()
        return self._bounds

    def widen(self, sensitivity: torch.Tensor | None = None, eager_error: torch.Tensor | None = None) -> None:
        """Take in what a closer look showed; the bounds are drawn anew."""
        if sensitivity is not None:
            self.sensitivity = sensitivity
        if eager_error is not None:
            self.eager_error = eager_error
        self._bounds = None

    def _draw(self) -> Bounds:
        eager = wide(self.eager)
        exact = eager if self.exact is None else wide(self.exact)
        again = wide(self.again)
        judged = eager.isfinite() & exact.isfinite()
        truth = torch.where(judged, exact, 0.0)
        scale = truth.abs()
        for other in (self.magnitude, self.sensitivity):
            if other is not None and other.shape == scale.shape:
                scale = torch.maximum(scale, torch.nan_to_num(other.abs(), nan=0.0))
        error = torch.where(judged, (eager - exact).abs(), 0.0)
        dtype = self.coarse if isinstance(self.eager, float) else self.eager.dtype
        if not torch.equal(eager, again):
            apart = torch.nan_to_num((eager - again).abs(), nan=0.0, posinf=math.inf)
            steady = (apart <= 8 * torch.finfo(dtype).eps * scale) & (eager.isnan() == again.isnan())
            judged = judged & (steady | (eager == again))
            error = torch.maximum(error, torch.where(judged, (again - exact).abs(), 0.0))
        error = error * judged
        typical = error
        if self.eager_error is not None:
            samples = torch.cat([error[None], torch.where(judged, self.eager_error, 0.0)])
            error, typical = samples.amax(0), samples.square().mean(0).sqrt()
        tolerance = _alone(self.tolerance) if self.alone else self.tolerance
        parts = (rows(part) for part in (eager, truth, error, typical, judged, scale))
        return draw_bounds(Evidence(*parts), dtype, tolerance)


def wide(value: Any) -> torch.Tensor:
    """Return a tensor or a scalar as float64."""
    if isinstance(value, torch.Tensor):
        return value.detach().to(torch.float64)
    return torch.tensor(float(value), dtype=torch.float64)


def check_leaf(truth: LeafTruth, output: Any) -> Verdict:
    """Judge one leaf; the verdict is PASSED with its numbers or says what is wrong."""
    if isinstance(truth.eager, torch.Tensor):
        if truth.set_aside:
            return Verdict(status=Status.PASSED, output=truth.path, reason="eager cannot repeat itself: set aside")
        refusal = check_tensor(truth.path, output, truth.eager)
        if refusal is not None:
            return refusal
    budgeted = truth.floating and not truth.must_equal
    verdict = _check_floating(truth, output) if budgeted else _check_equal(truth, output)
    if verdict.failed or truth.promise is None:
        return verdict
    return check_strides(truth.path, output, truth.eager, truth.promise) or verdict


def accepts(truth: LeafTruth, output: torch.Tensor) -> bool:
    """Whether the judge would pass this tensor (of the right shape and dtype) in this leaf's place."""
    if truth.must_equal or not truth.floating:
        return not bool(_wrong(truth, output).any())
    return not _check_floating(truth, output).failed


def _wrong(truth: LeafTruth, output: torch.Tensor) -> torch.Tensor:
    """Say of each element of a tensor whether it is neither eager's, where eager repeats it, nor the float64 run's."""
    wrong = ~_equal(output, truth.eager)
    if (steady := truth.steady) is not None:
        wrong &= steady
    if truth.exact is not None and bool(wrong.any()):
        wrong &= ~_equal(output, truth.exact.to(output.dtype))
    if truth.undecided is not None and truth.undecided.shape == wrong.shape:
        wrong &= ~truth.undecided
    return wrong


def _check_floating(truth: LeafTruth, output: Any) -> Verdict:
    value = wide(output)
    exact = wide(truth.eager) if truth.exact is None else truth.exact
    bounds = truth.bounds
    dtype = truth.coarse if isinstance(truth.eager, float) else truth.eager.dtype
    finite = value.isfinite()
    if not (bool(finite.all()) and bool(bounds.judged.all())):
        refusal = check_nonfinite(truth, value, wide(truth.eager), wide(exact), dtype)
        if refusal is not None:
            return refusal
        value = torch.where(finite, value, wide(exact))
    excess = measure(bounds, rows(value))
    numbers = {
        "rmse": excess.rmse,
        "eager_rmse": bounds.eager_rmse,
        "excess": excess.largest,
    }
    if excess.largest <= 1:
        return Verdict(status=Status.PASSED, output=truth.path, numbers=numbers, allowed=bounds.rmse_allowed)
    worst = {
        "worst_error": excess.error,
        "worst_allowed": excess.allowed,
        "worst_index": float(excess.index),
    }
    oracle = Oracle.ELEMENTWISE if excess.worst > 1 else Oracle.RMSE
    reason = "an element is off by more than its terms and eager's error allow"
    if oracle is Oracle.RMSE:
        reason = "the whole output is off by more than eager's error allows"
    status = Status.WRONG_MUTATION if truth.mutated else Status.WRONG_VALUE
    return Verdict(
        status=status,
        reason=reason,
        oracle=oracle,
        output=truth.path,
        got=_text(value, excess.index),
        expected=_text(bounds.exact, excess.index),
        allowed=bounds.rmse_allowed,
        numbers=numbers | worst,
    )


def _check_equal(truth: LeafTruth, output: Any) -> Verdict:
    passed = Verdict(status=Status.PASSED, output=truth.path)
    status = Status.WRONG_MUTATION if truth.mutated else Status.WRONG_VALUE
    if not isinstance(truth.eager, torch.Tensor):
        right = output in (truth.eager, truth.again) or truth.eager != truth.again
        if right:
            return passed
        got, expected = repr(output)[:100], repr(truth.eager)[:100]
        reason = f"{got} where eager gives {expected}"
        return Verdict(status=status, reason=reason, oracle=Oracle.EXACT, output=truth.path, got=got, expected=expected)
    if same_bits(output, truth.eager):  # most of what is right
        return passed
    wrong = _wrong(truth, output)
    count = int(wrong.sum())
    if count == 0:
        return passed
    index = int(wrong.reshape(-1).to(torch.uint8).argmax())
    numbers = {
        "wrong": float(count),
        "elements": float(wrong.numel()),
        "worst_index": float(index),
    }
    reason = "elements differ where every value must be equal"
    return Verdict(
        status=status,
        reason=reason,
        oracle=Oracle.EXACT,
        output=truth.path,
        got=_text(output, index),
        expected=_text(truth.eager, index),
        numbers=numbers,
    )


def _text(values: torch.Tensor, index: int) -> str:
    """Write one element as a person reads it."""
    return f"{float(values.reshape(-1)[index]):.6g}"


def _equal(one: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    if one.shape != other.shape:
        return torch.ones_like(one, dtype=torch.bool)
    if one.is_floating_point() and one.element_size() == 1:  # torch computes little in fp8
        one, other = one.float(), other.float()
    equal = one == other
    if one.is_floating_point() and not bool(equal.all()):
        equal |= (one != one) & (other != other)
    return equal


def _alone(tolerance: Tolerance) -> Tolerance:
    return replace(
        tolerance, floor_ulps=4 * tolerance.floor_ulps, elementwise_ulps=4 * tolerance.elementwise_ulps, prior=64.0
    )
