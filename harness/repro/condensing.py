"""Source cut down to what runs: no docstring, no hint, no comment, no function that nobody calls."""

import ast
from collections.abc import Collection


def condensed(source: str, wanted: Collection[str]) -> str:
    """Return the source without what a script does not need; functions in `wanted`, and what they call, stay."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        _strip(node)
    functions: dict[str, set[str]] = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):  # a name may be taken again: what stood before may be bound to another
            functions.setdefault(node.name, set()).update(_names(node))
    needed = set(wanted).union(*(_names(node) for node in tree.body if not isinstance(node, ast.FunctionDef)))
    reached: set[str] = set()
    while waiting := (needed & functions.keys()) - reached:
        reached |= waiting
        needed = needed.union(*(functions[name] for name in waiting))
    body = [node for node in tree.body if not isinstance(node, ast.FunctionDef) or node.name in reached]
    tree.body = _used_imports(body)
    return ast.unparse(ast.fix_missing_locations(tree))


def _strip(node: ast.AST) -> None:
    if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef):
        node.body = [statement for statement in node.body if not _is_text(statement)] or node.body
    if isinstance(node, ast.FunctionDef):
        node.returns = None
    if isinstance(node, ast.arg) and not (node.annotation is not None and "constexpr" in ast.unparse(node.annotation)):
        node.annotation = None  # Triton reads its own


def _is_text(node: ast.stmt) -> bool:
    """Whether a statement is a string and nothing else: what a module, a function or a field is for."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _used_imports(body: list[ast.stmt]) -> list[ast.stmt]:
    """Drop imported names that nothing mentions, and a second import of the same."""
    used = {name for node in body for name in _names(node)}
    kept: list[ast.stmt] = []
    met: set[str] = set()
    for node in body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            node.names = [alias for alias in node.names if (alias.asname or alias.name).split(".")[0] in used]
            if not node.names or ast.unparse(node) in met:
                continue
            met.add(ast.unparse(node))
        kept.append(node)
    return kept


def _names(node: ast.AST) -> set[str]:
    return {item.id for item in ast.walk(node) if isinstance(item, ast.Name)}
