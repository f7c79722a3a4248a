"""How single arguments of a call lie in memory, as data: what a case asks for besides the layouts of its operator."""

from typing import Literal

ArgumentLayout = Literal[
    "strided", "transposed", "padded", "offset", "expanded", "far", "far_slots", "far_heads", "far_columns"
]
"""strided: every second element; transposed: dims in reverse order; padded: rows of a wider buffer, behind an element;
offset: that alone; expanded: one row for all, where they are alike; far: the last of 3 or more rows lies 2**31 elements
behind the first, or the last along the last dim but two (far_slots), the last but one (far_heads), or the last
(far_columns)."""
Layouts = tuple[tuple[str, ArgumentLayout], ...]
"""By name of the argument; what is not named lies as usual. A name that a call does not have changes nothing."""


def is_far(layouts: Layouts) -> bool:
    """Return whether a tensor is mostly not there."""
    return any(layout.startswith("far") for _, layout in layouts)


def are_sizes(layouts: Layouts) -> bool:
    """Return whether strides are sizes, which change from call to call where those do.

    Those of what lies far apart are, for a dim of one element has the stride that it had where it was dense.
    """
    return is_far(layouts) or any(layout == "transposed" for _, layout in layouts)


def are_askew(layouts: Layouts) -> bool:
    """Return whether a tensor begins behind an element, and so at no multiple of 16 bytes; an empty one begins at 0."""
    return any(layout in ("padded", "offset") for _, layout in layouts)
