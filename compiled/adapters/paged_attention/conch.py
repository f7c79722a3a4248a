"""conch's Triton attention, as of conch 1.3: decode with split contexts, and queries of any length.

Installed (`conch-triton-kernels`), or of a source tree: `EAGERDIFF_CONCH`, the folder that holds `conch/`.
"""

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor

from eagerdiff import Implementation, Requirements, SourceTree
from eagerdiff.compiled.adapters.limits import first
from eagerdiff.compiled.adapters.paged_attention.requests import impossible
from eagerdiff.compiled.adapters.paged_attention.tensors import uninitialised
from eagerdiff.strategies.cases.paged_attention import PagedAttentionCase

_PLATFORM = SimpleNamespace(
    get_device_name=lambda: torch.cuda.get_device_name() if torch.cuda.is_available() else "none",
    is_amd=lambda: torch.version.hip is not None,
)


def _tree(operation: str) -> SourceTree:
    return SourceTree(
        package="conch",
        variable="EAGERDIFF_CONCH",
        modules=(f"conch.ops.attention.{operation}",),
        stand_ins={"conch.platforms": {"current_platform": _PLATFORM}},
    )


PAGED, VARLEN = _tree("paged_attention"), _tree("varlen_attention")


def adapt_paged(module: Any) -> Callable[..., Any]:
    """Return decode by conch's `paged_attention`, which gives no log-sum-exp."""

    def paged_attention(
        query: Tensor, key_cache: Tensor, value_cache: Tensor, block_table: Tensor, context_lens: Tensor,
        query_start: Tensor, *, scale: float, causal: bool = True, window: int | None = None,
        soft_cap: float | None = None, num_splits: int = 0, output: Tensor | None = None, **scales: Tensor,
    ) -> tuple[Tensor, None]:  # fmt: skip
        out, rows = uninitialised(query, query_start, output)
        module.paged_attention(
            query=query[:rows], key_cache=_as_bytes(key_cache), value_cache=_as_bytes(value_cache),
            block_table=block_table, seq_lens=context_lens, output=out[:rows], scale=scale, softcap=soft_cap or 0.0,
            **_quantised(key_cache, scales),
        )  # fmt: skip
        return out, None

    return paged_attention


def adapt_varlen(module: Any) -> Callable[..., Any]:
    """Return attention by conch's `varlen_attention`, which gives no log-sum-exp."""

    def paged_attention(
        query: Tensor, key_cache: Tensor, value_cache: Tensor, block_table: Tensor, context_lens: Tensor,
        query_start: Tensor, *, scale: float, causal: bool = True, window: int | None = None,
        soft_cap: float | None = None, num_splits: int = 0, output: Tensor | None = None, **scales: Tensor,
    ) -> tuple[Tensor, None]:  # fmt: skip
        out, rows = uninitialised(query, query_start, output)
        quantised = _quantised(key_cache, scales)
        if quantised:
            quantised["q_scale"] = torch.ones(1, device=query.device)
        module.varlen_attention(
            query=query[:rows], key_cache=key_cache, value_cache=value_cache, cu_seqlens_q=query_start,
            max_seqlen_q=int(query_start.diff().max()), seq_lens=context_lens, max_seqlen_k=int(context_lens.max()),
            block_table=block_table, output=out[:rows], causal=causal, scale=scale, softcap=soft_cap or 0.0,
            **quantised,
        )  # fmt: skip
        return out, None

    return paged_attention


def _as_bytes(cache: Tensor) -> Tensor:
    return cache.view(torch.uint8) if cache.dtype.itemsize == 1 else cache


def _quantised(cache: Tensor, scales: dict[str, Tensor]) -> dict[str, Any]:
    """Return what the operations take for an fp8 cache; nothing for another."""
    if cache.dtype.itemsize != 1:
        return {}
    one = torch.ones(1, device=cache.device)
    given = {f"{name[0]}_scale": scales.get(name, one).reshape(1) for name in ("key_scale", "value_scale")}
    return {"kv_cache_dtype": "fp8", **given}


def _supports(case: PagedAttentionCase) -> str | None:
    """Return why neither operation takes a case."""
    return first(
        {
            **impossible(case),
            "float32 is multiplied as TF32": case.dtype == "float32",
            "heads of fewer than 16 columns, the least that tl.dot takes": case.head_dim < 16,
            "blocks of other than a power of two of slots, 16 or more": case.block_size not in (16, 32, 64, 128, 256),
            "values of another width than keys": case.values != case.head_dim,
            "an fp8 cache other than e4m3": case.cache_dtype == "float8_e5m2",
            "scales by head": case.scales == "head",
            "scales of a cache that is not quantised": case.scales != "none" and case.cache_dtype == "as_query",
            "keys and values of unequal strides": case.cache_layout == "padded_head",
            "no windows, ALiBi, sinks or trees": case.windowed or case.alibi or case.sinks or case.tree,
        }
    )


def _supports_paged(case: PagedAttentionCase) -> str | None:
    return _supports(case) or first({"decode alone: one query a request": set(case.query_lens) != {1}})


IMPLEMENTATIONS: Sequence[Implementation[PagedAttentionCase]] = (
    Implementation(
        operator="paged_attention",
        name="conch.paged",
        build=lambda case: adapt_paged(PAGED.load()),
        supports=_supports_paged,
        requires=Requirements(source_tree=PAGED),
        omits=("[1]",),
        description="conch's Triton attention, decode",
    ),
    Implementation(
        operator="paged_attention",
        name="conch.varlen",
        build=lambda case: adapt_varlen(VARLEN.load()),
        supports=_supports,
        requires=Requirements(source_tree=VARLEN),
        omits=("[1]",),
        description="conch's Triton attention, queries of any length",
    ),
)
