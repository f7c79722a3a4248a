"""The body of a function as statements, and the names that are alive between them."""

import ast
import inspect
import itertools
import linecache
import types
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

__eagerdiff_glue__ = True
"""What this module raises itself is a harness error, not a finding about the compiler (docs/judge.md)."""

_serial = itertools.count()


@dataclass(frozen=True)
class Body:
    """Hold the parameters and the statements of a function, whose last statement returns."""

    parameters: tuple[str, ...]
    statements: tuple[str, ...]

    @classmethod
    def of(cls, function: Callable[..., Any]) -> "Body":
        """Read a function of positional parameters; raise ValueError where its source holds no such function."""
        return cls.read(inspect.getsource(function), function.__name__)

    @classmethod
    def read(cls, source: str, name: str) -> "Body":
        """Read the function of a name; raise ValueError where the source holds none."""
        for node in ast.parse(source).body:
            if isinstance(node, ast.FunctionDef) and node.name == name:
                return cls(tuple(given.arg for given in node.args.args), tuple(map(ast.unparse, node.body)))
        raise ValueError(f"no function {name} in its source")

    @property
    def tensor(self) -> str:
        """An expression of a tensor that is there in every statement: an argument, or a constant."""
        return next((name for name in self.parameters if name.startswith("x")), "torch.zeros(1)")

    def alive(self, at: int) -> tuple[str, ...]:
        """Return the names that are bound before a statement, by number, and that it or a later one mentions."""
        bound = _code(self.parameters, self.statements[:at])
        mentioned = set(_mentioned(_code((), self.statements[at:])))
        names = dict.fromkeys((*bound.co_varnames, *bound.co_cellvars))  # an argument that a closure takes is in both
        return tuple(name for name in names if name in mentioned)


def indented(lines: Sequence[str], by: int = 4) -> str:
    """Return lines, or texts of several, as the body of something."""
    return "\n".join(" " * by + line for text in lines for line in text.splitlines())


def defined(source: str, function: Callable[..., Any], name: str) -> Any:
    """Return what source defines by a name, among the globals of a function, with its text where compilers look.

    Each time it is another file: Dynamo keeps what it learnt of sizes per file, line and name.
    """
    file = f"<rewritten {next(_serial)}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    names: dict[str, Any] = dict(getattr(function, "__globals__", {}))
    exec(compile(source, file, "exec"), names)
    return names[name]


def _code(parameters: Sequence[str], statements: Sequence[str]) -> types.CodeType:
    text = f"def f({', '.join(parameters)}):\n{indented([*statements, 'pass'])}\n"
    module = compile(text, "<body>", "exec")
    return next(one for one in module.co_consts if isinstance(one, types.CodeType))


def _mentioned(code: types.CodeType) -> Iterator[str]:
    yield from (*code.co_names, *code.co_varnames, *code.co_freevars, *code.co_cellvars)
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            yield from _mentioned(inner)
