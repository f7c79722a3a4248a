"""Cascade merge under test: a Triton kernel."""

from collections.abc import Sequence

from eagerdiff import Implementation
from eagerdiff.compiled.cascade_merge import merge
from eagerdiff.strategies.cases.cascade_merge import CascadeMergeCase

IMPLEMENTATIONS: Sequence[Implementation[CascadeMergeCase]] = (
    Implementation(
        operator="cascade_merge",
        name="triton.merge",
        build=lambda case: merge.cascade_merge,
        max_compiles=lambda workload: 1,
        kernels=lambda: [merge.merge_kernel],
        description="one program a token and a tile of heads, over any number of parts",
    ),
)
