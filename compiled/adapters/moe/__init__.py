"""Strangers' experts, adapted to the operator `moe`."""

from collections.abc import Sequence

from compiled.adapters.moe import liger, megablocks, scattermoe, vllm
from harness import Implementation

IMPLEMENTATIONS: Sequence[Implementation] = (
    *liger.IMPLEMENTATIONS,
    *megablocks.IMPLEMENTATIONS,
    *scattermoe.IMPLEMENTATIONS,
    *vllm.IMPLEMENTATIONS,
)
