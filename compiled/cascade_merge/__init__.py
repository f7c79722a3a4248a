"""Cascade merge under test: a Triton kernel."""

from collections.abc import Sequence

from eagerdiff import Implementation, Workload
from eagerdiff.compiled.cascade_merge import merge
from eagerdiff.strategies.cases.cascade_merge import CascadeMergeCase
from eagerdiff.strategies.cases.layouts import are_sizes


def _max_compiles(workload: Workload[CascadeMergeCase]) -> int:
    """Allow one; two where states of no part are aligned otherwise; one a call where strides are sizes."""
    if any(are_sizes(case.layouts) for case in workload.cases):
        return len(workload.cases)
    return 1 + any(case.layouts and case.num_parts == 0 for case in workload.cases)


IMPLEMENTATIONS: Sequence[Implementation[CascadeMergeCase]] = (
    Implementation(
        operator="cascade_merge",
        name="triton.merge",
        build=lambda case: merge.cascade_merge,
        max_compiles=_max_compiles,
        kernels=lambda: [merge.merge_kernel],
        description="one program a token and a tile of heads, over any number of parts",
    ),
)
