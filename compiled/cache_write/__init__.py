"""Cache write under test: a Triton kernel that scatters and quantises."""

from collections.abc import Sequence

from eagerdiff import Implementation, Workload
from eagerdiff.compiled.cache_write import write
from eagerdiff.strategies.cases.cache_write import CacheWriteCase
from eagerdiff.strategies.cases.layouts import are_sizes


def _max_compiles(workload: Workload[CacheWriteCase]) -> int:
    """Allow two, as keys and values differ in head_dim, strides or alignment; two a call where strides are sizes."""
    return 2 * (len(workload.cases) if any(are_sizes(case.layouts) for case in workload.cases) else 1)


IMPLEMENTATIONS: Sequence[Implementation[CacheWriteCase]] = (
    Implementation(
        operator="cache_write",
        name="triton.write",
        build=lambda case: write.cache_write,
        max_compiles=_max_compiles,
        kernels=lambda: [write.write_kernel],
        description="one program a token and a tile of heads",
    ),
)
