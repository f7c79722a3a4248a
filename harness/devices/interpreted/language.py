"""`triton.language`, turned over to the interpreter once for the whole process."""

# pyright: basic, reportArgumentType=false, reportCallIssue=false, reportReturnType=false, reportAttributeAccessIssue=false
import importlib
import inspect
from collections.abc import Callable
from types import ModuleType

import triton
import triton.language as tl
from triton.runtime import interpreter

from eagerdiff.harness.devices.interpreted import reductions, rewriting


def take_over() -> None:
    """Give every builtin the interpreter's semantics, and replace what the interpreter cannot build."""
    scope = _scope()
    interpreter._patch_lang_tensor(tl.tensor, *scope)
    for module in (tl, tl.core):
        interpreter._patch_lang_core(module, *scope)
    owners = [tl, tl.core, tl.math, tl.tensor, tl.core.tensor_descriptor_base, *_extras()]
    for owner in owners:
        for name, member in inspect.getmembers(owner):
            if tl.core.is_builtin(member) and not hasattr(member, "__eagerdiff__"):
                setattr(owner, name, bind(member))
    for module in (tl, tl.core):
        module.range, module.static_range = rewriting.kernel_range, rewriting.static_range
        module.reduce, module.associative_scan = reductions.reduce, reductions.associative_scan
    tl.tensor.__bool__ = _truth
    _fill_libdevice()


def bind(member: Callable) -> Callable:
    """Return a builtin that needs no `_semantic`."""

    semantic = interpreter.interpreter_semantic
    inner = getattr(member, "__wrapped__", member)

    def call(*args, **kwargs):
        kwargs["_semantic"] = semantic
        return inner(*args, **kwargs)

    call.__name__ = getattr(member, "__name__", "builtin")
    call.__doc__ = member.__doc__
    call.__triton_builtin__ = True
    call.__eagerdiff__ = True
    return call


def _truth(self) -> bool:
    data = self.handle.data
    if data.size == 1:
        return bool(data.reshape(-1)[0])
    if reductions.BranchGuard.active:
        raise reductions.AmbiguousTruth
    return True


def _scope() -> tuple:
    """Return the scope object that newer versions pass to their patching functions; it is never restored."""
    scope = getattr(interpreter, "_LangPatchScope", None)
    return (scope(),) if scope is not None else ()


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


def require(owner: object, *names: str) -> None:
    """Raise RuntimeError, in one line, where this Triton lacks something that is replaced."""
    missing = [name for name in names if not hasattr(owner, name)]
    if missing:
        where = getattr(owner, "__name__", repr(owner))
        raise RuntimeError(f"triton {triton.__version__} is not supported: {where} has no {', '.join(missing)}")
