"""The page of `torch_api`: what torch's own tables call, with sizes that change, under every way of compiling."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import torch

from eagerdiff import BACKWARD, Drawing, Extras, Inputs, Judging, Mode, Operator, Showing, Workload
from eagerdiff.compiled.backend import INDUCTOR_TRITON, Backend
from eagerdiff.compiled.dynamic_shapes import Shapes
from eagerdiff.compiled.export_path import ExportPath
from eagerdiff.compiled.inductor_settings import simpler as fewer_settings
from eagerdiff.compiled.torch_compile import Compilable
from eagerdiff.compiled.torch_export import exports
from eagerdiff.compiled.variant import CONFIGURED, HINTED, OBLIVIOUS, ONCE, UNBACKED_BOUNDED
from eagerdiff.reference.programs import function_of, programs
from eagerdiff.strategies.torch_api.cases import (
    TorchApiCase,
    cases,
    check_inputs,
    in_float64,
    inputs,
    source,
    workload_cases,
)
from eagerdiff.strategies.torch_api.simplification import simpler as simpler_calls
from eagerdiff.strategies.torch_api.table import entries
from eagerdiff.suites.drawn_code import IGNORED, MOST_INTERPRETED, UNPADDED, DrawnCode, magnitude

VARIANTS = (UNBACKED_BOUNDED, HINTED, OBLIVIOUS, ONCE, CONFIGURED)


def function(case: TorchApiCase) -> Callable[..., Any]:
    """Return the eager function of a case."""
    return function_of(source(case.call))


def dims(case: TorchApiCase) -> dict[int | str, dict[int, str]]:
    """Return the changing dims of a case's tensors, by position."""
    return {
        at: {dim: str(size) for dim, size in enumerate(spec.sizes) if size.constant is None}
        for at, spec in enumerate(case.call.tensors)
    }


def about(workload: Workload[TorchApiCase]) -> Iterable[str]:
    """Name the entry of torch's tables, which tells one bug from another, and whether gradients are taken."""
    first = workload.cases[0]
    return {first.entry, BACKWARD} if first.gradients else {first.entry}


def vocabulary() -> Mapping[str, str]:
    """Return every entry of torch's tables, with the reason where it is not drawn."""
    return {name: entry.why for name, entry in entries().items()}


def supports(case: TorchApiCase, backend: Backend, mode: Mode) -> str | None:
    """Return why a case is not for a way of compiling, or None."""
    if backend is INDUCTOR_TRITON:
        numels = [torch.Size(size.value(case.sizes) for size in spec.sizes).numel() for spec in case.call.tensors]
        if max(numels, default=0) > MOST_INTERPRETED:
            return f"more than {MOST_INTERPRETED} elements: the interpreter takes milliseconds a program"
    return None


def supports_export(case: TorchApiCase, path: ExportPath, shapes: Shapes) -> str | None:
    """Return the documented limit that keeps a call from an exported program, or None."""
    if case.call.numbers:
        return "not exported: a Python number is a constant of an exported program, or guarded"
    if path.packaged and case.gradients:
        return "not packaged: AOTInductor compiles no backward"
    return None


def example(case: TorchApiCase) -> Inputs:
    """Return arguments with the sizes that a case is exported with."""
    return inputs(case.model_copy(update={"sizes": case.domain.example, "fills": ()}), "cpu")


def simpler(workload: Workload[TorchApiCase]) -> Iterator[Workload[TorchApiCase]]:
    """Return simpler workloads: with fewer settings of the compiler first, then simpler calls."""
    yield from fewer_settings(workload)
    yield from simpler_calls(workload)


def least(case: TorchApiCase) -> Mapping[str, int]:
    """Return the smallest sizes that eager takes, by name."""
    return case.domain.floors


CODE = DrawnCode[TorchApiCase](source=lambda case: source(case.call), taken=lambda case: case.gradients)

OPERATOR = Operator(
    name="torch_api",
    case=TorchApiCase,
    inputs=inputs,
    reference=programs,
    cases=cases,
    mutates=range(64),
    implementations=[
        CODE.in_scripts(implementation)
        for implementation in Compilable(
            operator="torch_api",
            function=function,
            dims=dims,
            supports=supports,
            ignored=IGNORED,
            name="program",
            around=CODE.around,
            options=lambda case: {"fallback_random": True} if case.random else {},
            kept_settings=lambda case: case.settings,
        ).implementations(modes=UNPADDED, variants=VARIANTS)
    ]
    + [
        CODE.in_scripts(export)
        for export in exports(
            "torch_api",
            function,
            dims=dims,
            example=example,
            least=least,
            supports=supports_export,
            ignored=IGNORED,
            name="program",
            around=CODE.around,
        )
    ],
    drawing=Drawing(
        workload_cases=workload_cases,
        exploratory=True,
        simpler=simpler,
        shrinks_itself=True,
        check_inputs=check_inputs,
    ),
    judging=Judging(in_float64=in_float64, magnitude=magnitude, random=lambda given: given.options["random"]),
    extras=Extras(vocabulary=vocabulary),
    showing=Showing(about=about, choosing=IGNORED, source=CODE.standalone, listing=CODE.listing),
)
