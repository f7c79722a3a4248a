"""The page of `programs`: programs that nobody wrote, under every way of compiling."""

import inspect
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from compiled.torch_compile import ways
from harness import Case, Implementation, Mode, Operator, Workload
from harness.ledger import expected, signature
from reference.programs import differentiated, function_of, programs
from strategies.programs.cases import ProgramCase, cases, check_inputs, inputs, source, typing, workload_cases
from strategies.programs.rendering import IMPORTS, operations
from strategies.programs.size import Size

HERE = Path(__file__).parent
MOST_INTERPRETED = 1024
"""Elements of one tensor on the interpreter: a reduction launches a program for every row or two."""
MODES = tuple(mode for mode in Mode if mode is not Mode.BUCKETED)
"""Padding changes what most programs give: buckets are tested by `symbolic`."""


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


def supports(case: ProgramCase, backend: str, mode: Mode) -> str | None:
    """Return the documented limit that keeps a program from a way of compiling, or None."""
    if mode is Mode.UNBACKED:
        limits = [operation.backed_only for operation in operations(case.program) if operation.backed_only]
        if limits:
            return f"not unbacked: {limits[0]}"
    if backend == "inductor_triton":
        values = [value.numel for value in typing(case.program).types if not value.numel.depends_on_data]
        if max((value.value(case.sizes) for value in values), default=0) > MOST_INTERPRETED:
            return f"more than {MOST_INTERPRETED} elements: the interpreter takes milliseconds a program"
    return None


def limited(implementation: Implementation) -> Implementation:
    """Allow for the compiles that a program's own branches and graph breaks cost."""
    mode = implementation.mode
    assert mode is not None

    def max_compiles(workload: Workload) -> int:
        program = workload.cases[0].program  # pyright: ignore[reportAttributeAccessIssue]
        marked = mode in (Mode.MARK_DYNAMIC, Mode.UNBACKED)
        breaks = any(operation.graph_break for operation in operations(program))
        # A graph break loses the marks: what comes after it is compiled as in `automatic`.
        counted = Mode.AUTOMATIC if marked and breaks else mode
        signatures = [signature(inputs(case, "cpu")) for case in workload.cases]  # pyright: ignore[reportArgumentType]
        return expected(counted, signatures).high + sum(operation.guards for operation in operations(program))

    def text(case: Any) -> str:
        assert implementation.source is not None
        compiled = implementation.source(case)
        return f"{compiled}\nimplementation = differentiated(implementation)\n" if case.program.gradients else compiled

    return replace(implementation, max_compiles=max_compiles, source=text)


def around(case: ProgramCase, compiled: Callable[..., Any]) -> Callable[..., Any]:
    """Take gradients outside what is compiled, as training does."""
    if not case.program.gradients:
        return compiled

    def with_gradients(*args: Any, **_: Any) -> Any:
        return differentiated(compiled)(*args)

    return with_gradients


def standalone(case: Case) -> str:
    """Return standalone source that defines a case's program as `reference`, and gradients where they are taken."""
    assert isinstance(case, ProgramCase)
    text = IMPORTS + "\n\n" + source(case.program)
    if not case.program.gradients:
        return f"{text}\nreference = program\n"
    wrapper = inspect.getsource(differentiated)
    return f"{text}\nfrom torch import Tensor\n\n{wrapper}\nreference = differentiated(program)\n"


OPERATOR = Operator(
    name="programs",
    case=ProgramCase,
    inputs=inputs,
    reference=programs,
    cases=cases,
    workload_cases=workload_cases,
    mutates=range(8),
    choosing=("source", "gradients"),
    implementations=[
        limited(way)
        for way in ways(
            "programs",
            function,
            modes=MODES,
            dims=dims,
            supports=supports,
            fullgraph=lambda case: not any(operation.graph_break for operation in operations(case.program)),
            ignored=("source", "gradients"),
            name="program",
            around=around,
        )
    ],
    check_inputs=check_inputs,
    source=standalone,
    faults=HERE / "faults" / "programs",
    corpus=HERE / "corpus" / "programs.yaml",
)
