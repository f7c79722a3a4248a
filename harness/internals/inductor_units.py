"""One translation unit for all C++ kernels of a graph, in place of one a kernel.

Reading the precompiled header and the instantiations that it leaves pending take most of the time that g++ needs for a
kernel (0.37 of 0.6 s): together they are paid once a graph. Each kernel's source is as Inductor wrote it, in a
namespace of its own, with the flags that it would have by itself; what does not compile so is compiled one by one, as
torch does, and so raises what torch raises.
"""

import types
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from eagerdiff.harness.internals.hook import Hook

HOOKS = {
    "bind": Hook(
        "torch",
        "torch._inductor.async_compile:AsyncCompile.cpp_pybinding",
        "is asked for one kernel after the other",
        since="2.11",
        parameters=("argtypes", "source_code"),
    ),
    "wait": Hook(
        "torch",
        "torch._inductor.async_compile:AsyncCompile.wait",
        "ends the list of a graph's kernels",
        since="2.11",
        parameters=("scope",),
    ),
    "cache": Hook(
        "torch",
        "torch._inductor.codecache:CppPythonBindingsCodeCache",
        "compiles a kernel and what calls it from Python",
        since="2.11",
    ),
}
_HEAD = """#include <torch/csrc/inductor/cpp_prefix.h>
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <cerrno>
#include <cstdlib>
#include <sstream>
"""
"""What all kernels and their bindings include: within a namespace it must have been included before."""


class _Waiting:
    """Stand for a kernel until all of its graph are known."""

    def __init__(self, argtypes: Sequence[str], source: str) -> None:
        self.argtypes = argtypes
        self.source = source


def compile_together() -> None:
    """Compile the kernels of a graph together from now on, in this process; loads Inductor's compiler."""
    bind, wait = (HOOKS[name].reach() for name in ("bind", "wait"))
    if getattr(wait, "__module__", "") == __name__:
        return

    def collect(self: Any, argtypes: Sequence[str], source_code: str) -> _Waiting:
        return _Waiting(argtypes, source_code)

    def compile_and_wait(self: Any, scope: dict[str, Any]) -> None:
        found = {name: value for name, value in scope.items() if isinstance(value, _Waiting)}
        together: Sequence[Any] | None = None
        if len(found) > 1:
            with suppress(Exception):  # then torch says which does not compile
                together = _together(list(found.values()))
        for at, (name, one) in enumerate(found.items()):
            scope[name] = together[at] if together is not None else bind(self, one.argtypes, one.source)
        wait(self, scope)

    HOOKS["bind"].replace(collect)
    HOOKS["wait"].replace(compile_and_wait)


def _together(kernels: Sequence[_Waiting]) -> list[Any]:
    """Compile and load kernels as one library; return what calls each."""
    code_cache = HOOKS["cache"].reach()
    count = len(kernels)

    def load(path: str, key: str) -> types.SimpleNamespace:
        loaded = [_named(code_cache, at)._load_library_inner(path, key) for at in range(count)]
        return types.SimpleNamespace(kernels=[getattr(one, _entry(at)) for at, one in enumerate(loaded)])

    unit = type("Together", (code_cache,), {"cache": {}, "_load_library_inner": staticmethod(load)})
    code = _HEAD + "".join(_in_namespace(code_cache, at, one) for at, one in enumerate(kernels))
    return unit.load_async(code)().kernels


def _entry(at: int) -> str:
    return f"kernel_{at}"


def _named(code_cache: Any, at: int, **members: Any) -> Any:
    entry = _entry(at)
    call = code_cache.call_entry_function.replace("kernel(", f"{entry}(")
    return type("Named", (code_cache,), {"entry_function": entry, "call_entry_function": call, **members})


def _in_namespace(code_cache: Any, at: int, kernel: _Waiting) -> str:
    """Return a kernel's source with the code that calls it from Python, under names of their own."""
    seen: list[str] = []

    def keep(main_code: str, *_: Any, **__: Any) -> Any:
        seen.append(main_code)
        return lambda: types.SimpleNamespace(**{_entry(at): None})

    _named(code_cache, at, load_async=staticmethod(keep)).load_pybinding_async(kernel.argtypes, kernel.source)
    return f"namespace unit_{at} {{\n#define kernel {_entry(at)}\n{seen[0]}\n#undef kernel\n}}\n"
