"""Triton's interpreter: its classes, what it builds with, and how it patches `triton.language`."""

from typing import TYPE_CHECKING, Any

from eagerdiff.harness.internals.hook import Hook, reaching

_HOME = "triton.runtime.interpreter"
_INTERPRETED = "the interpreted device replaces"


def _hook(name: str, why: str = _INTERPRETED, *, before: str = "", parameters: tuple[str, ...] = ()) -> Hook:
    return Hook("triton", f"{_HOME}:{name}", why, since="3.6", before=before, parameters=parameters)


HOOKS = {
    "interpreter": Hook("triton", _HOME, "interprets kernels: its globals are read while they run", since="3.6"),
    "InterpreterBuilder": _hook("InterpreterBuilder", "the interpreted device extends"),
    "InterpreterOptions": _hook(
        "InterpreterOptions", "the interpreted device configures", parameters=("sanitize_overflow", "debug")
    ),
    "InterpretedFunction": _hook("InterpretedFunction", "tells interpreted kernels from others"),
    "TensorHandle": _hook(
        "TensorHandle", "holds a block of the interpreted device", parameters=("data", "dtype", "attr")
    ),
    "native": _hook("_interpreter", "loads and stores for the interpreted device"),
    "ir": _hook("_ir", "names rounding modes, paddings and atomics"),
    "patch_tensor": _hook("_patch_lang_tensor", "binds operators of blocks", parameters=("tensor",)),
    "patch_core": _hook("_patch_lang_core", "binds `tl.core`", parameters=("lang",)),
    "implicit_cvt": _hook("_implicit_cvt", "wraps a kernel's arguments", parameters=("arg",)),
}
"""What is used as it is, by the name under which this file gives it."""
REPLACED = {
    "builder": _hook("interpreter_builder"),
    "semantic": _hook("interpreter_semantic"),
    "validate": _hook("_validate_np_data_size"),
    "run": _hook("InterpretedFunction.run", parameters=("grid", "warmup")),
    "call": _hook("InterpretedFunction.__call__"),
    "rewrite": _hook("InterpretedFunction.rewrite"),
}
"""What the interpreted device puts its own in place of."""
SCOPE = Hook("triton", f"{_HOME}:_LangPatchScope", "remembers what was patched", since="3.6")

if TYPE_CHECKING:
    from triton.runtime import interpreter as interpreter
    from triton.runtime.interpreter import BlockPointerHandle as BlockPointerHandle  # in hints alone
    from triton.runtime.interpreter import InterpretedFunction as InterpretedFunction
    from triton.runtime.interpreter import InterpreterBuilder as InterpreterBuilder
    from triton.runtime.interpreter import InterpreterOptions as InterpreterOptions
    from triton.runtime.interpreter import TensorDescHandle as TensorDescHandle  # in hints alone
    from triton.runtime.interpreter import TensorHandle as TensorHandle

    ir: Any
    native: Any
    implicit_cvt: Any
else:
    __getattr__ = reaching(__name__, HOOKS)


def patch_language(tensor: Any, *modules: Any) -> None:
    """Bind the operators of blocks and the builtins of modules to the interpreter, for good."""
    scope: tuple[Any, ...] = (SCOPE.reach()(),)  # it would undo the patches, and is never asked to
    HOOKS["patch_tensor"].reach()(tensor, *scope)
    for module in modules:
        HOOKS["patch_core"].reach()(module, *scope)
