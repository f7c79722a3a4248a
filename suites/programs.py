"""The page of `programs`: programs that nobody wrote, under every way of compiling."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from eagerdiff import Drawing, Extras, Judging, Mode, Operator, Showing, Workload
from eagerdiff.compiled.backend import INDUCTOR_TRITON, Backend
from eagerdiff.compiled.inductor_settings import simpler as fewer_settings
from eagerdiff.compiled.torch_compile import Compilable
from eagerdiff.compiled.torch_export import exports
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
from eagerdiff.reference.programs import function_of, programs
from eagerdiff.strategies.programs.cases import ProgramCase, cases, check_inputs, inputs, source, typing, workload_cases
from eagerdiff.strategies.programs.rendering import operations
from eagerdiff.strategies.programs.simplification import simpler as simpler_programs
from eagerdiff.strategies.programs.size import Size
from eagerdiff.strategies.programs.widening import in_float64
from eagerdiff.suites import program_exports
from eagerdiff.suites.drawn_code import IGNORED, MOST_INTERPRETED, UNPADDED, DrawnCode, magnitude
from eagerdiff.suites.program_compiles import limited

HERE = Path(__file__).parent
VARIANTS = (UNBACKED_BOUNDED, HINTED, OBLIVIOUS, ONCE, NESTED, CONFIGURED, MAX_AUTOTUNE, CUDA_GRAPHS)
"""Drawn programs ask much of their sizes, which bounds of `mark_dynamic` forbid and which takes names for equal ones;
a region may not return its inputs; `strict` marks nothing unbacked, whatever is called: `symbolic` tests all four."""


def function(case: ProgramCase) -> Callable[..., Any]:
    """Return the eager function of a case's program."""
    return function_of(source(case.program))


def dims(case: ProgramCase) -> dict[int | str, dict[int, str]]:
    """Return the changing dims of a case's tensors, by position."""
    found: dict[int | str, dict[int, str]] = {}
    for position, given in enumerate(case.program.inputs):
        if given.kind == "tensor":
            found[position] = {dim: str(size) for dim, size in enumerate(given.shape) if Size.of(size).constant is None}
    return found


def about(workload: Workload[ProgramCase]) -> set[str]:
    """Name the operations of a workload's program."""
    return {node.op for node in workload.cases[0].program.nodes}


def supports(case: ProgramCase, backend: Backend, mode: Mode) -> str | None:
    """Return the documented limit that keeps a program from a way of compiling, or None."""
    if mode.unbacked:
        limits = [operation.backed_only for operation in operations(case.program) if operation.backed_only]
        if limits:
            return f"not unbacked: {limits[0]}"
    if mode == Mode.MARK_DYNAMIC:
        if size := specialised(case):
            return f"not marked: {size} is 0 or 1, and sizes that a program computes are specialised there"
        if inside := next((operation.name for operation in operations(case.program) if operation.guards), ""):
            return f"not marked: {inside} branches on a size, or computes one that may be 0 or 1"
    if backend is INDUCTOR_TRITON:
        values = [value.numel for value in typing(case.program).types if not value.numel.depends_on_data]
        if max((value.value(case.sizes) for value in values), default=0) > MOST_INTERPRETED:
            return f"more than {MOST_INTERPRETED} elements: the interpreter takes milliseconds a program"
    return None


def specialised(case: ProgramCase) -> str:
    """Return a computed size that is 0 or 1 in a call, which Dynamo makes a constant (0/1 specialisation), or ''."""
    given = {size for value in case.program.inputs for size in value.type.shape}
    small = (
        size
        for value in typing(case.program).types
        for size in value.shape
        if size.constant is None and not size.depends_on_data and size.value(case.sizes) < 2
    )
    # An input's own size of 0 or 1 is no symbol; but it may be what a program computes of a larger one (b of b + 1).
    return next((str(size) for size in small if size not in given or _follows(size, given, case)), "")


def _follows(size: Size, given: set[Size], case: ProgramCase) -> bool:
    return any(other.symbols & size.symbols and other.value(case.sizes) > 1 for other in given)


def options(case: ProgramCase) -> dict[str, Any]:
    """Ask for eager's random numbers where a program draws any."""
    return {"fallback_random": True} if any(operation.random for operation in operations(case.program)) else {}


def simpler(workload: Workload[ProgramCase]) -> Iterator[Workload[ProgramCase]]:
    """Return simpler workloads: with fewer settings of the compiler first, then simpler programs."""
    yield from fewer_settings(workload)
    yield from simpler_programs(workload)


CODE = DrawnCode[ProgramCase](source=lambda case: source(case.program), taken=lambda case: case.program.gradients)

OPERATOR = Operator(
    name="programs",
    case=ProgramCase,
    inputs=inputs,
    reference=programs,
    cases=cases,
    mutates=range(8),
    implementations=[
        CODE.in_scripts(limited(implementation))
        for implementation in Compilable(
            operator="programs",
            function=function,
            dims=dims,
            supports=supports,
            fullgraph=lambda case: not any(operation.graph_break for operation in operations(case.program)),
            ignored=IGNORED,
            name="program",
            around=CODE.around,
            options=options,
            kept_settings=lambda case: case.settings,
        ).implementations(modes=UNPADDED, variants=VARIANTS)
    ]
    + [
        CODE.in_scripts(export)
        for export in exports(
            "programs",
            function,
            dims=dims,
            example=program_exports.example,
            least=program_exports.least,
            supports=program_exports.supports,
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
    judging=Judging(
        in_float64=in_float64,
        magnitude=magnitude,
        random=lambda given: given.options["random"],
    ),
    showing=Showing(
        about=about,
        choosing=IGNORED,
        source=CODE.standalone,
        listing=CODE.listing,
    ),
    extras=Extras(faults=HERE / "faults" / "programs", corpus=HERE / "corpus" / "programs.yaml"),
)
