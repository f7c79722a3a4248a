"""Cases of `programs`: one call of a drawn program."""

import functools
from collections.abc import Mapping

import torch
from hypothesis import strategies as st
from pydantic import field_validator

from eagerdiff import Inputs, static
from eagerdiff.strategies.layouts import lay_out, place
from eagerdiff.strategies.programs.drawing import programs
from eagerdiff.strategies.programs.inference import Typing, infer
from eagerdiff.strategies.programs.operation import IllTyped
from eagerdiff.strategies.programs.program import Program
from eagerdiff.strategies.programs.rendering import operations, render
from eagerdiff.strategies.programs.size import Size
from eagerdiff.strategies.programs.sized_case import (
    MOST_EXAMPLES,
    NUMBERS,
    SizedCase,
    changes,
    fills,
    fitting_sizes,
    layouts,
    seeds,
)
from eagerdiff.strategies.programs.tensors import build


class ProgramCase(SizedCase):
    """Describe one call of one program."""

    program: Program = static()
    """Inputs, operations in order, and which values are returned."""

    @field_validator("program")
    @classmethod
    def _well_typed(cls, program: Program) -> Program:
        try:
            typing(program)
        except IllTyped as error:
            raise ValueError(str(error)) from None
        return program


@functools.lru_cache(maxsize=256)
def typing(program: Program) -> Typing:
    """Return the types of a program's values; raise IllTyped where it is wrong."""
    return infer(program)


@functools.lru_cache(maxsize=256)
def source(program: Program) -> str:
    """Return the source of a program, as a function called `program`."""
    return render(program)


def check_inputs(case: ProgramCase) -> str | None:
    """Return why a case is outside its program's domain, or None."""
    if "expanded" in case.layouts and any(operation.writes for operation in operations(case.program)):
        return "expanded inputs in a program that writes: eager refuses to write where elements share memory"
    return typing(case.program).allows(case.sizes)


def inputs(case: ProgramCase, device: str) -> Inputs:
    """Build the arguments of a call on a torch device."""
    generator = torch.Generator().manual_seed(case.seed)
    numbers = iter((*case.numbers, *(1.0 for _ in case.program.inputs)))
    args: list[object] = []
    for position, given in enumerate(case.program.inputs):
        if given.kind == "float":
            args.append(next(numbers))
            continue
        shape = tuple(Size.of(size).value(case.sizes) for size in given.shape)
        if given.kind == "int":
            args.append(shape[0])
            continue
        below = None if given.below is None else Size.of(given.below).value(case.sizes)
        values = build(given, shape, below, case.fill(position), generator)
        args.append(place(lay_out(values, case.layout(position)), device))
    random = any(operation.random for operation in operations(case.program))
    options = {"source": source(case.program), "gradients": case.program.gradients, "random": random}
    return Inputs(tuple(args), options)


@st.composite
def cases(draw: st.DrawFn, families: tuple[str, ...] = ()) -> ProgramCase:
    """Draw a program, of some families of operations or of all, then one call of it."""
    program = draw(programs(families=families))
    count = len(program.inputs)
    floats = sum(given.kind == "float" for given in program.inputs)
    return ProgramCase(
        program=program,
        example=draw(st.integers(0, MOST_EXAMPLES)),
        sizes=draw(_sizes(program, None)),
        layouts=draw(layouts(count)),
        fills=draw(fills(count)),
        numbers=tuple(draw(st.sampled_from(NUMBERS)) for _ in range(floats)),
        seed=draw(seeds()),
    )


@st.composite
def workload_cases(draw: st.DrawFn, first: ProgramCase) -> ProgramCase:
    """Draw a further call of a program: other sizes, now and then other layouts, values or numbers."""
    changed = draw(changes(len(first.layouts)))
    changed["sizes"] = draw(_sizes(first.program, first.sizes))
    if draw(st.booleans()):
        changed["numbers"] = tuple(draw(st.sampled_from(NUMBERS)) for _ in first.numbers)
    return first.model_copy(update=changed)


def _sizes(program: Program, before: Mapping[str, int] | None) -> st.SearchStrategy[dict[str, int]]:
    """Draw sizes that the program accepts; the least ones where none fits."""
    found = typing(program)
    return fitting_sizes(found.floors, before, found.floors, lambda drawn: found.allows(drawn) is None)
