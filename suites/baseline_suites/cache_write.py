"""Grids of writing into a paged cache that vLLM publishes."""

from collections.abc import Iterator
from typing import Any

from eagerdiff import Allclose, BaselineSuite, Inputs
from eagerdiff.strategies.cache_write import inputs
from eagerdiff.strategies.cases.cache_write import CacheWriteCase
from eagerdiff.suites.baseline_suites.paged_attention import VLLM
from eagerdiff.suites.baseline_suites.tables import Table, expand

WRITE: Table = {
    "num_tokens": [21, 42],
    "head_dim": [64, 80, 256],
    "block_size": [8, 16, 32],
    "dtype": ["bfloat16", "float32"],
    "cache_layout": ["nhd", "hnd"],
}
SCALES: Table = {"scales": ["tensor", "head"]}


def _cases(table: Table, **fields: Any) -> Iterator[CacheWriteCase]:
    for row in expand(table):
        spare = 1024 * row["block_size"] - row["num_tokens"]
        yield CacheWriteCase(
            **row, value_dim=row["head_dim"], num_kv_heads=8, fused_rows=True, spare_slots=spare, **fields
        )


def _plain() -> Iterator[CacheWriteCase]:
    return _cases(WRITE)


def _fp8() -> Iterator[CacheWriteCase]:
    return _cases({**WRITE, **SCALES}, cache_dtype="float8_e4m3fn")


def _caches(output: Any, after: Inputs) -> Any:
    return after.args[2:4]


_NOTE = "1,024 blocks, not 10,000 besides"
GRIDS = (
    BaselineSuite(
        project=VLLM, test="cache write", cases=_plain, inputs=inputs, compared=_caches, rule=Allclose(0.0, 0.0),
        note=_NOTE,
    ),
    BaselineSuite(
        project=VLLM, test="cache write, fp8", cases=_fp8, inputs=inputs, compared=_caches, rule=Allclose(1e-3, 0.1),
        note=f"{_NOTE}; compared before the scales are multiplied",
    ),
)  # fmt: skip
