"""Paged attention: what is drawn, what is right, what must hold, what ships."""

import dataclasses
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from compiled import paged_attention as compiled
from harness import Cost, Inputs, Operator, Relation, Workload
from reference.paged_attention import paged_attention
from strategies.paged_attention import PagedAttentionCase, cases, cases_like, inputs, wild_ids

Expected = Callable[[Any], Any]


def magnitude(query: Tensor, key_cache: Tensor, value_cache: Tensor, *rest: Tensor, **options: Any) -> Tensor:
    """Return the softmax-weighted sum of |v|: [T, H, D]."""
    return paged_attention(query, key_cache, value_cache.abs(), *rest, **options)


def cost(case: PagedAttentionCase) -> Cost:
    """Count FLOPs over the keys that each query sees, and bytes of the visible slots, the query and the output."""
    pairs = sum(map(_pairs, case.context_lens, case.query_lens, [case.window] * len(case.query_lens)))
    slots = sum(len(case.visible(request)) for request in range(len(case.context_lens)))
    row = case.head_dim * getattr(torch, case.dtype).itemsize
    moved = 2 * slots * case.num_kv_heads * row + 2 * sum(case.query_lens) * case.num_heads * row
    return Cost(flops=4.0 * pairs * case.num_heads * case.head_dim, bytes=float(moved))


def _pairs(length: int, queries: int, window: int | None) -> int:
    seen = (min(position + 1, window or position + 1) for position in range(length - queries, length))
    return sum(max(0, count) for count in seen)


def _replace(given: Inputs, changes: Mapping[int, Tensor]) -> Inputs:
    """Return inputs with some arguments replaced, each laid out with the strides of the original."""
    args = [_laid_out_as(given.args[i], changes[i]) if i in changes else value for i, value in enumerate(given.args)]
    return dataclasses.replace(given, args=tuple(args))


def _laid_out_as(original: Tensor, data: Tensor) -> Tensor:
    if original.shape != data.shape:
        return data.contiguous()
    return torch.empty_strided(original.size(), original.stride(), dtype=data.dtype, device=data.device).copy_(data)


def _same(output: Any) -> Any:
    return output


def _permute_blocks(given: Inputs, generator: torch.Generator) -> tuple[Inputs, Expected]:
    """Move every physical block elsewhere and rename it in the table."""
    _, keys, values, table, *_ = given.args
    blocks = len(keys)
    new_home = torch.randperm(blocks, generator=generator).to(keys.device)
    valid = (table >= 0) & (table < blocks)
    renamed = torch.where(valid, new_home[table.where(valid, 0).long()].to(table.dtype), table)
    old_home = torch.argsort(new_home)
    return _replace(given, {1: keys[old_home], 2: values[old_home], 3: renamed}), _same


def _change_unused_entries(given: Inputs, generator: torch.Generator) -> tuple[Inputs, Expected]:
    """Write other invalid ids where the table names no block."""
    keys, table, lengths = given.args[1], given.args[3], given.args[4]
    used = torch.arange(table.shape[1], device=table.device) * keys.shape[1] < lengths[:, None]
    wild = wild_ids(table.shape, len(keys), generator).to(table.device)
    return _replace(given, {3: torch.where(used, table, wild)}), _same


def _make_slots_stale(given: Inputs, generator: torch.Generator) -> tuple[Inputs, Expected]:
    """Put large finite values where the caches hold poison, as a freed request leaves behind."""
    changes: dict[int, Tensor] = {}
    for position in (1, 2):
        cache = given.args[position]
        stale = 100.0 * torch.randn(cache.shape, generator=generator).to(cache)
        changes[position] = torch.where(cache.isnan(), stale, cache)
    return _replace(given, changes), _same


