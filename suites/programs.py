"""The page of `programs`: programs that nobody wrote, under every way of compiling."""

from collections.abc import Iterator
from pathlib import Path

from eagerdiff import Drawing, Excuse, Extras, Judging, Mode, Operator, Showing, Workload
from eagerdiff.compiled.backend import INDUCTOR_TRITON, Backend
from eagerdiff.compiled.excuses import constant_number, specialisation
from eagerdiff.compiled.limits import data_decision, interpreted, traced_value
from eagerdiff.compiled.variant import (
    CONFIGURED,
    CUDA_GRAPHS,
    HINTED,
    MAX_AUTOTUNE,
    NESTED,
    OBLIVIOUS,
    ONCE,
    UNBACKED_BOUNDED,
)
from eagerdiff.reference.programs import programs
from eagerdiff.strategies.programs.cases import ProgramCase, cases, check_inputs, inputs, source, typing, workload_cases
from eagerdiff.strategies.programs.rendering import operations
from eagerdiff.strategies.programs.simplification import simpler as simpler_programs
from eagerdiff.strategies.programs.widening import in_float64
from eagerdiff.suites import program_exports
from eagerdiff.suites.drawn_code import IGNORED, MOST_INTERPRETED, DrawnCode, break_ties, magnitude, plainer
from eagerdiff.suites.program_compiles import limited

HERE = Path(__file__).parent
VARIANTS = (UNBACKED_BOUNDED, HINTED, OBLIVIOUS, ONCE, NESTED, CONFIGURED, MAX_AUTOTUNE, CUDA_GRAPHS)
"""Drawn programs ask much of their sizes, which bounds of `mark_dynamic` forbid and which takes names for equal ones;
a region may not return its inputs; `strict` marks nothing unbacked, whatever is called: `symbolic` tests all four."""


def about(workload: Workload[ProgramCase]) -> set[str]:
    """Name the operations of a workload's program."""
    return {node.op for node in workload.cases[0].program.nodes}


def excuses(backend: Backend, mode: Mode) -> list[Excuse]:
    """Return the rules by which a program may be refused in a mode."""
    found = [data_decision(_unbacked_decision if mode.unbacked else program_exports.deciding)]
    if mode.needs_dims:
        found += [constant_number(program_exports.MARKED)]
        found += [traced_value(program_exports.needing_value, program_exports.MARKED)]
    if mode == Mode.MARK_DYNAMIC:
        found.append(specialisation(program_exports.MARKED))
    return [*found, interpreted(MOST_INTERPRETED, elements)] if backend is INDUCTOR_TRITON else found


def _unbacked_decision(case: ProgramCase) -> str:
    return program_exports.branching(case) or program_exports.deciding(case)


def elements(case: ProgramCase) -> int:
    """Return the elements of a program's largest value, of those that do not depend on data."""
    numels = (value.numel for value in typing(case.program).types if not value.numel.depends_on_data)
    return max((numel.value(case.sizes) for numel in numels), default=0)


def random(case: ProgramCase) -> bool:
    """Whether a program draws random numbers: then it is compiled to draw eager's."""
    return any(operation.random for operation in operations(case.program))


def simpler(workload: Workload[ProgramCase]) -> Iterator[Workload[ProgramCase]]:
    """Return simpler workloads: with fewer settings of the compiler first, the usual example, then simpler programs."""
    yield from plainer(workload)
    yield from simpler_programs(workload)


CODE = DrawnCode[ProgramCase](
    source=lambda case: source(case.program), taken=lambda case: case.program.gradients, random=random
)

OPERATOR = Operator(
    name="programs",
    case=ProgramCase,
    inputs=inputs,
    reference=programs,
    cases=cases,
    mutates=range(8),
    implementations=[
        *map(
            limited,
            CODE.compiled(
                "programs",
                VARIANTS,
                dims=program_exports.dims,
                excuses=excuses,
                fullgraph=lambda case: not any(operation.graph_break for operation in operations(case.program)),
            ),
        ),
        *CODE.exported(
            "programs",
            declared=program_exports.EXPORTED,
            example=program_exports.example,
            excuses=program_exports.excuses,
        ),
    ],
    drawing=Drawing(
        workload_cases=workload_cases,
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
    showing=Showing(
        about=about,
        choosing=IGNORED,
        source=CODE.standalone,
        listing=CODE.listing,
    ),
    extras=Extras(faults=HERE / "faults" / "programs", corpus=HERE / "corpus" / "programs.yaml"),
)
