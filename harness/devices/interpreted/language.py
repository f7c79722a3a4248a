"""`triton.language`, turned over to the interpreter once for the whole process."""

import importlib
import inspect
from collections.abc import Callable
from types import ModuleType
from typing import Any, cast

import triton.language as tl

from eagerdiff.harness.devices.interpreted import reductions, rewriting
from eagerdiff.harness.devices.interpreted.values import Value
from eagerdiff.harness.internals.triton_interpreter import interpreter, patch_language
from eagerdiff.harness.internals.triton_language import core, is_builtin, tensor_descriptor_base


def take_over() -> None:
    """Give every builtin the interpreter's semantics, and replace what the interpreter cannot build."""
    patch_language(tl.tensor, tl, core)
    owners = [tl, core, tl.math, tl.tensor, tensor_descriptor_base, *_extras()]
    for owner in owners:
        for name, member in inspect.getmembers(owner):
            if is_builtin(member) and not hasattr(member, "__eagerdiff__"):
                setattr(owner, name, bind(member))
    for module in (cast(Any, tl), core):
        module.range, module.static_range = rewriting.kernel_range, rewriting.static_range
        module.reduce, module.associative_scan = reductions.reduce, reductions.associative_scan
    cast(Any, tl.tensor).__bool__ = _truth
    _fill_libdevice()


def bind(member: Callable[..., Value]) -> Callable[..., Value]:
    """Return a builtin that needs no `_semantic`."""

    semantic = interpreter.interpreter_semantic
    inner = getattr(member, "__wrapped__", member)

    def call(*args: Value, **kwargs: Value) -> Value:
        kwargs["_semantic"] = semantic
        return inner(*args, **kwargs)

    call.__name__ = getattr(member, "__name__", "builtin")
    call.__doc__ = member.__doc__
    marked = cast(Any, call)
    marked.__triton_builtin__ = True
    marked.__eagerdiff__ = True
    return call


def _truth(self: tl.tensor) -> bool:
    data = self.handle.data
    if data.size == 1:
        return bool(data.reshape(-1)[0])
    if reductions.BranchGuard.active:
        raise reductions.AmbiguousTruth
    return True


def _extras() -> list[ModuleType]:
    """Return the vendor modules: libdevice and the like are builtins of their own."""
    names = ("cuda.libdevice", "cuda.utils", "cuda.gdc", "cuda", "hip.libdevice")
    found = []
    for name in names:
        try:
            found.append(importlib.import_module(f"triton.language.extra.{name}"))
        except ImportError:
            continue  # a build of Triton without that vendor
    return found


def _fill_libdevice() -> None:
    """Give the vendor-neutral stubs NVIDIA's functions, and stand-ins for what reads the hardware's state."""
    from triton.language.extra import cuda, libdevice

    for name, member in inspect.getmembers(cuda.libdevice, callable):
        if hasattr(member, "__eagerdiff__"):
            setattr(libdevice, name, member)
    for name, value in (("smid", 0), ("globaltimer", 0), ("num_threads", 128), ("num_warps", 4)):
        for module in (cuda, getattr(cuda, "utils", None)):
            if module is not None and hasattr(module, name):
                setattr(module, name, lambda value=value, **_: interpreter.interpreter_semantic.to_tensor(value))
    for name in ("gdc_wait", "gdc_launch_dependents"):
        for module in (cuda, getattr(cuda, "gdc", None)):
            if module is not None and hasattr(module, name):
                setattr(module, name, lambda **_: None)
