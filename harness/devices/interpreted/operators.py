"""Operators of blocks, short-circuited where the semantics have nothing to decide.

`x + y` of one dtype, or of a block and a Python number of its own kind, needs no promotion and no cast; going straight
to numpy takes a quarter of the time. Everything else goes through Triton's semantics.
"""

from collections.abc import Callable

import numpy as np
import triton.language as tl

from eagerdiff.harness.devices.interpreted.layouts import Block, BlockType, common_shape, sizes
from eagerdiff.harness.devices.interpreted.values import NATIVE, Array, settle, value_dtype
from eagerdiff.harness.internals.triton_interpreter import TensorHandle, interpreter

Operator = Callable[[Block, object], Block]
"""A method of `tl.tensor`: the other operand may be a number, or anything that the semantics refuse."""

ARITHMETIC = {"__add__": np.add, "__sub__": np.subtract, "__mul__": np.multiply}
COMPARISONS = {
    "__lt__": np.less,
    "__le__": np.less_equal,
    "__gt__": np.greater,
    "__ge__": np.greater_equal,
    "__eq__": np.equal,
    "__ne__": np.not_equal,
}
BITWISE = {"__and__": np.bitwise_and, "__or__": np.bitwise_or, "__xor__": np.bitwise_xor}


def shorten() -> None:
    """Put the short cuts before the operators of `tl.tensor`, which must be bound already."""
    for name, ufunc in ARITHMETIC.items():
        setattr(tl.tensor, name, _arithmetic(ufunc, getattr(tl.tensor, name)))
    for name, ufunc in COMPARISONS.items():
        setattr(tl.tensor, name, _comparison(ufunc, getattr(tl.tensor, name)))
    for name, ufunc in BITWISE.items():
        setattr(tl.tensor, name, _bitwise(ufunc, getattr(tl.tensor, name)))


def _arithmetic(ufunc: np.ufunc, general: Operator) -> Operator:
    adds = ufunc is np.add

    def operate(self: Block, other: object) -> Block:
        dtype = self.dtype
        if type(other) is Block:
            if adds and dtype.is_ptr() and other.dtype.name in ("int32", "int64"):
                handle = interpreter.interpreter_builder.create_addptr(self.handle, other.handle)
                return _result(handle, dtype, self.type, other.type)
            if dtype.name != other.dtype.name or dtype.name not in NATIVE or dtype.name == "int1":
                return general(self, other)
            data = ufunc(self.handle.data, other.handle.data)
            return _result(TensorHandle(data, dtype), dtype, self.type, other.type)
        number = _number(other, dtype)
        if number is None:
            return general(self, other)
        return Block(TensorHandle(settle(ufunc(self.handle.data, number), dtype), dtype), self.type)

    return operate


def _comparison(ufunc: np.ufunc, general: Operator) -> Operator:
    def operate(self: Block, other: object) -> Block:
        if type(other) is Block:
            if self.dtype.name != other.dtype.name or self.dtype.is_ptr():
                return general(self, other)
            handle = TensorHandle(ufunc(self.handle.data, other.handle.data), tl.int1)
            return _result(handle, tl.int1, self.type, other.type)
        number = _number(other, self.dtype)
        if number is None:
            return general(self, other)
        return _result(TensorHandle(ufunc(self.handle.data, number), tl.int1), tl.int1, self.type, self.type)

    return operate


def _bitwise(ufunc: np.ufunc, general: Operator) -> Operator:
    def operate(self: Block, other: object) -> Block:
        if type(other) is not Block or self.dtype.name != other.dtype.name or not self.dtype.is_int():
            return general(self, other)
        handle = TensorHandle(ufunc(self.handle.data, other.handle.data), self.dtype)
        return _result(handle, self.dtype, self.type, other.type)

    return operate


def _result(handle: TensorHandle, dtype: tl.dtype, left: tl.dtype, right: tl.dtype) -> Block:
    shape = sizes(left)
    if shape != sizes(right):
        shape = common_shape(shape, sizes(right))
    elif left.scalar.name == dtype.name:
        return Block(handle, left)
    return Block(handle, BlockType(dtype, shape) if shape else dtype)


def _number(value: object, dtype: tl.dtype) -> Array | None:
    """Return a Python number as a value of the dtype, or None where the semantics must look at it."""
    if type(value) is int and dtype.name in ("int32", "int64", "fp32", "fp64", "fp16", "bf16"):
        if dtype.is_int() and not -(2**31) <= value < 2**31:
            return None
    elif type(value) is not float or dtype.name not in ("fp32", "fp64", "fp16", "bf16"):
        return None
    return settle(np.array([value], dtype=value_dtype(dtype)), dtype)
