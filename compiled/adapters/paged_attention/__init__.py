"""Third parties' paged attention, adapted: each is skipped, with the reason, where its package is not there."""

from collections.abc import Sequence

from eagerdiff import Implementation
from eagerdiff.compiled.adapters.paged_attention import conch, flash_attn, flashinfer, sglang, vllm

IMPLEMENTATIONS: Sequence[Implementation] = (
    *conch.IMPLEMENTATIONS,
    *flash_attn.IMPLEMENTATIONS,
    *flashinfer.IMPLEMENTATIONS,
    *sglang.IMPLEMENTATIONS,
    *vllm.IMPLEMENTATIONS,
)
