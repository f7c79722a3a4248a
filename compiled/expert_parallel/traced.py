"""The step compiled on a rank: how many rows come and go is known to the data alone, so their sizes are unbacked."""

import functools
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from eagerdiff.compiled.expert_parallel.exchange import exchange_traced
from eagerdiff.compiled.expert_parallel.step import run_step
from eagerdiff.harness.internals.dynamo_backends import lookup_backend
from eagerdiff.harness.internals.dynamo_config import DYNAMO, patched
from eagerdiff.harness.internals.dynamo_marks import mark_unbacked
from eagerdiff.harness.internals.dynamo_metrics import compilations


class _Counting:
    """Count the graphs that a back end is given."""

    def __init__(self, backend: str) -> None:
        self._compile: Callable[..., Any] = lookup_backend(backend)
        self.graphs = 0

    def __call__(self, graph: Any, example_inputs: Any) -> Any:
        self.graphs += 1
        return self._compile(graph, example_inputs)


def run_compiled(backend: str, build: int, *arguments: Any) -> tuple[Tensor, str]:
    """Run this rank's part of a step and return its rows [T_r, H].

    Return with them why the build has not compiled exactly one graph so far, or ''.
    """
    step, counting = _compiled(backend, build)
    rank, experts_per_rank, *tensors = arguments
    for tensor in tensors[:3]:  # a rank's tokens change from call to call, its experts do not
        mark_unbacked(tensor, 0)
    with patched(DYNAMO, {"capture_scalar_outputs": True, "capture_dynamic_output_shape_ops": True}):
        output = step(exchange_traced, rank, experts_per_rank, *tensors)
    return output, "" if counting.graphs == 1 else f"{counting.graphs} graphs: {_last_reason()}"


def _last_reason() -> str:
    metrics = compilations()
    return (metrics[-1].recompile_reason if metrics else None) or "no reason is known"


@functools.lru_cache(maxsize=1)
def _compiled(backend: str, build: int) -> tuple[Callable[..., Tensor], _Counting]:
    """Compile afresh for each build: an earlier one's graph, found again, would hide that this one must compile."""
    torch.compiler.reset()
    counting = _Counting(backend)
    return torch.compile(run_step, backend=counting, fullgraph=True), counting
