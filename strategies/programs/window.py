"""Windows that slide over a dim: how many there are, for pooling, convolution and unfolding."""

from collections.abc import Mapping
from typing import Any

from eagerdiff.strategies.programs.operation import Attrs, Context, IllTyped
from eagerdiff.strategies.programs.pattern import Bound, Derive
from eagerdiff.strategies.programs.size import Size


def windows(context: Context, length: Size, attrs: Mapping[str, Any], kernel: Size | int) -> Size:
    """Return how many windows fit, by `stride`, `padding`, `dilation`, `ceil`; ask that one does."""
    stride, padding = attrs.get("stride", 1), attrs.get("padding", 0)
    reach = (Size.of(kernel) - 1) * attrs.get("dilation", 1) + 1
    padded = length + 2 * padding
    context.need(padded - reach + 1, 1)
    if not attrs.get("ceil", False):
        return (padded - reach) // stride + 1
    # The last window must begin inside the input or its left padding.
    return ((padded - reach + (stride - 1)) // stride + 1).least((length + (padding - 1)) // stride + 1)


def sliding(pairs: str, kernel: int | str) -> Derive:
    """Derive the result's letters: `hi wj` gives i from h and j from w; a kernel may be an attribute's name."""

    def derive(context: Context, attrs: Attrs, bound: Bound) -> None:
        size = attrs[kernel] if isinstance(kernel, str) else kernel
        if isinstance(kernel, str) and 2 * attrs.get("padding", 0) > size:
            raise IllTyped("padding is at most half the window")
        if isinstance(kernel, str) and attrs.get("padding", 0) and attrs.get("dilation", 1) > 1:
            # A window may then see padding alone: eager's index is outside the input, its gradient outside the memory.
            raise IllTyped("a dilated window over padding")
        for length, count in pairs.split():
            context.need(bound.sizes[length], 1)
            bound.sizes[count] = windows(context, bound.sizes[length], attrs, size)

    return derive
