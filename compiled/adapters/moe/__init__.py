"""Strangers' experts, adapted to the operator `moe`."""

from collections.abc import Sequence

from compiled.adapters.moe import liger, scattermoe, vllm
from harness import Implementation

IMPLEMENTATIONS: Sequence[Implementation] = (
    *liger.IMPLEMENTATIONS,
    *scattermoe.IMPLEMENTATIONS,
    *vllm.IMPLEMENTATIONS,
)
