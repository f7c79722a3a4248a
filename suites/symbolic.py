"""The page of `symbolic`: programs whose sizes change, under every way of compiling."""

import inspect
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from torch.utils import _pytree as pytree
from torch.utils.flop_counter import FlopCounterMode

from eagerdiff import (
    Cost,
    Drawing,
    Excuse,
    Extras,
    Implementation,
    Inputs,
    Judging,
    Mode,
    Operator,
    Relation,
    Showing,
    Signature,
    Workload,
    expected_compiles,
    signature,
)
from eagerdiff.compiled.backend import INDUCTOR_TRITON, Backend
from eagerdiff.compiled.declared import Declared
from eagerdiff.compiled.dynamic_shapes import Shapes
from eagerdiff.compiled.export_path import PATHS, ExportPath
from eagerdiff.compiled.inductor_settings import simpler as fewer_settings
from eagerdiff.compiled.torch_compile import Compilable
from eagerdiff.compiled.torch_export import exports
from eagerdiff.compiled.variant import BOUNDED, STRICT, UNNAMED, VARIANTS, Variant
from eagerdiff.reference.symbolic import EVERY, PROGRAMS, axes, symbolic
from eagerdiff.reference.symbolic.program import Program
from eagerdiff.strategies.cases.symbolic import SymbolicCase
from eagerdiff.strategies.symbolic import cases, check_inputs, in_float64, inputs, within, workload_cases
from eagerdiff.suites.claims.taking import metrics as claims_measured

HERE = Path(__file__).parent
SIZES = ((7, 16), (16, 7), (33, 33), (1, 12), (12, 1), (0, 9), (128, 16))
"""Batch and sequence of the fixed workloads."""
MOST_INTERPRETED = 1024
"""Elements of one tensor on the interpreter: a reduction launches a program for every row or two."""
UNEQUAL = ("repeat_rows",)
"""Programs whose operations must know that two sizes are equal."""


def dims(case: SymbolicCase) -> dict[int | str, dict[int, str]]:
    """Return the changing dims of a case's tensors, by position."""
    return {position: dict(axes(notation)) for position, notation in enumerate(EVERY[case.program].inputs)}


def outputs(case: SymbolicCase) -> list[dict[int, str]] | None:
    """Return the changing dims of the outputs, or None where zero-padded inputs give another result."""
    notations = EVERY[case.program].outputs
    return None if notations is None else [dict(axes(notation)) for notation in notations]


def supports(case: SymbolicCase, backend: Backend, mode: Mode) -> str | None:
    """Return the documented limit that keeps a program from a mode, or None."""
    if limit := limit_of(EVERY[case.program], mode):
        return limit
    if backend is INDUCTOR_TRITON and max(tensor.numel() for tensor in inputs(case, "cpu").args) > MOST_INTERPRETED:
        return f"more than {MOST_INTERPRETED} elements: the interpreter takes milliseconds a program"
    return None


def limit_of(program: Program, mode: Mode) -> str | None:
    """Return the documented limit that keeps all calls of a program from a mode, or None."""
    if mode.padded and program.outputs is None:
        return f"not padded: {program.unpadded}"
    if mode.unbacked and program.backed_only:
        return f"not unbacked: {program.backed_only}"
    return None


def supports_variant(case: SymbolicCase, variant: Variant) -> str | None:
    """Return the documented limit that keeps a program from a variant, or None."""
    if variant is BOUNDED and EVERY[case.program].extra_compiles:
        return "not bounded: guards of the program's own split the sizes within the bounds, which it may not"
    if variant is UNNAMED and case.program in UNEQUAL:
        return "not unnamed: the program asks whether two sizes are equal, and nothing says so"
    return None


def limited(implementation: Implementation[SymbolicCase]) -> Implementation[SymbolicCase]:
    """Allow for the compiles that a program's own branches and graph breaks cost."""
    mode = implementation.mode
    if implementation.max_compiles is not None:  # its way of compiling has a limit of its own
        return implementation
    assert mode is not None

    def max_compiles(workload: Workload[SymbolicCase]) -> int:
        program = EVERY[workload.cases[0].program]
        counted = mode if program.fullgraph else mode.after_break
        signatures = [signature(inputs(case, "cpu")) for case in workload.cases]
        extra = program.extra_compiles * (1 if mode == Mode.STATIC else len(set(map(_zero_or_one, signatures))))
        return expected_compiles(counted, signatures).high * program.graphs + extra

    return replace(implementation, max_compiles=max_compiles)


def _zero_or_one(one: Signature) -> tuple[int, ...]:
    """Return which sizes of a call are 0, 1 or more: a program's own guards stand beside those, in each graph."""
    return tuple(min(size, 2) for tensor in one.tensors for size in tensor.shape)


def cost(case: SymbolicCase) -> Cost:
    """Count the matrix products' FLOPs and one for each other element, and the bytes of inputs and outputs."""
    given = inputs(case, "cpu")
    with FlopCounterMode(display=False) as counter:
        result = symbolic(*given.args, **given.options)
    tensors = [leaf for leaf in pytree.tree_leaves((given.args, result)) if isinstance(leaf, torch.Tensor)]
    elements = sum(tensor.numel() for tensor in tensors)
    return Cost(
        flops=counter.get_total_flops() + elements,
        bytes=sum(tensor.numel() * tensor.element_size() for tensor in tensors),
    )


