"""Sizes as formulas: polynomials over symbols, with quotients and remainders as atoms of their own."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated

from pydantic import AfterValidator

Symbol = str
"""A name: `a`, `b`, … for sizes of inputs, `u0`, `u1`, … for sizes that depend on data."""


@dataclass(frozen=True)
class Derived:
    """Apply an integer operation that is no polynomial; `left` and `right` are sizes."""

    operation: str
    """`//`, `%`, `min` or `max`."""
    left: "Size"
    right: "Size"

    def __str__(self) -> str:
        if self.operation in ("min", "max"):
            return f"{self.operation}({self.left}, {self.right})"
        return f"(({self.left}) {self.operation} ({self.right}))"


Atom = Symbol | Derived
Monomial = tuple[Atom, ...]


class Unknown(Exception):
    """Say that a size depends on data, or on a symbol that has no value."""


@dataclass(frozen=True)
class Size:
    """Hold a polynomial with integer coefficients: `2*a*b + 1`. Equal formulas are equal objects."""

    terms: tuple[tuple[Monomial, int], ...]
    """Monomial and coefficient, sorted; the empty monomial is the constant."""

    @classmethod
    def of(cls, value: "int | str | Size") -> "Size":
        """Read an integer, a symbol or a sum of products (`2*a + 1`); raise ValueError for anything else."""
        if isinstance(value, Size):
            return value
        if isinstance(value, int):
            return _size({(): value})
        total = _size({})
        for term in value.replace(" ", "").split("+"):
            if not _TERM.fullmatch(term):
                raise ValueError(f"not a size: {value!r} (write an integer, a symbol, or 2*a+1)")
            factors = term.split("*")
            symbols = tuple(sorted(factor for factor in factors if not factor.isdigit()))
            coefficient = 1
            for factor in factors:
                coefficient *= int(factor) if factor.isdigit() else 1
            total = total + _size({symbols: coefficient})
        return total

    def __add__(self, other: "Size | int") -> "Size":
        terms = dict(self.terms)
        for monomial, coefficient in Size.of(other).terms:
            terms[monomial] = terms.get(monomial, 0) + coefficient
        return _size(terms)

    def __sub__(self, other: "Size | int") -> "Size":
        return self + Size.of(other) * -1

    def __mul__(self, other: "Size | int") -> "Size":
        terms: dict[Monomial, int] = {}
        for left, one in self.terms:
            for right, two in Size.of(other).terms:
                monomial = tuple(sorted(left + right, key=str))
                terms[monomial] = terms.get(monomial, 0) + one * two
        return _size(terms)

    def __floordiv__(self, other: "Size | int") -> "Size":
        return self._derive("//", other)

    def __mod__(self, other: "Size | int") -> "Size":
        return self._derive("%", other)

    def least(self, other: "Size | int") -> "Size":
        """Return the smaller of two sizes, as a formula."""
        return self if self == Size.of(other) else self._derive("min", other)

    def most(self, other: "Size | int") -> "Size":
        """Return the larger of two sizes, as a formula."""
        return self if self == Size.of(other) else self._derive("max", other)

    def substituted(self, name: Symbol, other: "int | str") -> "Size":
        """Return a polynomial over plain symbols with one of them replaced."""
        total = Size.of(0)
        for monomial, coefficient in self.terms:
            product = Size.of(coefficient)
            for atom in monomial:
                product = product * Size.of(other if atom == name else str(atom))
            total = total + product
        return total

    def _derive(self, operation: str, other: "Size | int") -> "Size":
        right = Size.of(other)
        if self.constant is not None and right.constant is not None:
            return Size.of(_apply(operation, self.constant, right.constant))
        if operation == "//" and right.constant == 1:
            return self
        return _size({(Derived(operation, self, right),): 1})

    @property
    def constant(self) -> int | None:
        """The value, where it is the same for all sizes of the inputs."""
        if not self.terms:
            return 0
        return self.terms[0][1] if len(self.terms) == 1 and self.terms[0][0] == () else None

    @property
    def symbols(self) -> frozenset[Symbol]:
        """Every symbol in the formula."""
        return frozenset(atom for atom in _atoms(self) if not isinstance(atom, Derived))

    @property
    def depends_on_data(self) -> bool:
        """Whether a symbol in it is a size that is known only when the data are."""
        return any(symbol.startswith("u") for symbol in self.symbols)

    @property
    def branches(self) -> "frozenset[Derived]":
        """Every smaller or larger of two sizes in the formula: computing it takes one side or the other."""
        found = (atom for atom in _atoms(self) if isinstance(atom, Derived))
        return frozenset(atom for atom in found if atom.operation in ("min", "max"))

    @property
    def lowest(self) -> int | None:
        """A bound from below that holds whatever the symbols are; None where there is none."""
        if any(coefficient < 0 and monomial for monomial, coefficient in self.terms):
            return None
        return dict(self.terms).get((), 0)

    def value(self, sizes: Mapping[Symbol, int]) -> int:
        """Evaluate; raise Unknown where a symbol has no value."""
        total = 0
        for monomial, coefficient in self.terms:
            product = coefficient
            for atom in monomial:
                product *= _atom(atom, sizes)
            total += product
        return total

    def __str__(self) -> str:
        parts = ["*".join([*([str(k)] if k != 1 or not m else []), *map(str, m)]) for m, k in self.terms]
        return " + ".join(parts) or "0"


def _formulas(shape: tuple[int | str, ...]) -> tuple[int | str, ...]:
    for size in shape:
        Size.of(size)
    return shape


Shape = Annotated[tuple[int | str, ...], AfterValidator(_formulas)]
"""Sizes of a tensor as data: integers, symbols (`a`), or sums of products (`2*a+1`)."""

_TERM = re.compile(r"(\d+\*)?[a-z]\w*(\*[a-z]\w*)*|\d+")


def _size(terms: Mapping[Monomial, int]) -> Size:
    kept = [(monomial, coefficient) for monomial, coefficient in terms.items() if coefficient]
    return Size(tuple(sorted(kept, key=lambda term: (-len(term[0]), str(term[0])))))


def _atoms(size: Size) -> Iterator[Atom]:
    """Walk a formula: its symbols, and its quotients, remainders and branches with all that they are made of."""
    for monomial, _ in size.terms:
        for atom in monomial:
            yield atom
            if isinstance(atom, Derived):
                yield from _atoms(atom.left)
                yield from _atoms(atom.right)


def _atom(atom: Atom, sizes: Mapping[Symbol, int]) -> int:
    if isinstance(atom, Derived):
        return _apply(atom.operation, atom.left.value(sizes), atom.right.value(sizes))
    if atom not in sizes:
        raise Unknown(atom)
    return sizes[atom]


def _apply(operation: str, left: int, right: int) -> int:
    if operation in ("//", "%") and right == 0:
        raise Unknown(f"{left} {operation} 0")
    return {"//": lambda: left // right, "%": lambda: left % right, "min": lambda: min(left, right)}.get(
        operation, lambda: max(left, right)
    )()
