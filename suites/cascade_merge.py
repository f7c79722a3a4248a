"""Cascade merge: what is drawn, what is right, what must hold, what ships."""

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from eagerdiff import Cost, Drawing, Extras, Inputs, Judging, Operator, Relation, Workload
from eagerdiff.compiled import cascade_merge as compiled
from eagerdiff.reference.cascade_merge import cascade_merge
from eagerdiff.strategies.cascade_merge import cases, cases_like, inputs
from eagerdiff.strategies.cases.cascade_merge import CascadeMergeCase
from eagerdiff.suites.baseline_suites.cascade_merge import GRIDS

Expected = Callable[[Any], Any]


def cost(case: CascadeMergeCase) -> Cost:
    """Count two FLOPs an element of a state, and bytes of all states and of the output."""
    row = case.num_tokens * case.num_heads
    element = getattr(torch, case.dtype).itemsize
    moved = (case.num_parts + 1) * row * (case.head_dim * element + 4)
    return Cost(flops=2.0 * case.num_parts * row * case.head_dim, bytes=float(moved))


def _same(output: Any) -> Any:
    return output


def _permute_parts(given: Inputs, generator: torch.Generator) -> tuple[Inputs, Expected]:
    """Merge the parts in another order."""
    order = torch.randperm(len(given.args[0]), generator=generator)
    return dataclasses.replace(given, args=tuple(part[order.to(part.device)] for part in given.args)), _same


def _add_empty_part(given: Inputs, generator: torch.Generator) -> tuple[Inputs, Expected]:
    """Add a part that saw nothing and whose output is poison."""
    outputs, lses = given.args
    nothing = outputs.new_full((1, *outputs.shape[1:]), float("nan"))
    unseen = lses.new_full((1, *lses.shape[1:]), float("-inf"))
    return dataclasses.replace(given, args=(torch.cat((outputs, nothing)), torch.cat((lses, unseen)))), _same


def _merge_in_two_steps(given: Inputs, generator: torch.Generator) -> tuple[Inputs, Expected]:
    """Merge the first parts beforehand: merging is associative."""
    outputs, lses = given.args
    first = int(torch.randint(len(outputs) + 1, (), generator=generator))
    output, lse = cascade_merge(outputs[:first].double(), lses[:first].double())
    merged = torch.cat((output.to(outputs.dtype)[None], outputs[first:]))
    return dataclasses.replace(given, args=(merged, torch.cat((lse.to(lses.dtype)[None], lses[first:])))), _same


RELATIONS = (
    Relation("parts permuted", _permute_parts),
    Relation("empty part added", _add_empty_part, exact=True),
    Relation("merged in two steps", _merge_in_two_steps),
)
_MANY = [CascadeMergeCase(num_parts=parts, num_tokens=7, num_heads=5, seed=parts) for parts in (1, 2, 9, 33)]
WORKLOADS = {
    "growing_splits": Workload(tuple(_MANY)),
    # Sized for a GPU; see each case's cost.
    "serving_merge": Workload(
        tuple(
            CascadeMergeCase(dtype="bfloat16", head_dim=128, num_heads=64, num_parts=8, num_tokens=tokens)
            for tokens in (1024, 1000)
        )
    ),
}

OPERATOR = Operator(
    name="cascade_merge",
    case=CascadeMergeCase,
    inputs=inputs,
    reference=cascade_merge,
    cases=cases,
    workloads=WORKLOADS,
    implementations=compiled.IMPLEMENTATIONS,
    cost=cost,
    drawing=Drawing(workload_cases=cases_like),
    judging=Judging(relations=RELATIONS, accumulates="float32"),
    extras=Extras(
        corpus=Path(__file__).parent / "corpus" / "cascade_merge.yaml",
        faults=Path(__file__).parent / "faults" / "cascade_merge",
        baseline_suites=GRIDS,
    ),
)
