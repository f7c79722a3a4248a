"""How often `programs` may compile: what a program computes of its sizes, branches and graph breaks count too."""

from collections.abc import Sequence
from dataclasses import replace

from eagerdiff import Implementation, Workload, expected_compiles, signature
from eagerdiff.strategies.programs.cases import ProgramCase, inputs, typing
from eagerdiff.strategies.programs.rendering import operations
from eagerdiff.strategies.programs.size import Size
from eagerdiff.suites.drawn_code import DIVIDED, pieces


def limited(implementation: Implementation[ProgramCase]) -> Implementation[ProgramCase]:
    """Allow for the compiles that a program's own branches and graph breaks cost."""
    mode = implementation.mode
    if implementation.max_compiles is not None:  # its way of compiling has a limit of its own
        return implementation
    assert mode is not None
    decomposed = implementation.stage is not None and implementation.stage.decomposes

    def max_compiles(workload: Workload[ProgramCase]) -> int:
        cases = workload.cases
        program = cases[0].program
        breaks = any(operation.graph_break for operation in operations(program))
        calls = [inputs(case, "cpu") for case in cases]
        divided = breaks or implementation.variant in DIVIDED
        high = pieces(mode, calls) if divided else expected_compiles(mode, list(map(signature, calls))).high
        if divided and any(operation.reads for operation in operations(program)):
            high = max(high, len(cases))
        # A Python integer is never marked: the sizes that come of it are backed.
        if not mode.unbacked or any(given.kind == "int" for given in program.inputs):
            high = min(len(cases), high + small_computed_sizes(cases) + sides_taken(cases))
        # Each graph that the sizes call for may be needed on either side of a branch that the program takes by itself.
        for operation in operations(program):
            high *= 1 + operation.guards + (operation.decomposed_guards if decomposed else 0)
        return high

    return replace(implementation, max_compiles=max_compiles)


def small_computed_sizes(cases: Sequence[ProgramCase]) -> int:
    """Count the further ways in which calls differ by which of the sizes that the program computes are 0 and 1.

    Dynamo specialises these (`n // 2`, `n - 1`) as it does the inputs' own, which the compile model knows.
    """
    given = [size for value in cases[0].program.inputs for size in value.type.shape]
    return _small(cases, _computed(cases[0])) - _small(cases, given)


def sides_taken(cases: Sequence[ProgramCase]) -> int:
    """Count the further ways in which calls differ by which of two sizes, of which a program takes one, is smaller."""
    branches = {branch for size in _computed(cases[0]) for branch in size.branches}
    return len({tuple(b.left.value(c.sizes) <= b.right.value(c.sizes) for b in branches) for c in cases}) - 1


def _computed(case: ProgramCase) -> list[Size]:
    return [size for value in typing(case.program).types for size in value.shape if not size.depends_on_data]


def _small(cases: Sequence[ProgramCase], sizes: Sequence[Size]) -> int:
    return len({tuple(min(size.value(case.sizes), 2) for size in sizes) for case in cases})
