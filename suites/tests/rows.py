"""A small operator for the judge's own tests: softmax of rows times a matrix, on the processor."""

from collections.abc import Callable
from dataclasses import fields
from typing import Any

import torch
from hypothesis import strategies as st

from eagerdiff import (
    Case,
    DType,
    Implementation,
    Inputs,
    Judging,
    Operator,
    Outcome,
    Status,
    Workload,
    dynamic,
    execute,
    static,
)
from eagerdiff.harness.devices import Device


class Rows(Case):
    """Draw `rows` rows of 16 numbers."""

    rows: int = dynamic(4, ge=0)
    dtype: DType = static("float32")


def build_inputs(case: Rows, device: str) -> Inputs:
    """Return x [rows, 16] and w [16, 8]."""
    generator = torch.Generator().manual_seed(case.seed)
    dtype = getattr(torch, case.dtype)
    x = torch.randn(case.rows, 16, generator=generator).to(dtype)
    return Inputs((x.to(device), torch.randn(16, 8, generator=generator).to(dtype).to(device)))


def reference(x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
    """Return softmax(x) @ w, [rows, 8]."""
    return torch.softmax(x, -1) @ w


def operator_of(function: Callable[..., Any] = reference, **options: Any) -> Operator:
    """Return an operator named `rows` over a reference; options are those of an operator, or of how it is judged."""
    judging = {field.name: options.pop(field.name) for field in fields(Judging) if field.name in options}
    options = {"inputs": build_inputs, "case": Rows, "judging": Judging(**judging)} | options
    return Operator(name="rows", reference=function, cases=lambda: st.builds(Rows), **options)


def implementation_of(function: Callable[..., Any], **options: Any) -> Implementation:
    """Return an implementation that is the function itself."""

    def build(case: Rows) -> Callable[..., Any]:
        return function

    options = {"build": build, "devices": ("cpu",)} | options
    return Implementation(operator="rows", name="function", **options)


def run(device: Device, implementation: Implementation, *rows: int, **of: Any) -> Outcome:
    """Return the outcome of one call for each number of rows; options are those of `operator_of`."""
    function: Callable[..., Any] = of.pop("reference", reference)
    workload = Workload.of(*[Rows(rows=count, seed=index) for index, count in enumerate(rows or (4, 1, 0, 7))])
    return execute(operator_of(function, **of), implementation, workload, device)


def statuses(outcome: Outcome) -> list[Status]:
    """Return the status of each call."""
    return [verdict.status for verdict in outcome.verdicts]
