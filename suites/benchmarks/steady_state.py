"""Steady-state time of every implementation on the fixed workloads, and by the machine's roofline. More is worse."""

from collections.abc import Callable
from typing import Any

from torch import Tensor
from torch.utils import _pytree as pytree

from eagerdiff import Inputs, Operator, execute, measure_roofline, parse_device, timing_of

from .subjects import Subject, device
from .suite import PerWorkload, of_plug_ins

_COPIES = 3
"""Rotating sets of inputs: no call finds its own inputs in the cache."""
_UNCACHED = 1 << 30
"""Bytes of inputs that no cache holds: one set is enough, and memory may have room for no more."""


class _SteadyState(PerWorkload):
    """Time the calls of a workload after every shape was compiled and judged right."""

    def track_microseconds(self, *_: Any) -> float:
        """Metric one pass over the workload, warm: CUDA events on a cold L2, or batches under perf_counter."""
        return 1e6 * seconds(self.subject)

    track_microseconds.unit = "us"  # type: ignore[attr-defined]

    def track_times_the_roofline(self, *_: Any) -> float:
        """Metric the time by the least that the roofline allows: copies and matmuls measured in the same process."""
        cost = self.subject.operator.cost
        if cost is None:
            raise NotImplementedError("the operator gives no cost")
        import torch

        cases = self.subject.workload.cases
        roofline = measure_roofline(device(), getattr(torch, getattr(cases[0], "dtype", "float32")))
        return seconds(self.subject) / sum(roofline.seconds(cost(case)) for case in cases)

    track_times_the_roofline.unit = "times"  # type: ignore[attr-defined]


def seconds(chosen: Subject) -> float:
    """Return the seconds of one warm pass over a workload; raise RuntimeError where an answer is wrong."""
    on = parse_device(device())
    on.activate()
    failure = execute(chosen.operator, chosen.implementation, chosen.workload, on).first_failure
    if failure is not None:
        raise RuntimeError(f"not timed, the answer is wrong: {failure.describe()}")
    cases = chosen.workload.cases
    call = chosen.implementation.build(cases[0])
    return sum(
        timing_of(_calls(call, chosen.operator, case, on.torch_device), on.torch_device).median for case in cases
    )


def _calls(call: Callable[..., Any], operator: Operator, case: Any, on: str) -> list[Callable[[], Any]]:
    """Return calls on sets of inputs that are equal and lie apart."""
    first = operator.inputs(case, on)
    copies = 1 if _bytes(first) >= _UNCACHED else _COPIES
    return [inputs.bound(call) for inputs in (first, *(operator.inputs(case, on) for _ in range(copies - 1)))]


def _bytes(inputs: Inputs) -> int:
    return sum(leaf.nbytes for leaf in pytree.tree_leaves((inputs.args, inputs.options)) if isinstance(leaf, Tensor))


class SteadyStateSymbolic(_SteadyState, operator="symbolic"):
    """Programs with dynamic shapes, under torch.compile."""


class SteadyStatePagedAttention(_SteadyState, operator="paged_attention"):
    """Attention over a paged cache."""


class SteadyStateCascadeMerge(_SteadyState, operator="cascade_merge"):
    """Merges of partial attention."""


class SteadyStateCacheWrite(_SteadyState, operator="cache_write"):
    """Writes to a paged cache."""


class SteadyStateBlockCopy(_SteadyState, operator="block_copy"):
    """Copies between blocks of a cache."""


class SteadyStateKvCache(_SteadyState, operator="kv_cache"):
    """Serving traces over a KV cache."""


class SteadyStateMoe(_SteadyState, operator="moe"):
    """Mixtures of experts."""


class SteadyStateMoeRouting(_SteadyState, operator="moe_routing"):
    """Routing of tokens to experts."""


class SteadyStateMoeGradients(_SteadyState, operator="moe_gradients"):
    """Mixtures of experts, forward and backward."""


class SteadyStateMoePermute(_SteadyState, operator="moe_permute"):
    """Permutations of tokens by expert."""


class SteadyStateExpertParallel(_SteadyState, operator="expert_parallel"):
    """Experts spread over ranks."""


class SteadyStateDecoder(_SteadyState, operator="decoder"):
    """Serving traces of a small decoder."""


globals().update(of_plug_ins(_SteadyState))
