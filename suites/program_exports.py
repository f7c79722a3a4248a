"""What `programs` tells export and marks: an example of each program, its sizes, and what it may be refused for."""

import functools
import inspect
import random
from collections.abc import Collection, Iterator, Mapping, Sequence

from eagerdiff import Excuse, Inputs
from eagerdiff.compiled.declared import Declared
from eagerdiff.compiled.dynamic_shapes import Shapes
from eagerdiff.compiled.export_path import ExportPath
from eagerdiff.compiled.limits import data_decision, decomposed_forward, graph_break, no_backward, traced_value
from eagerdiff.reference.programs import function_of
from eagerdiff.strategies.programs.cases import ProgramCase, inputs, source, typing
from eagerdiff.strategies.programs.inference import Typing
from eagerdiff.strategies.programs.program import Program
from eagerdiff.strategies.programs.rendering import operations
from eagerdiff.strategies.programs.size import Size, Unknown
from eagerdiff.strategies.programs.sized_case import MOST_EXAMPLES

SPECIALISED = (0, 1)
"""Sizes that tracing takes for constants, as documented."""
TRIES = 40
Sizes = Mapping[str, int]


def dims(case: ProgramCase) -> dict[int | str, dict[int, str]]:
    """Return the changing dims of a case's tensors, by position."""
    found: dict[int | str, dict[int, str]] = {}
    for position, given in enumerate(case.program.inputs):
        if given.kind == "tensor":
            found[position] = {dim: str(size) for dim, size in enumerate(given.shape) if Size.of(size).constant is None}
    return found


def example(case: ProgramCase) -> Inputs:
    """Return arguments whose sizes are drawn: at least 2 and different where they can be. Python numbers are the
    case's."""
    return inputs(case.model_copy(update={"sizes": dict(traced(case)), "fills": (), "seed": 0}), "cpu")


def least(case: ProgramCase) -> Mapping[str, int]:
    """Return the smallest sizes that a program takes, by name."""
    return typing(case.program).floors


def traced(case: ProgramCase) -> Sizes:
    """Return the sizes of a case's example."""
    fixed = tuple((name, case.sizes[name]) for name in counted(case))
    return example_sizes(case.program, case.example, fixed) or case.sizes


@functools.lru_cache(maxsize=256)
def example_sizes(program: Program, draw: int = 0, fixed: tuple[tuple[str, int], ...] = ()) -> dict[str, int] | None:
    """Draw sizes that the program takes: of a few tries those that differ and of which it computes fewest 0 and 1.

    Returns None where it takes none of them.
    """
    found, pick = typing(program), random.Random(draw)
    if draw == MOST_EXAMPLES:
        sizes = {name: floor + pick.randint(0, 2) for name, floor in found.floors.items()} | dict(fixed)
        return sizes if found.allows(sizes) is None else None
    best: tuple[int, dict[str, int]] | None = None
    for _ in range(TRIES):
        pool = list(range(3, 13 if draw == 0 else 25))
        pick.shuffle(pool)
        sizes = {name: floor + pool.pop() for name, floor in found.floors.items()} | dict(fixed)
        if found.allows(sizes) is not None:
            continue
        alike = len(sizes) - len(set(sizes.values()))
        misfit = alike + sum(size in SPECIALISED for size in known(found, sizes))
        if best is None or misfit < best[0]:
            best = misfit, sizes
        if misfit == 0:
            break
    return best[1] if best else None


def known(found: Typing, sizes: Sizes) -> Iterator[int]:
    """Return the values of all sizes that change with the inputs'."""
    for size in _changing(found):
        try:
            yield size.value(sizes)
        except Unknown:
            continue


def _changing(found: Typing) -> Iterator[Size]:
    return (size for value in found.types for size in value.shape if size.constant is None)


def computed(case: ProgramCase) -> Collection[str]:
    """Return the formulas of the sizes that a program computes of its inputs'."""
    found = (size for size in _changing(typing(case.program)) if not size.depends_on_data)
    return list(dict.fromkeys(map(str, found)))


def counted(case: ProgramCase) -> Sequence[str]:
    """Return the names of the Python integers among the arguments."""
    return [str(given.shape[0]) for given in case.program.inputs if given.kind == "int"]


def numbers(case: ProgramCase) -> Mapping[int, int | float]:
    """Return the Python numbers among the arguments, by position."""
    args = inputs(case, "cpu").args
    return {at: args[at] for at, given in enumerate(case.program.inputs) if given.kind != "tensor"}


def parameters(case: ProgramCase) -> Sequence[str]:
    """Return what a program calls its arguments."""
    return list(inspect.signature(function_of(source(case.program))).parameters)


MARKED = Declared[ProgramCase](
    dims=dims, met=lambda case: case.sizes, least=least, computed=computed, parameters=parameters, counted=counted
)
EXPORTED = Declared[ProgramCase](
    dims=dims,
    met=lambda case: case.sizes,
    least=least,
    traced=traced,
    computed=computed,
    numbers=numbers,
    counted=counted,
)


def branching(case: ProgramCase) -> str:
    """Return why a program branches on a size, and where it does; empty where it does not."""
    limits = (f"{one.name}: {one.backed_only}" for one in operations(case.program) if one.backed_only)
    return next(limits, "")


def deciding(case: ProgramCase) -> str:
    """Return what a program leaves to the data that compilers ask for, and where; empty where it leaves nothing."""
    return next((f"{one.name}: {one.data_only}" for one in operations(case.program) if one.data_only), "")


def excuses(path: ExportPath, shapes: Shapes) -> list[Excuse]:
    """Return the rules by which an export of a program may be refused, besides those of any export."""
    found = [data_decision(lambda case: branching(case) or deciding(case) or _breaking(case))]
    if path.packaged:
        found.append(no_backward(lambda case: case.program.gradients))
    if path.inference:
        found.append(decomposed_forward(lambda case: case.program.gradients))
    needing = needing_value if path.strict else _traced_only
    return [*found, *([graph_break(_breaking)] if path.strict else []), traced_value(needing, EXPORTED)]


def _breaking(case: ProgramCase) -> str:
    return next((f"{one.name} breaks the graph" for one in operations(case.program) if one.graph_break), "")


def needing_value(case: ProgramCase) -> str:
    """Return why a program holds a size for a constant, and where it does; empty where it does not."""
    return next((f"{one.name}: {one.value_only}" for one in operations(case.program) if one.value_only), "")


def _traced_only(case: ProgramCase) -> str:
    return next((f"{one.name}: {one.traced_only}" for one in operations(case.program) if one.traced_only), "")
