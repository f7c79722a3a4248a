"""Tables of torch's own tests: what each operation and module takes."""

from collections.abc import Sequence
from typing import Any

from eagerdiff.harness.internals.hook import Hook

HOOKS = {
    "op_db": Hook(
        "torch",
        "torch.testing._internal.common_methods_invocations:op_db",
        "lists operations with sample inputs",
        since="1.9",
    ),
    "module_db": Hook(
        "torch", "torch.testing._internal.common_modules:module_db", "lists modules with sample inputs", since="1.9"
    ),
}


def op_db() -> Sequence[Any]:
    """Return torch's `OpInfo`s; importing them takes seconds and switches flags of this process."""
    return HOOKS["op_db"].reach()


def module_db() -> Sequence[Any]:
    """Return torch's `ModuleInfo`s; importing them takes seconds and switches flags of this process."""
    return HOOKS["module_db"].reach()
