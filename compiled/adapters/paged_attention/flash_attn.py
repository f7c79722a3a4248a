"""flash-attn on CUDA: version 2's `flash_attn_varlen_func` and version 3's `flash_attn_with_kvcache` (Hopper)."""

import importlib
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from eagerdiff import Implementation, Requirements
from eagerdiff.compiled.adapters.limits import first
from eagerdiff.compiled.adapters.paged_attention.requests import impossible
from eagerdiff.compiled.adapters.paged_attention.tensors import nothing_seen
from eagerdiff.strategies.cases.paged_attention import PagedAttentionCase


def adapt_two(module: Any) -> Callable[..., Any]:
    """Return attention by `flash_attn.flash_attn_varlen_func` over a block table."""

    def paged_attention(
        query: Tensor, key_cache: Tensor, value_cache: Tensor, block_table: Tensor, context_lens: Tensor,
        query_start: Tensor, *, scale: float, causal: bool = True, window: int | None = None,
        soft_cap: float | None = None, alibi_slopes: Tensor | None = None, num_splits: int = 0,
        output: Tensor | None = None,
    ) -> tuple[Tensor, Tensor]:  # fmt: skip
        rows = int(query_start[-1])
        found, lse, _ = module.flash_attn_varlen_func(
            query[:rows], key_cache, value_cache, query_start, _bounds(context_lens), int(query_start.diff().max()),
            int(context_lens.max()), softmax_scale=scale, causal=causal, window_size=_sides(window, causal),
            softcap=soft_cap or 0.0, alibi_slopes=alibi_slopes, return_attn_probs=True, block_table=block_table,
        )  # fmt: skip
        return _with_padding(query, found, lse, output)

    return paged_attention


def adapt_three(module: Any) -> Callable[..., Any]:
    """Return attention by `flash_attn_interface.flash_attn_with_kvcache` over a page table."""

    def paged_attention(
        query: Tensor, key_cache: Tensor, value_cache: Tensor, block_table: Tensor, context_lens: Tensor,
        query_start: Tensor, *, scale: float, causal: bool = True, window: int | None = None,
        soft_cap: float | None = None, num_splits: int = 0, output: Tensor | None = None,
    ) -> tuple[Tensor, Tensor]:  # fmt: skip
        found, lse, *_ = module.flash_attn_with_kvcache(
            query[: int(query_start[-1])], key_cache, value_cache, cache_seqlens=context_lens, page_table=block_table,
            cu_seqlens_q=query_start, max_seqlen_q=int(query_start.diff().max()), softmax_scale=scale, causal=causal,
            window_size=_sides(window, causal), softcap=soft_cap or 0.0, num_splits=num_splits,
            return_softmax_lse=True,
        )  # fmt: skip
        return _with_padding(query, found, lse, output)

    return paged_attention


def _bounds(lengths: Tensor) -> Tensor:
    return torch.nn.functional.pad(lengths.cumsum(0), (1, 0)).int()


def _sides(window: int | None, causal: bool) -> tuple[int, int]:
    """Return how many keys before and after its own a query sees; -1 is all."""
    return -1 if window is None else window - 1, 0 if causal else -1


def _with_padding(query: Tensor, found: Tensor, lse_HT: Tensor, output: Tensor | None) -> tuple[Tensor, Tensor]:
    """Return the output and the log-sum-exp [T, H]; rows that belong to nobody give zeros and -inf."""
    out, lse = nothing_seen(query, found.shape[-1], output)
    out[: len(found)] = found
    lse[: len(found)] = lse_HT.T
    return out, lse


def _supports(case: PagedAttentionCase) -> str | None:
    return first(
        {
            **impossible(case),
            "float16 and bfloat16 alone": case.dtype not in ("float16", "bfloat16"),
            "queries and cache of one dtype": case.cache_dtype != "as_query",
            "no scales, sinks or trees": case.scales != "none" or case.sinks or case.tree,
            "values of another width than keys": case.values != case.head_dim,
            "heads of other than a multiple of 8 columns, 256 at most": case.head_dim % 8 or case.head_dim > 256,
        }
    )


def _supports_two(case: PagedAttentionCase) -> str | None:
    return _supports(case) or first(
        {
            "blocks of other than a multiple of 256 slots": case.block_size % 256,
            "its ALiBi counts keys ahead of a query as if they were behind": case.alibi and not case.causal,
        }
    )


def _supports_three(case: PagedAttentionCase) -> str | None:
    return _supports(case) or first({"no ALiBi": case.alibi})


IMPLEMENTATIONS: Sequence[Implementation[PagedAttentionCase]] = (
    Implementation(
        operator="paged_attention",
        name="flash_attn.varlen",
        build=lambda case: adapt_two(importlib.import_module("flash_attn")),
        supports=_supports_two,
        devices=("cuda",),
        requires=Requirements(packages=("flash_attn",), compute_capability=(8, 0)),
        description="flash-attn 2",
    ),
    Implementation(
        operator="paged_attention",
        name="flash_attn_3.kvcache",
        build=lambda case: adapt_three(importlib.import_module("flash_attn_interface")),
        supports=_supports_three,
        devices=("cuda",),
        requires=Requirements(packages=("flash_attn_interface",), compute_capability=(9, 0)),
        description="flash-attn 3",
    ),
)
