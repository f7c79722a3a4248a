"""The pages of `engines` and `engine_programs`: exported programs under other compilers and runtimes."""

import functools
import inspect
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from eagerdiff import CaseT, Excuse, Extras, Implementation, Mode, Requirements, Stage, Table
from eagerdiff.compiled import buckets
from eagerdiff.compiled.backend import INDUCTOR
from eagerdiff.compiled.dynamic_shapes import Shapes
from eagerdiff.compiled.engines.engine import RUNS_BESIDE, Engine
from eagerdiff.compiled.engines.known import ENGINES
from eagerdiff.compiled.export_config import ExportConfig
from eagerdiff.compiled.export_path import AOTI, EXPORT, ExportPath
from eagerdiff.compiled.torchscript import torchscript
from eagerdiff.reference.symbolic import EVERY
from eagerdiff.strategies.cases.symbolic import SymbolicCase
from eagerdiff.strategies.programs.cases import ProgramCase, typing
from eagerdiff.strategies.symbolic import cases
from eagerdiff.suites import program_exports, programs, symbolic
from eagerdiff.suites.engine_table.table import comparison

HERE = Path(__file__).parent
_UNDERIVED = {Shapes.NAMED: Shapes.AUTO}
"""A saved program of derived dims cannot be decomposed: scripts/export_loaded_derived_dim_cannot_be_decomposed.py"""
NOT_EXPORTED = Excuse(
    name="refused by torch.export",
    says="torch.export refuses a program before an engine gets it: it is judged as `export` of the same programs.",
    link="https://docs.pytorch.org/docs/stable/export.html",
    proof=lambda case, refusal: _refused_by_export(refusal),
    reason="What is drawn asks torch.export for more than most programs do.",
)


def _refused_by_export(refusal: BaseException | None) -> str:
    if refusal is None or not ExportConfig.refused(refusal):
        return ""
    return f"{type(refusal).__name__}: {' '.join(str(refusal).split())}"[:160]


def implementations(engine: Engine) -> list[Implementation[SymbolicCase]]:
    """Return an engine's implementations, one a way of declaring sizes."""

    def supports(case: SymbolicCase, path: ExportPath, shapes: Shapes) -> str | None:
        if case.dtype in engine.without:
            return f"not handed over: {case.dtype}: {engine.without[case.dtype]}"
        return symbolic.exportable(case, path, shapes)

    found = exported(engine.path(), supports=supports, excuses=(engine.excuse(),))
    if engine.padded:
        found.append(padded(next(one for one in found if one.variant == Shapes.NAMED.value)))
    return beside(engine, found)


def exported(*paths: ExportPath, **options: Any) -> list[Implementation[SymbolicCase]]:
    """Return the exported programs of paths, none of them strict, with `options` of `symbolic.exported`."""
    found = symbolic.exported("engines", paths=paths, **options)
    return [replace(one, lacks=lambda entry: symbolic.export_limit_of(EVERY[entry], strict=False)) for one in found]


def padded(named: Implementation[SymbolicCase]) -> Implementation[SymbolicCase]:
    """Return a way that is called at sizes rounded up to powers of two: an artifact serves all sizes up to its own.

    What zeros beside the data change it does not take, as Inductor's `bucketed` does not.
    """

    def build(case: SymbolicCase) -> Callable[..., Any]:
        call, axes, cut = named.build(case), symbolic.dims(case), symbolic.outputs(case)
        assert cut is not None, "it is supported"
        return lambda *args, **options: buckets.call_in_buckets(call, axes, cut, args, options)

    def lacks(entry: str) -> str | None:
        program = EVERY[entry]
        return f"not padded: {program.unpadded}" if program.outputs is None else named.lacks(entry)

    def supports(case: SymbolicCase) -> str | None:
        return lacks(case.program) or named.supports(case)

    def source(case: SymbolicCase) -> str:
        assert named.source is not None, "exports have one"
        call = f"call_in_buckets(exact, {symbolic.dims(case)}, {symbolic.outputs(case)}, args, options)"
        rounded = f"def implementation(*args, **options):\n    return {call}\n"
        return f"{named.source(case)}\n\n{inspect.getsource(buckets)}\n\nexact = implementation\n\n\n{rounded}"

    return replace(
        named,
        name=f"{named.backend}.padded",
        variant="padded",
        build=build,
        supports=supports,
        lacks=lacks,
        source=source,
        description=f"{named.description}; sizes rounded up to powers of two, and results cut".lstrip("; "),
    )


def beside(engine: Engine, found: Sequence[Implementation[CaseT]]) -> list[Implementation[CaseT]]:
    """Say of implementations where their engine runs."""
    needs = Requirements(environment=engine.environment)
    return [
        replace(
            one,
            stage=Stage.ENGINE,
            requires=needs,
            leaves=(RUNS_BESIDE,),
            devices=(engine.device,),
            excuses=(*one.excuses, NOT_EXPORTED),
        )
        for one in found
    ]


def of_torch() -> list[Implementation[SymbolicCase]]:
    """Return what torch itself has: TorchScript, Inductor in each mode, AOTInductor."""
    compiled = symbolic.compilable("engines").implementations(backends=[INDUCTOR])
    return [
        *torchscript("engines", lambda case: EVERY[case.program].function, symbolic.example, ("program",)),
        *(replace(symbolic.limited(one), lacks=functools.partial(_limit_of, one.mode)) for one in compiled),
        *exported(replace(EXPORT, shapes=(Shapes.NAMED, Shapes.BOUNDED)), AOTI),
    ]


def _limit_of(mode: Mode | None, entry: str) -> str | None:
    assert mode is not None, "it is compiled"
    return symbolic.limit_of(EVERY[entry], mode)


OPERATOR = replace(
    symbolic.OPERATOR,
    name="engines",
    cases=lambda: cases(tuple(EVERY)),
    drawing=replace(
        symbolic.OPERATOR.drawing,
        exploratory=True,
        table=Table(entries=lambda: tuple(EVERY), cases=lambda program: cases((program,))),
    ),
    workloads={},
    extras=Extras(corpus=HERE / "corpus" / "engines.yaml", comparison=comparison, faults=HERE / "faults" / "engines"),
    implementations=[*of_torch(), *(one for engine in ENGINES for one in implementations(engine))],
)


def drawn(engine: Engine) -> list[Implementation[ProgramCase]]:
    """Return an engine's implementations of programs that nobody wrote."""

    def supports(case: ProgramCase, path: ExportPath, shapes: Shapes) -> str | None:
        dtypes = {value.dtype for value in typing(case.program).types}
        if without := sorted(dtypes & {*engine.without}):
            return f"not handed over: {without[0]}: {engine.without[without[0]]}"
        if case.program.gradients:
            return "not handed over: an engine's artifact has no backward"
        if programs.random(case):
            return "not handed over: an engine draws random numbers of its own"
        return None

    found = programs.CODE.exported(
        "engine_programs",
        declared=program_exports.EXPORTED,
        example=program_exports.example,
        paths=(replace(engine.path(), shapes=[_UNDERIVED.get(one, one) for one in engine.shapes]),),
        supports=supports,
        excuses=lambda path, shapes: [*program_exports.excuses(path, shapes), engine.copies(), engine.excuse()],
    )
    return beside(engine, found)


PROGRAMS = replace(
    programs.OPERATOR,
    name="engine_programs",
    implementations=[one for engine in ENGINES for one in drawn(engine)],
    judging=replace(programs.OPERATOR.judging, strides="free"),
    extras=Extras(),
)
