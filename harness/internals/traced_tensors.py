"""Tensors that tracing makes in place of real ones: where one comes out of a call, tracing left it behind."""

import torch

from eagerdiff.harness.internals.hook import Hook

_WHY = "tells a tensor that has no values of its own"
HOOKS = {
    "wrapped": Hook("torch", "torch._C._functorch:is_functorch_wrapped_tensor", _WHY, since="2.1"),
}
_STAND_INS = "torch._subclasses"
"""The package of fake and functional tensors."""


def traced_kind(tensor: torch.Tensor) -> str:
    """Return what a tensor is that stands in for another while it is traced; empty for one of its own."""
    kind = type(tensor)
    if kind.__module__.startswith(_STAND_INS):
        return kind.__name__
    return "tensor of torch.func" if HOOKS["wrapped"].reach()(tensor) else ""
