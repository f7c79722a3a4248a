"""Block copy: what is drawn, what is right, what ships."""

from pathlib import Path

import torch

from eagerdiff import Cost, Drawing, Extras, Judging, Operator, Workload
from eagerdiff.compiled import block_copy as compiled
from eagerdiff.reference.block_copy import block_copy
from eagerdiff.strategies.block_copy import cases, cases_like, inputs
from eagerdiff.strategies.cases.block_copy import BlockCopyCase
from eagerdiff.suites.baseline_suites.block_copy import GRIDS


def cost(case: BlockCopyCase) -> Cost:
    """Count the bytes read and written of both caches."""
    block = case.block_size * case.num_kv_heads * case.head_dim * getattr(torch, case.dtype).itemsize
    return Cost(flops=0.0, bytes=4.0 * case.num_pairs * block)


WORKLOADS = {
    "growing_pairs": Workload(tuple(BlockCopyCase(num_blocks=n + 1, num_pairs=n, seed=n) for n in (0, 1, 2, 9))),
    # Sized for a GPU; see each case's cost.
    "serving_copy": Workload(
        tuple(
            BlockCopyCase(dtype="bfloat16", head_dim=128, num_kv_heads=8, num_blocks=4096, num_pairs=pairs)
            for pairs in (1024, 1000)
        )
    ),
}

OPERATOR = Operator(
    name="block_copy",
    case=BlockCopyCase,
    inputs=inputs,
    reference=block_copy,
    cases=cases,
    workloads=WORKLOADS,
    implementations=compiled.IMPLEMENTATIONS,
    cost=cost,
    mutates=(0, 1),
    drawing=Drawing(workload_cases=cases_like),
    judging=Judging(exact=True),
    extras=Extras(
        corpus=Path(__file__).parent / "corpus" / "block_copy.yaml",
        faults=Path(__file__).parent / "faults" / "block_copy",
        baseline_suites=GRIDS,
    ),
)
