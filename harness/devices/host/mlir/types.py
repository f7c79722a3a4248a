"""Types of values: scalars, pointers, and tensors of either."""

import functools
import re
from dataclasses import dataclass

POINTER = "ptr"
_DIM = re.compile(r"(\d+)x")


@dataclass(frozen=True)
class Type:
    """A type of TTIR: `f32`, `!tt.ptr<f32>`, `tensor<4x8xi1>`, `tensor<4x!tt.ptr<f32>>`."""

    element: str
    """MLIR's name (`f32`, `bf16`, `f8E5M2`, `i1`, `i64`, `index`), or `POINTER`."""
    shape: tuple[int, ...] | None = None
    """None: a scalar. A tensor of no dims does not occur in TTIR."""
    pointee: str = ""
    """What a pointer points to."""

    @property
    def is_tensor(self) -> bool:
        return self.shape is not None

    @property
    def is_pointer(self) -> bool:
        return self.element == POINTER

    @property
    def dims(self) -> tuple[int, ...]:
        """The shape; none of a scalar."""
        return self.shape or ()


@functools.cache
def type_of(text: str) -> Type:
    """Return the type that MLIR prints so."""
    inner, shape = text, None
    if text.startswith("tensor<"):
        inner, dims = text[len("tensor<") : -1], []
        while found := _DIM.match(inner):
            dims.append(int(found[1]))
            inner = inner[found.end() :]
        shape = tuple(dims)
    if inner.startswith("!tt.ptr<"):
        pointee = inner[len("!tt.ptr<") : -1].split(",")[0]  # what follows is the address space
        return Type(POINTER, shape, pointee)
    return Type(inner, shape)
