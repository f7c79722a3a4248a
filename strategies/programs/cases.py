"""Cases of `programs`: one call of a drawn program."""

import functools
from collections.abc import Mapping

import torch
from hypothesis import strategies as st
from pydantic import field_validator

from eagerdiff import Case, Inputs, dynamic, static
from eagerdiff.strategies.layouts import LAYOUTS, lay_out, place
from eagerdiff.strategies.programs.drawing import programs
from eagerdiff.strategies.programs.inference import Typing, infer
from eagerdiff.strategies.programs.operation import IllTyped
from eagerdiff.strategies.programs.program import Program
from eagerdiff.strategies.programs.rendering import operations, render
from eagerdiff.strategies.programs.size import Size
from eagerdiff.strategies.programs.tensors import FILLS, build
from eagerdiff.strategies.sizes import sizes

LARGEST = 33
_FILLS = ("normal", "normal", "normal", "integers", "sorted", "zeros", "special", "extreme")
_LAYOUTS = ("contiguous", "contiguous", "contiguous", *LAYOUTS)
_NUMBERS = (1.0, 0.5, 2.0, -1.0, 0.0, 3.0, -0.25)


class ProgramCase(Case):
    """Describe one call of one program."""

    program: Program = static()
    settings: tuple[str, ...] | None = static(None)
    """Names of the compiler's drawn settings that are kept, where a way of compiling draws any; None keeps them all."""
    sizes: dict[str, int] = dynamic(default_factory=dict)
    """Value by symbol; a Python integer that is an argument is a symbol too."""
    layouts: tuple[str, ...] = dynamic(())
    """Memory layout by input; contiguous where there is none."""
    fills: tuple[str, ...] = dynamic(())
    """What the values are like, by input; normal where there is none."""
    numbers: tuple[float, ...] = dynamic(())
    """Values of the Python floats among the arguments, in order; 1.0 where there is none."""

    @field_validator("program")
    @classmethod
    def _well_typed(cls, program: Program) -> Program:
        try:
            typing(program)
        except IllTyped as error:
            raise ValueError(str(error)) from None
        return program

    @field_validator("layouts")
    @classmethod
    def _known_layouts(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        return _known(names, LAYOUTS, "layout")

    @field_validator("fills")
    @classmethod
    def _known_fills(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        return _known(names, FILLS, "fill")


def _known(names: tuple[str, ...], known: tuple[str, ...], what: str) -> tuple[str, ...]:
    for name in names:
        if name not in known:
            raise ValueError(f"unknown {what} {name!r}: use one of {', '.join(known)}")
    return names


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
        values = build(given, shape, below, _at(case.fills, position, "normal"), generator)
        args.append(place(lay_out(values, _at(case.layouts, position, "contiguous")), device))
    random = any(operation.random for operation in operations(case.program))
    options = {"source": source(case.program), "gradients": case.program.gradients, "random": random}
    return Inputs(tuple(args), options)


def _at(names: tuple[str, ...], position: int, default: str) -> str:
    return names[position] if position < len(names) else default


@st.composite
def cases(draw: st.DrawFn, families: tuple[str, ...] = ()) -> ProgramCase:
    """Draw a program, of some families of operations or of all, then one call of it."""
    program = draw(programs(families=families))
    count = len(program.inputs)
    floats = sum(given.kind == "float" for given in program.inputs)
    return ProgramCase(
        program=program,
        sizes=draw(_sizes(program, None)),
        layouts=tuple(draw(st.sampled_from(_LAYOUTS)) for _ in range(count)),
        fills=tuple(draw(st.sampled_from(_FILLS)) for _ in range(count)),
        numbers=tuple(draw(st.sampled_from(_NUMBERS)) for _ in range(floats)),
        seed=draw(st.integers(0, 2**16 - 1)),
    )


@st.composite
def workload_cases(draw: st.DrawFn, first: ProgramCase) -> ProgramCase:
    """Draw a further call of a program: other sizes, now and then other layouts, values or numbers."""
    count = len(first.layouts)
    changed: dict[str, object] = {"seed": draw(st.integers(0, 2**16 - 1))}
    changed["sizes"] = draw(_sizes(first.program, first.sizes))
    if draw(st.integers(0, 5)) == 5:
        changed["layouts"] = tuple(draw(st.sampled_from(_LAYOUTS)) for _ in range(count))
    if draw(st.integers(0, 2)) == 2:
        changed["fills"] = tuple(draw(st.sampled_from(_FILLS)) for _ in range(count))
    if draw(st.booleans()):
        changed["numbers"] = tuple(draw(st.sampled_from(_NUMBERS)) for _ in first.numbers)
    return first.model_copy(update=changed)


@st.composite
def _sizes(draw: st.DrawFn, program: Program, before: Mapping[str, int] | None) -> dict[str, int]:
    """Draw sizes that the program accepts: all of them, or all but one as before; the least ones where none fits."""
    found = typing(program)
    kept = draw(st.sampled_from(("", *found.floors))) if before else ""
    for most in (LARGEST, 9, 3):
        drawn = {
            name: before[name]
            if before is not None and kept and name != kept
            else draw(sizes(min_value=least, max_value=max(most, least)))
            for name, least in found.floors.items()
        }
        if found.allows(drawn) is None:
            return drawn
    return dict(before) if before is not None else dict(found.floors)
