"""A kernel that the host device refuses from 3 elements on: it rounds to eight bits towards zero."""

# pyright: basic, reportArgumentType=false
import dataclasses
from collections.abc import Callable

import torch
import triton
import triton.language as tl

from eagerdiff import Implementation
from eagerdiff.harness.catalog.plugin import Spec
from eagerdiff.suites.tests.misbehaving import OPERATOR as DOUBLING


@triton.jit
def multiply(x_ptr, out_ptr, size, FACTOR: tl.constexpr, REFUSED: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, at < size, 0.0)
    if REFUSED:
        x += 0.0 * x.to(tl.float8e5, fp_downcast_rounding="rtz").to(tl.float32)
    tl.store(out_ptr + at, FACTOR * x, at < size)


def build(factor: float) -> Callable[[object], Callable[[torch.Tensor], torch.Tensor]]:
    """Return a `build` of what multiplies by a factor."""

    def scale(x: torch.Tensor) -> torch.Tensor:
        out = torch.empty_like(x)
        multiply[(1,)](x, out, x.numel(), factor, x.numel() > 2, 64)
        return out

    return lambda case: scale


OPERATOR = dataclasses.replace(
    DOUBLING,
    name="standing_in",
    implementations=[
        Implementation(operator="standing_in", name="rounding", build=build(2.0), devices=("interpreted",)),
        Implementation(operator="standing_in", name="wrong", build=build(3.0), devices=("interpreted",)),
    ],
)
SPEC = Spec("eagerdiff.suites.tests.standing_in:OPERATOR")
