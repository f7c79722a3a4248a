"""The source of one's own code for a script that stands alone: what it needs of its file, and nothing else."""

import ast
import inspect
import textwrap
from collections.abc import Callable
from types import CodeType
from typing import Any, Protocol, runtime_checkable

from eagerdiff.suites.own.called import Called, FunctionCall, ModuleCall, differentiated, leaf, weights
from eagerdiff.suites.own.form import AS_THEY_COME, Form
from eagerdiff.suites.own.installed import imported
from eagerdiff.suites.own.module_source import module_source

_OURS = "eagerdiff"


def standalone(code: Callable[..., Any], called: Called) -> str:
    """Return source that defines `program`, what is compiled, and `reference`; empty where none stands alone.

    What is of an installed package is imported from there, so that its script needs the package.
    """
    if isinstance(called, ModuleCall):
        return module_source(called)
    if not isinstance(called, FunctionCall):
        return ""
    text, name = imported(code) or (_cut_out(code), getattr(code, "__name__", ""))
    if not text:
        return ""
    lines = [text, called.form.source(name)]
    if not called.gradients:
        return "\n".join([*lines, "reference = program", ""])
    return "\n".join([*lines, _differentiating(), "reference = differentiated(program)", ""])


def of_kernel(kernel: Callable[..., Any], reference: Callable[..., Any], form: Form, *, gradients: bool) -> str:
    """Return source that defines `reference` and `tested`, a kernel; empty where there is none that stands alone."""
    parts = [_differentiating()] if gradients else []
    for role, code in (("reference", reference), ("tested", kernel)):
        text, name = _named(code)
        if not text:
            return ""
        if form != AS_THEY_COME:
            by_position = form.source(name).replace("def program(", f"def {role}_by_position(")
            text, name = f"{text}\n{by_position}", f"{role}_by_position"
        parts += [text, f"{role} = differentiated({name})" if gradients else f"{role} = {name}"]
    return "\n".join([*parts, ""])


def _named(code: Callable[..., Any]) -> tuple[str, str]:
    """Return the source of a function, and what it is called there."""
    if isinstance(code, Sourced):
        return code.source(), "_function"
    name = getattr(code, "__name__", "")
    return imported(code) or (_cut_out(code), "_function" if name == "<lambda>" else name)


@runtime_checkable
class Sourced(Protocol):
    """Be a function that knows its own source."""

    def source(self) -> str:
        """Return source that defines `_function`; empty where none stands alone."""
        ...


def _differentiating() -> str:
    """Return source that defines `differentiated`."""
    imports = "from torch import Tensor\nfrom torch.utils import _pytree as pytree\n"
    return "\n".join([imports, *map(inspect.getsource, (weights, leaf, differentiated))])


def _cut_out(code: Callable[..., Any]) -> str:
    """Return the statements of a function's file that it needs, in their order; empty where they need this project."""
    if not inspect.isfunction(code):
        return ""
    try:
        if code.__name__ == "<lambda>":
            return of_lambda(code)
        if "<locals>" in code.__qualname__:
            return _nested(code)
        source = inspect.getsource(inspect.getmodule(code) or code)
    except (OSError, TypeError):
        return ""
    return needed(source, code.__name__)


def needed(source: str, name: str) -> str:
    """Return the top-level statements that a name of a module needs, in their order.

    Empty where one of them imports this project, or nothing binds the name.
    """
    tree = ast.parse(source)
    binding: dict[str, list[ast.stmt]] = {}
    for statement in tree.body:
        for bound in _bound(statement):
            binding.setdefault(bound, []).append(statement)
    kept: list[ast.stmt] = []
    waiting = [name]
    met: set[str] = set()
    while waiting:
        if (one := waiting.pop()) in met:
            continue
        met.add(one)
        for statement in binding.get(one, []):
            if statement not in kept:
                kept.append(statement)
                waiting += _used(statement)
    if not kept or any(_is_ours(statement) for statement in kept):
        return ""
    imports = [statement for statement in kept if isinstance(statement, ast.Import | ast.ImportFrom)]
    for statement in imports:
        statement.names = [one for one in statement.names if (one.asname or one.name).partition(".")[0] in met]
    return "\n".join(ast.unparse(statement) for statement in tree.body if statement in kept)


def of_lambda(code: Callable[..., Any]) -> str:
    """Return the statement `_function = lambda …`, after what it needs of its file; empty where it is not found."""
    held = inspect.getclosurevars(code)
    if held.nonlocals:
        return ""
    source = inspect.getsource(inspect.getmodule(code) or code)
    wanted = code.__code__
    same = {
        ast.unparse(node): node
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Lambda) and node.lineno == wanted.co_firstlineno and _reads_alike(node, wanted)
    }
    if len(same) != 1:
        return ""
    ((text, node),) = same.items()
    used = _used(node)  # `held.globals` has what `x.softmax` names, too
    needs = [needed(source, name) for name in held.globals if name in used]
    return "" if not all(needs) else "\n".join([*dict.fromkeys(needs), f"_function = {text}"])


def _reads_alike(node: ast.Lambda, wanted: CodeType) -> bool:
    """Whether a lambda names and holds what some code does: its bytes hang on what stands around it."""
    around = compile(ast.Expression(node), "<lambda>", "eval")
    code = next(one for one in around.co_consts if isinstance(one, CodeType))
    return all(getattr(code, part) == getattr(wanted, part) for part in ("co_varnames", "co_names", "co_consts"))


def _nested(code: Callable[..., Any]) -> str:
    """Return a function that stands in another one, with what it closes over where that is a plain number or text."""
    held = inspect.getclosurevars(code)
    plain = {
        name: value for name, value in held.nonlocals.items() if isinstance(value, int | float | str | bool | None)
    }
    if plain.keys() != held.nonlocals.keys():
        return ""
    source = textwrap.dedent(inspect.getsource(code))
    if not source.startswith("def "):
        return ""
    module = inspect.getmodule(code)
    lines = [needed(inspect.getsource(module), name) for name in held.globals] if module else []
    return "\n".join([*dict.fromkeys(lines), *(f"{name} = {value!r}" for name, value in plain.items()), source])


def _bound(statement: ast.stmt) -> set[str]:
    """Return the names that a top-level statement binds."""
    if isinstance(statement, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
        return {statement.name}
    found: set[str] = set()
    for node in ast.walk(statement):
        if isinstance(node, ast.Import | ast.ImportFrom):
            found |= {(one.asname or one.name).partition(".")[0] for one in node.names}
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
    return found


def _used(statement: ast.AST) -> list[str]:
    return [node.id for node in ast.walk(statement) if isinstance(node, ast.Name)]


def _is_ours(statement: ast.stmt) -> bool:
    for node in ast.walk(statement):
        if isinstance(node, ast.ImportFrom) and (node.level or (node.module or "").partition(".")[0] == _OURS):
            return True
        if isinstance(node, ast.Import) and any(one.name.partition(".")[0] == _OURS for one in node.names):
            return True
    return False
