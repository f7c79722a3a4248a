"""One way of exporting: a path, with dims declared in one way."""

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.compiler import set_stance

from eagerdiff import Declined
from eagerdiff.compiled.dynamic_shapes import DynamicShapes, Shapes
from eagerdiff.compiled.export_path import ExportPath
from eagerdiff.harness.internals import dynamo_errors

Function = Callable[..., Any]
GUARD = "Guard failed"
"""How a program of `ExportedProgram.module()` begins to say that it was not traced for such sizes."""


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

        Raises Declined, as the callable does, where torch documents that it refuses.
        """
        try:
            program = torch.export.export(
                Exported(function),
                self.example,
                dynamic_shapes=self.dynamic_shapes.dynamic_shapes(self.example),
                strict=self.path.strict,
            )
        except Exception as error:
            if reason := limit(error) or self._refused_by_eager(function):
                raise Declined(reason) from error
            raise
        runner = self._guarded(self.path.load(program, self.example))
        return self._refusing(runner, function) if self.dynamic_shapes.shapes is Shapes.BOUNDED else runner

    def _refused_by_eager(self, function: Function) -> str:
        """Return why eager does not take the example either, or an empty string."""
        try:
            function(*copy.deepcopy(self.example))  # storage offsets too
        except Exception as error:  # noqa: BLE001 - whatever it raises, export is not to blame
            first_line = str(error).partition("\n")[0][:160]
            return f"not exported: eager raises on the example: {type(error).__name__}: {first_line}"
        return ""

    def _guarded(self, program: Function) -> Function:
        """Decline sizes that a guard refuses: it names what tracing assumed, and no wrong value is returned."""

        def call(*args: Any) -> Any:
            try:
                return program(*args)
            except AssertionError as error:
                text = str(error)
                # What holds of all sizes that were declared must not be refused.
                equality = " == " in text and self.dynamic_shapes.shapes is not Shapes.AUTO
                if not text.startswith(GUARD) or equality:
                    raise
                raise Declined(f"not exported: {text[:200]}") from error

        return call

    def _refusing(self, program: Function, eager: Function) -> Function:
        """Call the program inside its bounds; outside, check that it refuses, then call eager as a user would."""

        def call(*args: Any) -> Any:
            outside = self.dynamic_shapes.outside(args)
            if not outside:
                return program(*args)
            try:
                program(*(arg.clone() if isinstance(arg, Tensor) else arg for arg in args))
            except Exception:  # noqa: BLE001 - refused, as it must be
                with set_stance("force_eager"):
                    return eager(*args)
            raise UnenforcedBound(f"Dim {outside} was not refused")

        return call

    def source(self, name: str) -> str:
        """Return plain-torch source of `implementation`, which exports the function of a name."""
        lines = [
            f"example = ({', '.join(_literal(arg) for arg in self.example)},)",
            self.dynamic_shapes.source(len(self.example)),
            _MODULE.format(name=name),
            f"options = dict(dynamic_shapes=dynamic_shapes, strict={self.path.strict})",
            "exported = torch.export.export(Exported(), example, **options)",
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


def limit(error: Exception) -> str:
    """Return what torch documents that export refuses, in one line; an empty string for any other error.

    A dim that became one constant is no such limit: its sizes were declared, and the function takes them.
    """
    lines = [line.strip(" -") for line in str(error).splitlines() if line.strip()]
    if isinstance(error, dynamo_errors.GuardOnDataDependentSymNode) or "data-dependent expression" in str(error):
        return f"not exported: a decision that depends on data: {lines[0][:160]}"
    if not isinstance(error, dynamo_errors.UserError) or not lines or not lines[0].startswith("Constraints violated"):
        return ""
    violated = [line for line in lines[1:] if line.startswith(("Not all values", "You marked", "The values"))]
    if not violated or any("constant" in line for line in violated):
        return ""
    return f"not exported: {violated[0][:200]}"


def _literal(arg: Any) -> str:
    if not isinstance(arg, Tensor):
        return repr(arg)
    shape, strides, offset = list(arg.shape), list(arg.stride()), arg.storage_offset()
    if strides == list(torch.empty(shape, device="meta").stride()) and offset == 0:
        return f"torch.zeros({shape}, dtype={arg.dtype})"
    elements = arg.untyped_storage().nbytes() // arg.element_size()
    return f"torch.zeros({elements}, dtype={arg.dtype}).as_strided({shape}, {strides}, {offset})"


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
