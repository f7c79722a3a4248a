"""Cache write under test: a Triton kernel that scatters and quantises."""

from collections.abc import Sequence

from eagerdiff import Implementation
from eagerdiff.compiled.cache_write import write
from eagerdiff.strategies.cases.cache_write import CacheWriteCase

IMPLEMENTATIONS: Sequence[Implementation[CacheWriteCase]] = (
    Implementation(
        operator="cache_write",
        name="triton.write",
        build=lambda case: write.cache_write,
        max_compiles=lambda workload: 2,  # keys and values differ in head_dim, strides or alignment
        kernels=lambda: [write.write_kernel],
        description="one program a token and a tile of heads",
    ),
)
