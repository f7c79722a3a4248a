"""Types of the values in a program: dtype, shape as formulas, and what else an operation must know."""

from dataclasses import dataclass, replace
from typing import Literal

from eagerdiff.strategies.programs.size import Size

Kind = Literal["float", "int", "bool", "complex"]

KINDS: dict[str, Kind] = {
    "float64": "float",
    "float32": "float",
    "float16": "float",
    "bfloat16": "float",
    "int64": "int",
    "int32": "int",
    "int16": "int",
    "int8": "int",
    "uint8": "int",
    "bool": "bool",
    "complex64": "complex",
    "complex128": "complex",
}
"""Kind by the name of a torch dtype."""


@dataclass(frozen=True)
class Type:
    """Describe a tensor, or a Python number."""

    dtype: str
    """Name of a torch dtype; int64 and float64 for Python numbers."""
    shape: tuple[Size, ...] = ()
    below: Size | None = None
    """Where given, integers in [0, below): indices into something of that size."""
    overlaps: bool = False
    """Whether elements share memory (expanded): it must not be written."""
    number: Size | None = None
    """For a Python integer, its value as a formula; for a float that the data tell, a symbol of its own."""
    plain: bool = False
    """Whether it is a Python number at all."""

    @property
    def kind(self) -> Kind:
        """float, int, bool or complex."""
        return KINDS[self.dtype]

    @property
    def ndim(self) -> int:
        """How many dims."""
        return len(self.shape)

    @property
    def numel(self) -> Size:
        """The product of the sizes."""
        total = Size.of(1)
        for size in self.shape:
            total = total * size
        return total

    def of(self, dtype: str | None = None, shape: "tuple[Size, ...] | None" = None) -> "Type":
        """Return a fresh tensor's type with another dtype or shape; bounds and overlaps are not kept."""
        return Type(dtype or self.dtype, self.shape if shape is None else shape)

    def view(self, *shape: Size) -> "Type":
        """Return the type of a view: it keeps bound and overlap."""
        return replace(self, shape=shape)

    def without(self, dim: int) -> tuple[Size, ...]:
        """Return the shape with a dim left out; the dim may be negative."""
        dim %= max(self.ndim, 1)
        return self.shape[:dim] + self.shape[dim + 1 :]

    def with_dim(self, dim: int, size: Size | int) -> tuple[Size, ...]:
        """Return the shape with a dim's size replaced; the dim may be negative."""
        dim %= max(self.ndim, 1)
        return (*self.shape[:dim], Size.of(size), *self.shape[dim + 1 :])
