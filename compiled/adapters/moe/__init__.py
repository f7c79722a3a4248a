"""Third parties' experts, adapted to the operator `moe`."""

from collections.abc import Sequence

from eagerdiff import Implementation
from eagerdiff.compiled.adapters.moe import deep_gemm, liger, megablocks, scattermoe, vllm
from eagerdiff.strategies.cases.moe import MoeCase

IMPLEMENTATIONS: Sequence[Implementation[MoeCase]] = (
    *deep_gemm.IMPLEMENTATIONS,
    *liger.IMPLEMENTATIONS,
    *megablocks.IMPLEMENTATIONS,
    *scattermoe.IMPLEMENTATIONS,
    *vllm.IMPLEMENTATIONS,
)
