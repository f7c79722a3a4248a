"""The grid of copying blocks that vLLM publishes."""

from collections.abc import Iterator
from typing import Any

from eagerdiff import Allclose, BaselineSuite, Inputs
from eagerdiff.strategies.block_copy import inputs
from eagerdiff.strategies.cases.block_copy import BlockCopyCase
from eagerdiff.suites.baseline_suites.paged_attention import VLLM
from eagerdiff.suites.baseline_suites.tables import Table, expand

SWAP: Table = {"head_dim": [64, 80, 256], "block_size": [8, 16, 32], "dtype": ["bfloat16", "float32"]}


def _cases() -> Iterator[BlockCopyCase]:
    return (BlockCopyCase(**row, num_kv_heads=8, num_blocks=1024, num_pairs=256) for row in expand(SWAP))


def _caches(output: Any, after: Inputs) -> Any:
    return after.args[:2]


GRIDS = (
    BaselineSuite(
        project=VLLM, test="swap blocks", cases=_cases, inputs=inputs, compared=_caches, rule=Allclose(0.0, 0.0),
        note="within one cache, theirs from one to another; 1,024 blocks, not 10,000 besides; whole caches compared",
    ),
)  # fmt: skip
