"""One way of exporting: a path, with dims declared in one way."""

import copy
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.compiler import set_stance

from eagerdiff.compiled.dynamic_shapes import DynamicShapes, Shapes
from eagerdiff.compiled.export_path import ExportPath, GuardLost
from eagerdiff.compiled.rewriting.body import Body, defined

Function = Callable[..., Any]


class ExampleRefused(ValueError):
    """Say that eager does not take the example that was to be exported."""


class Tautology(ValueError):
    """Say that export refuses declared sizes for a guard that all of them meet."""


class UnenforcedBound(AssertionError):
    """Say that an exported program took sizes that its `Dim`s do not allow."""


class Exported(nn.Module):
    """Call a function, for `torch.export` wants a module."""

    def __init__(self, function: Function) -> None:
        super().__init__()
        self.function = function

    def forward(self, *args: Any) -> Any:
        """Call the function."""
        return self.function(*args)


@dataclass(frozen=True)
class ExportConfig:
    """Describe how a function is exported, once, from an example."""

    path: ExportPath
    dynamic_shapes: DynamicShapes
    example: tuple[Any, ...]

    def export(self, function: Function) -> Function:
        """Return a callable of the function's arguments that runs the exported program.

        Raises what torch raises, but ExampleRefused where eager does not take the example, and Tautology where torch
        refuses declared sizes for a guard that all of them meet.
        """
        try:
            runner = self.path.load(self._program(function), self.example)
        except Exception as error:
            if refused := self._refused_by_eager(function):  # an export does not run what it traces
                raise ExampleRefused(refused) from error
            raise
        return self._refusing(runner, function) if self.dynamic_shapes.shapes is Shapes.BOUNDED else runner

    def _program(self, function: Function) -> torch.export.ExportedProgram:
        """Export a function, once more where the path does; raise Tautology, or what torch raises."""
        try:
            program = self._exported(self._module(function), self.dynamic_shapes.dynamic_shapes(self.example))
            if self.path.again:
                program = self._exported(program.module(), self.dynamic_shapes.of_positions(self.example))
        except Exception as error:
            if guard := self.dynamic_shapes.tautology(error):
                said = Tautology(f"Constraints violated by no declared size: {guard}")
                raise said.with_traceback(error.__traceback__) from error  # told where torch refuses
            raise
        return program

    @classmethod
    def refused(cls, error: BaseException) -> bool:
        """Say whether torch.export refused a program, before anything was made of it."""
        code = cls._program.__code__
        return any(frame.f_code is code for frame, _ in traceback.walk_tb(error.__traceback__))

    def _module(self, function: Function) -> nn.Module:
        if self.path.rewrite is None:
            return Exported(function)
        return defined(self.path.rewrite(Body.of(function)), function, "Exported")()

    def _exported(self, module: nn.Module, dynamic_shapes: Any) -> torch.export.ExportedProgram:
        export = getattr(torch.export, self.path.how)
        return export(module, self.example, dynamic_shapes=dynamic_shapes, strict=self.path.strict)

    def _refused_by_eager(self, function: Function) -> str:
        """Return what eager raises on the example, or an empty string."""
        try:
            function(*copy.deepcopy(self.example))  # storage offsets too
        except Exception as error:  # noqa: BLE001 - whatever it raises, export is not to blame
            return f"{type(error).__name__}: {str(error).partition(chr(10))[0][:160]}"
        return ""

    def _refusing(self, program: Function, eager: Function) -> Function:
        """Call the program inside its bounds; outside, check that it refuses, then call eager as a user would."""

        def call(*args: Any) -> Any:
            outside = self.dynamic_shapes.outside(args)
            if not outside:
                return program(*args)
            try:
                program(*(arg.clone() if isinstance(arg, Tensor) else arg for arg in args))
            except GuardLost:
                raise
            except Exception:  # noqa: BLE001 - refused, as it must be
                with set_stance("force_eager"):
                    return eager(*args)
            raise UnenforcedBound(f"Dim {outside} was not refused")

        return call

    def source(self, name: str, drawn: str = "") -> str:
        """Return plain-torch source of `implementation`, which exports the function of a name.

        `drawn` is its source, where the path writes it anew.
        """
        rewrite = self.path.rewrite
        lines = [
            f"example = ({', '.join(literal(arg) for arg in self.example)},)",
            self.dynamic_shapes.source(self.example),
            rewrite(Body.read(drawn, name)) if rewrite else _MODULE.format(name=name),
            f"options = dict(dynamic_shapes=dynamic_shapes, strict={self.path.strict})",
            f"exported = torch.export.{self.path.how}(Exported(), example, **options)",
            *(_AGAIN if self.path.again else ()),
            *self.path.source,
        ]
        if self.dynamic_shapes.shapes is Shapes.BOUNDED:
            lines.append(_REFUSING.format(name=name, outside=self._outside_text()))
        return "\n".join(lines) + "\n"

    def _outside_text(self) -> str:
        texts: dict[str, str] = {}
        for position, dim, formula in self.dynamic_shapes.roots():
            size = f"args[{position}].size({dim})"
            size = f"({size} - {formula.offset}) // {formula.factor}" if str(formula) != formula.name else size
            least, most = self.dynamic_shapes.bounds[formula.name]
            texts.setdefault(formula.name, f"{least} <= {size} <= {most}")
        return " and ".join(texts.values()) or "True"


def literal(arg: Any) -> str:
    """Return an expression for an argument's zeros, of any shape: with its strides, a view where it is one."""
    if not isinstance(arg, Tensor):
        return repr(arg)
    base = arg._base
    if base is None or base.dtype != arg.dtype:
        return _zeros(arg)
    return f"{_zeros(base)}.as_strided({list(arg.shape)}, {list(arg.stride())}, {arg.storage_offset()})"


def _zeros(tensor: Tensor) -> str:
    shape, strides, offset = list(tensor.shape), list(tensor.stride()), tensor.storage_offset()
    if strides == list(torch.empty(shape, device="meta").stride()) and offset == 0:
        return f"torch.zeros({shape}, dtype={tensor.dtype})"
    elements = tensor.untyped_storage().nbytes() // tensor.element_size()
    return f"torch.zeros({elements}, dtype={tensor.dtype}).as_strided({shape}, {strides}, {offset}).data"


_AGAIN = (
    'options["dynamic_shapes"] = dynamic_shapes[0] if isinstance(dynamic_shapes, tuple) else dynamic_shapes',
    "exported = torch.export.export(exported.module(), example, **options)",
)
_MODULE = """
class Exported(torch.nn.Module):
    def forward(self, *args):
        return {name}(*args)

"""
_REFUSING = """
inside = implementation


def implementation(*args):
    if {outside}:
        return inside(*args)
    try:
        inside(*args)
    except Exception:
        return {name}(*args)
    raise AssertionError("sizes outside the bounds of a Dim were not refused")
"""
