"""The source of a function or of its file, made to stand alone inside a script."""

import ast
import builtins
import inspect
import itertools
import textwrap
from collections.abc import Callable, Collection, Iterable
from types import ModuleType
from typing import Any

OURS = "eagerdiff"


def standalone_source(function: Callable[..., Any]) -> str:
    """Return what a function needs of its module's source; raise OSError for no source, ValueError where it cannot
    stand alone."""
    module = inspect.getmodule(function)
    if module is None:
        raise OSError("its module is not known")
    if getattr(module, function.__name__, None) is not function:
        raise ValueError(f"{module.__name__} has no function of its own that is called {function.__name__}")
    return standing_alone(module, (function.__name__,))


def standing_alone(module: ModuleType, wanted: Collection[str]) -> str:
    """Return the source of a module without what binds it to this project, and without what the wanted names need not.

    What imports the project goes, and with it every top-level statement that uses a name so bound, one of such a
    statement's own included (`class MyCase(Case)`, `IMPLEMENTATION = Implementation(...)`); in a function's hints
    (`case: MyCase`) it becomes `object`. Raise OSError for no source, ValueError where a wanted name goes.
    """
    source = inspect.getsource(module)
    names = _bound_to_us(ast.parse(source))
    if lost := sorted(names.intersection(wanted)):
        raise ValueError(f"{lost[0]} of {module.__name__} uses the project, or a module beside it")
    source = _without_hints(source, ast.parse(source), names)
    body = ast.parse(source).body
    kept = [node for node in body if not _is_ours(node) and not names & _used(node) and not _is_of_the_file(node)]
    needed = _needed(kept, wanted)
    return _without(source, [node for node in _with_their_texts(body) if node not in needed])


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
    return ast.unparse(definition) if _used(definition) <= {"torch", *dir(builtins)} else ""


def _bound(node: ast.stmt) -> set[str]:
    """Return the names that a statement binds, inside of it too: arguments, targets, imports, functions."""
    found: set[str] = set()
    for item in ast.walk(node):
        if isinstance(item, ast.Name) and isinstance(item.ctx, ast.Store):
            found.add(item.id)
        elif isinstance(item, ast.FunctionDef | ast.ClassDef):
            found.add(item.name)
        elif isinstance(item, ast.arg):
            found.add(item.arg)
        elif isinstance(item, ast.Import | ast.ImportFrom):
            found |= {(alias.asname or alias.name).partition(".")[0] for alias in item.names}
    return found


def _binds(node: ast.stmt) -> set[str]:
    """Return the names that a top-level statement binds in its module."""
    return {node.name} if isinstance(node, ast.FunctionDef | ast.ClassDef) else _bound(node)


def _bound_to_us(tree: ast.Module) -> set[str]:
    """Return the names of a module that are the project's, and those that cannot be without them."""
    names = set[str]().union(*(_binds(node) for node in tree.body if _is_ours(node)))
    while grown := {name for node in tree.body if names & _used(node, hints=False) for name in _binds(node)} - names:
        names |= grown
    return names


def _is_ours(node: ast.stmt) -> bool:
    """Whether a statement imports the project, or by a relative name, which a script cannot."""
    return any(
        item.level > 0 or (item.module or "").split(".")[0] == OURS
        if isinstance(item, ast.ImportFrom)
        else any(alias.name.split(".")[0] == OURS for alias in item.names)
        for item in ast.walk(node)
        if isinstance(item, ast.Import | ast.ImportFrom)
    )


def _is_of_the_file(node: ast.stmt) -> bool:
    """Whether a statement says how a file is run, or tells of this project: no matter of a script's."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant) and OURS in str(node.value.value)
    return isinstance(node, ast.If) and "__name__" in _used(node.test)


def _needed(nodes: Collection[ast.stmt], wanted: Collection[str]) -> list[ast.stmt]:
    """Return those statements that wanted names need, with all that does more than bind a name."""
    needed = [node for node in nodes if not _only_binds(node) or _binds(node) & set(wanted)]
    for node in needed:  # which grows meanwhile
        needed += [other for other in nodes if other not in needed and _binds(other) & _used(node)]
    return needed


def _only_binds(node: ast.stmt) -> bool:
    if isinstance(node, ast.ImportFrom):
        return node.module != "__future__"
    return isinstance(node, ast.Import) or (
        isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.decorator_list
    )


def _with_their_texts(body: Collection[ast.stmt]) -> list[ast.stmt]:
    """Return statements but those that are a text, which stays or goes with what stands before it."""
    found: list[ast.stmt] = []
    for node in body:
        if found and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            found[-1].end_lineno = node.end_lineno
        else:
            found.append(node)
    return found


def _hints(node: ast.AST) -> list[ast.expr]:
    """Return the hints of arguments and results."""
    arguments = [item.annotation for item in ast.walk(node) if isinstance(item, ast.arg)]
    results = [item.returns for item in ast.walk(node) if isinstance(item, ast.FunctionDef)]
    return [hint for hint in (*arguments, *results) if hint is not None]


def _without_hints(source: str, tree: ast.Module, names: set[str]) -> str:
    """Put `object` in place of the hints of arguments and results that use any of the names."""
    hints = [hint for hint in _hints(tree) if names & _used(hint)]
    lines = [line.encode() for line in source.splitlines(keepends=True)]  # columns are those of bytes
    starts = [0, *itertools.accumulate(map(len, lines))]
    text = b"".join(lines)
    for hint in sorted(hints, key=lambda hint: (hint.lineno, hint.col_offset), reverse=True):
        start = starts[hint.lineno - 1] + hint.col_offset
        end = starts[(hint.end_lineno or hint.lineno) - 1] + (hint.end_col_offset or hint.col_offset)
        text = text[:start] + b"object" + text[end:]
    return text.decode()


def _used(node: ast.AST, *, hints: bool = True) -> set[str]:
    """Return the names that stand in a node; those that a function binds itself are its own."""
    left_out = set[ast.AST]() if hints else {item for hint in _hints(node) for item in ast.walk(hint)}
    found = {item.id for item in ast.walk(node) if isinstance(item, ast.Name) and item not in left_out}
    return found - _bound(node) if isinstance(node, ast.FunctionDef) else found


def _without(source: str, nodes: Iterable[ast.stmt]) -> str:
    dropped = {line for node in nodes for line in range(_first_line(node), (node.end_lineno or node.lineno) + 1)}
    return "\n".join(text for number, text in enumerate(source.splitlines(), 1) if number not in dropped) + "\n"


def _first_line(node: ast.stmt) -> int:
    decorators = node.decorator_list if isinstance(node, ast.FunctionDef | ast.ClassDef) else []
    return min(node.lineno, *(one.lineno for one in decorators)) if decorators else node.lineno
