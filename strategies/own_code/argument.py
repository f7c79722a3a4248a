"""Arguments of a function of one's own: tensors by their sizes, numbers, options, constants."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import EllipsisType
from typing import Any, Literal

import torch
from hypothesis.strategies import SearchStrategy
from torch import Tensor

from eagerdiff.strategies.programs.size import Size

Bound = int | str
"""A size: a number, a name, or a formula of names (`2*length+1`)."""
Values = Literal["any", "indices", "sorted", "lengths", "offsets", "parts", "mask", "unit"]
"""What a tensor's values must be like: any; indices of something, or those in ascending order; counts up to it; offsets
into it, ascending from 0 to it; counts that add up to it; 0 or 1; floats from 0 to 1."""
Making = Callable[[Mapping[str, int], torch.Generator], Tensor]
"""Make a tensor of the sizes by name, on the CPU, from a generator alone."""


@dataclass(frozen=True)
class SizeRange:
    """Bound a size; a bound may be another size."""

    least: Bound = 0
    most: Bound = 64
    met: tuple[int, ...] = ()
    """Sizes that a program was seen to have: others are drawn around them."""


USUAL = SizeRange()
"""What bounds a size that nobody bounds."""


@dataclass(frozen=True)
class TensorOf:
    """Describe a tensor by its sizes."""

    shape: tuple[Bound, ...]
    """The sizes after the leading dims."""
    dtype: torch.dtype | None = None
    """None where it is still to be found out."""
    values: Values = "any"
    below: Bound | None = None
    """For integers: what they are indices, lengths or offsets of."""
    batched: bool = False
    """Whether any number of leading dims comes first (`...`), the same for all tensors of a call."""

    @property
    def sizes(self) -> tuple[Size, ...]:
        """The shape as formulas."""
        return tuple(map(Size.of, self.shape))

    @property
    def names(self) -> set[str]:
        """Every name in it."""
        formulas = [*self.sizes, *(() if self.below is None else (Size.of(self.below),))]
        return {name for formula in formulas for name in formula.symbols}


@dataclass(frozen=True)
class MadeBy:
    """Make a tensor by a function of the user's."""

    make: Making


@dataclass(frozen=True)
class SizeItself:
    """Give a size as a Python integer."""

    size: str


@dataclass(frozen=True)
class Drawn:
    """Draw a Python number, text or None from a strategy of the user's.

    A number changes from call to call; anything else is the same in all calls of a workload.
    """

    strategy: SearchStrategy[Any]


@dataclass(frozen=True)
class Always:
    """Give the same value in every call."""

    value: Any


Argument = TensorOf | MadeBy | SizeItself | Drawn | Always


def tensor(
    *shape: Bound | EllipsisType,
    dtype: torch.dtype | None = None,
    values: Values = "any",
    below: Bound | None = None,
) -> TensorOf:
    """Describe a tensor argument of `check`: `tensor("batch", "length", 64, dtype=torch.bfloat16)`.

    Names are sizes that change, equal names equal sizes; `2*length+1` is a formula of one. `below` says what integers
    are indices of. Without `dtype` it is found out which one the function takes. `...` before the sizes is any number
    of leading dims, for kernels. Raises ValueError for what is no size.
    """
    batched = bool(shape) and shape[0] is ...
    sizes = tuple(size for size in shape[batched:] if not isinstance(size, EllipsisType))
    if len(sizes) + batched != len(shape):
        raise ValueError("... stands before the sizes, once")
    for size in (*sizes, *(() if below is None else (below,))):
        Size.of(size)
    if below is not None and values == "any":
        values = "indices"
    return TensorOf(sizes, dtype, values, below, batched)


def sizes(least: Bound = 0, most: Bound = 64) -> SizeRange:
    """Bound a size of `check`: `picked=sizes(0, "length")`; both ends are included, and may be names of other sizes.

    Raises ValueError for what is no size, and for numbers that cross.
    """
    for size in (least, most):
        Size.of(size)
    if isinstance(least, int) and isinstance(most, int) and not 0 <= least <= most:
        raise ValueError(f"sizes({least}, {most}): from the least to the most, 0 or more")
    return SizeRange(least, most)
