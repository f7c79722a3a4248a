"""Triton's compiler: compile for a GPU that is not there."""

from typing import TYPE_CHECKING

from eagerdiff.harness.internals.hook import Hook, reaching

HOOKS = {
    "ASTSource": Hook(
        "triton",
        "triton.compiler:ASTSource",
        "compiles a kernel for a named GPU",
        since="3.6",
        parameters=("fn", "signature", "constexprs", "attrs"),
    ),
    "GPUTarget": Hook("triton", "triton.backends.compiler:GPUTarget", "names a GPU", since="3.6"),
}

if TYPE_CHECKING:
    from triton.backends.compiler import GPUTarget as GPUTarget
    from triton.compiler import ASTSource as ASTSource
else:
    __getattr__ = reaching(__name__, HOOKS)
