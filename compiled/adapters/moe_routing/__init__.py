"""Strangers' routing, adapted to the operator `moe_routing`."""

from collections.abc import Sequence

from compiled.adapters.moe_routing import triton_kernels, vllm
from harness import Implementation

IMPLEMENTATIONS: Sequence[Implementation] = (*triton_kernels.IMPLEMENTATIONS, *vllm.IMPLEMENTATIONS)
