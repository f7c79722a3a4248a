"""Whose failure an exception is: of what is under test, or a harness error, of this project or a plug-in's glue."""

# pyright: reportUnknownLambdaType=false

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from eagerdiff import Drawing, Inputs, Oracle, Relation, Status, Workload
from eagerdiff.compiled import export_path
from eagerdiff.compiled.declared import Declared
from eagerdiff.compiled.torch_export import exports
from eagerdiff.harness.devices import Device, parse
from eagerdiff.harness.devices.interpreted import libdevice
from eagerdiff.harness.judge.blame import GLUE
from eagerdiff.suites.tests.rows import Rows, build_inputs, implementation_of, reference, run, statuses


@pytest.fixture(scope="module")
def device() -> Device:
    found = parse("cpu")
    found.activate()
    return found


def refused_by_torch(case: Rows) -> Callable[..., Any]:
    return torch.compile(reference, backend="no_such_backend")


def missing_in_a_table(case: Rows) -> Callable[..., Any]:
    return {"inductor": reference}["no_such_backend"]


def raised_by_the_glue(case: Rows) -> Callable[..., Any]:
    raise ImportError("no such kernel")


def traced(x: Tensor, w: Tensor) -> Tensor:
    raise ArithmeticError("of what is under test")


def raised_by_what_is_traced(case: Rows) -> Callable[..., Any]:
    class Exported(torch.nn.Module):
        def forward(self, x: Tensor, w: Tensor) -> Tensor:
            return traced(x, w)

    return torch.export.export(Exported(), build_inputs(case, "cpu").args, strict=False).module()


def refused_by_torch_as_it_allocates(case: Rows) -> Callable[..., Any]:
    """The innermost frame is that of what fills new memory, and passes the call on to torch."""

    class Exported(torch.nn.Module):
        def forward(self, x: Tensor, w: Tensor) -> Tensor:
            return x + torch.empty("a")  # pyright: ignore

    return torch.export.export(Exported(), build_inputs(case, "cpu").args, strict=False).module()


def refused_by_what_says_no_place(case: Rows) -> Callable[..., Any]:
    """As strict export does: the exception that it names as the cause has no frames."""
    try:
        return refused_by_torch(case)(*build_inputs(case, "cpu").args)
    except Exception as error:
        raise error from ValueError("its frames were taken away")


@pytest.mark.parametrize(
    ("build", "status", "said"),
    [
        (refused_by_torch, Status.RAISED, "InvalidBackend"),
        (refused_by_what_says_no_place, Status.RAISED, "InvalidBackend"),
        (raised_by_what_is_traced, Status.RAISED, "of what is under test"),
        (refused_by_torch_as_it_allocates, Status.RAISED, "TypeError: empty()"),
        (missing_in_a_table, Status.HARNESS_ERROR, "build raised KeyError: 'no_such_backend'"),
        (raised_by_the_glue, Status.HARNESS_ERROR, "no such kernel"),
        (lambda: reference, Status.HARNESS_ERROR, "takes 0 positional arguments"),
    ],
)
def test_what_a_framework_raises_in_a_build_is_its_own_and_what_the_glue_raises_is_not(
    device: Device, build: Callable[..., Any], status: Status, said: str
) -> None:
    outcome = run(device, implementation_of(reference, build=build))
    assert statuses(outcome) == [status, *[Status.SKIPPED] * 3]
    assert outcome.verdicts[0].oracle is Oracle.BUILD
    assert said in outcome.verdicts[0].reason


def test_a_table_of_ours_that_is_missing_is_a_harness_error(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(export_path, "AOT_OPTIONS")
    exported = exports(
        "rows",
        lambda case: reference,
        declared=Declared(dims=lambda case: {0: {0: "rows"}}, met=lambda case: {"rows": case.rows}),
        example=lambda case: build_inputs(Rows(rows=5), "cpu"),
        paths=(export_path.AOTI,),
    )
    verdict = run(device, exported[0]).verdicts[0]
    assert (verdict.status, verdict.frame) == (Status.HARNESS_ERROR, "eagerdiff.compiled.export_path:packaged")
    assert verdict.reason == "build raised NameError: name 'AOT_OPTIONS' is not defined"


def test_what_is_called_is_under_test_and_the_glue_around_it_is_not(
    device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    def kernel(x: Tensor, w: Tensor) -> Tensor:
        return {"block": x}["blocks"]

    assert statuses(run(device, implementation_of(kernel), 4)) == [Status.RAISED]
    monkeypatch.setattr(sys.modules[__name__], GLUE, True, raising=False)
    assert statuses(run(device, implementation_of(kernel), 4)) == [Status.HARNESS_ERROR]
    torchs = implementation_of(lambda x, w: x @ x)  # raised in C, of what was compiled as far as one can tell
    assert statuses(run(device, torchs, 4)) == [Status.RAISED]
    assert statuses(run(device, implementation_of(lambda x, w: torch.einsum("q", x, w)), 4)) == [Status.RAISED]


def test_what_the_interpreter_lacks_is_a_harness_error(device: Device) -> None:
    def kernel(x: Tensor, w: Tensor) -> Any:
        try:
            return libdevice.call("__nv_no_such", np.ones(1, "float32"))
        except NotImplementedError as error:
            raise RuntimeError("triton says so in words of its own") from error

    assert statuses(run(device, implementation_of(kernel), 4)) == [Status.HARNESS_ERROR]


def test_a_predicate_that_raises_is_a_harness_error_and_no_skip(device: Device) -> None:
    def broken(case: Rows) -> str | None:
        raise KeyError("rows")

    for outcome in (
        run(device, implementation_of(reference, supports=broken), 4),
        run(device, implementation_of(reference), 4, drawing=Drawing(check_inputs=broken)),
    ):
        assert statuses(outcome) == [Status.HARNESS_ERROR]
        assert outcome.verdicts[0].oracle is Oracle.SUPPORT
        assert outcome.first_failure is None


def test_a_relation_that_raises_is_a_harness_error(device: Device) -> None:
    def broken(given: Inputs, generator: torch.Generator) -> Any:
        raise KeyError("rows")

    outcome = run(device, implementation_of(reference), 4, 5, relations=(Relation("broken", broken),))
    assert outcome.verdicts[-1].status is Status.HARNESS_ERROR
    assert outcome.verdicts[-1].relation == "broken"


def test_a_broken_operator_is_told_apart(device: Device) -> None:
    def broken(case: Rows, where: str) -> Inputs:
        raise ZeroDivisionError("my own fault")

    verdict = run(device, implementation_of(reference), inputs=broken).verdicts[0]
    assert (verdict.status, verdict.oracle) == (Status.HARNESS_ERROR, Oracle.OPERATOR)


def test_a_compile_limit_that_raises_is_a_harness_error(device: Device) -> None:
    def limit(workload: Workload) -> int:
        raise KeyError("rows")

    outcome = run(device, implementation_of(reference, max_compiles=limit), 4)
    assert (outcome.workload.status, outcome.workload.oracle) == (Status.HARNESS_ERROR, Oracle.COMPILES)
