"""Dynamic-shapes specs: dims of an exported program as `torch.export.Dim`s, from the names and formulas of a page."""

import contextlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import torch
from torch import Tensor
from torch.export import Dim

from eagerdiff.compiled.guard import Bounds, Formula, Guard, Unreadable
from eagerdiff.compiled.refusal import read

__eagerdiff_glue__ = True
"""What this module raises itself is a harness error, not a finding about the compiler (docs/judge.md)."""

Formulas = Mapping[Any, Mapping[int, str]]
"""Changing dims by position of the argument: an axis name, or a formula such as `2*a + 1`. Equal names, equal sizes."""
LEAST, MOST = 3, 16
"""Bounds of `bounded`: 0 and 1 are outside, and so are the larger ones of the sizes that are drawn."""
_LINEAR = re.compile(r"(?:(\d+)\*)?([a-z]\w*)(?: ?\+ ?(\d+))?")


class Shapes(StrEnum):
    """Name a way of declaring sizes."""

    NAMED = "named"
    """A `Dim` an axis; formulas are derived dims."""
    AUTO = "auto"
    """`Dim.AUTO`."""
    DYNAMIC = "dynamic"
    """`Dim.DYNAMIC`."""
    COLLECTION = "collection"
    """Named, in a `ShapesCollection`."""
    BOUNDED = "bounded"
    """Named, from `LEAST` to `MOST`: other sizes must be refused."""

    @property
    def hinted(self) -> bool:
        """Whether export itself finds the ranges, from 2 on."""
        return self in (Shapes.AUTO, Shapes.DYNAMIC)


@dataclass(frozen=True)
class Linear:
    """Hold `factor * name + offset`, the most that derived dims can say."""

    factor: int
    name: str
    offset: int

    @classmethod
    def of(cls, formula: str) -> "Linear | None":
        """Read a formula; None where it is no such sum."""
        found = _LINEAR.fullmatch(formula)
        return cls(int(found[1] or 1), found[2], int(found[3] or 0)) if found else None

    def root(self, size: int) -> int:
        """Return the size that the name stands for."""
        return (size - self.offset) // self.factor

    def apply(self, dim: Any) -> Any:
        """Derive the dim."""
        scaled = self.factor * dim if self.factor != 1 else dim
        return scaled + self.offset if self.offset else scaled

    def __str__(self) -> str:
        scaled = f"{self.factor} * {self.name}" if self.factor != 1 else self.name
        return f"{scaled} + {self.offset}" if self.offset else scaled


