"""vLLM's Triton attention for decode and prefill alike, as of vLLM 0.33: one pass, or a context in segments.

Installed, or of a source tree: `EAGERDIFF_VLLM`, the folder that holds `vllm/`.
"""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from eagerdiff import Implementation, Requirements
from eagerdiff.compiled.adapters.limits import first
from eagerdiff.compiled.adapters.paged_attention.requests import impossible
from eagerdiff.compiled.adapters.paged_attention.tensors import uninitialised
from eagerdiff.compiled.adapters.vllm import source_tree
from eagerdiff.strategies.cases.paged_attention import PagedAttentionCase

SEGMENTS = 16
"""Segments of a context where the caller leaves their number open, as vLLM's own backend has it."""
_ALIGNED = 128
"""Keys of which vLLM makes a block table's row a multiple: the kernel reads entries a tile at a time."""


TREE = source_tree("vllm.v1.attention.ops.triton_unified_attention")


def adapt(module: Any, segmented: bool) -> Callable[..., Any]:
    """Return paged attention by vLLM's `unified_attention`, which gives no log-sum-exp."""

    def paged_attention(
        query: Tensor, key_cache: Tensor, value_cache: Tensor, block_table: Tensor, context_lens: Tensor,
        query_start: Tensor, *, scale: float, causal: bool = True, window: int | None = None,
        soft_cap: float | None = None, alibi_slopes: Tensor | None = None, sinks: Tensor | None = None,
        key_scale: Tensor | None = None, value_scale: Tensor | None = None, tree_mask: Tensor | None = None,
        num_splits: int = 0, output: Tensor | None = None,
    ) -> tuple[Tensor, None]:  # fmt: skip
        out, rows = uninitialised(query, query_start, output)  # vLLM leaves the padding of a batch as it is
        one = query.new_ones(1, dtype=torch.float32)
        quantised = key_cache.dtype.itemsize == 1
        module.unified_attention(
            q=query[:rows], k=key_cache, v=value_cache, out=out[:rows],
            cu_seqlens_q=query_start, max_seqlen_q=int(query_start.diff().max()),
            seqused_k=context_lens, max_seqlen_k=int(context_lens.max()),
            softmax_scale=scale, causal=causal, window_size=(-1 if window is None else window - 1, -1),
            block_table=_widen(block_table, key_cache.shape[1]), softcap=soft_cap or 0.0, q_descale=None,
            k_descale=one if key_scale is None else key_scale, v_descale=one if value_scale is None else value_scale,
            alibi_slopes=alibi_slopes, sinks=sinks, qq_bias=None if tree_mask is None else _as_bias(tree_mask[:rows]),
            kv_quant_mode=module.KVQuantMode.FP8_PER_TENSOR if quantised else module.KVQuantMode.NONE,
            **(_scratch(query[:rows], num_splits) if segmented else {}),
        )  # fmt: skip
        return out, None

    return paged_attention


def _widen(table: Tensor, block_size: int) -> Tensor:
    """Lay a block table out as vLLM does, with rows of a multiple of 128 keys."""
    columns = _ALIGNED // block_size or 1
    return torch.nn.functional.pad(table, (0, -table.shape[1] % columns), value=-1)


def _as_bias(tree_mask: Tensor) -> Tensor:
    """Return the bias [Q, Q] that is -inf where a query does not see another."""
    return torch.zeros(tree_mask.shape, device=tree_mask.device).masked_fill(~tree_mask, float("-inf"))


def _scratch(query: Tensor, num_splits: int) -> dict[str, Any]:
    """Return what makes the kernel split contexts: a threshold that no batch reaches, and room for the parts."""
    tokens, heads, head_dim = query.shape
    segments, padded = _power(num_splits or SEGMENTS), _power(head_dim)
    shape = (tokens, heads, segments)
    return {
        "seq_threshold_3D": tokens,
        "num_par_softmax_segments": segments,
        "softmax_segm_output": query.new_empty((*shape, padded), dtype=torch.float32),
        "softmax_segm_max": query.new_empty(shape, dtype=torch.float32),
        "softmax_segm_expsum": query.new_empty(shape, dtype=torch.float32),
    }


def _power(size: int) -> int:
    """Return the least power of two that holds a size."""
    return 1 << (size - 1).bit_length()


def supports(case: PagedAttentionCase) -> str | None:
    """Return why the kernel does not take a case: what vLLM's backend refuses, and what its masks mean otherwise."""
    quantised = case.cache_dtype != "as_query"
    return first(
        {
            **impossible(case),
            "float32 is multiplied as TF32": case.dtype == "float32",
            "heads of fewer than 32 columns": case.head_dim < 32,
            "blocks of other than a multiple of 16 slots": case.block_size % 16,
            "values of another width than keys": case.values != case.head_dim,
            "scales by head": case.scales == "head",
            "scales of a cache that is not quantised": case.scales != "none" and not quantised,
            "a window without causality looks ahead, too": case.windowed and not case.causal,
            "ALiBi is counted from a request's first query, which a sink would notice": case.alibi and case.sinks,
            "one tree for all requests": case.tree and len(case.context_lens) > 1,
        }
    )


IMPLEMENTATIONS: Sequence[Implementation[PagedAttentionCase]] = tuple(
    Implementation(
        operator="paged_attention",
        name=name,
        build=lambda case, segmented=segmented: adapt(TREE.load(), segmented),
        supports=supports,
        requires=Requirements(source_tree=TREE),
        omits=("[1]",),
        description=f"vLLM's Triton attention, {how}",
    )
    for name, segmented, how in (
        ("vllm.unified", False, "one pass"),
        ("vllm.unified_segments", True, "decode in segments"),
    )
)
