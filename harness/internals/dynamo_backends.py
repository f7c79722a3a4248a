"""Dynamo's back ends by name."""

from collections.abc import Callable
from typing import Any

from eagerdiff.harness.internals.hook import Hook

HOOKS = {"lookup": Hook("torch", "torch._dynamo:lookup_backend", "wraps a back end to count its graphs", since="2.0")}


def lookup_backend(name: str) -> Callable[..., Any]:
    """Return the function that compiles a graph for a back end of `torch.compile`."""
    return HOOKS["lookup"].reach()(name)
