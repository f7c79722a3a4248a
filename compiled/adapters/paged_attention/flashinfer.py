"""FlashInfer on CUDA: `BatchPrefillWithPagedKVCacheWrapper`, planned anew for each call."""

import importlib
import math
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from eagerdiff import Implementation, Requirements
from eagerdiff.compiled.adapters.limits import first
from eagerdiff.compiled.adapters.paged_attention.requests import impossible
from eagerdiff.compiled.adapters.paged_attention.tensors import flat_masks, nothing_seen
from eagerdiff.strategies.cases.paged_attention import PagedAttentionCase

WORKSPACE = 128 << 20
"""Bytes of scratch, as FlashInfer recommends."""


def adapt(module: Any) -> Callable[..., Any]:
    """Return attention by FlashInfer's paged prefill, which takes decode as prefill of one query."""
    wrappers: list[Any] = []  # one, made at the first call: it belongs to that call's device

    def paged_attention(
        query: Tensor, key_cache: Tensor, value_cache: Tensor, block_table: Tensor, context_lens: Tensor,
        query_start: Tensor, *, scale: float, causal: bool = True, window: int | None = None,
        soft_cap: float | None = None, key_scale: Tensor | None = None, value_scale: Tensor | None = None,
        tree_mask: Tensor | None = None, num_splits: int = 0, output: Tensor | None = None,
    ) -> tuple[Tensor, Tensor]:  # fmt: skip
        if not wrappers:
            workspace = torch.zeros(WORKSPACE, dtype=torch.uint8, device=query.device)
            wrappers.append(module.BatchPrefillWithPagedKVCacheWrapper(workspace, "NHD", backend="fa2"))
        block_size = key_cache.shape[1]
        pages = (context_lens + block_size - 1) // block_size
        used = torch.arange(block_table.shape[1], device=block_table.device) < pages[:, None]
        bounds = torch.nn.functional.pad(pages.cumsum(0), (1, 0)).int()
        wrappers[0].plan(
            query_start, bounds, block_table[used], context_lens - (pages - 1) * block_size, query.shape[1],
            key_cache.shape[2], query.shape[2], block_size, head_dim_vo=value_cache.shape[3],
            custom_mask=None if tree_mask is None else _as_mask(tree_mask, query_start, context_lens), causal=causal,
            sm_scale=scale, window_left=-1 if window is None else window - 1, logits_soft_cap=soft_cap,
            q_data_type=query.dtype, kv_data_type=key_cache.dtype, o_data_type=query.dtype,
        )  # fmt: skip
        rows = int(query_start[-1])
        found, lse = wrappers[0].run(
            query[:rows], (key_cache, value_cache), k_scale=_number(key_scale), v_scale=_number(value_scale),
            return_lse=True,
        )  # fmt: skip
        out, natural = nothing_seen(query, value_cache.shape[3], output)
        out[:rows] = found
        natural[:rows] = lse * math.log(2)  # FlashInfer's is of base 2
        return out, natural

    return paged_attention


def _number(scale: Tensor | None) -> float | None:
    return None if scale is None else float(scale)


def _as_mask(tree_mask: Tensor, query_start: Tensor, context_lens: Tensor) -> Tensor:
    """Return the requests' masks one after another."""
    return torch.cat(flat_masks(tree_mask, query_start.diff().tolist(), context_lens.tolist()))


def supports(case: PagedAttentionCase) -> str | None:
    """Return why FlashInfer's own kernels (`fa2`) do not take a case."""
    return first(
        {
            **impossible(case),
            "float16 and bfloat16 alone": case.dtype not in ("float16", "bfloat16"),
            "heads of other than 64, 128 or 256 columns": case.head_dim not in (64, 128, 256),
            "values of another width than keys": case.values != case.head_dim,
            "no sinks, and ALiBi with slopes of its own": case.alibi or case.sinks,
            "scales by head": case.scales == "head",
            "scales of a cache that is not quantised": case.scales != "none" and case.cache_dtype == "as_query",
            "a request without keys has no last page": 0 in case.context_lens,
            "keys and values of unequal strides": case.cache_layout == "padded_head",
            "a tree's mask takes the place of a window": case.tree and case.windowed,
        }
    )


IMPLEMENTATIONS: Sequence[Implementation[PagedAttentionCase]] = (
    Implementation(
        operator="paged_attention",
        name="flashinfer.paged",
        build=lambda case: adapt(importlib.import_module("flashinfer")),
        supports=supports,
        devices=("cuda",),
        requires=Requirements(packages=("flashinfer",), compute_capability=(8, 0)),
        description="FlashInfer's paged prefill",
    ),
)
