"""Backward compiled by compiled autograd: captured as one graph when gradients are taken, compiled as forward is."""

from collections.abc import Callable, Mapping
from typing import Any

import torch

from eagerdiff.harness.internals.compiled_autograd import enabled

__eagerdiff_glue__ = True
"""What this module raises itself is a harness error, not a finding about the compiler (docs/judge.md)."""


def compiled(call: Callable[..., Any], settings: Mapping[str, Any]) -> Callable[..., Any]:
    """Return a function that takes gradients in compiled code with these arguments of `torch.compile`.

    Backward may break: it calls functions of autograd that are not to be compiled.
    """

    of_graph: dict[str, Any] = {**settings, "fullgraph": False}

    def compile_graph(graph: Any) -> Any:
        return torch.compile(graph, **of_graph)

    def with_backward(*args: Any, **options: Any) -> Any:
        with enabled(compile_graph):
            return call(*args, **options)

    return with_backward


SOURCE = """
called, settings = implementation, dict({settings})
settings["fullgraph"] = False


def implementation(*args, **options):
    with torch._dynamo.compiled_autograd._enable(lambda graph: torch.compile(graph, **settings)):
        return called(*args, **options)
"""
