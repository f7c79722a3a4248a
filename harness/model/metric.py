"""A metric: a figure that an operator is known by beside right and fast, such as the share of memory in use."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby


@dataclass(frozen=True, kw_only=True)
class Metric:
    """State one figure; those with the same `what` and `unit` are shown beside one another."""

    what: str
    """What is measured: share of reserved slots in use."""
    by: str
    """Under which policy, or in which part: padded to 4,096 tokens."""
    of: str = ""
    """Of what, where one policy or part is measured of several, which then stand in one row: 64 experts."""
    value: float
    unit: str = ""
    """`%` is drawn as a share of 100, anything else as a share of the largest."""
    published: str = ""
    """The figure that it is to be compared with, and where that stands; empty: none is known."""


def rows_of(metrics: Sequence[Metric]) -> list[list[Metric]]:
    """Return metrics by row: neighbours with the same `what` and `by`, where they say `of` what."""
    keyed = [((one.what, one.by) if one.of else index, one) for index, one in enumerate(metrics)]
    return [[one for _, one in row] for _, row in groupby(keyed, key=lambda pair: pair[0])]
