"""Rules of what is equal, as other projects' tests have them: each returns in one line how outputs differ, or ''."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor


@dataclass(frozen=True)
class Allclose:
    """Call two outputs equal where `torch.testing.assert_close` does: |a - b| <= atol + rtol · |b|, no NaN at all."""

    atol: float
    rtol: float

    def __call__(self, output: Any, expected: Any) -> str:
        """Return in one line how nested outputs differ; empty where they are equal."""
        try:
            torch.testing.assert_close(_widened(output), _widened(expected), atol=self.atol, rtol=self.rtol)
        except AssertionError as error:
            return "; ".join(line for line in str(error).splitlines() if line)[:200]
        return ""

    def __str__(self) -> str:
        return f"atol {self.atol:g}, rtol {self.rtol:g}" if self.atol or self.rtol else "exact"


def _widened(value: Any) -> Any:
    """Return fp8 tensors in float32: torch compares no other."""
    if isinstance(value, (tuple, list)):
        return [_widened(item) for item in value]
    narrow = isinstance(value, Tensor) and value.is_floating_point() and value.itemsize == 1
    return value.float() if narrow else value


@dataclass(frozen=True)
class ShareWithin:
    """Call a tensor wrong where fewer than `share` of its elements match: one does unless its error is above atol *and*
    above rtol of the expected; or where shape or dtype differ, or any number is not finite.

    FlashInfer-Bench's rule for low-bit mixtures of experts.
    """

    atol: float
    rtol: float
    share: float

    def __call__(self, output: Tensor, expected: Tensor) -> str:
        """Return in one line how two tensors differ; empty where they are equal."""
        if unlike := _unlike(output, expected):
            return unlike
        if not bool(output.isfinite().all()):
            return "not all numbers are finite"
        error = (output.float() - expected.float()).abs()
        wrong = (error > self.atol) & (error / (expected.float().abs() + 1e-8) > self.rtol)
        matched = 1.0 - (wrong.double().mean().item() if wrong.numel() else 0.0)
        if matched >= self.share:
            return ""
        return f"{100 * matched:.1f} % of the elements match, largest error {error.max().item():.3g}"

    def __str__(self) -> str:
        return f"{100 * self.share:g} % within atol {self.atol:g} or rtol {self.rtol:g}"


@dataclass(frozen=True)
class OfRms:
    """Bound the errors, each over the larger of the expected number and the root mean square of all: the largest by
    `largest`, their root mean square by `mean`; infinities must stand where they are expected.

    triton_kernels' rule.
    """

    largest: float
    mean: float

    def __call__(self, output: Tensor, expected: Tensor) -> str:
        """Return in one line how two tensors differ; empty where they are equal."""
        if unlike := _unlike(output, expected, dtypes=False):
            return unlike
        if not torch.equal(output.isinf(), expected.isinf()):
            return "infinities stand elsewhere"
        if not expected.numel():
            return ""
        right = expected.double().where(~expected.isinf(), 0.0)
        found = output.double().where(~output.isinf(), 0.0)
        error = (right - found).abs() / right.abs().maximum(right.square().mean().sqrt()).clamp_min(1e-30)
        largest, mean = error.max().item(), error.square().mean().sqrt().item()
        if largest <= self.largest and mean <= self.mean:  # not so with NaN
            return ""
        return f"relative error at most {largest:.3g}, root mean square {mean:.3g}"

    def __str__(self) -> str:
        return f"relative error {self.largest:g} at most, {self.mean:g} root mean square"


@dataclass(frozen=True)
class WholeDifference:
    """Bound the difference of two tensors as wholes, 1 - 2 · Σab / Σ(a² + b²): DeepGEMM's rule."""

    most: float

    def __call__(self, output: Tensor, expected: Tensor) -> str:
        """Return in one line how two tensors differ; empty where they are equal."""
        if unlike := _unlike(output, expected, dtypes=False):
            return unlike
        one, other = output.double(), expected.double()
        whole = (one * one + other * other).sum().item()
        difference = 1.0 - 2.0 * (one * other).sum().item() / whole if whole else 0.0
        return "" if difference < self.most else f"difference of the whole {difference:.3g}"

    def __str__(self) -> str:
        return f"whole-tensor difference {self.most:g}"


@dataclass(frozen=True)
class Each:
    """Hold each of several outputs to a rule of its own."""

    rules: Sequence[Callable[[Any, Any], str]]

    def __call__(self, output: Any, expected: Any) -> str:
        """Return how the first that differs does; empty where none does."""
        told = (rule(*pair) for rule, *pair in zip(self.rules, output, expected, strict=True))
        return next((difference for difference in told if difference), "")

    def __str__(self) -> str:
        return "; ".join(map(str, self.rules))


def _unlike(output: Tensor, expected: Tensor, *, dtypes: bool = True) -> str:
    """Say that shapes or dtypes differ."""
    if output.shape != expected.shape:
        return f"shape {tuple(output.shape)}, expected {tuple(expected.shape)}"
    if dtypes and output.dtype != expected.dtype:
        return f"{output.dtype}, expected {expected.dtype}"
    return ""
