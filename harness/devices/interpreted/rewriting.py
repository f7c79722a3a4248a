"""Kernel source, rewritten so that Python evaluates it as Triton's compiler would."""

import ast
import functools
import inspect
import textwrap
import types
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import cast

import numpy as np
import triton.language as tl

from eagerdiff.harness.devices.interpreted.coverage import COUNTED, REACHED, Marker, Reach, label
from eagerdiff.harness.devices.interpreted.values import Value
from eagerdiff.harness.internals.triton_interpreter import TensorHandle, interpreter

PREFIX = "__eagerdiff_"

Later = Callable[[], Value]
"""An operand that is evaluated when it is called, if at all."""

Bound = tl.tensor | tl.constexpr | int
"""A bound of a loop."""


class KernelRewriter(ast.NodeTransformer):
    """Replace what Python would do differently: assignment of numbers, `range`, `and`, `or`, `not`, `a < b < c`."""

    def __init__(self, function: types.FunctionType) -> None:
        hidden = {*function.__globals__, *function.__code__.co_varnames, *function.__code__.co_freevars}
        self.builtins = {"range", "min", "max"} - hidden

    def visit_Assign(self, node: ast.Assign) -> ast.Assign:
        self.generic_visit(node)
        node.value = _call("assigned", node.value)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AnnAssign:
        self.generic_visit(node)
        if node.value is not None and "constexpr" not in ast.unparse(node.annotation):
            node.value = _call("assigned", node.value)
        return node

    def visit_Call(self, node: ast.Call) -> ast.Call:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in self.builtins:
            node.func = ast.Name(id=f"{PREFIX}{node.func.id}", ctx=ast.Load())
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.Call:
        self.generic_visit(node)
        name = "all" if isinstance(node.op, ast.And) else "any"
        return _call(name, *(_later(value) for value in node.values))

    def visit_Compare(self, node: ast.Compare) -> ast.Compare | ast.Call:
        self.generic_visit(node)
        if len(node.ops) == 1:
            return node
        links = [
            ast.Tuple([_comparison(op), _later(right)], ast.Load())
            for op, right in zip(node.ops, node.comparators, strict=True)
        ]
        return _call("chain", node.left, *links)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.UnaryOp | ast.Call:
        self.generic_visit(node)
        return _call("not", node.operand) if isinstance(node.op, ast.Not) else node


def rewrite(function: types.FunctionType, reach: Reach | None = None) -> types.FunctionType:
    """Return the function as the interpreter should run it; itself where its source cannot be read.

    It notes in `reach` which of its branches are taken, and how often its loops run.
    """
    try:
        lines, first = inspect.getsourcelines(function)
        tree = ast.parse(textwrap.dedent("".join(lines)))
    except (OSError, TypeError, SyntaxError):
        return function
    definition = tree.body[0]
    if not isinstance(definition, ast.FunctionDef):
        return function
    _strip(definition)
    label(definition, first)
    definition.body = [KernelRewriter(function).visit(statement) for statement in definition.body]
    free = {name: cell.cell_contents for name, cell in _cells(function)}
    if reach is not None:
        Marker(reach).visit(definition)
        free |= {REACHED: reach.marks, COUNTED: reach.counters}
    module = ast.Module(body=[_inside(definition, free)] if free else [definition], type_ignores=[])
    ast.increment_lineno(ast.fix_missing_locations(module), first - 1)
    namespace: dict[str, types.FunctionType] = {}
    function.__globals__.update(HELPERS)
    exec(compile(module, function.__code__.co_filename, "exec"), function.__globals__, namespace)
    made = namespace[definition.name]
    if free:
        made = made(*free.values())
    made.__defaults__, made.__kwdefaults__ = function.__defaults__, function.__kwdefaults__
    return made


def _cells(function: types.FunctionType) -> Iterator[tuple[str, types.CellType]]:
    """Return the free variables of a function, with their cells."""
    return zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)


def _strip(definition: ast.FunctionDef) -> None:
    """Drop decorators and annotations; defaults are copied over from the function itself."""
    definition.decorator_list, definition.returns = [], None
    arguments = definition.args
    for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
        argument.annotation = None
    arguments.defaults = [ast.Constant(None) for _ in arguments.defaults]
    arguments.kw_defaults = [default and ast.Constant(None) for default in arguments.kw_defaults]


def _inside(definition: ast.FunctionDef, free: Iterable[str]) -> ast.FunctionDef:
    """Put a definition inside another that takes its free variables."""
    outer = cast(ast.FunctionDef, ast.parse(f"def {definition.name}({', '.join(free)}): pass").body[0])
    returned = ast.Return(ast.Name(id=definition.name, ctx=ast.Load()))
    outer.body = [definition, returned]
    return outer


