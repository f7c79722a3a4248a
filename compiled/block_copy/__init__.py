"""Block copy under test: a Triton kernel over any strides."""

from collections.abc import Sequence

from eagerdiff import Implementation, Workload
from eagerdiff.compiled.block_copy import copy
from eagerdiff.strategies.cases.block_copy import BlockCopyCase
from eagerdiff.strategies.cases.layouts import are_sizes


def _max_compiles(workload: Workload[BlockCopyCase]) -> int:
    """Allow two, as keys and values of one buffer differ in alignment; two a call where strides are sizes."""
    return 2 * (len(workload.cases) if any(are_sizes(case.layouts) for case in workload.cases) else 1)


IMPLEMENTATIONS: Sequence[Implementation[BlockCopyCase]] = (
    Implementation(
        operator="block_copy",
        name="triton.copy",
        build=lambda case: copy.block_copy,
        max_compiles=_max_compiles,
        kernels=lambda: [copy.copy_kernel],
        description="one program a pair and a tile of a block",
    ),
)
