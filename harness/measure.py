"""A measure: a figure that an operator is known by beside right and fast, such as the share of memory in use."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Measure:
    """State one figure; those with the same `what` and `unit` are shown beside one another."""

    what: str
    """What is measured: share of reserved slots in use."""
    by: str
    """Under which policy, or in which part: padded to 4,096 tokens."""
    value: float
    unit: str = ""
    """`%` is drawn as a share of 100, anything else as a share of the largest."""
    published: str = ""
    """The figure that it is to be compared with, and where that stands; empty: none is known."""
