"""The source of a function or of its file, made to stand alone inside a script."""

import ast
import builtins
import inspect
import itertools
import textwrap
from collections.abc import Callable, Iterable
from typing import Any

OURS = "eagerdiff"


def standalone_source(function: Callable[..., Any]) -> str:
    """Return the source of a function's module without what binds it to this project.

    Imports from the project go, and with them the top-level statements that use a name so imported
    (`IMPLEMENTATION = Implementation(...)`); in a function's hints (`case: MyCase`) it becomes
    `object`. Raise OSError for no source, ValueError where it cannot stand alone.
    """
    module = inspect.getmodule(function)
    if module is None:
        raise OSError("its module is not known")
    source = inspect.getsource(module)
    tree = ast.parse(source)
    names = {alias.asname or alias.name for node in tree.body if _is_ours(node) for alias in _aliases(node)}
    source = _without_hints(source, tree, names)
    tree = ast.parse(source)
    gone = [node for node in tree.body if _is_ours(node)]
    gone += [node for node in tree.body if node not in gone and names & _used(node)]
    if any(isinstance(node, ast.FunctionDef | ast.ClassDef) for node in gone):
        raise ValueError(f"{module.__name__} uses the project inside its functions")
    if any(isinstance(node, ast.ImportFrom) and node.module == "__future__" for node in tree.body):
        raise ValueError(f"{module.__name__} imports from __future__")
    return _without(source, gone)


def function_source(function: Callable[..., Any]) -> str:
    """Return a function's own source without hints and docstring; empty where it needs more than torch to run."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    definition = tree.body[0]
    if not isinstance(definition, ast.FunctionDef) or definition.decorator_list:
        return ""
    for node in ast.walk(definition):
        if isinstance(node, ast.FunctionDef):
            node.returns = None
            node.body = node.body[1:] if ast.get_docstring(node) is not None and len(node.body) > 1 else node.body
        if isinstance(node, ast.arg):
            node.annotation = None
    known = {"torch", definition.name, *dir(builtins), *_bound(definition)}
    return ast.unparse(definition) if _used(definition) <= known else ""


def _bound(definition: ast.FunctionDef) -> set[str]:
    """Return the names that a function binds itself: arguments, targets, nested functions."""
    stored = {
        item.id for item in ast.walk(definition) if isinstance(item, ast.Name) and isinstance(item.ctx, ast.Store)
    }
    nested = {item.name for item in ast.walk(definition) if isinstance(item, ast.FunctionDef)}
    return stored | nested | {item.arg for item in ast.walk(definition) if isinstance(item, ast.arg)}


def _is_ours(node: ast.stmt) -> bool:
    if isinstance(node, ast.ImportFrom):
        return node.level > 0 or (node.module or "").split(".")[0] == OURS
    return isinstance(node, ast.Import) and any(alias.name.split(".")[0] == OURS for alias in node.names)


def _aliases(node: ast.stmt) -> list[ast.alias]:
    return node.names if isinstance(node, ast.Import | ast.ImportFrom) else []


def _without_hints(source: str, tree: ast.Module, names: set[str]) -> str:
    """Put `object` in place of the hints of arguments and results that use any of the names."""
    arguments = [node.annotation for node in ast.walk(tree) if isinstance(node, ast.arg)]
    results = [node.returns for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    hints = [hint for hint in (*arguments, *results) if hint is not None and names & _used(hint)]
    lines = [line.encode() for line in source.splitlines(keepends=True)]  # columns are those of bytes
    starts = [0, *itertools.accumulate(map(len, lines))]
    text = b"".join(lines)
    for hint in sorted(hints, key=lambda hint: (hint.lineno, hint.col_offset), reverse=True):
        start = starts[hint.lineno - 1] + hint.col_offset
        end = starts[(hint.end_lineno or hint.lineno) - 1] + (hint.end_col_offset or hint.col_offset)
        text = text[:start] + b"object" + text[end:]
    return text.decode()


def _used(node: ast.AST) -> set[str]:
    return {item.id for item in ast.walk(node) if isinstance(item, ast.Name)}


def _without(source: str, nodes: Iterable[ast.stmt]) -> str:
    dropped = {line for node in nodes for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)}
    return "\n".join(text for number, text in enumerate(source.splitlines(), 1) if number not in dropped) + "\n"
