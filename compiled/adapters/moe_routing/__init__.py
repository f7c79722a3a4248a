"""Third parties' routing, adapted to the operator `moe_routing`."""

from collections.abc import Sequence

from eagerdiff import Implementation
from eagerdiff.compiled.adapters.moe_routing import triton_kernels, vllm
from eagerdiff.strategies.cases.moe_routing import MoeRoutingCase

IMPLEMENTATIONS: Sequence[Implementation[MoeRoutingCase]] = (*triton_kernels.IMPLEMENTATIONS, *vllm.IMPLEMENTATIONS)
