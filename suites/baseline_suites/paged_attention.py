"""Grids of paged attention that vLLM and FlashInfer publish."""

import dataclasses
import functools
import random
from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from eagerdiff import Allclose, BaselineSuite, Inputs
from eagerdiff.strategies import paged_attention as strategies
from eagerdiff.strategies.cases.paged_attention import PagedAttentionCase
from eagerdiff.suites.baseline_suites.tables import Table, expand, fill_poison

VLLM, FLASHINFER = "vLLM 0.33.0", "FlashInfer 2026-08"
_BLOCKS = 512
"""Blocks of a vLLM cache, in place of 32,768 and 2,048: all are more than the requests name."""

UNIFIED: Table = {
    "lengths": [((1, 1328), (5, 18), (129, 463)), ((1, 523), (1, 37), (1, 2011))],  # (query, context)
    "heads": [(4, 4), (8, 2), (5, 1)],
    "head_dim": [128, 256],
    "window": [None, 64, 128, 256],
    "soft_cap": [None, 50.0],
    "num_splits": [1, 16],  # decode up to 0 or 8 requests in 16 parts
}
UNIFIED_FP8: Table = {name: UNIFIED[name] for name in ("lengths", "heads", "head_dim", "num_splits")}
DECODE: Table = {
    "batch": [3, 5],
    "length": [1027, 1025],
    "heads": [(32, 32), (32, 8)],
    "head_dim": [128, 192, 576],
    "value_dim": [128, 512],
    "page": [1, 16],
}
PREFIX: Table = {
    "group": [1, 64],
    "head_dim": [24, 128],
    "window": [None, 16, 2048],
}
PREFIX_FP8: Table = {**PREFIX, "cache_dtype": ["float8_e4m3fn", "float8_e5m2"]}
PAGED: Table = {
    "heads": [(32, 8), (40, 40), (64, 8)],
    "head_dim": [64, 128],
    "block_size": [16, 32],
    "alibi": [False, True],
}
BATCH_DECODE: Table = {
    "batch": [12, 17, 128],
    "length": [54, 97, 512, 2048, 16384],
    "page": [1, 8, 16],
    "heads": [(4, 4), (32, 4)],
    "head_dim": [128, 256, 512],
}
BATCH_PREFILL: Table = {
    "batch": [12, 17, 128],
    "length": [54, 97, 512, 2048],
    "queries": [37, 17, 127, 577],
    "page": [1, 5, 16],
    "heads": [(4, 4), (32, 4)],
    "head_dim": [64, 128, 256],
    "causal": [False, True],
}
SLIDING: Table = {
    "batch": [1],
    "length": [1, 3, 19, 99, 199, 1177, 1999],
    "window": [3, 13, 23, 37, 43],  # keys before the query's own
    "heads": [(4, 1), (4, 4), (8, 1), (8, 4)],
    "head_dim": [64, 128, 256, 512],
    "page": [1, 16],
}
SLIDING_BATCH: Table = {
    "batch": [1, 3, 13, 32],
    "length": [1, 3, 99, 199, 1999],
    "window": [33, 533],
    "heads": [(4, 1), (4, 4), (8, 1), (8, 4)],
    "head_dim": [64, 128, 256, 512],
    "page": [1, 16],
}
SLIDING_PREFILL: Table = {
    "batch": [12, 17, 30],
    "length": [54, 397, 1177],
    "queries": [1, 37, 47],
    "window": [13, 33, 111],
    "heads": [(4, 1), (4, 4), (8, 1), (8, 4), (8, 8)],
    "head_dim": [64, 128, 256, 512],
    "page": [1, 16],
}
SHARED_PREFIX: Table = {
    "append": [False, True],
    "batch": [12, 17],
    "unique": [37, 17],
    "shared": [128, 512, 2048],
    "num_heads": [8, 16],
    "head_dim": [128, 256],
    "page": [1, 16],
}


