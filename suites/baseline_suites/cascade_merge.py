"""Grids of merging partial attention that vLLM and FlashInfer publish."""

import functools
from collections.abc import Iterator
from typing import Any

import torch

from eagerdiff import Allclose, BaselineSuite, Inputs
from eagerdiff.strategies.cases.cascade_merge import CascadeMergeCase
from eagerdiff.strategies.layouts import place_together
from eagerdiff.suites.baseline_suites.paged_attention import FLASHINFER, SHARED_PREFIX, VLLM
from eagerdiff.suites.baseline_suites.tables import Table, expand

MERGE_STATES: Table = {
    "num_tokens": [256, 512, 613, 1024, 1536, 4096],
    "num_heads": [4, 8, 16, 32, 48, 64],
    "head_dim": [32, 48, 64, 96, 128, 256],
    "dtype": ["float32", "float16"],
}
MERGE_STATES_BF16: Table = {**MERGE_STATES, "dtype": ["bfloat16"]}


def _merge_states(table: Table) -> Iterator[CascadeMergeCase]:
    return (CascadeMergeCase(num_parts=2, empty="some", **row) for row in expand(table))


def _shared_prefix() -> Iterator[CascadeMergeCase]:
    """Give the merges that the shared-prefix test does: one row a query, one state shared and one its own."""
    for row in expand(SHARED_PREFIX):
        tokens = row["batch"] * (row["unique"] if row["append"] else 1)
        yield CascadeMergeCase(
            dtype="float16", num_parts=2, num_tokens=tokens, num_heads=row["num_heads"], head_dim=row["head_dim"]
        )


def inputs(case: CascadeMergeCase, device: str) -> Inputs:
    """Build finite states; where some are empty, a tenth of each part's, never both of a row."""
    generator = torch.Generator().manual_seed(case.seed)
    shape = (case.num_parts, case.num_tokens, case.num_heads)
    outputs = torch.randn(*shape, case.head_dim, generator=generator).to(getattr(torch, case.dtype))
    lses = torch.randn(shape, generator=generator)
    if case.empty != "none":
        empty = torch.rand(shape, generator=generator) < 0.1
        lses = lses.masked_fill(empty & ~empty.all(dim=0), float("-inf"))
    return place_together(Inputs((outputs, lses)), device)


def _everything(output: Any, after: Inputs) -> Any:
    return output


GRIDS = (
    BaselineSuite(
        project=VLLM, test="merge attention states", cases=functools.partial(_merge_states, MERGE_STATES),
        inputs=inputs, compared=_everything, rule=Allclose(1e-3, 1e-3), note="without fp8 outputs",
    ),
    BaselineSuite(
        project=VLLM, test="merge attention states, bf16", cases=functools.partial(_merge_states, MERGE_STATES_BF16),
        inputs=inputs, compared=_everything, rule=Allclose(1e-3, 1e-2), note="without fp8 outputs",
    ),
    BaselineSuite(
        project=FLASHINFER, test="shared prefix", cases=_shared_prefix, inputs=inputs,
        compared=lambda output, after: output[0], rule=Allclose(1e-3, 1e-3),
        note="the merge alone, of random states",
    ),
)  # fmt: skip
