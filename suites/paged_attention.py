"""Paged attention: what is drawn, what is right, what must hold, what ships."""

import dataclasses
from collections.abc import Callable, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from eagerdiff import Cost, Drawing, Extras, Inputs, Judging, Operator, Relation, Workload
from eagerdiff.compiled import paged_attention as compiled
from eagerdiff.compiled.adapters import paged_attention as adapters
from eagerdiff.reference.paged_attention import magnitude, paged_attention
from eagerdiff.strategies.cases.paged_attention import PagedAttentionCase
from eagerdiff.strategies.layouts import laid_out_as
from eagerdiff.strategies.paged_attention import COVERING, cases, cases_like, inputs, wild_ids
from eagerdiff.suites.baseline_suites.paged_attention import GRIDS
from eagerdiff.suites.paged_attention_exports import EXPORTS

Expected = Callable[[Any], Any]
_BY_ROW = ("tree_mask", "output")
"""Options with a row for each of the query's."""


def cost(case: PagedAttentionCase) -> Cost:
    """Count FLOPs over the keys that each query sees, and bytes of the visible slots, the query and the output."""
    pairs = sum(
        _pairs(case, length, queries) for length, queries in zip(case.context_lens, case.query_lens, strict=True)
    )
    slots = sum(len(case.visible(request)) for request in range(len(case.context_lens)))
    columns = case.head_dim + case.values
    cached = case.head_dim if case.cache_layout == "latent" else columns
    element = getattr(torch, case.dtype).itemsize
    slot = cached * (element if case.cache_dtype == "as_query" else 1)
    moved = slots * case.num_kv_heads * slot + sum(case.query_lens) * case.num_heads * columns * element
    return Cost(flops=2.0 * pairs * case.num_heads * columns, bytes=float(moved))


def _pairs(case: PagedAttentionCase, length: int, queries: int) -> int:
    """Count the keys that a request's queries see, a tree's as if it were a chain."""
    pairs = 0
    for position in range(length - queries, length):
        oldest = max(0, position - case.window + 1) if case.windowed else 0
        pairs += max(0, (position + 1 if case.causal else length) - oldest)
    return pairs


def _replace(given: Inputs, changes: Mapping[int, Tensor]) -> Inputs:
    """Return inputs with some arguments replaced, each laid out with the strides of the original."""
    args = [
        laid_out_as(value, changes[at], far=True) if at in changes else value for at, value in enumerate(given.args)
    ]
    return dataclasses.replace(given, args=tuple(args))


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
        found = cache.float()  # fp8 knows no isnan
        stale = 100.0 * torch.randn(cache.shape, generator=generator).to(cache.device)
        changes[position] = torch.where(found.isnan(), stale, found).to(cache.dtype)
    return _replace(given, changes), _same


