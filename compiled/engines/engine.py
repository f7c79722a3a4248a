"""An engine: how it is reached, what it says that it does not capture, and a path of export that ends in it."""

import functools
import io
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch.utils import _pytree as pytree

from eagerdiff import Environment, Excuse, python_of_environment
from eagerdiff.compiled.dynamic_shapes import Shapes
from eagerdiff.compiled.engines.session import SERVERS, Artifact, EngineError, Saved, Session
from eagerdiff.compiled.export_path import ExportPath, Function, GuardLost, guards_of
from eagerdiff.compiled.refusal import named

RUNS_BESIDE = "who runs beside it"
"""What a session changes of its process: the engine's own runs beside it (`Implementation.leaves`)."""


class NotHandedOver(ValueError):
    """Say why a program is not handed to an engine."""


def of_export(program: torch.export.ExportedProgram, example: tuple[Any, ...]) -> Saved:
    """Return a program as torch.export saves it."""
    saved = io.BytesIO()
    torch.export.save(program, saved)
    return Saved(saved.getvalue())


def of_torchscript(program: torch.export.ExportedProgram, example: tuple[Any, ...]) -> Saved:
    """Return the trace of a program's module, and the example, of any shapes, that it was traced from."""
    tensors = [one for one in example if isinstance(one, torch.Tensor)]
    saved = io.BytesIO()
    traced: Any = torch.jit.trace(program.module(), example, check_trace=False)
    torch.jit.save(traced, saved)
    return Saved(saved.getvalue(), ".ts", tensors)


@dataclass(frozen=True, kw_only=True, eq=False)
class Engine:
    """Describe an engine."""

    name: str
    """Stands in the names of implementations; `servers/<name>_engine.py` makes its artifacts."""
    what: str
    """For descriptions."""
    one_artifact: str = "all sizes"
    """For what sizes it makes an artifact."""
    unsupported: Sequence[str] = ()
    """Patterns, each of which was met, of what it says where it does not capture a program; the group is what of it."""
    link: str
    """Where it says what it captures."""
    hollow: Sequence[str] = ()
    """Patterns, each of which was met, of what it says that tells no failure from another."""
    at_call: bool = False
    """Whether it compiles when it is called, and says only then what it does not capture."""
    without: Mapping[str, str] = field(default_factory=dict[str, str])
    """Dtypes that are not handed to it, and why."""
    shapes: Sequence[Shapes] = (Shapes.NAMED, Shapes.BOUNDED)
    """Ways of declaring sizes that it takes: one that plans for the largest size needs bounds."""
    packages: str = ""
    """Whose environment it has, where that is another engine's; `servers/<packages>.txt` pins what is in it."""
    device: str = "cpu"
    """Where it computes."""
    padded: bool = False
    """Whether it is also called at sizes rounded up to powers of two: one that has an artifact a set of shapes."""
    by_default: bool = True
    """Whether `make engines` installs it unasked: not what needs a GPU, or another torch."""
    save: Callable[[torch.export.ExportedProgram, tuple[Any, ...]], Saved] = of_export
    """Return a program as it crosses."""

    @property
    def environment(self) -> Environment:
        """Its Python environment."""
        name = self.packages or self.name
        return Environment(name, SERVERS / f"{name}.txt", f"make engines ENGINE={name}", modules=("torch",))

    def path(self) -> ExportPath:
        """Return the path from torch.export to a call of its artifact."""
        return ExportPath(
            name=self.name,
            what=self.what,
            shapes=self.shapes,
            apart=True,
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

    def copies(self) -> Excuse:
        """Return the rule for programs that change what an engine has a copy of."""
        return Excuse(
            name="not handed over: mutation",
            says="The exported program changes one of its arguments, and what crosses to an engine is a copy of it.",
            link="https://docs.pytorch.org/docs/stable/export.html",
            proof=lambda case, refusal: str(refusal) if isinstance(refusal, NotHandedOver) else "",
            reason="Drawn programs change their arguments in place more often than models do.",
        )

    def _not_captured(self, case: Any, refusal: BaseException | None) -> str:
        if not isinstance(refusal, EngineError) or refusal.at not in (("load", "call") if self.at_call else ("load",)):
            return ""
        return named(self.unsupported, refusal.says)

    def _load(self, program: torch.export.ExportedProgram, example: tuple[Any, ...]) -> Function:
        """Have the engine make its artifact; sizes that the program's guards refuse must be refused by it, too.

        Raises NotHandedOver, EngineError, EngineEnded.
        """
        if changed := _changed(program):
            raise NotHandedOver(f"the program changes its argument {changed[0]}, of which an engine gets a copy")
        artifact = _session(self).load(self.save(program, example))
        guards = guards_of(program)
        outputs = program.call_spec.out_spec
        assert outputs is not None

        def call(*args: Any) -> Any:
            refused = _refused(guards, args)
            tensors = [arg for arg in args if isinstance(arg, torch.Tensor)]
            answered = [one.to(tensors[0].device) for one in artifact.call(tensors)]
            if refused is not None:
                raise GuardLost(f"{self.name} answered where a guard of the program refuses the call") from refused
            if len(answered) != outputs.num_leaves:
                raise EngineError(self.name, "call", "outputs", f"{len(answered)} outputs, of {outputs.num_leaves}")
            return pytree.tree_unflatten(answered, outputs)

        return call

    def made(self) -> Artifact | None:
        """Return what it made last, which its process has still; None where that has ended, or nothing was made."""
        return _session(self).made

    def _source(self) -> list[str]:
        return _lines(f"{self.name}_engine")


def _lines(module: str) -> list[str]:
    """Return what stands in a file of a server behind its docstring, after that of the neighbours that it imports."""
    text = (SERVERS / f"{module}.py").read_text(encoding="utf-8").partition('"""\n\n')[2]
    found: list[str] = []
    for neighbour in _NEIGHBOUR.findall(text):
        found += [*_lines(neighbour), "", ""]
    return found + _NEIGHBOUR.sub("", text).splitlines()


_NEIGHBOUR = re.compile(r"^from (\w+_engine|profiles) import .+\n", re.MULTILINE)


@functools.cache
def _session(engine: Engine) -> Session:
    python = python_of_environment(engine.environment)
    assert python is not None, f"{engine.environment.made_by} has not been run"  # then it is not asked for
    return Session(engine.name, python, engine.hollow)


_IN_PLACE = re.compile(r"[a-z0-9]_\.")
"""An operation's name ends so, before its overload, where it writes into an argument: aten.fill_.Scalar."""


def _changed(program: torch.export.ExportedProgram) -> list[str]:
    """Return the arguments that a program changes: its signature tells once it is functional."""
    targets = [node.target for node in program.graph.nodes if node.op == "call_function"]
    if not any(_IN_PLACE.search(str(one)) for one in targets):
        return []
    return [*program.run_decompositions({}).graph_signature.user_inputs_to_mutate.values()]


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
    "answering, _ = make(exported)",
    "",
    "",
    "def implementation(*args):",
    "    return torch.utils._pytree.tree_unflatten(list(answering(*args)), exported.call_spec.out_spec)",
)