def _heads(heads: tuple[int, int]) -> dict[str, Any]:
    """Turn (query heads, key-value heads) into fields."""
    return {"num_kv_heads": heads[1], "group": heads[0] // heads[1]}


def _window(keys: int | None) -> dict[str, Any]:
    return {} if keys is None else {"windowed": True, "window": keys}


def _spare(contexts: tuple[int, ...], block_size: int) -> int:
    return max(1, _BLOCKS - sum(-(-length // block_size) for length in contexts))


def _unified(**fields: Any) -> Iterator[PagedAttentionCase]:
    for row in expand(UNIFIED):
        queries, contexts = zip(*row["lengths"], strict=True)
        capped = {} if row["soft_cap"] is None else {"soft_capped": True, "soft_cap": row["soft_cap"]}
        yield PagedAttentionCase(
            dtype="bfloat16", head_dim=row["head_dim"], output="given", num_splits=row["num_splits"],
            query_lens=queries, context_lens=contexts, spare_blocks=_spare(contexts, 16),
            **_heads(row["heads"]), **_window(row["window"]), **capped, **fields,
        )  # fmt: skip


def _unified_fp8() -> Iterator[PagedAttentionCase]:
    for case in _unified(cache_dtype="float8_e4m3fn", scales="head"):
        if not (case.windowed or case.soft_capped):
            yield case


def _decode(**fields: Any) -> Iterator[PagedAttentionCase]:
    for row in expand(DECODE):
        contexts = (row["length"],) * row["batch"]
        yield PagedAttentionCase(
            dtype="bfloat16", head_dim=row["head_dim"], value_dim=row["value_dim"], block_size=row["page"],
            num_splits=8, query_lens=(1,) * row["batch"], context_lens=contexts,
            **_heads(row["heads"]), **fields,
        )  # fmt: skip


def _prefix(table: Table) -> Iterator[PagedAttentionCase]:
    drawn = random.Random(0)
    queries = (*(drawn.randint(16, 1024) for _ in range(9)), 1)
    contexts = tuple(count + drawn.randint(16, 1024) for count in queries)
    for row in expand(table):
        yield PagedAttentionCase(
            dtype="float16", cache_dtype=row.get("cache_dtype", "as_query"), head_dim=row["head_dim"], block_size=32,
            output="given", query_lens=queries, context_lens=contexts, **_heads((64, 64 // row["group"])),
            **_window(row["window"]),
        )  # fmt: skip


def _paged() -> Iterator[PagedAttentionCase]:
    drawn = random.Random(0)
    contexts = (*(drawn.randint(1, 1024) for _ in range(6)), 1024)
    for row in expand(PAGED):
        yield PagedAttentionCase(
            dtype="bfloat16", head_dim=row["head_dim"], block_size=row["block_size"], alibi=row["alibi"],
            output="given", query_lens=(1,) * 7, context_lens=contexts,
            spare_blocks=_spare(contexts, row["block_size"]), **_heads(row["heads"]),
        )  # fmt: skip


def _batches(table: Table) -> Iterator[PagedAttentionCase]:
    """Expand a FlashInfer table: one context length and one number of queries for the whole batch."""
    for row in expand(table):
        queries, window = row.get("queries", 1), row.get("window")
        causal = row.get("causal", True)
        if queries > row["length"] and causal:
            continue  # skipped by the tests too
        yield PagedAttentionCase(
            dtype="float16", head_dim=row["head_dim"], block_size=row["page"], cache_layout="interleaved",
            causal=causal, query_lens=(queries,) * row["batch"], context_lens=(row["length"],) * row["batch"],
            **_heads(row["heads"]), **_window(None if window is None else window + 1),
        )  # fmt: skip


def _sliding() -> Iterator[PagedAttentionCase]:
    for table in (SLIDING, SLIDING_BATCH, SLIDING_PREFILL):
        yield from _batches(table)


def _shared_prefix() -> Iterator[PagedAttentionCase]:
    for row in expand(SHARED_PREFIX):
        batch, queries = row["batch"], row["unique"] if row["append"] else 1
        yield PagedAttentionCase(
            dtype="float16", head_dim=row["head_dim"], block_size=row["page"], num_kv_heads=row["num_heads"],
            cache_layout="interleaved", causal=False, shared_blocks=row["shared"] // row["page"],
            query_lens=(queries,) * batch, context_lens=(row["shared"] + row["unique"],) * batch,
        )  # fmt: skip


def inputs(case: PagedAttentionCase, device: str, *, aliased: bool = False, spread: float | None = None) -> Inputs:
    """Build a case's tensors without poison: finite numbers in every slot, a block that exists in every table entry.

    `aliased`: every entry of the table is drawn at random, as vLLM does. `spread`: numbers are uniform within it, not
    normal. An fp8 cache with scales holds them divided by 0.5 (K) and 0.25 (V).
    """
    given = strategies.inputs(case, device)
    generator = torch.Generator().manual_seed(case.seed + 1)
    _, keys, _, table, *_ = given.args
    drawn = torch.randint(len(keys), tuple(table.shape), generator=generator).to(table)
    table.copy_(drawn if aliased else torch.where((table >= 0) & (table < len(keys)), table, drawn))
    for tensor in (*given.args[:3], *(given.options[name] for name in ("output",) if name in given.options)):
        if spread is None:
            fill_poison(tensor, generator)
        else:
            tensor.copy_(spread * (2 * torch.rand(tensor.shape, generator=generator) - 1))
    for name, cache, scale in (("key_scale", given.args[1], 0.5), ("value_scale", given.args[2], 0.25)):
        if name in given.options:
            given.options[name].fill_(scale)
            cache.copy_(cache.float() / scale)
    return given


def _inputs_of_paged(case: PagedAttentionCase, device: str) -> Inputs:
    return inputs(case, device, aliased=True, spread=case.head_dim**-0.5)


def one_slot_pages(given: Inputs) -> Inputs:
    """Return the same cache in pages of one slot."""
    query, keys, values, table, *lengths = given.args
    slots = table[..., None] * keys.shape[1] + torch.arange(keys.shape[1], device=table.device)
    pages = (cache.flatten(0, 1).unsqueeze(1) for cache in (keys, values))
    return dataclasses.replace(given, args=(query, *pages, slots.flatten(1).to(table.dtype), *lengths))


def _output(output: Any, after: Inputs) -> Tensor:
    """Return the output alone: none of these tests looks at the log-sum-exp."""
    return output[0]


_aliased = functools.partial(inputs, aliased=True)
GRIDS = (
    BaselineSuite(
        project=VLLM, test="unified attention (Triton)", cases=_unified, inputs=_aliased, compared=_output,
        rule=Allclose(1.5e-2, 1e-2), note="without fp8 queries; 512 blocks for 32,768 and 2,048",
    ),
    BaselineSuite(
        project=VLLM, test="unified attention, fp8 cache", cases=_unified_fp8, inputs=_aliased, compared=_output,
        rule=Allclose(0.15, 0.15), note="held against the cache as it was rounded, which is stricter",
    ),
    BaselineSuite(
        project=VLLM, test="decode (Triton)", cases=_decode, inputs=_aliased, compared=_output,
        rule=Allclose(1e-8, 1e-5), against=one_slot_pages,
        note="pages of 1 against pages of 16, no reference; a cache of what the requests name for 16,384 slots",
    ),
    BaselineSuite(
        project=VLLM, test="decode (Triton), fp8 cache",
        cases=functools.partial(_decode, cache_dtype="float8_e4m3fn", scales="tensor"),
        inputs=_aliased, compared=_output, rule=Allclose(0.5, 1e-2),
    ),
    BaselineSuite(
        project=VLLM, test="prefix prefill", cases=functools.partial(_prefix, PREFIX),
        inputs=functools.partial(inputs, spread=1e-3), compared=_output, rule=Allclose(1e-4, 0.0),
    ),
    BaselineSuite(
        project=VLLM, test="prefix prefill, fp8 cache", cases=functools.partial(_prefix, PREFIX_FP8),
        inputs=functools.partial(inputs, spread=1e-3), compared=_output, rule=Allclose(1e-3, 0.0),
    ),
    BaselineSuite(
        project=VLLM, test="paged attention (CUDA)", cases=_paged, inputs=_inputs_of_paged, compared=_output,
        rule=Allclose(1e-3, 1e-5), note="contexts up to 1,024, for as many as shared memory holds; without fp8",
    ),
    BaselineSuite(
        project=FLASHINFER, test="batch decode", cases=functools.partial(_batches, BATCH_DECODE), inputs=inputs,
        compared=_output, rule=Allclose(1e-3, 1e-3), note="without rotary embedding",
    ),
    BaselineSuite(
        project=FLASHINFER, test="batch prefill", cases=functools.partial(_batches, BATCH_PREFILL), inputs=inputs,
        compared=_output, rule=Allclose(1e-3, 1e-3), note="without rotary embedding",
    ),
    BaselineSuite(
        project=FLASHINFER, test="sliding window", cases=_sliding, inputs=inputs, compared=_output,
        rule=Allclose(1e-3, 1e-3), note="the tests on one contiguous request in pages of 1 and 16",
    ),
    BaselineSuite(
        project=FLASHINFER, test="shared prefix", cases=_shared_prefix, inputs=inputs, compared=_output,
        rule=Allclose(1e-3, 1e-3), note="held against eager; theirs compares two of its own kernels",
    ),
)  # fmt: skip
