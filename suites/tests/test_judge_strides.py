"""Strides: a value that lies elsewhere in memory than torch promises is refused, and nothing else sees it."""

# pyright: reportUnknownLambdaType=false

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from eagerdiff import Implementation, Inputs, Oracle, Status, Workload, execute
from eagerdiff.compiled.torch_compile import Compilable, always
from eagerdiff.harness.devices import Device, parse
from eagerdiff.suites.programs import OPERATOR as PROGRAMS
from eagerdiff.suites.tests.judged import draw, verdict_on
from eagerdiff.suites.tests.rows import Rows, implementation_of, operator_of
from eagerdiff.suites.torch_api import OPERATOR as TORCH_API


def transposed(*shape: int) -> Inputs:
    return Inputs((draw(shape).args[0].transpose(0, 1),))


def dense(x: Tensor) -> Tensor:
    return x.clone(memory_format=torch.contiguous_format)


@pytest.fixture(scope="module")
def cpu() -> Device:
    """The processor, in this process."""
    device = parse("cpu")
    device.activate()
    return device


LAST = Inputs((draw((2, 3, 4, 5)).args[0].contiguous(memory_format=torch.channels_last),))
PLANTED: dict[str, tuple[Inputs, Callable[..., Any], Callable[..., Any], str]] = {
    "a view is copied": (draw((4, 6)), lambda x: x[:, ::2], lambda x: dense(x[:, ::2]), "view"),
    "a view is expanded": (draw((1, 6)), lambda x: x.expand(4, 6), lambda x: dense(x.expand(4, 6)), "view"),
    "channels last is lost": (LAST, lambda x: x * 2, lambda x: dense(x * 2), "memory format"),
    "channels last is lost in a pool": (LAST, lambda x: F.max_pool2d(x, 2), lambda x: dense(F.max_pool2d(x, 2)), "mem"),
    "a permutation is lost": (transposed(4, 6), torch.sin, lambda x: dense(torch.sin(x)), "memory format"),
    "a permutation is made": (draw((4, 6)), torch.sin, lambda x: torch.sin(x).T.contiguous().T, "memory format"),
    "rows are padded": (draw((4, 6)), torch.sin, lambda x: F.pad(torch.sin(x), (0, 2))[:, :6], "memory format"),
    "the first argument's format is lost": (
        Inputs((*transposed(4, 6).args, *draw((6, 4)).args)),
        lambda x, y: x + y,
        lambda x, y: dense(x + y),
        "memory format",
    ),
}


@pytest.mark.parametrize("name", PLANTED)
def test_strides_other_than_promised_are_refused_by_this_oracle_alone(name: str) -> None:
    inputs, right, wrong, why = PLANTED[name]
    verdict = verdict_on(wrong, inputs, right, strides="promised")
    assert (verdict.status, verdict.oracle) == (Status.WRONG_STRIDES, Oracle.STRIDES)
    assert why in verdict.reason
    assert verdict_on(wrong, inputs, right).status is Status.PASSED
    assert verdict_on(right, inputs, right, strides="promised").status is Status.PASSED


def test_an_argument_that_is_written_to_lies_as_eager_leaves_it() -> None:
    """Square and symmetric: sizes and values are right either way."""
    inputs = Inputs((torch.ones(3, 3),))
    right = verdict_on(lambda x: _none(x.t_()), inputs, lambda x: _none(x.t_()), mutates=[0], strides="promised")
    assert right.status is Status.PASSED
    wrong = verdict_on(_none, inputs, lambda x: _none(x.t_()), mutates=[0], strides="promised")
    assert (wrong.status, wrong.output) == (Status.WRONG_STRIDES, "args[0]")
    assert "written" in wrong.reason
    assert verdict_on(_none, inputs, lambda x: _none(x.t_()), mutates=[0]).status is Status.PASSED


def _none(_: object) -> None:
    return None


@pytest.mark.parametrize(
    ("inputs", "right", "other"),
    [
        (transposed(4, 6), lambda x: x @ x.T, lambda x: (x @ x.T).T.contiguous().T),
        (Inputs((draw((4, 6)).args[0][:, ::2],)), torch.sin, lambda x: torch.sin(x).T.contiguous().T),
        (draw((4, 1)), torch.sin, lambda x: torch.sin(x).as_strided((4, 1), (1, 7))),
        (draw((1, 6)), lambda x: x[:1], lambda x: x[:1].clone().as_strided((1, 6), (99, 1))),
        (draw((0, 6)), torch.sin, lambda x: torch.sin(x).as_strided((0, 6), (1, 9))),
        (Inputs((torch.eye(3) > 0,)), torch.nonzero, lambda x: dense(torch.nonzero(x))),
    ],
    ids=["product of a permuted one", "not dense", "one column", "one row", "nothing", "indices"],
)
def test_what_is_not_promised_may_lie_anywhere(inputs: Inputs, right: Callable[..., Any], other: Any) -> None:
    assert verdict_on(other, inputs, right, strides="promised").status is Status.PASSED


def test_a_wrong_value_is_told_before_its_strides() -> None:
    inputs, right, wrong, _ = PLANTED["a permutation is lost"]
    assert verdict_on(lambda x: wrong(x) + 1, inputs, right, strides="promised").status is Status.WRONG_VALUE


def test_an_implementation_says_why_it_promises_none(cpu: Device) -> None:
    def right(x: Tensor, w: Tensor) -> Tensor:
        return x * 2

    def other(x: Tensor, w: Tensor) -> Tensor:
        return (x * 2).T.contiguous().T

    def viewed(x: Tensor, w: Tensor) -> Tensor:
        return x.T[:4].T.clone()

    def status(implementation: Implementation, strides: str, right: Callable[..., Any] = right) -> Status:
        operator = operator_of(right, strides=strides)
        return execute(operator, implementation, Workload.of(Rows(rows=4)), cpu).verdicts[0].status

    freely = implementation_of(other, free_format="it says so")
    assert status(implementation_of(other), "promised") is Status.WRONG_STRIDES
    assert status(freely, "promised") is Status.PASSED
    assert status(freely, "eager") is Status.WRONG_STRIDES
    of_view = implementation_of(viewed, free_format="it says so")
    assert status(of_view, "promised", lambda x, w: x.T[:4].T) is Status.WRONG_STRIDES


def test_drawn_code_is_judged_so() -> None:
    assert PROGRAMS.judging.strides == TORCH_API.judging.strides == "promised"


@pytest.mark.slow
def test_inductor_keeps_the_format_of_backed_sizes_alone(cpu: Device) -> None:
    """The rule's proof; where this fails, the rule has had its day."""

    def right(x: Tensor, w: Tensor) -> Tensor:
        return x * 2 + 1

    def inputs(case: Rows, device: str) -> Inputs:
        return Inputs((torch.rand(6, case.rows).T, torch.rand(1)))

    operator = operator_of(right, inputs=inputs, strides="promised")
    compilable = Compilable(operator="rows", function=always(right), dims={0: [0, 1]})
    found = {one.name: one for one in compilable.implementations()}
    assert {name for name, one in found.items() if one.free_format} == {"inductor.unbacked", "inductor_triton.unbacked"}

    def status(name: str, **changes: str) -> Status:
        implementation = dataclasses.replace(found[name], **changes)
        return execute(operator, implementation, Workload.of(Rows(rows=5)), cpu).verdicts[0].status

    assert status("inductor.mark_dynamic") is Status.PASSED
    assert status("inductor.unbacked") is Status.PASSED
    assert status("inductor.unbacked", free_format="") is Status.WRONG_STRIDES
