"""Strangers' experts, adapted to the operator `moe`."""

from collections.abc import Sequence

from compiled.adapters.moe import deep_gemm, liger, megablocks, scattermoe, vllm
from harness import Implementation

IMPLEMENTATIONS: Sequence[Implementation] = (
    *deep_gemm.IMPLEMENTATIONS,
    *liger.IMPLEMENTATIONS,
    *megablocks.IMPLEMENTATIONS,
    *scattermoe.IMPLEMENTATIONS,
    *vllm.IMPLEMENTATIONS,
)