def _make_values_constant(given: Inputs, generator: torch.Generator) -> tuple[Inputs, Expected]:
    """Give every slot of a head the same value: a weighted mean of equals is that value, and of nothing is zero."""
    query, _, values, _, lengths, bounds = given.args
    constant = torch.randn(values.shape[2:], generator=generator).to(values)
    row = torch.arange(len(query), device=query.device)
    request = torch.searchsorted(bounds[1:].contiguous(), row, right=True)
    sees_nothing = lengths[request] - bounds[1:][request] + row < 0
    expected = constant.repeat_interleave(query.shape[1] // values.shape[2], dim=0).expand_as(query)
    expected = expected.masked_fill(sees_nothing[:, None, None], 0.0)
    return _replace(given, {2: constant.expand_as(values)}), lambda output: expected


def _double_values(given: Inputs, generator: torch.Generator) -> tuple[Inputs, Expected]:
    """Double V: attention is linear in it, and a power of two rounds nothing."""
    return _replace(given, {2: 2 * given.args[2]}), lambda output: 2 * output


def _reorder_requests(given: Inputs, generator: torch.Generator) -> tuple[Inputs, Expected]:
    """Permute the requests of the batch with their rows."""
    return _pick(given, torch.randperm(len(given.args[4]), generator=generator).tolist())


def _leave_alone(given: Inputs, generator: torch.Generator) -> tuple[Inputs, Expected]:
    """Keep one request of the batch: its rows do not depend on the others."""
    batch = len(given.args[4])
    return _pick(given, [int(torch.randint(batch, (), generator=generator))] if batch else [])


def _pick(given: Inputs, requests: list[int]) -> tuple[Inputs, Expected]:
    """Return the inputs of some requests in the order given, and the rows of the output that are theirs."""
    query, _, _, table, lengths, bounds = given.args
    starts = bounds.tolist()
    rows = [row for request in requests for row in range(starts[request], starts[request + 1])]
    counts = torch.tensor([0] + [starts[request + 1] - starts[request] for request in requests], device=bounds.device)
    changes = {0: query[rows], 3: table[requests], 4: lengths[requests], 5: counts.cumsum(0).to(bounds.dtype)}
    return _replace(given, changes), lambda output: output[rows]


RELATIONS = (
    Relation("physical blocks permuted", _permute_blocks, exact=True),
    Relation("unused table entries changed", _change_unused_entries, exact=True),
    Relation("unused slots stale", _make_slots_stale, exact=True),
    Relation("values constant", _make_values_constant),
    Relation("values doubled", _double_values),
    Relation("requests reordered", _reorder_requests),
    Relation("request alone", _leave_alone),
)


def _workload(contexts: list[tuple[int, ...]], queries: int = 1, **fields: Any) -> Workload:
    """Build a workload of one case a batch of contexts, every request with as many queries."""
    return Workload(
        tuple(
            PagedAttentionCase(**fields, context_lens=lengths, query_lens=(queries,) * len(lengths), seed=seed)
            for seed, lengths in enumerate(contexts)
        )
    )


_SERVING: dict[str, Any] = {"dtype": "bfloat16", "head_dim": 128, "num_kv_heads": 8}
WORKLOADS = {
    "growing_contexts": _workload([(n, 2 * n + 1) for n in (0, 1, 15, 16, 17, 33)], dtype="float16", head_dim=32),
    "growing_batch": _workload([(40,) * batch for batch in (1, 2, 3, 5)], group=4, num_kv_heads=2, dtype="float16"),
    "sliding_window": _workload([(31, 64), (65, 90)], window=33, block_size=8),
    "verification": _workload([(19, 70), (3, 33)], queries=4, group=5, soft_cap=30.0, head_dim=24),
    # Sized for a GPU; see each case's cost.
    "serving_decode": _workload([(n,) * 64 for n in (8192, 8200)], group=8, **_SERVING),
    "serving_long_context": _workload([(32768,) * 4, (32800,) * 4], group=4, **_SERVING),
    "serving_prefill": _workload([(2048,) * 8, (2000,) * 8], queries=512, group=4, **_SERVING),
}

OPERATOR = Operator(
    name="paged_attention",
    case=PagedAttentionCase,
    inputs=inputs,
    reference=paged_attention,
    cases=cases,
    workload_cases=cases_like,
    workloads=WORKLOADS,
    implementations=compiled.IMPLEMENTATIONS,
    relations=RELATIONS,
    cost=cost,
    magnitude=magnitude,
    faults=Path(__file__).parent / "faults" / "paged_attention",
    corpus=Path(__file__).parent / "corpus" / "paged_attention.yaml",
)
