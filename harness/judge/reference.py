"""Runs of the reference: in the case's own dtype, and in float64."""

import contextlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import torch

from eagerdiff.harness.judge.exceptions import is_out_of_memory
from eagerdiff.harness.judge.randomness import Recording, Replaying
from eagerdiff.harness.judge.widening import Widening
from eagerdiff.harness.memory.copies import duplicate, upcast
from eagerdiff.harness.model.operator import Inputs, Operator


@dataclass(frozen=True)
class Run:
    """Hold what one run of the reference gave."""

    output: Any = None
    inputs: Inputs = field(default_factory=lambda: Inputs(()))
    """The arguments after the call."""
    error: BaseException | None = None
    drawn: Sequence[Any] | None = None
    """What its random functions gave, where the operator draws any."""


def run_eager(operator: Operator, inputs: Inputs) -> Run:
    """Run the reference on a private copy of the inputs."""
    copied = duplicate(inputs).inputs
    if operator.judging.random is None or not operator.judging.random(inputs):
        return _run(operator.reference, copied)
    with Recording() as recording:
        run = _run(operator.reference, copied)
    return replace(run, drawn=recording.drawn)


def run_exact(operator: Operator, inputs: Inputs, drawn: Sequence[Any] | None = None) -> Run:
    """Run the reference in float64 on inputs that `widened` made; they are copied first where it mutates them.

    `drawn` are the random numbers of the run in its own dtype.
    """
    replaying = contextlib.nullcontext() if drawn is None else Replaying(drawn)
    with Widening(), replaying:
        return _run(operator.reference, duplicate(inputs).inputs if operator.mutates else inputs)


def widened(operator: Operator, inputs: Inputs) -> Inputs:
    """Return the float64 twins of a call's tensors."""
    return (
        upcast(inputs)
        if operator.judging.exact_upcast is None
        else operator.judging.exact_upcast(duplicate(inputs).inputs)
    )


def run_magnitude(operator: Operator, inputs: Inputs) -> Any:
    """Compute the sum of the absolute terms from float64 inputs; None where the operator does not give it."""
    if operator.judging.magnitude is None:
        return None
    with Widening(), torch.no_grad():
        return operator.judging.magnitude(*inputs.args, **_options(inputs.options))


def seed_generators() -> None:
    """Seed torch's generators before each run.

    `torch.manual_seed` is not for this: it keeps a stack trace a call for every kind of device that is not in use.
    """
    torch.default_generator.manual_seed(0)
    if torch.cuda.is_initialized():
        torch.cuda.manual_seed_all(0)


def _run(function: Callable[..., Any], inputs: Inputs) -> Run:
    seed_generators()
    try:
        output = function(*inputs.args, **_options(inputs.options))
    except Exception as error:
        if is_out_of_memory(error):  # no promise: eager cannot say what is right
            raise
        return Run(error=error)
    return Run(output, inputs)


def _options(options: Mapping[str, Any]) -> dict[str, Any]:
    return dict(options)
