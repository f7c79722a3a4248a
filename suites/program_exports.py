"""What `programs` tells export: an example of each program, its bounds, and what torch documents as beyond export."""

import functools
import random
from collections.abc import Iterator, Mapping

from eagerdiff import Inputs
from eagerdiff.compiled.dynamic_shapes import Shapes
from eagerdiff.compiled.export_path import ExportPath
from eagerdiff.strategies.programs.cases import ProgramCase, inputs, typing
from eagerdiff.strategies.programs.inference import Typing
from eagerdiff.strategies.programs.program import Program
from eagerdiff.strategies.programs.rendering import operations
from eagerdiff.strategies.programs.size import Size, Unknown

SPECIALISED = (0, 1)
"""Sizes that tracing takes for constants, as documented."""


def example(case: ProgramCase) -> Inputs:
    """Return arguments all of whose sizes are at least 2 and differ; raises ValueError where there are none."""
    sizes = example_sizes(case.program)
    if sizes is None:
        raise ValueError("a program without an example")
    return inputs(ProgramCase(program=case.program, sizes=sizes, layouts=case.layouts), "cpu")


def least(case: ProgramCase) -> Mapping[str, int]:
    """Return the smallest sizes that a program takes, by name."""
    return typing(case.program).floors


@functools.lru_cache(maxsize=256)
def example_sizes(program: Program) -> dict[str, int] | None:
    """Return distinct sizes that keep every value's sizes from 0 and 1; None where a few tries find none."""
    found, pick = typing(program), random.Random(0)
    for _ in range(40):
        pool = list(range(3, 13))
        pick.shuffle(pool)
        sizes = {name: least + pool.pop() for name, least in found.floors.items()}
        distinct = len(set(sizes.values())) == len(sizes)
        if distinct and found.allows(sizes) is None and not any(size in SPECIALISED for size in known(found, sizes)):
            return sizes
    return None


def known(found: Typing, sizes: Mapping[str, int], *, derived: bool = False) -> Iterator[int]:
    """Return the values of all sizes that change with the inputs'; only those that are no plain name, if `derived`."""
    for size in _changing(found):
        if derived and str(size) in found.floors:
            continue
        try:
            yield size.value(sizes)
        except Unknown:
            continue


def _changing(found: Typing) -> Iterator[Size]:
    return (size for value in found.types for size in value.shape if size.constant is None)


def supports(case: ProgramCase, path: ExportPath, shapes: Shapes) -> str | None:
    """Return the documented limit that keeps a call from an exported program, or None."""
    return (
        _not_exported(case.program)
        or _not_declared(case.program, shapes)
        or _not_traced(case.program, path)
        or ("not packaged: AOTInductor compiles no backward" if path.packaged and case.program.gradients else None)
        or _too_small(case, derived=not shapes.hinted and not path.packaged)
    )


@functools.lru_cache(maxsize=256)
def _not_exported(program: Program) -> str | None:
    if any(given.kind != "tensor" for given in program.inputs):
        return "not exported: a Python number is a constant of an exported program, or guarded"
    for operation in operations(program):
        if operation.graph_break:
            return f"not exported: Dynamo breaks the graph at {operation.name}"
        if operation.guards:
            return f"not exported: {operation.name} branches on a size, and an exported program has one side"
    found = typing(program)
    if any(size.branches for size in _changing(found)):
        return "not exported: the smaller of two sizes is a branch, and an exported program has one side"
    if any(value.numel.depends_on_data for value in found.types):
        limits = [operation.backed_only for operation in operations(program) if operation.backed_only]
        if limits:
            return f"not exported: {limits[0]}"
    return None if example_sizes(program) else "not exported: no example keeps all sizes from 0 and 1"


def _not_declared(program: Program, shapes: Shapes) -> str | None:
    if not shapes.hinted and any(len(size.symbols) > 1 for size, _ in typing(program).needs):
        return "not exported: a Dim cannot say how two sizes are to each other"
    return None


def _not_traced(program: Program, path: ExportPath) -> str | None:
    limits = (operation.traced_only for operation in operations(program) if not path.strict)
    return next((f"not exported: {limit}" for limit in limits if limit), None)


def _too_small(case: ProgramCase, *, derived: bool) -> str | None:
    if any(size in SPECIALISED for size in known(typing(case.program), case.sizes, derived=derived)):
        return "not exported: a size of 0 or 1, where tracing assumes at least 2"
    return None
