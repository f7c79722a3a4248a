"""How an author's file makes an implementation: what a script says where no `source` says it."""

import ast
import functools
import inspect
from collections.abc import Sequence
from dataclasses import dataclass
from types import FunctionType, ModuleType
from typing import Any

from eagerdiff.harness.model.case import Case
from eagerdiff.harness.model.implementation import Implementation


@dataclass(frozen=True)
class Making:
    """Hold the lines that make `implementation` of what stands in a module."""

    module: ModuleType
    lines: Sequence[str]

    @property
    def names(self) -> set[str]:
        """The names of the module that the lines need."""
        used = [node for node in ast.walk(ast.parse(str(self))) if isinstance(node, ast.Name)]
        own = {node.id for node in used if isinstance(node.ctx, ast.Store)}
        return ({node.id for node in used} - own) & vars(self.module).keys()

    def __str__(self) -> str:
        """Be the lines."""
        return "\n".join(self.lines)


def making(implementation: Implementation, case: Case) -> Making:
    """Return how an implementation is made for a workload's first case.

    What `build` returns is taken where it is a function that a module has by its name. Anything else, as what
    `torch.compile` makes of a function, is built as its author builds it, with all settings. Raise OSError for no
    source, ValueError where a script cannot make it.
    """
    try:
        built = implementation.build(case)
    except Exception:  # noqa: BLE001  the finding, maybe: then the script is to raise it too
        return _by_build(implementation.build, case)
    module, name = inspect.getmodule(built), getattr(built, "__qualname__", "")
    if module is not None and name.isidentifier() and getattr(module, name, None) is built:
        return Making(module, (f"implementation = {name}",))
    return _by_build(implementation.build, case)


def _by_build(build: Any, case: Case) -> Making:
    """Return how an author's `build` is called."""
    called: functools.partial[Any] = build if isinstance(build, functools.partial) else functools.partial(build)
    function, module = called.func, inspect.getmodule(called.func)
    if not isinstance(function, FunctionType) or module is None:
        raise ValueError("its `build` is no function of a file")
    node = _definition(function, module)
    asked = _asked(node, len(called.args), case)
    values = [*(_text(value, module) for value in called.args), asked]
    values += [f"{name}={_text(value, module)}" for name, value in called.keywords.items()]
    lines = ["import types"] if asked != _NOTHING else []
    lines += [f"{name} = {_text(value, module)}" for name, value in inspect.getclosurevars(function).nonlocals.items()]
    name = node.name if isinstance(node, ast.FunctionDef) else "build"
    if getattr(module, function.__qualname__, None) is not function:
        lines.append(_defined(node, name, [_text(value, module) for value in function.__defaults__ or ()]))
    return Making(module, (*lines, f"implementation = {name}({', '.join(values)})"))


def _defined(node: ast.FunctionDef | ast.Lambda, name: str, defaults: Sequence[str]) -> str:
    """Return a definition without hints, which may name what a script has not, and with its defaults written out."""
    node.args.defaults = [ast.parse(text, mode="eval").body for text in defaults]
    if isinstance(node, ast.Lambda):
        return f"{name} = {ast.unparse(node)}"
    node.returns = None
    for item in ast.walk(node):
        if isinstance(item, ast.arg):
            item.annotation = None
    return ast.unparse(node)


_NOTHING = "None"
"""What a `build` is given that does not look at its case."""


def _definition(function: FunctionType, module: ModuleType) -> ast.FunctionDef | ast.Lambda:
    """Return where a function is defined; raise ValueError where that cannot be told."""
    kind = ast.Lambda if function.__name__ == "<lambda>" else ast.FunctionDef
    nodes = [node for node in ast.walk(ast.parse(inspect.getsource(module))) if isinstance(node, kind)]
    nodes = [node for node in nodes if _first_line(node) == function.__code__.co_firstlineno]
    if kind is ast.Lambda:
        nodes = [node for node in nodes if _spans(node.body, function)]
    if not nodes:
        raise ValueError("its `build` does not stand in its file as it ran")
    return nodes[-1]  # of those that stand in one another the innermost


def _first_line(node: ast.FunctionDef | ast.Lambda) -> int:
    decorators = node.decorator_list if isinstance(node, ast.FunctionDef) else []
    return min([node.lineno, *(one.lineno for one in decorators)])


def _spans(body: ast.expr, function: FunctionType) -> bool:
    """Whether all that a lambda does is within an expression."""
    first, last = (body.lineno, body.col_offset), (body.end_lineno or 0, body.end_col_offset or 0)
    for line, end_line, column, end_column in function.__code__.co_positions():
        if line is None or end_line is None or column is None or not end_column:  # what stands nowhere
            continue
        if (line, column) < first or (end_line, end_column) > last:
            return False
    return True


def _asked(node: ast.FunctionDef | ast.Lambda, at: int, case: Case) -> str:
    """Return what a `build` is given for its case: the fields that it asks for, all where it hands it on."""
    parameters = [*node.args.posonlyargs, *node.args.args]
    if at >= len(parameters):
        raise ValueError("its `build` names no parameter for the case")
    name = parameters[at].arg
    items = [item for part in ast.iter_child_nodes(node) for item in ast.walk(part)]
    asked = [item for item in items if isinstance(item, ast.Attribute) and _is_name(item.value, name)]
    handed_on = sum(_is_name(item, name) for item in items) > len(asked)
    fields = set(type(case).model_fields) if handed_on else {item.attr for item in asked}
    if not fields:
        return _NOTHING
    return f"types.SimpleNamespace({', '.join(f'{one}={_literal(getattr(case, one))}' for one in sorted(fields))})"


def _is_name(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _text(value: Any, module: ModuleType) -> str:
    """Write a value that a `build` holds: plain, or by its name in the module."""
    name = getattr(value, "__qualname__", "")
    return name if name.isidentifier() and getattr(module, name, None) is value else _literal(value)


def _literal(value: Any) -> str:
    """Write a plain value; raise ValueError for any other."""
    text = repr(value)
    try:
        if ast.literal_eval(text) == value:
            return text
    except (ValueError, SyntaxError):
        pass
    raise ValueError(f"its `build` holds a {type(value).__name__}, which has no literal")
