"""Triton's just-in-time compiler: its functions, and how it names the types of their arguments."""

from typing import TYPE_CHECKING

from eagerdiff.harness.internals.hook import Hook, reaching

_HOME = "triton.runtime.jit"
HOOKS = {
    "JITFunction": Hook("triton", f"{_HOME}:JITFunction", "says what a launch would compile", since="3.6"),
    "TensorWrapper": Hook("triton", f"{_HOME}:TensorWrapper", "is a tensor read as another dtype", since="3.6"),
    "mangle_type": Hook(
        "triton", f"{_HOME}:mangle_type", "names the type of an argument", since="3.6", parameters=("arg",)
    ),
}
METHODS = {
    "run": Hook("triton", f"{_HOME}:JITFunction.run", "launches a kernel", since="3.6", parameters=("grid", "warmup")),
    "create_binder": Hook("triton", f"{_HOME}:JITFunction.create_binder", "specialises arguments", since="3.6"),
}
"""What is asked of a JITFunction, or replaced in it."""

if TYPE_CHECKING:
    from triton.runtime.jit import JITFunction as JITFunction
    from triton.runtime.jit import TensorWrapper as TensorWrapper
    from triton.runtime.jit import mangle_type as mangle_type
else:
    __getattr__ = reaching(__name__, HOOKS)
