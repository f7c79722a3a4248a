"""Guards: what torch's messages say that a size must be, read and evaluated."""

import ast
import functools
import itertools
import math
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from types import CodeType
from typing import Any

Numbers = Mapping[str, int | float]
Bounds = Mapping[str, tuple[int, int | None]]
"""Least and greatest size by name; no greatest where there is no bound."""
FEW = range(41)
LARGE = (64, *range(97, 113), 128, 255, 256, 1000, 1024, 4096, 65536, 2**31)
"""Sizes beyond those that are tried one by one: where kernels and indices change; 16 in a row have each remainder."""
_ALL = (*FEW, *LARGE)
_PER_COUNT = {0: _ALL, 1: _ALL, 2: _ALL, 3: (*range(14), 16, 17, 32, 1000)}
_MANY = (*range(6), 8, 17)
"""Values that are tried for each of four names and more."""
_SIZE = re.compile(r"L\['(?:args_)?(\w+)'\](?:\[(\d+)\])?\.size\(\)\[(\d+)\]|args_(\d+)\.size\(\)\[(\d+)\]")
_VALUE = re.compile(r"L\['args'\]\[(\d+)\]|args_(\d+)")
_LEAVES = (ast.Expression, ast.Name, ast.Load, ast.Constant, ast.boolop, ast.operator, ast.unaryop, ast.cmpop)
_INNER = (ast.BoolOp, ast.BinOp, ast.UnaryOp, ast.Compare)
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "Eq": lambda left, right: left == right,
    "Ne": lambda left, right: left != right,
    "Mod": lambda left, right: left % right,
    "PythonMod": lambda left, right: left % right,
    "FloorDiv": lambda left, right: left // right,
    "IntTrueDiv": lambda left, right: left / right,
    "Max": max,
    "Min": min,
    "max": max,
    "min": min,
    "abs": abs,
    "IntInfinity": lambda: math.inf,
    "NegativeIntInfinity": lambda: -math.inf,
    "Not": lambda value: not value,
    "And": lambda *values: all(values),
    "Or": lambda *values: any(values),
}
_SCOPE: dict[str, Any] = {"__builtins__": {}, **_FUNCTIONS}


class Unreadable(ValueError):
    """Say that a text is no formula of sizes."""


@dataclass(frozen=True)
class Formula:
    """Hold an expression over names: of integers, comparisons, and the functions that torch prints."""

    text: str

    def __post_init__(self) -> None:
        """Read it; raise Unreadable for anything else than such an expression."""
        try:
            nodes = list(ast.walk(ast.parse(self.text.strip(), mode="eval")))
        except (SyntaxError, ValueError, RecursionError) as error:
            raise Unreadable(self.text) from error
        if not all(map(_is_known, nodes)):
            raise Unreadable(self.text)

    @property
    def names(self) -> tuple[str, ...]:
        """Every name in it, in order."""
        found = (node.id for node in ast.walk(ast.parse(self.text.strip(), mode="eval")) if isinstance(node, ast.Name))
        return tuple(dict.fromkeys(name for name in found if name not in _FUNCTIONS))

    def value(self, numbers: Numbers) -> Any:
        """Evaluate; raise Unreadable where a name has no value, or a number is divided by zero."""
        try:
            return eval(_compiled(self.text), _SCOPE, numbers)  # _is_known has seen all of it
        except (NameError, ArithmeticError, TypeError) as error:
            raise Unreadable(self.text) from error


@functools.lru_cache(maxsize=1024)
def _compiled(text: str) -> CodeType:
    return compile(text.strip(), "<guard>", "eval")


def _is_known(node: ast.AST) -> bool:
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id in _FUNCTIONS and not node.keywords
    return isinstance(node, _LEAVES + _INNER)


@dataclass(frozen=True)
class Guard:
    """Hold a guard over the names of declared sizes, and what each name may be."""

    formula: Formula
    bounds: Bounds

    def declared(self) -> Iterator[dict[str, int]]:
        """Return the sizes with which it is tried: all small ones that were declared, and some large ones."""
        names = self.formula.names
        tried = _PER_COUNT.get(len(names), _MANY)
        ranges = [[size for size in tried if self._allows(name, size)] for name in names]
        return (dict(zip(names, sizes, strict=True)) for sizes in itertools.product(*ranges))

    def _allows(self, name: str, size: int) -> bool:
        least, most = self.bounds.get(name, (0, None))
        return size >= least and (most is None or size <= most)

    def refused(self) -> list[dict[str, int]]:
        """Return the declared sizes for which it is false; raises Unreadable."""
        return [sizes for sizes in self.declared() if not self.formula.value(sizes)]

    @property
    def _tree(self) -> ast.expr:
        return ast.parse(self.formula.text.strip(), mode="eval").body

    @property
    def holds_one_size(self) -> bool:
        """Whether it is an equality that no large size meets: what it holds became a constant."""
        tree = self._tree
        if not isinstance(tree, ast.Compare) or not isinstance(tree.ops[0], ast.Eq):
            return False
        large = (sizes for sizes in self.declared() if min(sizes.values(), default=0) > FEW[-1])
        return not any(self.formula.value(sizes) for sizes in large)

    def compares(self, names: Collection[str]) -> str:
        """Return the name among some for which what it compares with a number always stands, or an empty string."""
        tree = self._tree
        if not isinstance(tree, ast.Compare) or not isinstance(tree.comparators[0], ast.Constant):
            return ""
        declared = list(self.declared())
        values = [_value(tree.left, sizes) for sizes in declared]
        alike = (name for name in names if [sizes.get(name) for sizes in declared] == values)
        return next(alike, "")

    def is_about_small(self, sizes: Numbers) -> bool:
        """Whether it compares, and does not equate, something that is 0 or 1 at these sizes with a number."""
        tree = self._tree
        parts = tree.values if isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.And) else [tree]
        false = [part for part in parts if not _value(part, sizes)]
        return bool(false) and all(_sets_apart(part, sizes) for part in false)


def _sets_apart(tree: ast.expr, sizes: Numbers) -> bool:
    if not isinstance(tree, ast.Compare) or len(tree.ops) != 1 or isinstance(tree.ops[0], ast.Eq):
        return False
    sides = (tree.left, tree.comparators[0])
    computed = [side for side in sides if not isinstance(side, ast.Constant)]
    return len(computed) == 1 and not _is_remainder(computed[0]) and _value(computed[0], sizes) in (0, 1)


def _value(tree: ast.expr, sizes: Numbers) -> Any:
    return Formula(ast.unparse(tree)).value(sizes)


def _is_remainder(tree: ast.expr) -> bool:
    """Whether it asks what divides what: that is a branch of the program's."""
    if isinstance(tree, ast.Call):
        return isinstance(tree.func, ast.Name) and tree.func.id in ("Mod", "PythonMod")
    return isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.Mod)


def renamed(text: str, size: Callable[[str, int], str], number: Callable[[int], str]) -> str:
    """Return a guard's text with `size(argument, dim)` in place of each size and `number(position)` of each argument.

    An argument is its position as text, or its name where the guard has no position.
    """

    def sized(found: "re.Match[str]") -> str:
        name, position, dim, plain, plain_dim = found.groups()
        return f"({size(position or plain or name, int(dim or plain_dim))})"

    return _VALUE.sub(lambda found: number(int(found[1] or found[2])), _SIZE.sub(sized, text))
