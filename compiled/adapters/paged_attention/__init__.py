"""Third parties' paged attention, adapted: each is skipped, with the reason, where its package is not there."""

from collections.abc import Sequence

from eagerdiff import Implementation
from eagerdiff.compiled.adapters.paged_attention import conch, flash_attn, flashinfer, sglang, vllm
from eagerdiff.strategies.cases.paged_attention import PagedAttentionCase

IMPLEMENTATIONS: Sequence[Implementation[PagedAttentionCase]] = (
    *conch.IMPLEMENTATIONS,
    *flash_attn.IMPLEMENTATIONS,
    *flashinfer.IMPLEMENTATIONS,
    *sglang.IMPLEMENTATIONS,
    *vllm.IMPLEMENTATIONS,
)
