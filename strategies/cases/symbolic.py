"""One call of a program of `symbolic`, as data: the sizes and counts in which its calls differ."""

from typing import Literal

from eagerdiff import Case, DType, dynamic, static

Layout = Literal["contiguous", "transposed", "strided", "offset", "expanded"]


class SymbolicCase(Case):
    """Describe one call of one program."""

    program: str = static()
    """Which program, by its name in `eagerdiff.reference.symbolic`."""
    dtype: DType = static("float32")
    """Of the floating-point inputs."""
    layout: Layout = static("contiguous")
    """Of the floating-point inputs that have a changing dim."""
    width: int = static(8, ge=1)
    """Feature dim of the activations."""
    settings: tuple[str, ...] | None = static(None)
    """Names of the compiler's drawn settings that are kept, where a way of compiling draws any; None keeps them all."""
    batch: int = dynamic(ge=0)
    """The first changing size."""
    seq: int = dynamic(1, ge=0)
    """The second."""
    count: int = dynamic(0, ge=0)
    """The data-dependent size wanted: selected elements, distinct ids, k, cached tokens, the layer that exits."""
