"""Strangers' kernels for paged attention, adapted: each is skipped, with the reason, where its package is not there."""

from collections.abc import Sequence

from compiled.adapters import conch, sglang, vllm
from harness import Implementation

IMPLEMENTATIONS: Sequence[Implementation] = (*vllm.IMPLEMENTATIONS, *conch.IMPLEMENTATIONS, *sglang.IMPLEMENTATIONS)
