"""Cache write: what is drawn, what is right, what must hold, what ships."""

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from eagerdiff import Cost, Drawing, Extras, Inputs, Judging, Operator, Relation, Workload
from eagerdiff.compiled import cache_write as compiled
from eagerdiff.reference.cache_write import cache_write
from eagerdiff.strategies.cache_write import cases, cases_like, inputs
from eagerdiff.strategies.cases.cache_write import CacheWriteCase
from eagerdiff.suites.baseline_suites.cache_write import GRIDS

Expected = Callable[[Any], Any]


def cost(case: CacheWriteCase) -> Cost:
    """Count the bytes read and written of every token that is kept."""
    cached = getattr(torch, case.dtype if case.cache_dtype == "as_rows" else case.cache_dtype).itemsize
    row = case.num_kv_heads * (case.head_dim + case.value_dim) * (getattr(torch, case.dtype).itemsize + cached)
    return Cost(flops=0.0, bytes=float((case.num_tokens - case.padding) * row))


def _reorder_tokens(given: Inputs, generator: torch.Generator) -> tuple[Inputs, Expected]:
    """Permute the tokens with their slots."""
    key, value, key_cache, value_cache, slots = given.args
    order = torch.randperm(len(slots), generator=generator).to(slots.device)
    return dataclasses.replace(
        given, args=(key[order], value[order], key_cache, value_cache, slots[order])
    ), lambda original: original


RELATIONS = (Relation("tokens reordered", _reorder_tokens, exact=True),)
WORKLOADS = {
    "growing_batch": Workload(
        tuple(CacheWriteCase(num_tokens=n, num_kv_heads=2, padding=n // 4, seed=n) for n in (0, 1, 2, 17, 33))
    ),
    # Sized for a GPU; see each case's cost.
    "serving_write": Workload(
        tuple(
            CacheWriteCase(dtype="bfloat16", head_dim=128, value_dim=128, num_kv_heads=8, num_tokens=tokens)
            for tokens in (8192, 8000)
        )
    ),
}

OPERATOR = Operator(
    name="cache_write",
    case=CacheWriteCase,
    inputs=inputs,
    reference=cache_write,
    cases=cases,
    workloads=WORKLOADS,
    implementations=compiled.IMPLEMENTATIONS,
    cost=cost,
    mutates=(2, 3),
    drawing=Drawing(workload_cases=cases_like),
    judging=Judging(relations=RELATIONS, exact=True),
    extras=Extras(
        corpus=Path(__file__).parent / "corpus" / "cache_write.yaml",
        faults=Path(__file__).parent / "faults" / "cache_write",
        baseline_suites=GRIDS,
    ),
)
