"""The page of `torch_api`: what torch's own tables call, with sizes that change, under every way of compiling."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import torch

from eagerdiff import (
    BACKWARD,
    Drawing,
    Excuse,
    Extras,
    Implementation,
    Judging,
    Mode,
    Operator,
    Showing,
    Table,
    Workload,
)
from eagerdiff.compiled.backend import INDUCTOR_TRITON, Backend
from eagerdiff.compiled.excuses import constant_number, specialisation
from eagerdiff.compiled.limits import interpreted
from eagerdiff.compiled.variant import (
    CONFIGURED,
    HINTED,
    LAZY_MODULE,
    OBLIVIOUS,
    ONCE,
    UNBACKED_BOUNDED,
)
from eagerdiff.reference.programs import programs
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
from eagerdiff.strategies.torch_api.table import drawable, entries
from eagerdiff.suites import torch_api_exports
from eagerdiff.suites.drawn_code import (
    DIVIDED,
    IGNORED,
    MOST_INTERPRETED,
    DrawnCode,
    break_ties,
    magnitude,
    pieces,
    plainer,
)

HERE = Path(__file__).parent
VARIANTS = (UNBACKED_BOUNDED, HINTED, OBLIVIOUS, ONCE, CONFIGURED, LAZY_MODULE)


def about(workload: Workload[TorchApiCase]) -> Iterable[str]:
    """Name the entry of torch's tables, which tells one bug from another, and whether gradients are taken."""
    first = workload.cases[0]
    return {first.entry, BACKWARD} if first.gradients else {first.entry}


def vocabulary() -> Mapping[str, str]:
    """Return every entry of torch's tables, with the reason where it is not drawn."""
    return {name: entry.why for name, entry in entries().items()}


def module(case: TorchApiCase) -> str:
    """Name the class of torch.nn that a call is of, where it is nothing else; an empty string elsewhere."""
    built = case.call.module
    alone = built is not None and not case.call.within and len(case.call.steps) == 1
    return built.build.function.rpartition(".")[2] if built is not None and alone else ""


def excuses(backend: Backend, mode: Mode) -> list[Excuse]:
    """Return the rules by which a call may be refused in a mode."""
    found = [torch_api_exports.DIM_FROM_DATA]
    found += [constant_number(torch_api_exports.MARKED)] if mode.needs_dims else []
    if mode == Mode.MARK_DYNAMIC:
        found.append(specialisation(torch_api_exports.MARKED))
    return [*found, interpreted(MOST_INTERPRETED, elements)] if backend is INDUCTOR_TRITON else found


def elements(case: TorchApiCase) -> int:
    """Return the elements of a call's largest tensor."""
    shapes = (torch.Size(size.value(case.sizes) for size in spec.sizes) for spec in case.call.tensors)
    return max((shape.numel() for shape in shapes), default=0)


def simpler(workload: Workload[TorchApiCase]) -> Iterator[Workload[TorchApiCase]]:
    """Return simpler workloads: with fewer settings of the compiler first, the usual example, then simpler calls."""
    yield from plainer(workload)
    yield from simpler_calls(workload)


def limited(implementation: Implementation[TorchApiCase]) -> Implementation[TorchApiCase]:
    """Allow for the compiles of a call in pieces; of a call as it is, the compile model knows."""
    mode = implementation.mode
    if mode is None or implementation.variant not in DIVIDED:
        return implementation
    first = implementation.variant == LAZY_MODULE.name  # a module is called once more, without sizes

    def max_compiles(workload: Workload[TorchApiCase]) -> int:
        return pieces(mode, [inputs(case, "cpu") for case in workload.cases]) + first

    return replace(implementation, max_compiles=max_compiles)


CODE = DrawnCode[TorchApiCase](
    source=lambda case: source(case.call),
    taken=lambda case: case.gradients,
    random=lambda case: case.random,
    module=module,
)

OPERATOR = Operator(
    name="torch_api",
    case=TorchApiCase,
    inputs=inputs,
    reference=programs,
    cases=cases,
    mutates=range(64),
    implementations=[
        *map(
            limited,
            CODE.compiled("torch_api", VARIANTS, dims=torch_api_exports.dims, excuses=excuses),
        ),
        *CODE.exported(
            "torch_api",
            declared=torch_api_exports.EXPORTED,
            example=torch_api_exports.example,
            excuses=torch_api_exports.excuses,
        ),
    ],
    drawing=Drawing(
        workload_cases=workload_cases,
        table=Table(entries=drawable, cases=lambda entry: cases((entry,))),
        exploratory=True,
        simpler=simpler,
        shrinks_itself=True,
        check_inputs=check_inputs,
    ),
    judging=Judging(
        in_float64=in_float64,
        magnitude=magnitude,
        may_raise=True,
        random=lambda given: given.options["random"],
        break_ties=break_ties,
        strides="promised",
    ),
    extras=Extras(vocabulary=vocabulary, corpus=HERE / "corpus" / "torch_api.yaml"),
    showing=Showing(about=about, choosing=IGNORED, source=CODE.standalone, listing=CODE.listing),
)
