"""Docstrings of what third parties read: shapes of tensors, errors raised, public fields."""

import ast
import builtins
import re
from collections.abc import Iterator
from dataclasses import dataclass

from eagerdiff.harness.catalog.provenance import home

FLOORS = ("compiled", "reference", "strategies")
SHAPE = re.compile(r"\[[^\]`]*\]|\bas the reference\b|\bany shapes?\b|\bno dims\b")
"""How a docstring says how tensors lie: `[T, D]`, of any shape, of no dims; or where else that is said."""
KERNEL = re.compile(r"\b(triton\.)?(jit|autotune)\b")
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Public:
    """A function that others may call, where it stands, and the functions that it may call there by name."""

    path: str
    function: Function
    near: dict[str, Function]

    @property
    def docstring(self) -> str:
        return ast.get_docstring(self.function) or ""

    @property
    def where(self) -> str:
        return f"{self.path}:{self.function.lineno} {self.function.name}"


def modules(floor: str) -> Iterator[tuple[str, ast.Module]]:
    for path in sorted((home() / floor).rglob("*.py")):
        yield str(path.relative_to(home())), ast.parse(path.read_text())


def functions(path: str, module: ast.Module) -> Iterator[Public]:
    """Return the public functions of a module and the public methods of its public classes; kernels aside."""
    own = {node.name: node for node in module.body if isinstance(node, Function)}
    for node in module.body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            methods = {item.name: item for item in node.body if isinstance(item, Function)}
            yield from (Public(path, item, own | methods) for item in methods.values() if _is_public(item))
    yield from (Public(path, node, own) for node in own.values() if _is_public(node))


def _is_public(function: Function) -> bool:
    decorators = " ".join(map(ast.unparse, function.decorator_list))
    return not function.name.startswith("_") and not KERNEL.search(decorators)


def takes_tensors(function: Function) -> bool:
    """Whether an annotation names a tensor."""
    given = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    given += [one for one in (function.args.vararg, function.args.kwarg) if one is not None]
    annotations = [*(one.annotation for one in given), function.returns]
    return any(re.search(r"\bTensor\b", ast.unparse(one)) for one in annotations if one is not None)


def raised(function: Function, near: dict[str, Function]) -> set[str]:
    """Return the names of the errors that a function raises, itself or in a private function that it calls there."""
    found = _raised(function)
    for node in _own(function):
        called = ast.unparse(node.func).rpartition(".")[2] if isinstance(node, ast.Call) else ""
        if called.startswith("_") and called in near:
            found |= _raised(near[called])
    return found - _caught(function)


def _raised(function: Function) -> set[str]:
    thrown = (node.exc for node in _own(function) if isinstance(node, ast.Raise) and node.exc is not None)
    names = (ast.unparse(error.func if isinstance(error, ast.Call) else error) for error in thrown)
    return {
        name.rpartition(".")[2]
        for name in names
        if re.fullmatch(r"[\w.]+", name) and name.rpartition(".")[2][0].isupper()
    }


def _own(function: Function) -> Iterator[ast.AST]:
    """Walk a function without the functions that it defines."""
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, Function | ast.Lambda):
            waiting += ast.iter_child_nodes(node)


def _caught(function: Function) -> set[str]:
    """Return the names of the errors that handlers and `contextlib.suppress` keep inside."""
    kept = [node.type for node in _own(function) if isinstance(node, ast.ExceptHandler) and node.type is not None]
    for node in _own(function):
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("suppress"):
            kept += node.args
    return {name.rpartition(".")[2] for kinds in kept for name in re.findall(r"[\w.]+", ast.unparse(kinds))}


def without_shapes(public: Public) -> bool:
    return takes_tensors(public.function) and not SHAPE.search(public.docstring)


def unnamed_errors(public: Public) -> set[str]:
    """Return the errors that a docstring names neither by themselves nor as one of Python's that they are a kind of."""
    return {
        name
        for name in raised(public.function, public.near)
        if not any(kind in public.docstring for kind in [name, *_kinds(name)])
    }


def _kinds(name: str) -> list[str]:
    found = getattr(builtins, name, None)
    return [kind.__name__ for kind in found.__mro__ if kind is not Exception] if isinstance(found, type) else []


def tensor_fields(path: str, module: ast.Module) -> Iterator[tuple[str, str]]:
    """Return each public field that holds a tensor, and what is said of it and of its class."""
    for node in module.body:
        if not isinstance(node, ast.ClassDef) or node.name.startswith("_"):
            continue
        for field, after in zip(node.body, [*node.body[1:], None], strict=True):
            if not isinstance(field, ast.AnnAssign) or not re.match(r"Tensor\b", ast.unparse(field.annotation)):
                continue
            said = ast.unparse(after.value) if isinstance(after, ast.Expr) else ""
            yield f"{path}:{field.lineno} {ast.unparse(field.target)}", said + (ast.get_docstring(node) or "")


def everything() -> Iterator[Public]:
    for floor in FLOORS:
        for path, module in modules(floor):
            yield from functions(path, module)


def only(source: str) -> Public:
    module = ast.parse(source)
    return next(functions("source", module))


def test_every_public_function_says_the_shapes_of_its_tensors() -> None:
    assert [public.where for public in everything() if without_shapes(public)] == []


def test_every_public_function_names_the_errors_that_it_raises() -> None:
    found = [
        f"{public.where}: {', '.join(sorted(unnamed_errors(public)))}"
        for public in everything()
        if unnamed_errors(public)
    ]
    assert found == []


def test_every_public_field_that_holds_a_tensor_says_its_shape() -> None:
    found = [field for floor in FLOORS for named in modules(floor) for field in tensor_fields(*named)]
    assert len(found) > 20
    assert [where for where, said in found if not SHAPE.search(said)] == []


def test_every_public_function_and_class_has_a_docstring() -> None:
    missing = [public.where for public in everything() if not public.docstring]
    for floor in FLOORS:
        for path, module in modules(floor):
            classes = [node for node in module.body if isinstance(node, ast.ClassDef) and not node.name.startswith("_")]
            missing += [f"{path}:{node.lineno} {node.name}" for node in classes if not ast.get_docstring(node)]
    assert missing == []


def test_what_is_missing_is_found() -> None:
    silent = only('def f(x: Tensor) -> None:\n    """Do."""\n    _g()\n\ndef _g() -> None:\n    raise ValueError("no")')
    assert without_shapes(silent)
    assert unnamed_errors(silent) == {"ValueError"}
    told = only(
        'def f(x: Tensor) -> None:\n    """Do; x [T, D]. Raises ValueError for no T."""\n    raise ValueError("no")'
    )
    assert not without_shapes(told)
    assert unnamed_errors(told) == set()
