"""Tables of torch's own: what each operation and module of its tests takes, and which functions are native."""

import functools
from collections.abc import Mapping, Sequence
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
    "schemas": Hook("torch", "torch._C:_jit_get_all_schemas", "lists the schemas of all operators", since="1.9"),
    "functions": Hook("torch", "torch._C:_VariableFunctions", "holds what `torch` computes with", since="1.9"),
}


def op_db() -> Sequence[Any]:
    """Return torch's `OpInfo`s; importing them takes seconds and switches flags of this process."""
    return HOOKS["op_db"].reach()


def module_db() -> Sequence[Any]:
    """Return torch's `ModuleInfo`s; importing them takes seconds and switches flags of this process."""
    return HOOKS["module_db"].reach()


def native_schemas() -> dict[str, list[Any]]:
    """Return the schemas of `torch.ops.aten` by name: of what writes to no argument, and takes and gives tensors."""
    found: dict[str, list[Any]] = {}
    for schema in HOOKS["schemas"].reach()():
        space, _, name = schema.name.partition("::")
        tensors = [any("Tensor" in str(one.type) for one in side) for side in (schema.arguments, schema.returns)]
        if space == "aten" and all(tensors) and not schema.is_mutable:
            found.setdefault(name, []).append(schema)
    return found


@functools.cache
def integer_parameters() -> Mapping[str, Sequence[Mapping[int, str]]]:
    """Return which parameters of `torch.ops.aten` are integers, or lists of them: a mapping an overload, by name.

    Each is a name by position.
    """
    found: dict[str, list[dict[int, str]]] = {}
    for schema in HOOKS["schemas"].reach()():
        space, _, name = schema.name.partition("::")
        if space == "aten":
            kinds = enumerate((argument.name, str(argument.real_type)) for argument in schema.arguments)
            found.setdefault(name, []).append({at: called for at, (called, kind) in kinds if "int" in kind})
    return found


def is_native(name: str) -> bool:
    """Whether torch generates a function of that name from its native operators (`torch.add`)."""
    return hasattr(HOOKS["functions"].reach(), name)