def source(case: SymbolicCase) -> str:
    """Return standalone source that defines a case's program as `reference`."""
    function = EVERY[case.program].function
    head = "import torch\nimport torch.nn.functional as F\nfrom torch import Tensor\n\n\n"
    return head + inspect.getsource(function).replace(f"def {function.__name__}(", "def reference(", 1)


def permute_rows(given: Inputs, generator: torch.Generator) -> tuple[Inputs, Callable[[Any], Any]]:
    """Permute independent rows: the outputs' rows follow. Programs without such rows are called again as they are."""
    program = EVERY[given.options["program"]]
    if not program.rows:
        return given, lambda output: output
    order = torch.randperm(given.args[0].size(0), generator=generator)
    where = [_position(notation, program.rows) for notation in program.inputs]
    args = [_along(tensor, dim, order) for tensor, dim in zip(given.args, where, strict=True)]

    def permuted(leaf: Any) -> Any:
        return leaf[order.to(leaf.device)]

    return Inputs(tuple(args), given.options), lambda output: pytree.tree_map(permuted, output)


def _position(notation: str, axis: str) -> int | None:
    return next((dim for dim, name in axes(notation).items() if name == axis), None)


def _along(tensor: torch.Tensor, dim: int | None, order: torch.Tensor) -> torch.Tensor:
    return tensor if dim is None else tensor.index_select(dim, order.to(tensor.device))


def workload(program: str) -> Workload:
    """Return a program's fixed workload: sizes in the order in which serving meets them, 1 and 0 included."""
    drawn = [
        SymbolicCase(program=program, batch=batch, seq=seq, count=min(batch, seq, 3), seed=seed)
        for seed, (batch, seq) in enumerate(SIZES)
    ]
    return Workload(tuple(within(case, {}) for case in drawn))


def example(case: SymbolicCase) -> Inputs:
    """Return arguments with sizes of at least 2, all different, from which a program is exported."""
    return inputs(_example(case), "cpu")


def _example(case: SymbolicCase) -> SymbolicCase:
    return within(case.model_copy(update={"batch": 5, "seq": 13, "count": 3}), {})


def met(case: SymbolicCase) -> dict[str, int]:
    """Return the sizes of a call, by name."""
    return {"batch": case.batch, "seq": case.seq, "count": case.count, "cache": case.count}


def exportable(case: SymbolicCase, path: ExportPath, shapes: Shapes) -> str | None:
    """Return the documented limit that keeps a call from an exported program, or None."""
    return export_limit_of(EVERY[case.program], strict=path.strict)


def export_limit_of(program: Program, *, strict: bool) -> str | None:
    """Return the documented limit that keeps all calls of a program from torch.export, or None."""
    if not program.fullgraph:
        return "not exported: Python branches on a tensor's value"
    if program.graphs > 1 and not strict:
        return "not exported: int() of a tensor's value must have a value where Python itself runs"
    return None


def compilable(operator: str) -> Compilable[SymbolicCase]:
    """Return the programs and models, as an operator compiles them."""
    return Compilable(
        operator=operator,
        function=lambda case: EVERY[case.program].function,
        dims=dims,
        outputs=outputs,
        supports=supports,
        supports_variant=supports_variant,
        fullgraph=lambda case: EVERY[case.program].fullgraph,
        ignored=("program",),
        kept_settings=lambda case: case.settings,
    )


def exported(
    operator: str,
    *,
    paths: Sequence[ExportPath] = PATHS,
    supports: Callable[[SymbolicCase, ExportPath, Shapes], str | None] = exportable,
    excuses: Sequence[Excuse] = (),
) -> list[Implementation[SymbolicCase]]:
    """Return the programs and models, as an operator exports them; `excuses` go before those of all exports."""
    return exports(
        operator,
        lambda case: EVERY[case.program].function,
        declared=Declared(dims=dims, met=met, within=within, traced=lambda case: met(_example(case))),
        example=example,
        paths=paths,
        supports=supports,
        excuses=lambda path, shapes: excuses,
        ignored=("program",),
    )


OPERATOR = Operator(
    name="symbolic",
    case=SymbolicCase,
    inputs=inputs,
    reference=symbolic,
    cases=cases,
    workloads={program: workload(program) for program in PROGRAMS},
    implementations=[
        limited(implementation)
        for implementation in compilable("symbolic").implementations(
            # With strict=True torch 2.13 marks nothing unbacked: scripts/dynamo_mark_unbacked_strict_is_backed.py
            variants=[variant for variant in VARIANTS if variant is not STRICT]
        )
    ]
    + exported("symbolic"),
    cost=cost,
    drawing=Drawing(
        workload_cases=workload_cases,
        simpler=fewer_settings,
        check_inputs=check_inputs,
    ),
    judging=Judging(in_float64=in_float64, relations=[Relation("rows follow their permutation", permute_rows)]),
    showing=Showing(
        about=lambda workload: {case.program for case in workload.cases},
        choosing=("program",),
        source=source,
        listing=source,
    ),
    extras=Extras(
        faults=HERE / "faults" / "symbolic", corpus=HERE / "corpus" / "symbolic.yaml", metrics=claims_measured
    ),
)
