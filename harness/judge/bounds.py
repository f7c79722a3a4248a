"""Error bounds: what float64 and eager's own error allow."""

import math
from dataclasses import dataclass

import torch

from eagerdiff.harness.model.tolerance import Tolerance

WILD = 0.05
"""Eager error, relative to a row's magnitude, past which eager and float64 did not round but decide differently."""

OUTLYING = 32.0
"""How many times the median row's relative error that is."""

HANDFUL = 4
"""Elements that eager may get exactly right by luck, all of them."""


@dataclass
class Bounds:
    """Hold the error budget of one floating-point output. All tensors are float64, viewed as (rows, columns)."""

    exact: torch.Tensor
    """The truth; 0 where it is not finite."""
    judged: torch.Tensor
    """bool: where both eager and the truth are finite, and eager repeated itself."""
    allowed: torch.Tensor
    """Largest |implementation − exact| allowed."""
    eager: torch.Tensor | None
    """Eager's values, where rows are `split`: near a decision either side of it is right."""
    split: torch.Tensor | None
    """bool (rows, 1): rows where eager and float64 decided differently; they are not in the RMSE."""
    weight: torch.Tensor
    """1 where an element counts in the RMSE, else 0."""
    count: float
    """Sum of the weights."""
    rmse_allowed: float
    eager_rmse: float


@dataclass(frozen=True)
class Excess:
    """Say how an output stands against its bounds."""

    rmse: float
    worst: float
    """Largest |error| / allowed; at most 1 is accepted."""
    index: int
    """Flat index of the worst element."""
    error: float
    allowed: float
    rmse_ratio: float
    """RMSE / allowed RMSE; at most 1 is accepted."""

    @property
    def largest(self) -> float:
        """The larger of the two ratios."""
        return max(self.worst, self.rmse_ratio)


@dataclass(frozen=True)
class Evidence:
    """Hold what is known about one floating-point output; float64 tensors, viewed as (rows, columns)."""

    eager: torch.Tensor
    exact: torch.Tensor
    """0 where not judged."""
    error: torch.Tensor
    """Eager's largest |error| seen, over its runs and over neighbouring inputs; 0 where not judged."""
    typical: torch.Tensor
    """Eager's RMS error over the same; the same as `error` where there was one run."""
    judged: torch.Tensor
    """bool: where both are finite and eager repeated itself."""
    magnitude: torch.Tensor
    """Sum of the absolute terms."""


def rows(tensor: torch.Tensor) -> torch.Tensor:
    """View a tensor as (rows, columns): the last dim is a row; each element of a vector is a row of its own."""
    if tensor.dim() >= 2 and tensor.numel() > 0:
        return tensor.reshape(-1, tensor.shape[-1])
    return tensor.reshape(-1, 1)


def draw_bounds(evidence: Evidence, dtype: torch.dtype, tolerance: Tolerance) -> Bounds:
    """Work out the error budget of an output of the given dtype."""
    info = torch.finfo(dtype)
    growth = tolerance.accumulation if dtype in (torch.float32, torch.float64) else 1.0
    unit = info.eps * evidence.magnitude + _quantum(dtype)
    split = _split_rows(evidence, unit, info.eps)
    weight = evidence.judged.double() if split is None else (evidence.judged & ~split).double()
    count = max(float(weight.sum()), 1.0)
    squares = float((evidence.typical * weight).square().sum())
    pseudo = tolerance.prior * max(0.0, 1 - count / tolerance.prior_until)
    prior = pseudo * float((growth * unit * weight).square().sum()) / count
    floor = growth * tolerance.floor_ulps * info.eps * _rms(evidence.exact * weight, count)
    ulps = growth * tolerance.elementwise_ulps
    allowed, pooled = _elementwise(evidence, unit, weight, ulps, tolerance.elementwise_ratio)
    # What is added for eager's luck with few elements may not make little of an error that it did make.
    rmse_allowed = tolerance.ratio * math.sqrt(max(squares / count, (squares + prior) / (count + pseudo))) + floor
    if count <= HANDFUL:  # an average over so few says no more than each does
        rmse_allowed = max(rmse_allowed, _rms(allowed * weight, count))
    if split is not None:
        eager_unit = unit + info.eps * torch.where(evidence.judged, evidence.eager, 0.0).abs()
        allowed = torch.where(split, (4 * ulps + tolerance.elementwise_ratio * pooled) * eager_unit, allowed)
    return Bounds(
        exact=evidence.exact,
        judged=evidence.judged,
        allowed=allowed,
        eager=None if split is None else evidence.eager,
        split=split,
        weight=weight,
        count=float(weight.sum()),
        rmse_allowed=rmse_allowed + info.tiny,
        eager_rmse=math.sqrt(squares / count),
    )


