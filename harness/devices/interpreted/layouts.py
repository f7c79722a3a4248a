"""Types of blocks, made once for each shape.

Triton builds a block type, its name and a tuple of constants for every operation, which costs the interpreter more
than the arithmetic does. They depend on the element type and the shape alone.
"""

import functools
from collections.abc import Sequence
from numbers import Number
from typing import TYPE_CHECKING

import numpy as np
import triton.language as tl

from eagerdiff.harness.devices.interpreted.values import Value
from eagerdiff.harness.internals.triton_interpreter import TensorHandle
from eagerdiff.harness.internals.triton_language import TYPES
from eagerdiff.harness.internals.triton_semantic import TritonSemantic

if TYPE_CHECKING:
    # Triton's own classes, with the hints that it leaves out and what `remember` adds.
    class Block(tl.tensor):
        handle: TensorHandle
        type: tl.dtype  # pyright: ignore[reportIncompatibleVariableOverride]

    class BlockType(tl.block_type):
        eagerdiff_sizes: tuple[int, ...]
        eagerdiff_tensor: dict[str, object]

        def __init__(self, element_ty: tl.dtype, shape: Sequence[int]) -> None: ...
else:
    Block, BlockType = tl.tensor, tl.block_type

_make_block_type = tl.block_type.__init__
_make_tensor = tl.tensor.__init__


def remember() -> None:
    """Make `tl.block_type` and `tl.tensor` reuse what they built for an equal shape."""
    TYPES["block_type"].replace(_block_type)
    TYPES["with_element_ty"].replace(lambda self, scalar: tl.block_type(scalar, self.eagerdiff_sizes))
    TYPES["tensor"].replace(_tensor)


class BroadcastingSemantic(TritonSemantic[Block]):
    """Triton's semantics, leaving to numpy the broadcasting that it does by itself."""

    def binary_op_type_checking_impl(
        self, lhs: Block | Number, rhs: Block | Number, *args: bool, **kwargs: bool
    ) -> tuple[Block, Block]:
        lhs, rhs = _TypeChecking.binary_op_type_checking_impl(self._checking, lhs, rhs, *args, **kwargs)
        shape = common_shape(sizes(lhs.type), sizes(rhs.type))
        return _retyped(lhs, shape), _retyped(rhs, shape)

    # Triton's hint says one tensor; its method returns two, too.
    def broadcast_impl_value(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, lhs: Block, rhs: Block
    ) -> tuple[Block, Block]:
        shape = common_shape(sizes(lhs.type), sizes(rhs.type))
        return _spread(lhs, shape), _spread(rhs, shape)

    # How a load is cached differs from release to release of triton.
    def load(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, ptr: Block, mask: Block | None, other: Block | None, *rest: Value
    ) -> Block:
        # Triton asks `other` for its truth, and a tensor of one zero is false: it would be taken for none.
        self.builder.has_other = other is not None
        try:
            return super().load(ptr, mask, other, *rest)
        finally:
            self.builder.has_other = False

    @functools.cached_property
    def _checking(self) -> "_TypeChecking":
        return _TypeChecking(self.builder)


class _TypeChecking(TritonSemantic[Block]):
    """Check and convert the types of two operands; leave their shapes alone."""

    # Triton's hint says one tensor; its method returns two, too.
    def broadcast_impl_value(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, lhs: Block, rhs: Block
    ) -> tuple[Block, Block]:
        return lhs, rhs


def sizes(kind: tl.dtype) -> tuple[int, ...]:
    """Return the shape of a type; () for a scalar."""
    return kind.eagerdiff_sizes if kind.is_block() else ()  # pyright: ignore[reportAttributeAccessIssue]


@functools.cache
def common_shape(left: tuple[int, ...], right: tuple[int, ...]) -> tuple[int, ...]:
    """Return the shape that both broadcast to; raise ValueError, as Triton does, where there is none."""
    rank = max(len(left), len(right))
    padded = [(1,) * (rank - len(shape)) + shape for shape in (left, right)]
    for axis, (a, b) in enumerate(zip(*padded, strict=True)):
        if a != b and 1 not in (a, b):
            raise ValueError(f"Cannot make_shape_compatible: incompatible dimensions at index {axis}: {a} and {b}")
    return tuple(b if a == 1 else a for a, b in zip(*padded, strict=True))


def _retyped(value: Block, shape: tuple[int, ...]) -> Block:
    """Give a tensor the type of a broadcast without making it: an elementwise operation follows."""
    if sizes(value.type) == shape:
        return value
    return Block(value.handle, BlockType(value.dtype, shape))


def _spread(value: Block, shape: tuple[int, ...]) -> Block:
    if sizes(value.type) == shape:
        return value
    handle = TensorHandle(np.broadcast_to(value.handle.data, shape), value.handle.dtype.scalar, value.handle.attr)
    return Block(handle, BlockType(value.dtype, shape))


_BLOCK_TYPES: dict[tuple[object, tuple[object, ...]], dict[str, object]] = {}
"""What was built, by element type and shape: a cache of pure results."""


def _block_type(self: BlockType, element_ty: tl.dtype, shape: Sequence[int | tl.constexpr]) -> None:
    plain = tuple([size if type(size) is int else getattr(size, "value", size) for size in shape])
    parts = _BLOCK_TYPES.get((element_ty.name, plain))
    if parts is None:
        _make_block_type(self, element_ty, list(shape))
        self.eagerdiff_sizes = tuple(int(size) for size in plain)
        self.eagerdiff_tensor = _tensor_parts(self)
        parts = _BLOCK_TYPES[element_ty.name, plain] = dict(vars(self))
    self.__dict__.update(parts)


def _tensor_parts(kind: tl.dtype) -> dict[str, object]:
    made = tl.tensor.__new__(tl.tensor)
    _make_tensor(made, None, kind)
    return {name: value for name, value in vars(made).items() if name not in ("handle", "type")}


def _tensor(self: Block, handle: TensorHandle, type: tl.dtype) -> None:
    self.__dict__.update(type.eagerdiff_tensor if type.is_block() else _SCALAR)  # pyright: ignore[reportAttributeAccessIssue]
    self.handle, self.type, self.dtype = handle, type, type.scalar


_SCALAR = _tensor_parts(tl.int32)
