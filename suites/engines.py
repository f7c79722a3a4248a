"""The page of `engines`: the programs of `symbolic` under other compilers and runtimes, each of an exported program."""

from dataclasses import replace

from eagerdiff import Extras, Implementation, Requirements
from eagerdiff.compiled.backend import INDUCTOR
from eagerdiff.compiled.dynamic_shapes import Shapes
from eagerdiff.compiled.engines.engine import RUNS_BESIDE, Engine
from eagerdiff.compiled.engines.known import ENGINES
from eagerdiff.compiled.export_path import AOTI, ExportPath
from eagerdiff.compiled.torchscript import torchscript
from eagerdiff.reference.symbolic import EVERY
from eagerdiff.strategies.cases.symbolic import SymbolicCase
from eagerdiff.strategies.symbolic import cases
from eagerdiff.suites import symbolic
from eagerdiff.suites.engine_table.table import comparison


def implementations(engine: Engine) -> list[Implementation[SymbolicCase]]:
    """Return an engine's implementations, one a way of declaring sizes."""

    def supports(case: SymbolicCase, path: ExportPath, shapes: Shapes) -> str | None:
        if case.dtype in engine.without:
            return f"not handed over: {case.dtype}, which numpy has not"
        return symbolic.exportable(case, path, shapes)

    found = symbolic.exported("engines", paths=(engine.path(),), supports=supports, excuses=(engine.excuse(),))
    needs = Requirements(environment=engine.environment)
    return [replace(one, stage=None, requires=needs, leaves=(RUNS_BESIDE,), devices=(engine.device,)) for one in found]


def of_torch() -> list[Implementation[SymbolicCase]]:
    """Return what torch itself has: TorchScript, Inductor in each mode, AOTInductor."""
    compiled = symbolic.compilable("engines").implementations(backends=[INDUCTOR])
    return [
        *torchscript("engines", lambda case: EVERY[case.program].function, symbolic.example, ("program",)),
        *map(symbolic.limited, compiled),
        *symbolic.exported("engines", paths=(AOTI,)),
    ]


OPERATOR = replace(
    symbolic.OPERATOR,
    name="engines",
    cases=lambda: cases(tuple(EVERY)),
    drawing=replace(symbolic.OPERATOR.drawing, exploratory=True),
    workloads={},
    extras=Extras(comparison=comparison),
    implementations=[*of_torch(), *(one for engine in ENGINES for one in implementations(engine))],
)