def _call(name: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(func=ast.Name(id=f"{PREFIX}{name}", ctx=ast.Load()), args=list(arguments), keywords=[])


def _later(value: ast.expr) -> ast.Lambda:
    none = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
    return ast.Lambda(args=none, body=value)


def _comparison(op: ast.cmpop) -> ast.Lambda:
    arguments = ast.arguments(
        posonlyargs=[], args=[ast.arg("lhs"), ast.arg("rhs")], kwonlyargs=[], kw_defaults=[], defaults=[]
    )
    lhs, rhs = ast.Name("lhs", ast.Load()), ast.Name("rhs", ast.Load())
    return ast.Lambda(args=arguments, body=ast.Compare(left=lhs, ops=[op], comparators=[rhs]))


def assigned(value: Value) -> Value:
    """Turn a number that is assigned to a name into a tensor, as the compiler does."""
    if isinstance(value, tl.tensor):
        return value
    if isinstance(value, tuple) and type(value) is tuple:
        return tuple(assigned(item) for item in value)
    return interpreter.interpreter_semantic.to_tensor(value, False)


def span_of_integers(*bounds: Bound | None, **_: object) -> Iterator[tl.tensor]:
    """Stand in for `range` and `tl.range`: loop indices are tensors, as the compiler makes them."""
    numbers = [_integer(bound) for bound in bounds if bound is not None]
    wide = any(isinstance(bound, tl.tensor) and bound.dtype.primitive_bitwidth == 64 for bound in bounds)
    wide = wide or any(not -(2**31) <= number < 2**31 for number in numbers)
    dtype, held = (tl.int64, np.int64) if wide else (tl.int32, np.int32)
    for index in range(*numbers):
        yield tl.tensor(TensorHandle(np.array([index], dtype=held), dtype), dtype)


def kernel_range(arg1: Bound, arg2: Bound | None = None, step: Bound | None = None, **_: object) -> Iterator[tl.tensor]:
    """Stand in for `tl.range`, whose further keywords are scheduling hints."""
    return span_of_integers(arg1, *(bound for bound in (arg2, step) if bound is not None))


def static_range(arg1: Bound, arg2: Bound | None = None, step: Bound | None = None, **_: object) -> range:
    """Stand in for `tl.static_range`: indices are constants."""
    return range(*(_integer(bound) for bound in (arg1, arg2, step) if bound is not None))


def least(*values: Value) -> Value:
    """Stand in for `min`, which the compiler reads as `tl.minimum`."""
    return functools.reduce(tl.minimum, values) if _any_tensor(values) else min(*values)


def greatest(*values: Value) -> Value:
    """Stand in for `max` likewise."""
    return functools.reduce(tl.maximum, values) if _any_tensor(values) else max(*values)


def _any_tensor(values: Sequence[Value]) -> bool:
    return len(values) > 1 and any(isinstance(value, tl.tensor) for value in values)


def conjunction(*values: Later) -> Value:
    """Evaluate `and`: constants cut it short, tensors are combined without branching."""
    return _connect(values, False, "logical_and")


def disjunction(*values: Later) -> Value:
    """Evaluate `or` likewise."""
    return _connect(values, True, "logical_or")


def chained(left: Value, *links: tuple[Callable[[Value, Value], Value], Later]) -> Value:
    """Evaluate `a < b < c`, which kernels may say from triton 3.9 on: each operand once, results lane by lane."""
    results = []
    for compare, later in links:
        right = later()
        results.append(compare(left, right))
        if not isinstance(results[-1], tl.tensor) and not _plain(results[-1]):
            return False
        left = right
    return conjunction(*(lambda result=result: result for result in results))


def negation(value: Value) -> tl.tensor | bool:
    """Evaluate `not`, lane by lane for a tensor."""
    if isinstance(value, tl.tensor):
        return interpreter.interpreter_semantic.not_(value)
    return not _plain(value)


def _connect(values: Sequence[Later], decisive: bool, method: str) -> Value:
    tensors, value = [], None
    for later in values:
        value = later()
        if isinstance(value, tl.tensor):
            tensors.append(value)
        elif bool(_plain(value)) is decisive:
            return value
    if not tensors:
        return value
    return functools.reduce(getattr(interpreter.interpreter_semantic, method), tensors)


def _integer(bound: Bound) -> int:
    return int(bound.handle.data.reshape(-1)[0]) if isinstance(bound, tl.tensor) else int(_plain(bound))


def _plain(value: Value) -> Value:
    return value.value if isinstance(value, tl.constexpr) else value


HELPERS = {
    f"{PREFIX}assigned": assigned,
    f"{PREFIX}range": span_of_integers,
    f"{PREFIX}min": least,
    f"{PREFIX}max": greatest,
    f"{PREFIX}all": conjunction,
    f"{PREFIX}any": disjunction,
    f"{PREFIX}chain": chained,
    f"{PREFIX}not": negation,
}
"""What rewritten source refers to."""
