"""Block copy under test: a Triton kernel over any strides."""

from collections.abc import Sequence

from eagerdiff import Implementation
from eagerdiff.compiled.block_copy import copy
from eagerdiff.strategies.cases.block_copy import BlockCopyCase

IMPLEMENTATIONS: Sequence[Implementation[BlockCopyCase]] = (
    Implementation(
        operator="block_copy",
        name="triton.copy",
        build=lambda case: copy.block_copy,
        max_compiles=lambda workload: 2,  # keys and values of one buffer differ in alignment
        kernels=lambda: [copy.copy_kernel],
        description="one program a pair and a tile of a block",
    ),
)
