"""SGLang's Triton attention, as of SGLang 0.5.23: decode in splits, prefill after a prefix, and both in one pass.

Installed, or of a source tree: `EAGERDIFF_SGLANG`, the folder that holds `sglang/` (`python` in a checkout).
"""

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor

from eagerdiff import Implementation, Requirements, SourceTree
from eagerdiff.compiled.adapters.limits import first
from eagerdiff.compiled.adapters.paged_attention.requests import impossible
from eagerdiff.compiled.adapters.paged_attention.tensors import flat_masks, nothing_seen
from eagerdiff.strategies.cases.paged_attention import PagedAttentionCase

SPLITS = 8
"""Splits of a context where the caller leaves their number open, as SGLang has it."""


def _tree(kind: str) -> SourceTree:
    return SourceTree(
        package="sglang",
        variable="EAGERDIFF_SGLANG",
        modules=(f"sglang.kernels.ops.attention.{kind}", f"sglang.srt.layers.attention.triton_ops.{kind}"),
        stand_ins={
            "sglang.srt.environ": {"envs": SimpleNamespace()},
            "sglang.srt.utils": {
                "is_cuda": torch.cuda.is_available,
                "is_hip": lambda: torch.version.hip is not None,
                "is_gfx95_supported": lambda: False,
                "is_gfx1250_supported": lambda: False,
                "get_device_core_count": lambda device=0: (
                    torch.cuda.get_device_properties(device).multi_processor_count
                ),
            },
        },
    )


DECODE, EXTEND = _tree("decode_attention"), _tree("extend_attention")


def adapt_decode(module: Any) -> Callable[..., Any]:
    """Return decode by SGLang's `decode_attention_fwd`; its splits' log-sum-exps are merged as SGLang merges them."""

    def paged_attention(
        query: Tensor, key_cache: Tensor, value_cache: Tensor, block_table: Tensor, context_lens: Tensor,
        query_start: Tensor, *, scale: float, causal: bool = True, window: int | None = None,
        soft_cap: float | None = None, sinks: Tensor | None = None, num_splits: int = 0, output: Tensor | None = None,
    ) -> tuple[Tensor, Tensor]:  # fmt: skip
        out, lse = nothing_seen(query, value_cache.shape[-1], output)
        batch, heads, splits = len(context_lens), query.shape[1], num_splits or SPLITS
        ends = context_lens.tolist()
        starts = [0 if window is None else max(0, end - window) for end in ends]
        parts = lse.new_full((batch, heads, splits), float("-inf"))
        latent = key_cache.data_ptr() == value_cache.data_ptr() and key_cache.shape[-1] in (576, 288)
        module.decode_attention_fwd(
            query[:batch], _as_slots(key_cache), _as_slots(value_cache), out[:batch], _bounds(starts, ends, query),
            _find_slots(block_table, key_cache.shape[1], starts, ends),
            lse.new_empty((batch, heads, splits, value_cache.shape[-1])), parts,
            torch.full((batch,), splits, dtype=torch.int32, device=query.device), splits, scale, 1.0, 1.0,
            logit_cap=soft_cap or 0.0, sinks=sinks, has_mla=latent,
        )  # fmt: skip
        lse[:batch] = parts.logsumexp(-1)
        if sinks is not None:
            lse[:batch] = lse[:batch].logaddexp(sinks)
        return out, lse

    return paged_attention


def adapt_extend(module: Any, unified: bool) -> Callable[..., Any]:
    """Return attention by `extend_attention_fwd`, or by its one-pass form, which gives no log-sum-exp."""

    def paged_attention(
        query: Tensor, key_cache: Tensor, value_cache: Tensor, block_table: Tensor, context_lens: Tensor,
        query_start: Tensor, *, scale: float, causal: bool = True, window: int | None = None,
        soft_cap: float | None = None, sinks: Tensor | None = None, tree_mask: Tensor | None = None,
        num_splits: int = 0, output: Tensor | None = None,
    ) -> tuple[Tensor, Tensor | None]:  # fmt: skip
        out, lse = nothing_seen(query, value_cache.shape[-1], output)
        counts, ends, block_size = query_start.diff().tolist(), context_lens.tolist(), key_cache.shape[1]
        firsts = [end - count for end, count in zip(ends, counts, strict=True)]
        # A window's prefix is what the first query sees of it; SGLang's size leaves the query's own key out.
        starts = [0 if window is None else max(0, number - window + 1) for number in firsts]
        rows, keys, values = sum(counts), _as_slots(key_cache), _as_slots(value_cache)
        mask, mask_bounds = (None, None) if tree_mask is None else _as_masks(tree_mask, counts, starts, ends)
        named: dict[str, Any] = {
            "custom_mask": mask, "mask_indptr": mask_bounds, "max_len_extend": max(counts), "k_scale": 1.0,
            "v_scale": 1.0, "sm_scale": scale, "logit_cap": soft_cap or 0.0, "is_causal": causal, "sinks": sinks,
            "sliding_window_size": -1 if window is None else window - 1, "qo_indptr": query_start,
        }  # fmt: skip
        if unified:
            module.extend_attention_fwd_unified(
                query[:rows], out[:rows], keys, values, kv_indptr=_bounds(starts, ends, query),
                kv_indices=_find_slots(block_table, block_size, starts, ends),
                prefix_lens=_int32([f - s for f, s in zip(firsts, starts, strict=True)], query), **named,
            )  # fmt: skip
            return out, None
        own = _find_slots(block_table, block_size, firsts, ends)
        module.extend_attention_fwd(
            query[:rows], keys[own], values[own], out[:rows], keys, values, kv_indptr=_bounds(starts, firsts, query),
            kv_indices=_find_slots(block_table, block_size, starts, firsts), lse_extend=lse,
            window_kv_offsets=_int32([0] * len(ends), query), **named,
        )  # fmt: skip
        return out, lse

    return paged_attention


