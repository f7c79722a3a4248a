"""Strangers' kernels for paged attention, adapted: each is skipped, with the reason, where its package is not there."""

from collections.abc import Sequence

from compiled.adapters.paged_attention import conch, flash_attn, flashinfer, sglang, vllm
from harness import Implementation

IMPLEMENTATIONS: Sequence[Implementation] = (
    *conch.IMPLEMENTATIONS,
    *flash_attn.IMPLEMENTATIONS,
    *flashinfer.IMPLEMENTATIONS,
    *sglang.IMPLEMENTATIONS,
    *vllm.IMPLEMENTATIONS,
)
