"""What the judge's tests draw and ask: inputs, and the verdict on a function as if it were an implementation."""

from collections.abc import Callable
from typing import Any

import torch

from eagerdiff import Inputs, Verdict
from eagerdiff.harness.judge import check_mutation, judge, tell_truth
from eagerdiff.harness.memory import guard
from eagerdiff.suites.tests.rows import operator_of, reference


def draw(*shapes: tuple[int, ...], dtype: str = "float32", seed: int = 0) -> Inputs:
    generator = torch.Generator().manual_seed(seed)
    return Inputs(tuple(torch.randn(shape, generator=generator).to(getattr(torch, dtype)) for shape in shapes))


def verdict_on(
    function: Callable[..., Any], inputs: Inputs, right: Callable[..., Any] = reference, **of: Any
) -> Verdict:
    truth = tell_truth(operator_of(right, **of), inputs)
    guarded = guard(inputs)
    output = function(*guarded.inputs.args, **guarded.inputs.options)
    return check_mutation(truth, guarded) or judge(truth, output, guarded.inputs)