def _as_slots(cache: Tensor) -> Tensor:
    """Return a cache as SGLang has it, [slots, num_kv_heads, D]."""
    return cache.view(-1, *cache.shape[2:])


def _find_slots(table: Tensor, block_size: int, starts: Sequence[int], ends: Sequence[int]) -> Tensor:
    """List the slots of the keys from `starts` to `ends` of each request, one after another."""
    rows = [torch.arange(start, end, device=table.device) for start, end in zip(starts, ends, strict=True)]
    found = [row[at // block_size] * block_size + at % block_size for row, at in zip(table, rows, strict=True)]
    return torch.cat(found).long()


def _bounds(starts: Sequence[int], ends: Sequence[int], like: Tensor) -> Tensor:
    lengths = [end - start for start, end in zip(starts, ends, strict=True)]
    return _int32([0, *lengths], like).cumsum(0).int()


def _int32(values: Sequence[int], like: Tensor) -> Tensor:
    return torch.tensor(values, dtype=torch.int32, device=like.device)


def _as_masks(tree: Tensor, counts: Sequence[int], starts: Sequence[int], ends: Sequence[int]) -> tuple[Tensor, Tensor]:
    """Return the requests' masks one after another, and where each begins."""
    masks = flat_masks(tree, counts, [end - start for start, end in zip(starts, ends, strict=True)])
    return torch.cat(masks).to(torch.uint8), _int32([0, *map(len, masks)], tree).cumsum(0)


def _supports(case: PagedAttentionCase) -> str | None:
    """Return why none of the kernels takes a case."""
    return first(
        {
            **impossible(case),
            "float32 is multiplied as TF32": case.dtype == "float32",
            "queries are rounded to the dtype of an fp8 cache": case.cache_dtype != "as_query",
            "scales of a cache that is not quantised": case.scales != "none",
            "rows of fewer than 16 columns, the least that tl.dot takes": min(case.head_dim, case.values) < 16,
            "slots that are not evenly spaced": case.cache_layout not in ("nhd", "padded_head", "latent"),
            "no ALiBi": case.alibi,
            "a window without causality looks ahead, too": case.windowed and not case.causal,
        }
    )


def _supports_decode(case: PagedAttentionCase) -> str | None:
    limits = {"decode alone: one query a request": set(case.query_lens) != {1}, "no trees": case.tree}
    return _supports(case) or first(limits)


def _supports_extend(case: PagedAttentionCase) -> str | None:
    return _supports(case) or first({"a window of one key is no window": case.windowed and case.window == 1})


IMPLEMENTATIONS: Sequence[Implementation[PagedAttentionCase]] = (
    Implementation(
        operator="paged_attention",
        name="sglang.decode",
        build=lambda case: adapt_decode(DECODE.load()),
        supports=_supports_decode,
        requires=Requirements(source_tree=DECODE),
        description="SGLang's Triton attention, decode in splits",
    ),
    Implementation(
        operator="paged_attention",
        name="sglang.extend",
        build=lambda case: adapt_extend(EXTEND.load(), unified=False),
        supports=_supports_extend,
        requires=Requirements(source_tree=EXTEND),
        description="SGLang's Triton attention, prefill: a cached prefix, then the queries' own keys",
    ),
    Implementation(
        operator="paged_attention",
        name="sglang.extend_unified",
        build=lambda case: adapt_extend(EXTEND.load(), unified=True),
        supports=_supports_extend,
        requires=Requirements(source_tree=EXTEND),
        omits=("[1]",),
        description="SGLang's Triton attention, prefill in one pass",
    ),
)
