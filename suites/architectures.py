"""The page of `architectures`: models of transformers and diffusers under torch's compilers and under engines."""

import functools
import inspect
import site
import sys
from collections.abc import Sequence
from dataclasses import replace

import torch

from eagerdiff import Drawing, Implementation, Inputs, Mode, Operator, Requirements, Showing
from eagerdiff import python_of_environment as python_of
from eagerdiff.compiled.backend import INDUCTOR
from eagerdiff.compiled.declared import Declared
from eagerdiff.compiled.dynamic_shapes import Shapes
from eagerdiff.compiled.engines.engine import RUNS_BESIDE, Engine
from eagerdiff.compiled.engines.known import ENGINES
from eagerdiff.compiled.export_path import AOTI, EXPORT, ExportPath, Function
from eagerdiff.compiled.torch_compile import Compilable
from eagerdiff.compiled.torch_export import exports
from eagerdiff.reference import architectures
from eagerdiff.reference.architectures import ARCHITECTURES, architecture, state
from eagerdiff.strategies.architectures import cases, cases_like, data
from eagerdiff.strategies.cases.architectures import ArchitectureCase
from eagerdiff.suites.engines import beside
from eagerdiff.suites.others.packages import OTHERS

LEAST = {"side": 16}
"""Sides of an image that every architecture takes."""
MODES = (Mode.STATIC, Mode.AUTOMATIC, Mode.DYNAMIC)


def importable() -> str | None:
    """Have this process import the packages of others; return what makes them, where they are not there."""
    python = python_of(OTHERS)
    if python is None:
        return f"needs {OTHERS.name}: {OTHERS.made_by}"
    for folder in python.parent.parent.glob("lib/python3*/site-packages"):
        if str(folder) not in sys.path:
            site.addsitedir(str(folder))
    return None


def dims(case: ArchitectureCase) -> dict[int | str, dict[int, str]]:
    """Return the changing dims of a case's data, by position; weights have none."""
    return {
        position: {dim: size for dim, size in enumerate(axes.split()) if size != "."}
        for position, axes in enumerate(ARCHITECTURES[case.architecture].inputs)
    }


def inputs(case: ArchitectureCase, device: str) -> Inputs:
    """Build a case's data, then its architecture's parameters and buffers; raise ImportError."""
    dtype = getattr(torch, case.dtype)
    tensors = (*data(case), *state(case.architecture).values())
    found = tuple((one.to(dtype) if one.is_floating_point() else one).to(device) for one in tensors)
    return Inputs(found, {"name": case.architecture})


def example(case: ArchitectureCase) -> Inputs:
    """Return arguments from which an architecture is exported."""
    return inputs(_example(case), "cpu")


def _example(case: ArchitectureCase) -> ArchitectureCase:
    return case.model_copy(update={"batch": 4, "seq": 3, "seed": 0})


def met(case: ArchitectureCase) -> dict[str, int]:
    """Return the sizes of a call, by name."""
    return {"batch": case.batch, "seq": case.seq, "side": 8 * case.seq}


def function(case: ArchitectureCase) -> Function:
    """Return an architecture as a function of its data and weights."""
    return functools.partial(architecture, name=case.architecture)


def source(case: ArchitectureCase) -> str:
    """Return standalone source that defines an architecture as `reference`."""
    made = ARCHITECTURES[case.architecture]
    constants = [f"{name} = {getattr(architectures, name)!r}" for name in ("TOKENS", "SMALL", "ENDS", "GROUPED")]
    return "\n".join(
        (
            "import torch",
            "from torch import Tensor, nn",
            "from torch.func import functional_call",
            "",
            *constants,
            "",
            "",
            inspect.getsource(made).replace("(Architecture)", "(nn.Module)"),
            "",
            f"module = {made.__name__}().eval().requires_grad_(False)",
            "names = [name for name, _ in (*module.named_parameters(), *module.named_buffers())]",
            "",
            "",
            "def reference(*args):",
            f"    given = {len(made.inputs)}",
            "    return functional_call(module, dict(zip(names, args[given:])), args[:given])",
            "",
        )
    )


def needed(case: ArchitectureCase, *_: object) -> str | None:
    """Return what makes the packages that define architectures, or None where they are there."""
    return importable()


def exportable(case: ArchitectureCase, path: ExportPath, shapes: Shapes) -> str | None:
    """Return why an architecture is not exported, or None."""
    if not ARCHITECTURES[case.architecture].whole:
        return "not exported: Python loops over the experts that got rows"
    return needed(case)


def exported(paths: Sequence[ExportPath]) -> list[Implementation[ArchitectureCase]]:
    """Return the architectures as they are exported."""
    return exports(
        "architectures",
        function,
        declared=Declared(dims=dims, met=met, traced=lambda case: met(_example(case)), least=lambda case: LEAST),
        example=example,
        paths=paths,
        supports=exportable,
        ignored=("name",),
    )


def of_engine(engine: Engine) -> list[Implementation[ArchitectureCase]]:
    """Return the architectures under an engine."""
    return beside(engine, [replace(one, excuses=(*one.excuses, engine.excuse())) for one in exported([engine.path()])])


COMPILED = Compilable(
    operator="architectures",
    function=function,
    dims=dims,
    supports=needed,
    fullgraph=lambda case: ARCHITECTURES[case.architecture].whole,
    ignored=("name",),
).implementations(backends=[INDUCTOR], modes=MODES)

OPERATOR = Operator(
    name="architectures",
    case=ArchitectureCase,
    inputs=inputs,
    reference=architecture,
    cases=cases,
    implementations=[
        *(
            replace(one, requires=Requirements(environment=OTHERS), leaves=(*one.leaves, RUNS_BESIDE))
            for one in (*COMPILED, *exported([EXPORT, AOTI]))
        ),
        *(one for engine in ENGINES for one in of_engine(engine)),
    ],
    drawing=Drawing(workload_cases=cases_like, exploratory=True),
    showing=Showing(source=source, choosing=("name",), about=lambda workload: {workload.cases[0].architecture}),
)
