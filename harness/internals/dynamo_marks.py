"""Marks of dims, said to Dynamo before a call."""

import functools
import inspect
from typing import TYPE_CHECKING

from eagerdiff.harness.internals.hook import Hook

_HOME = "torch._dynamo.decorators"
HOOKS = {
    "mark_dynamic": Hook(
        "torch", f"{_HOME}:mark_dynamic", "marks a size that changes", since="2.1", parameters=("min", "max")
    ),
    "mark_unbacked": Hook("torch", f"{_HOME}:mark_unbacked", "marks a size unknown while tracing", since="2.4"),
    "mark_static": Hook("torch", f"{_HOME}:mark_static", "marks a size that never changes", since="2.1"),
}
if TYPE_CHECKING:
    from torch._dynamo.decorators import mark_dynamic as mark_dynamic
    from torch._dynamo.decorators import mark_static as mark_static
    from torch._dynamo.decorators import mark_unbacked as mark_unbacked
else:
    mark_dynamic, mark_unbacked, mark_static = (hook.at_call() for hook in HOOKS.values())


@functools.cache
def takes_shape_id() -> bool:
    """Whether unbacked sizes can be said to be equal (`shape_id`, not in torch 2.10)."""
    return "shape_id" in unbacked_options()


@functools.cache
def unbacked_options() -> frozenset[str]:
    """Return what else may be said of an unbacked size (`min` and `max`: not in torch 2.11)."""
    return frozenset(inspect.signature(HOOKS["mark_unbacked"].reach()).parameters)
