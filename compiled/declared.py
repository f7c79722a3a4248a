"""Declared sizes: what a page knows of the sizes of a call, beside what torch says of them."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic

from eagerdiff import CaseT
from eagerdiff.compiled.dynamic_shapes import Formulas
from eagerdiff.compiled.guard import Bounds, Formula, Guard, Unreadable
from eagerdiff.compiled.refusal import Naming, Refusal, read

__eagerdiff_glue__ = True
"""What this module raises itself is a harness error, not a finding about the compiler (docs/judge.md)."""


@dataclass(frozen=True, kw_only=True)
class Declared(Generic[CaseT]):
    """Hold what a page knows of the sizes of a call: what was declared, what is met, what is computed."""

    dims: Callable[[CaseT], Formulas]
    """Formulas of the changing dims, by position of the argument."""
    met: Callable[[CaseT], Mapping[str, int]]
    """The call's sizes, by name."""
    least: Callable[[CaseT], Mapping[str, int]] = lambda case: {}
    """The smallest sizes that the function takes."""
    within: Callable[[CaseT, Bounds], CaseT] = lambda case, bounds: case
    """Return the call nearest to one whose sizes are within bounds; without it they are looked for by chance."""
    bounds: Callable[[CaseT], Bounds] | None = None
    """What an export declares of them; None where nothing but `least` bounds a size."""
    promised: bool = False
    """Whether each size is declared down to its bound, by a `Dim`: then an example may have it."""
    traced: Callable[[CaseT], Mapping[str, int]] | None = None
    """The sizes of an export's example; None where the call itself is traced."""
    computed: Callable[[CaseT], Collection[str]] = lambda case: ()
    """Formulas of the sizes that the function computes."""
    numbers: Callable[[CaseT], Mapping[int, int | float]] = lambda case: {}
    """Python numbers among the arguments, by position."""
    counted: Callable[[CaseT], Collection[str]] = lambda case: ()
    """Names that such a number has among the sizes."""
    parameters: Callable[[CaseT], Sequence[str]] = lambda case: ()
    """What the function calls its arguments."""

    def naming(self, case: CaseT) -> Naming:
        """Return what gives the formula of a dim."""
        dims, parameters = self.dims(case), list(self.parameters(case))

        def formula(argument: str, dim: int) -> str:
            at = int(argument) if argument.isdigit() else parameters.index(argument) if argument in parameters else -1
            return dims.get(at, {}).get(dim, f"size_{argument}_{dim}")

        return formula

    def read(self, case: CaseT, error: BaseException) -> Refusal:
        """Read what torch says of the sizes of a case."""
        return read(error, self.naming(case))

    def guard(self, case: CaseT, text: str) -> Guard:
        """Read a guard; raises Unreadable."""
        bounds = self.bounds(case) if self.bounds else {name: (low, None) for name, low in self.least(case).items()}
        return Guard(Formula(text), bounds)

    def values(self, case: CaseT) -> dict[str, int | float]:
        """Return every number of the call, by name."""
        return {**self.met(case), **{f"number_{at}": value for at, value in self.numbers(case).items()}}

    def is_small(self, case: CaseT, guard: Guard, sizes: Mapping[str, int]) -> bool:
        """Whether a guard sets apart 0 or 1 at some sizes: one that it reads, what it compares, or a computed size.

        What it computes of larger sizes is none where it comes to a dim that is declared down to 0 or 1: torch takes
        that one where it stands by itself.
        """
        read = self._read_by(case, guard, sizes)
        if min(read or sizes.values(), default=0) < 2:
            return True
        if guard.is_about_small(sizes):
            return not (read and guard.compares(self._named(case)))
        formulas = map(Formula, self.computed(case) if not read else set(self.computed(case)) - set(self._named(case)))
        return any(value_of(one, sizes) in (0, 1) for one in formulas if one.names and set(one.names) <= set(sizes))

    def _read_by(self, case: CaseT, guard: Guard, sizes: Mapping[str, int]) -> list[int]:
        """Return the sizes of the dims that a guard reads, where it reads none but derived ones (`5*a`); else none."""
        text = guard.formula.text
        derived = {one for dims in self.dims(case).values() for one in dims.values()} - set(self._named(case))
        found = [one for one in derived if f"({one})" in text]
        for one in found:
            text = text.replace(f"({one})", "0")
        rest = any(name in Formula(text).names for name in sizes)
        return [] if rest else [Formula(one).value(sizes) for one in found]

    def _named(self, case: CaseT) -> set[str]:
        """Return the dims that have a name of their own: no formula."""
        return {one for dims in self.dims(case).values() for one in dims.values() if one.isidentifier()}

    def small(self, case: CaseT, text: str) -> str:
        """Return a size that shares a name with a formula and is 0 or 1 where it was traced, or an empty string."""
        sizes = self.traced(case) if self.traced else self.met(case)
        about = set(Formula(text).names)
        declared = self._named(case) if self.promised else set[str]()
        for one in (*self.computed(case), *about):
            formula = Formula(one)
            if one not in declared and about & set(formula.names) and value_of(formula, sizes) in (0, 1):
                return f"{one} is {value_of(formula, sizes)} where {told(sizes, formula.names)}"
        return ""


def value_of(formula: Formula, sizes: Mapping[str, int]) -> Any:
    """Return what a formula comes to; None where it depends on data."""
    try:
        return formula.value(sizes)
    except Unreadable:
        return None


def told(sizes: Mapping[str, int | float], names: Collection[str] | None = None) -> str:
    """Write sizes as `a = 2, b = 3`; those of some names where they are given."""
    return ", ".join(f"{name} = {sizes[name]}" for name in (sizes if names is None else names) if name in sizes)
