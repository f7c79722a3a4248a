"""The same program in double precision: what rounding does in narrow dtypes, it does not do there."""

from typing import Any

from eagerdiff import Workload
from eagerdiff.strategies.programs.cases import ProgramCase
from eagerdiff.strategies.programs.drawing import well_typed
from eagerdiff.strategies.programs.program import Program

_WIDE = {"float32": "float64", "float16": "float64", "bfloat16": "float64", "complex64": "complex128"}


def in_float64(workload: Workload[ProgramCase]) -> Workload[ProgramCase] | None:
    """Return a workload whose inputs and casts are in double precision; None where it is so, or is not well-typed."""
    first = workload.cases[0].program
    program = _widened(first)
    if program == first or well_typed(program) is not None:
        return None
    return Workload(tuple(case.model_copy(update={"program": program}) for case in workload.cases))


def _widened(program: Program) -> Program:
    inputs = [given.model_copy(update={"dtype": _WIDE.get(given.dtype, given.dtype)}) for given in program.inputs]
    nodes = [
        node.model_copy(update={"attrs": {name: _wide(value) for name, value in node.attrs.items()}})
        for node in program.nodes
    ]
    return program.model_copy(update={"inputs": tuple(inputs), "nodes": tuple(nodes)})


def _wide(value: Any) -> Any:
    return _WIDE.get(value, value) if isinstance(value, str) else value
