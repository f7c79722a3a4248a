"""The Triton kernels that a function launches, found in what it names: their blocks and configurations."""

import ast
import importlib
import inspect
import sys
import textwrap
from collections import ChainMap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any, Protocol, runtime_checkable

MOST_VISITED = 2_000
"""Objects that are looked at."""
_GREATEST_BLOCK = 4096
_NOT_FOLLOWED = ("torch", "triton", "numpy", "builtins")
"""Packages whose code launches nothing of the user's; what of them a function holds (a kernel) is looked at."""


@runtime_checkable
class Leading(Protocol):
    """Be a callable that says itself what it calls."""

    def leads_to(self) -> Iterable[Any]:
        """Return functions, classes or kernels."""
        ...


@dataclass
class Launched:
    """Hold what a function may launch."""

    tuners: list[Any] = field(default_factory=list[Any])
    """Autotuners, in the order in which they were met."""
    kernels: list[Any] = field(default_factory=list[Any])
    """Functions under `triton.jit`."""
    functions: list[Any] = field(default_factory=list[Any])
    """Python functions on the way to them."""

    @property
    def configs(self) -> int:
        """Most configurations that one autotuner has; 1 where there is none."""
        return max((len(tuner.configs) for tuner in self.tuners), default=1)

    @property
    def blocks(self) -> tuple[int, ...]:
        """Sizes of blocks: constants of configurations, of launches and of kernels' defaults, in order."""
        found = {value for tuner in self.tuners for config in tuner.configs for value in config.kwargs.values()}
        for kernel in self.kernels:
            found |= set(_defaults(kernel))
        for function in self.functions:
            found |= set(_at_launches(function))
        return tuple(sorted(block for block in found if type(block) is int and 2 < block <= _GREATEST_BLOCK))


def launched(function: Any) -> Launched:
    """Return what a function may launch: names are looked up in its globals and in the modules that these name."""
    found, waiting, met = Launched(), [function], set[int]()
    while waiting and len(met) < MOST_VISITED:
        one = waiting.pop()
        if id(one) in met:
            continue
        met.add(id(one))
        waiting += _next(one, found)
    return found


def _next(one: Any, found: Launched) -> Iterator[Any]:
    """Note an object, and return what it leads to."""
    if isinstance(one, Leading):
        yield from one.leads_to()
    elif isinstance(one, MethodType):
        yield from (one.__func__, one.__self__)
    elif isinstance(one, type):
        if _followed(one):
            yield from (inspect.unwrap(item) for item in map(_plain, vars(one).values()) if inspect.isfunction(item))
    elif inspect.isfunction(one):
        if _followed(one):
            found.functions.append(one)
            yield from _named(one)
        if (wrapped := getattr(one, "__wrapped__", None)) is not None:
            yield wrapped
    elif hasattr(one, "fn") and hasattr(one, "arg_names"):  # of triton: a kernel, or what stands around one
        (found.tuners if hasattr(one, "configs") else found.kernels).append(one)
        yield one.fn
    elif (owner := getattr(one, "__self__", None)) is not None:  # `Function.apply`, which is no Python function
        yield owner


def _plain(item: Any) -> Any:
    return item.__func__ if isinstance(item, staticmethod | classmethod) else item


def _followed(one: Any) -> bool:
    return str(getattr(one, "__module__", "")).partition(".")[0] not in _NOT_FOLLOWED


def _named(function: FunctionType) -> Iterator[Any]:
    """Return what a function's code names: of its globals, of what it closes over, of modules that it imports."""
    names = dict.fromkeys(_names(function.__code__))
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=False)
    held = {name: cell.cell_contents for name, cell in cells if _filled(cell)}
    scope = ChainMap(held, function.__globals__)
    found = [scope[name] for name in names if name in scope]
    found += [module for name in names if "." in name or name in sys.modules if (module := _module(name)) is not None]
    for one in found:
        yield one
        loaded = one.load() if hasattr(one, "load") and hasattr(one, "unmet") and not one.unmet() else one
        if isinstance(loaded, ModuleType) and loaded.__name__.partition(".")[0] not in _NOT_FOLLOWED:
            yield from (getattr(loaded, name) for name in names if hasattr(loaded, name))


def _filled(cell: Any) -> bool:
    try:
        cell.cell_contents  # noqa: B018  an empty cell raises
    except ValueError:
        return False
    return True


def _module(name: str) -> ModuleType | None:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    yield from code.co_freevars
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _defaults(kernel: Any) -> Sequence[Any]:
    function = inspect.unwrap(kernel.fn) if inspect.isfunction(kernel.fn) else None
    return (function.__defaults__ or ()) if function is not None else ()


def _at_launches(function: FunctionType) -> Iterator[int]:
    """Return the whole numbers that a function gives by keyword where it launches: `kernel[grid](…, BLOCK=128)`."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, SyntaxError, TypeError):
        return
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Subscript):
            continue
        for keyword in node.keywords:
            value = keyword.value
            found = value.value if isinstance(value, ast.Constant) else None
            if isinstance(value, ast.Name):
                found = function.__globals__.get(value.id)
            if type(found) is int and keyword.arg not in ("num_warps", "num_stages"):
                yield found