@dataclass(frozen=True)
class DynamicShapes:
    """Declare the changing dims of a function's arguments."""

    shapes: Shapes
    formulas: Formulas
    bounds: Bounds
    """Least and greatest size by name."""

    def dynamic_shapes(self, args: tuple[Any, ...]) -> Any:
        """Return the argument of `torch.export.export` for a module of `*args`; None where nothing changes."""
        if not any(self.formulas.values()):
            return None
        named = {name: Dim(name, min=least, max=most) for name, (least, most) in self.bounds.items()}
        by_position = [
            {dim: self._dim(formula, named) for dim, formula in self.formulas.get(position, {}).items()}
            if isinstance(arg, Tensor)
            else None
            for position, arg in enumerate(args)
        ]
        if self.shapes is not Shapes.COLLECTION:
            return (tuple(by_position),)
        collection = torch.export.ShapesCollection()
        for arg, dims in zip(args, by_position, strict=True):
            if dims is not None:
                collection[arg] = dims
        return collection

    def of_positions(self, args: tuple[Any, ...]) -> Any:
        """Return the same for a module of as many positional arguments."""
        found = self.dynamic_shapes(args)
        return found[0] if isinstance(found, tuple) else found

    def source(self, args: tuple[Any, ...]) -> str:
        """Return the lines that define `dynamic_shapes` for an example's arguments, called `example`."""
        if not any(self.formulas.values()):
            return "dynamic_shapes = None"
        lines = [f"{name} = torch.export.Dim({name!r}{_bounds_text(*self.bounds[name])})" for name in self._names()]
        texts = [
            self._text(self.formulas.get(position, {})) if isinstance(arg, Tensor) else "None"
            for position, arg in enumerate(args)
        ]
        if self.shapes is Shapes.COLLECTION:
            lines.append("dynamic_shapes = torch.export.ShapesCollection()")
            given = [(position, text) for position, text in enumerate(texts) if text != "None"]
            lines += [f"dynamic_shapes[example[{position}]] = {text}" for position, text in given]
        else:
            lines.append(f"dynamic_shapes = (({', '.join(texts)},),)")
        return "\n".join(lines)

    def roots(self) -> Iterator[tuple[int, int, Linear]]:
        """Return position, dim and formula of every dim that has a name."""
        for position, dims in self.formulas.items():
            for dim, formula in dims.items():
                if (found := Linear.of(formula)) is not None:
                    yield position, dim, found

    def tautology(self, error: BaseException) -> str:
        """Return a guard for which torch refuses declared sizes although all of them meet it, or an empty string."""

        def formula(argument: str, dim: int) -> str:
            position = int(argument) if argument.isdigit() else -1
            return self.formulas.get(position, {}).get(dim, f"size_{argument}_{dim}")

        for text in read(error, formula).demanded:
            with contextlib.suppress(Unreadable):
                if not Guard(Formula(text), self.bounds).refused():
                    return text
        return ""

    def outside(self, args: tuple[Any, ...]) -> str:
        """Return which size of a call is outside the bounds, or an empty string."""
        for position, dim, formula in self.roots():
            size, (least, most) = formula.root(args[position].size(dim)), self.bounds[formula.name]
            if size < least or (most is not None and size > most):
                return f"{formula.name} = {size} outside [{least}, {most}]"
        return ""

    def _names(self) -> list[str]:
        return [] if self.shapes.hinted else list(dict.fromkeys(formula.name for _, _, formula in self.roots()))

    def _dim(self, formula: str, named: Mapping[str, Any]) -> Any:
        linear = Linear.of(formula)
        if self.shapes is Shapes.DYNAMIC:
            return Dim.DYNAMIC
        return Dim.AUTO if self.shapes is Shapes.AUTO or linear is None else linear.apply(named[linear.name])

    def _text(self, dims: Mapping[int, str]) -> str:
        return "{" + ", ".join(f"{dim}: {self._dim_text(formula)}" for dim, formula in dims.items()) + "}"

    def _dim_text(self, formula: str) -> str:
        if self.shapes is Shapes.DYNAMIC:
            return "torch.export.Dim.DYNAMIC"
        linear = Linear.of(formula)
        return "torch.export.Dim.AUTO" if self.shapes is Shapes.AUTO or linear is None else str(linear)


def _bounds_text(least: int, most: int | None) -> str:
    return (f", min={least}" if least else "") + (f", max={most}" if most is not None else "")


def declare(shapes: Shapes, formulas: Formulas, args: tuple[Any, ...], least: Mapping[str, int]) -> DynamicShapes:
    """Declare dims for an example's arguments; `least` holds the smallest sizes that a function takes, by name.

    What is declared holds the example itself.
    """
    plain = DynamicShapes(shapes, formulas, {})
    sizes = {formula.name: formula.root(args[position].size(dim)) for position, dim, formula in plain.roots()}
    lows = {name: min(least.get(name, 0), size) for name, size in sizes.items()}
    if shapes is not Shapes.BOUNDED:
        return DynamicShapes(shapes, formulas, {name: (low, None) for name, low in lows.items()})
    bounds = {
        name: (max(lows[name], LEAST) if size >= LEAST else 0, max(MOST, size + 1)) for name, size in sizes.items()
    }
    return DynamicShapes(shapes, formulas, bounds)
