"""An engine: how it is reached, what it says that it does not capture, and a path of export that ends in it."""

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch.utils import _pytree as pytree

from eagerdiff import Environment, Excuse, python_of_environment
from eagerdiff.compiled.dynamic_shapes import Shapes
from eagerdiff.compiled.engines.session import SERVERS, EngineError, Session
from eagerdiff.compiled.export_path import ExportPath, Function, GuardLost, guards_of
from eagerdiff.compiled.refusal import named

RUNS_BESIDE = "who runs beside it"
"""What a session changes of its process: the engine's own runs beside it (`Implementation.leaves`)."""


@dataclass(frozen=True, kw_only=True)
class Engine:
    """Describe an engine."""

    name: str
    """Stands in the names of implementations; `servers/<name>_engine.py` makes its artifacts."""
    what: str
    """For descriptions."""
    unsupported: Sequence[str]
    """Patterns, each of which was met, of what it says where it does not capture a program; the group is what of it."""
    link: str
    """Where it says what it captures."""
    without: Sequence[str] = ()
    """Dtypes that are not handed to it: tensors go through numpy, which has none of that name."""

    @property
    def environment(self) -> Environment:
        """Its Python environment."""
        return Environment(self.name, SERVERS / f"{self.name}.txt", f"make engines ENGINE={self.name}")

    def path(self) -> ExportPath:
        """Return the path from torch.export to a call of its artifact."""
        return ExportPath(
            name=self.name,
            what=self.what,
            shapes=(Shapes.NAMED, Shapes.BOUNDED),
            load=self._load,
            source=(*self._source(), *_ANSWERING),
        )

    def excuse(self) -> Excuse:
        """Return the rule for what it says that it does not capture."""
        return Excuse(
            name=f"not captured by {self.name}",
            says="The engine refuses a program before it runs, and names what it has no rule for.",
            link=self.link,
            proof=self._not_captured,
            reason="What is written of dynamic shapes asks for operations that few engines have.",
        )

    def _not_captured(self, case: Any, refusal: BaseException | None) -> str:
        if not isinstance(refusal, EngineError) or refusal.at != "load":
            return ""
        return named(self.unsupported, refusal.says)

    def _load(self, program: torch.export.ExportedProgram, example: tuple[Any, ...]) -> Function:
        """Have the engine make its artifact; sizes that the program's guards refuse must be refused by it, too."""
        artifact = _session(self).load(program)
        guards = guards_of(program)
        outputs = program.call_spec.out_spec
        assert outputs is not None

        def call(*args: Any) -> Any:
            refused = _refused(guards, args)
            answered = artifact.call([arg for arg in args if isinstance(arg, torch.Tensor)])
            if refused is not None:
                raise GuardLost(f"{self.name} answered where the program has a guard: {refused}")
            if len(answered) != outputs.num_leaves:
                raise EngineError(self.name, "call", "outputs", f"{len(answered)} outputs, of {outputs.num_leaves}")
            return pytree.tree_unflatten(answered, outputs)

        return call

    def _source(self) -> list[str]:
        text = (SERVERS / f"{self.name}_engine.py").read_text(encoding="utf-8")
        return text.partition('"""\n\n')[2].splitlines()


@functools.cache
def _session(engine: Engine) -> Session:
    python = python_of_environment(engine.environment)
    assert python is not None, f"{engine.environment.made_by} has not been run"  # then it is not asked for
    return Session(engine.name, python)


def _refused(guards: Function | None, args: tuple[Any, ...]) -> AssertionError | None:
    """Return what a program's guards say against a call, or None."""
    try:
        if guards is not None:
            guards(*args)
    except AssertionError as error:
        return error
    return None


_ANSWERING = (
    "",
    "",
    "answering = make(exported)",
    "",
    "",
    "def implementation(*args):",
    "    return torch.utils._pytree.tree_unflatten(list(answering(*args)), exported.call_spec.out_spec)",
)

ENGINES: Sequence[Engine] = (
    Engine(
        name="onnxruntime",
        what="ONNX Runtime, of a model that torch.onnx exports",
        unsupported=(r"No ONNX function found for (.+?)\. ",),
        link="https://docs.pytorch.org/docs/stable/onnx_export.html",
        without=("bfloat16",),
    ),
    Engine(
        name="openvino",
        what="OpenVINO",
        unsupported=(r"No conversion rule found for operations: (.+)",),
        link="https://docs.openvino.ai/2026/openvino-workflow/model-preparation/convert-model-pytorch.html",
        without=("bfloat16",),
    ),
    Engine(
        name="iree",
        what="IREE, through turbine",
        unsupported=(
            r"Higher-order operation '(\w+)' not implemented",
            r"failed to legalize operation .*?<\{name = \"([\w.]+)\"\}>",
            r"failed to legalize operation '([\w.]+)'",
        ),
        link="https://iree.dev/guides/ml-frameworks/pytorch/",
        without=("bfloat16",),
    ),
    Engine(
        name="tvm",
        what="TVM, through relax",
        unsupported=(r"Unsupported function types (\[.+?\])",),
        link="https://tvm.apache.org/docs/how_to/tutorials/import_model.html",
    ),
    Engine(
        name="jax",
        what="XLA through JAX, a program a set of shapes",
        unsupported=(),  # a program is compiled when it is called
        link="https://docs.jax.dev/en/latest/export/shape_poly.html",
        without=("bfloat16",),
    ),
)