def _elementwise(
    evidence: Evidence, unit: torch.Tensor, weight: torch.Tensor, ulps: float, ratio: float
) -> tuple[torch.Tensor, float]:
    """Return the largest error allowed, (rows, columns), and eager's pooled error in units.

    Eager may be exact in a whole short row by luck, so its error relative to the terms, pooled over all rows, counts
    besides its largest in the row.
    """
    error = evidence.error * weight
    pooled = _rms(error / unit, float(weight.sum()))
    own = torch.maximum(error.amax(1, keepdim=True), pooled * unit)
    return ulps * unit + ratio * own, pooled


def measure(bounds: Bounds, output: torch.Tensor) -> Excess:
    """Compare a float64 (rows, columns) output with its bounds; what is not judged costs nothing."""
    error = torch.where(bounds.judged, (output - bounds.exact).abs(), 0.0)
    if bounds.split is not None and bounds.eager is not None:
        other = torch.where(bounds.judged, (output - bounds.eager).abs(), 0.0)
        nearer = other.amax(1, keepdim=True) < error.amax(1, keepdim=True)
        error = torch.where(bounds.split & nearer, other, error)
    error = torch.nan_to_num(error, nan=math.inf, posinf=math.inf)
    ratio = error / bounds.allowed
    index = int(ratio.argmax()) if ratio.numel() else 0
    rmse = _rms(torch.where(bounds.weight > 0, error, 0.0), bounds.count)
    flat = (float(t.reshape(-1)[index]) if t.numel() else 0.0 for t in (ratio, error, bounds.allowed))
    worst, worst_error, allowed = flat
    return Excess(rmse, worst, index, worst_error, allowed, rmse / bounds.rmse_allowed if bounds.count else 0.0)


def _split_rows(evidence: Evidence, unit: torch.Tensor, eps: float) -> torch.Tensor | None:
    """Find the rows, bool (rows, 1), where eager parts from float64 grossly and far more than in most rows.

    Where most rows part grossly eager is merely inexact, and its error is the budget. So it is where a row nearly
    cancels and the error is a rounding of the largest element. None where there is no such row.
    """
    magnitude = evidence.magnitude * evidence.judged
    scale = magnitude.amax(1, keepdim=True)
    rounding = 4 * eps * float(magnitude.max()) if magnitude.numel() else 0.0
    least = (max(WILD, 4 * eps) * scale + 4 * unit).clamp(min=rounding)
    parted = (evidence.error > least).any(1, keepdim=True)
    if not bool(parted.any()):
        return None
    relative = evidence.error.amax(1, keepdim=True) / (scale + unit.amax(1, keepdim=True))
    split = parted & (relative > OUTLYING * relative.median())
    return split if bool(split.any()) else None


def _quantum(dtype: torch.dtype) -> float:
    """Return the absolute error always allowed: a subnormal step, or all subnormals where hardware flushes them."""
    info = torch.finfo(dtype)
    return info.tiny if dtype in (torch.float64, torch.float32, torch.bfloat16) else info.tiny * info.eps


def _rms(values: torch.Tensor, count: float) -> float:
    return math.sqrt(float(values.square().sum()) / max(count, 1.0))
