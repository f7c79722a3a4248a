"""Strangers' experts, adapted to the operator `moe`."""

from collections.abc import Sequence

from compiled.adapters.moe import vllm
from harness import Implementation

IMPLEMENTATIONS: Sequence[Implementation] = (*vllm.IMPLEMENTATIONS,)
