"""Compiled autograd, switched on where backward runs outside of what is compiled."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from eagerdiff.harness.internals.hook import Hook

HOOKS = {
    "enable": Hook(
        "torch",
        "torch._dynamo.compiled_autograd:_enable",
        "captures backward as one graph",
        since="2.5",
        parameters=("compiler_fn",),
    )
}


def enabled(compile_graph: Callable[[Any], Any]) -> AbstractContextManager[None]:
    """Have backward captured inside, and each graph handed to a function that returns what runs in its place."""
    return HOOKS["enable"].reach()(compile_graph)