def _make_values_constant(given: Inputs, generator: torch.Generator) -> tuple[Inputs, Expected]:
    """Give every slot of a head the same value: a weighted mean of equals is that value, less what a sink takes."""
    values, sinks = given.args[2], given.options.get("sinks")
    # Small integers: exact in every dtype of a cache, their products with powers of two too.
    constant = torch.randint(-3, 4, values.shape[2:], generator=generator).to(values.device, torch.float32)
    scale = given.options.get("value_scale")
    scaled = constant if scale is None else constant * scale.expand(len(constant))[:, None]

    def expected(original: Any) -> Any:
        output, lse = original
        seen = torch.ones_like(lse) if sinks is None else -torch.expm1(sinks.to(lse.dtype) - lse)
        share = seen.masked_fill(lse.isneginf(), 0.0).masked_fill(lse.isnan(), float("nan"))[..., None]
        heads = scaled.repeat_interleave(output.shape[1] // len(scaled), dim=0)
        return (share * heads).to(output.dtype), lse

    return _replace(given, {2: constant.to(values.dtype).expand_as(values)}), expected


def _negate_values(given: Inputs, generator: torch.Generator) -> tuple[Inputs, Expected]:
    """Negate V: attention is linear in it, and a sign rounds nothing."""
    values = given.args[2]
    return _replace(given, {2: (-values.float()).to(values.dtype)}), lambda original: (-original[0], original[1])


def _reorder_requests(given: Inputs, generator: torch.Generator) -> tuple[Inputs, Expected]:
    """Permute the requests of the batch with their rows."""
    return _pick(given, torch.randperm(len(given.args[4]), generator=generator).tolist())


def _leave_alone(given: Inputs, generator: torch.Generator) -> tuple[Inputs, Expected]:
    """Keep one request of the batch: its rows do not depend on the others."""
    batch = len(given.args[4])
    return _pick(given, [int(torch.randint(batch, (), generator=generator))] if batch else [])


def _enlarge_batch(given: Inputs, generator: torch.Generator) -> tuple[Inputs, Expected]:
    """Put each request into a larger batch, behind and before copies of some."""
    batch = len(given.args[4])
    others = torch.randint(max(1, batch), (2, 4), generator=generator).tolist() if batch else ([], [])
    return _pick(given, [*others[0], *range(batch), *others[1]])


def _pad_batch(given: Inputs, generator: torch.Generator) -> tuple[Inputs, Expected]:
    """Append requests without queries or keys, columns of wild ids to the table, and rows of NaN that are nobody's."""
    query, keys, _, table, lengths, bounds = given.args
    rows, columns, requests = torch.randint(1, 9, (3,), generator=generator).tolist()
    wider = wild_ids((len(table) + requests, table.shape[1] + columns), len(keys), generator).to(table)
    wider[: len(table), : table.shape[1]] = table
    changes = {3: wider, 4: torch.cat((lengths, lengths.new_zeros(requests)))}
    changes[5] = torch.cat((bounds, bounds[-1:].expand(requests)))
    changes[0] = torch.cat((query, query.new_full((rows, *query.shape[1:]), torch.nan)))
    options = {
        name: torch.cat((value, value.new_zeros(rows, *value.shape[1:]))) if name in _BY_ROW else value
        for name, value in given.options.items()
    }

    def expected(original: Any) -> Any:
        output, lse = original
        nobody = lse.new_full((rows, lse.shape[1]), float("-inf"))
        return torch.cat((output, output.new_zeros(rows, *output.shape[1:]))), torch.cat((lse, nobody))

    return dataclasses.replace(_replace(given, changes), options=options), expected


def _ask_in_chunks(given: Inputs, generator: torch.Generator) -> tuple[Inputs, Expected]:
    """Keep the last queries of each request, as many as are drawn: what a chunk of a prefill asks."""
    if "tree_mask" in given.options:  # its columns are the numbers of queries, which would be others
        return given, _same
    bounds = given.args[5].tolist()
    kept = [min(end - start, int(torch.randint(1, 9, (), generator=generator))) for start, end in pairwise(bounds)]
    rows = [row for count, end in zip(kept, bounds[1:], strict=True) for row in range(end - count, end)]
    return _with_rows(given, rows, kept, {})


def _ask_last_queries(given: Inputs, generator: torch.Generator) -> tuple[Inputs, Expected]:
    """Keep only the last query of each request: decoding it is the last row of prefill."""
    if "tree_mask" in given.options:  # its columns are the numbers of queries, which would be others
        return given, _same
    bounds = given.args[5].tolist()
    rows = [end - 1 for start, end in pairwise(bounds) if end > start]
    counts = [int(end > start) for start, end in pairwise(bounds)]
    return _with_rows(given, rows, counts, {})


def _pick(given: Inputs, requests: list[int]) -> tuple[Inputs, Expected]:
    """Return the inputs of some requests in the order given, and the rows of the output that are theirs."""
    _, _, _, table, lengths, bounds = given.args
    starts = bounds.tolist()
    rows = [row for request in requests for row in range(starts[request], starts[request + 1])]
    counts = [starts[request + 1] - starts[request] for request in requests]
    return _with_rows(given, rows, counts, {3: table[requests], 4: lengths[requests]})


def _with_rows(
    given: Inputs, rows: list[int], counts: list[int], changes: Mapping[int, Tensor]
) -> tuple[Inputs, Expected]:
    """Return inputs with some rows of the query, `counts` of each request, and those rows of the output."""
    bounds = given.args[5]
    starts = torch.tensor([0, *counts], device=bounds.device).cumsum(0).to(bounds.dtype)
    changed = _replace(given, {0: given.args[0][rows], 5: starts, **changes})
    by_row = {name: given.options[name][rows] for name in _BY_ROW if name in given.options}
    options = {**given.options, **by_row}
    return dataclasses.replace(changed, options=options), lambda original: (original[0][rows], original[1][rows])


RELATIONS = (
    Relation("physical blocks permuted", _permute_blocks, exact=True),
    Relation("unused table entries changed", _change_unused_entries, exact=True),
    Relation("unused slots stale", _make_slots_stale, exact=True),
    Relation("values constant", _make_values_constant),
    Relation("values negated", _negate_values),
    Relation("requests reordered", _reorder_requests, of_batch=True),
    Relation("request alone", _leave_alone, of_batch=True),
    Relation("last queries alone", _ask_last_queries, of_batch=True),
    Relation("batch enlarged", _enlarge_batch, of_batch=True, only_declared=True),
    Relation("batch padded", _pad_batch, of_batch=True, only_declared=True),
    Relation("queries in chunks", _ask_in_chunks, of_batch=True, only_declared=True),
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
    "sliding_window": _workload([(31, 64), (65, 90)], windowed=True, window=33, block_size=8),
    "verification": _workload([(19, 70), (3, 33)], queries=4, group=5, soft_capped=True, head_dim=24),
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
    workloads=WORKLOADS,
    implementations=(*compiled.IMPLEMENTATIONS, *EXPORTS, *adapters.IMPLEMENTATIONS),
    cost=cost,
    mutates=("output",),
    drawing=Drawing(workload_cases=cases_like, covering=COVERING),
    judging=Judging(relations=RELATIONS, magnitude=magnitude, accumulates="float32"),
    extras=Extras(
        faults=Path(__file__).parent / "faults" / "paged_attention",
        baseline_suites=GRIDS,
        corpus=Path(__file__).parent / "corpus" / "paged_attention.yaml",
        compile_weight=6,
    ),
)
