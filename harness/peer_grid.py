"""A peer's grid: the fixed shapes of a test that another project publishes, and its rule of what is equal."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import torch

from harness.operator import Inputs


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
    narrow = isinstance(value, torch.Tensor) and value.is_floating_point() and value.itemsize == 1
    return value.float() if narrow else value


@dataclass(frozen=True, kw_only=True)
class PeerGrid:
    """Describe a published test as cases of ours, judged as it judges: no poison, no relations, one tolerance."""

    project: str
    """With its version: vLLM 0.33.0."""
    test: str
    cases: Callable[[], Iterable[Any]]
    """Expand the test's tables of parameters; the cheapest case is run first, whatever the order."""
    inputs: Callable[[Any, str], Inputs]
    """Build the tensors of a case as that test does, on a torch device."""
    compared: Callable[[Any, Inputs], Any]
    """Return what the test looks at, given the output and the arguments after the call."""
    rule: Callable[[Any, Any], str]
    """Return how what was compared differs from the reference's, in one line; empty where the test passes."""
    against: Callable[[Inputs], Inputs] | None = None
    """Return other inputs that the implementation must answer alike, where the test has no reference but itself."""
    note: str = ""
    """What of the test is left out or scaled."""

    @property
    def name(self) -> str:
        """What the reports call it."""
        return f"{self.project}, {self.test}"
