"""The interpreter's builder, computing by value in every dtype."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NoReturn

import numpy as np
import triton.language as tl

from eagerdiff.harness.devices.interpreted import casts, libdevice
from eagerdiff.harness.devices.interpreted.coverage import Coverage
from eagerdiff.harness.devices.interpreted.memory import Choice, MemoryOperations
from eagerdiff.harness.devices.interpreted.values import Array, memory_dtype, settle, value_dtype
from eagerdiff.harness.internals.triton_interpreter import InterpreterBuilder, InterpreterOptions, TensorHandle, ir

COMPARISONS = frozenset((np.less, np.less_equal, np.greater, np.greater_equal, np.equal, np.not_equal))


# Triton gives every argument by its place: their names differ from its own here and there.
class CheckedBuilder(MemoryOperations, InterpreterBuilder):  # pyright: ignore[reportIncompatibleMethodOverride]
    """Replace `triton.runtime.interpreter.interpreter_builder`."""

    def __init__(self) -> None:
        super().__init__()
        self.grid_idx, self.grid_dim = (0, 0, 0), (1, 1, 1)
        # Assertions are on; overflow checks, three operations each, would refuse what the hardware wraps.
        self.options = InterpreterOptions(sanitize_overflow=False, debug=True)
        self.codegen_fns["min_dot_size"] = _min_dot_size
        self.coverage = Coverage()

    # constants that the semantics ask for by name

    def get_bf16(self, value: float) -> TensorHandle:
        return TensorHandle(settle(np.array([value], dtype=np.float32), tl.bfloat16), tl.bfloat16)

    def get_null_value(self, type: tl.dtype) -> TensorHandle:
        return TensorHandle(np.zeros(1, dtype=value_dtype(type)), type.scalar)

    # arithmetic

    def binary_op(self, lhs: TensorHandle, rhs: TensorHandle, op: Callable[[Array, Array], Array]) -> TensorHandle:
        data = op(lhs.data, rhs.data)
        if op in COMPARISONS:
            return TensorHandle(data, tl.int1)
        dtype = lhs.dtype.scalar
        return TensorHandle(settle(data, dtype), dtype)

    def unary_op(self, arg: TensorHandle, op: Callable[[Array], Array]) -> TensorHandle:
        return TensorHandle(settle(op(arg.data), arg.dtype), arg.dtype.scalar)

    def ternary_op(
        self, lhs: TensorHandle, rhs: TensorHandle, other: TensorHandle, op: Callable[[Array, Array, Array], Array]
    ) -> TensorHandle:
        return TensorHandle(settle(op(lhs.data, rhs.data, other.data), other.dtype), other.dtype.scalar)

    def create_select(self, cond: TensorHandle, lhs: TensorHandle, rhs: TensorHandle) -> TensorHandle:
        chosen = TensorHandle(np.where(cond.data, lhs.data, rhs.data), lhs.dtype.scalar)
        return _keep_span(chosen, lhs) if lhs.attr.get("span") is rhs.attr.get("span") else chosen

    def create_minnumf(self, lhs: TensorHandle, rhs: TensorHandle) -> TensorHandle:
        return self.binary_op(lhs, rhs, np.fmin)

    def create_maxnumf(self, lhs: TensorHandle, rhs: TensorHandle) -> TensorHandle:
        return self.binary_op(lhs, rhs, np.fmax)

    def create_clampf(
        self, arg: TensorHandle, low: TensorHandle, high: TensorHandle, propagate_nans: Choice
    ) -> TensorHandle:
        if propagate_nans == ir.PROPAGATE_NAN.ALL:
            return self.ternary_op(arg, low, high, np.clip)
        return self.ternary_op(arg, low, high, lambda x, least, most: np.fmax(np.fmin(x, most), least))

    def create_fabs(self, arg: TensorHandle) -> TensorHandle:
        return self.unary_op(arg, np.abs)

    def create_fma(self, x: TensorHandle, y: TensorHandle, z: TensorHandle) -> TensorHandle:
        wide = np.float64 if z.dtype.scalar.name in ("fp32", "fp64") else np.float32
        data = x.data.astype(wide) * y.data.astype(wide) + z.data.astype(wide)
        return TensorHandle(settle(data, z.dtype), z.dtype.scalar)

    def create_erf(self, arg: TensorHandle) -> TensorHandle:
        return self.unary_op(arg, libdevice.erf)

    def create_rsqrt(self, arg: TensorHandle) -> TensorHandle:
        return self.unary_op(arg, lambda x: 1 / np.sqrt(x))

    def create_idiv(self, lhs: TensorHandle, rhs: TensorHandle) -> TensorHandle:
        """Divide integers towards zero, as the hardware does: by zero gives all ones."""
        return self.binary_op(lhs, rhs, _divide)

    def create_srem(self, lhs: TensorHandle, rhs: TensorHandle) -> TensorHandle:
        return self.binary_op(lhs, rhs, _remainder)

    create_urem = create_srem

    def create_lshr(self, lhs: TensorHandle, rhs: TensorHandle) -> TensorHandle:
        return self.binary_op(lhs, rhs, lambda a, b: (_unsigned(a) >> _unsigned(b)).view(a.dtype))

    def create_ashr(self, lhs: TensorHandle, rhs: TensorHandle) -> TensorHandle:
        return self.binary_op(lhs, rhs, lambda a, b: (_signed(a) >> _signed(b)).view(a.dtype))

    def create_umulhi(self, lhs: TensorHandle, rhs: TensorHandle) -> TensorHandle:
        return self.binary_op(lhs, rhs, lambda a, b: libdevice.high_product(_unsigned(a), _unsigned(b)).view(a.dtype))

    # casts

    def cast_impl(self, src: TensorHandle, dst_type: tl.dtype) -> TensorHandle:
        return TensorHandle(casts.convert(src.data, dst_type.scalar), dst_type.scalar)

    def create_fp_to_fp(self, src: TensorHandle, dst_type: tl.dtype, rounding_mode: Choice | None) -> TensorHandle:
        if rounding_mode == ir.ROUNDING_MODE.RTZ:
            return TensorHandle(casts.truncate(src.data, dst_type.scalar), dst_type.scalar)
        return self.cast_impl(src, dst_type)

    def create_bitcast(self, src: TensorHandle, dst_type: tl.dtype) -> TensorHandle:
        if dst_type.scalar.is_ptr() and src.dtype.scalar.is_ptr():
            return _recast(src, dst_type)
        return _keep_span(TensorHandle(casts.reinterpret(src.data, src.dtype, dst_type), dst_type.scalar), src)

    create_int_to_ptr = create_bitcast
    create_ptr_to_int = create_bitcast

    # products

    def create_dot(
        self,
        a: TensorHandle,
        b: TensorHandle,
        d: TensorHandle,
        input_precision: Choice,
        max_num_imprecise_acc: int,
    ) -> TensorHandle:
        product = _matmul(a.data, b.data, input_precision)
        if self.watch is not None:
            self.watch.multiplications[self.kernel] += product.size * a.data.shape[-1]
        wide = np.float32 if d.data.dtype == np.float16 else d.data.dtype
        return TensorHandle(settle(product.astype(wide) + d.data, d.dtype), d.dtype.scalar)

    def create_dot_scaled(self, *_: object) -> NoReturn:
        raise NotImplementedError("the interpreted device does not compute tl.dot_scaled")

    def create_histogram(self, data: TensorHandle, bins: int, mask: TensorHandle | None) -> TensorHandle:
        values = data.data if mask is None else data.data[np.broadcast_to(mask.data, data.data.shape)]
        counts = np.bincount(values[(values >= 0) & (values < bins)].astype(np.int64), minlength=bins)
        return TensorHandle(counts.astype(np.int32), tl.int32)

    # libraries

    def create_extern_elementwise(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, _name: str, _path: str, symbol: str, args: Sequence[TensorHandle], ret_type: tl.dtype, _pure: bool
    ) -> TensorHandle:
        dtype = ret_type.scalar
        data = libdevice.call(symbol, *(arg.data for arg in args))
        return TensorHandle(settle(np.asarray(data), dtype), dtype)

    # pointers keep the argument that they came from

    def create_addptr(self, ptr: TensorHandle, offset: TensorHandle) -> TensorHandle:
        width = max(1, ptr.get_element_ty().primitive_bitwidth // 8)
        moved = ptr.data + np.uint64(width) * offset.data.astype(np.uint64)
        return _keep_span(TensorHandle(moved, ptr.dtype), ptr)

    def create_splat(self, ret_ty: tl.block_type, arg: TensorHandle) -> TensorHandle:
        data = np.broadcast_to(arg.data.reshape(-1)[:1], ret_ty.shape)
        return _keep_span(TensorHandle(data, arg.dtype.scalar), arg)

    def create_unsplat(self, arg: TensorHandle) -> TensorHandle:
        return _keep_span(TensorHandle(arg.data.reshape(-1)[:1], arg.dtype.scalar), arg)

    def create_broadcast(self, arg: TensorHandle, shape: Sequence[int]) -> TensorHandle:
        return _keep_span(TensorHandle(np.broadcast_to(arg.data, shape), arg.dtype.scalar), arg)

    def create_expand_dims(self, arg: TensorHandle, axis: int) -> TensorHandle:
        shape = list(arg.data.shape)
        shape.insert(axis if axis >= 0 else axis + len(shape) + 1, 1)
        return _keep_span(TensorHandle(arg.data.reshape(shape), arg.dtype.scalar), arg)

    def create_reshape(self, arg: TensorHandle, shape: Sequence[int], allow_reorder: bool) -> TensorHandle:
        return _keep_span(TensorHandle(arg.data.reshape(shape), arg.dtype.scalar), arg)

    def create_trans(self, arg: TensorHandle, perm: Sequence[int]) -> TensorHandle:
        return _keep_span(super().create_trans(arg, perm), arg)

    # what a kernel says

    def create_assert(self, condition: TensorHandle, message: str) -> None:
        if not np.all(condition.data):
            raise AssertionError(f"device_assert: {message}")

    def create_assume(self, condition: TensorHandle) -> None:
        if not np.all(condition.data):
            raise AssertionError("tl.assume: the condition does not hold")


def _keep_span(result: TensorHandle, source: TensorHandle) -> TensorHandle:
    span = source.attr.get("span")
    if span is not None:
        result.attr["span"] = span
    return result


def _recast(pointer: TensorHandle, dst_type: tl.dtype) -> TensorHandle:
    """Keep the span of a pointer; to another width, its elements may straddle the tensor's own."""
    result = TensorHandle(pointer.data, dst_type.scalar)
    span = pointer.attr.get("span")
    if span is not None:
        same = memory_dtype(result.get_element_ty()).itemsize == span.itemsize
        result.attr["span"] = span if same else replace(span, itemsize=0)
    return result


def _matmul(a: Array, b: Array, input_precision: Choice) -> Array:
    """Multiply row by row: a row has the same bits wherever it stands in a tile of whatever height, as on a GPU.

    A whole product of numpy's does not keep to that: BLAS takes the rows at an edge, and those of other heights, in
    another order.
    """
    if a.dtype.kind in "iu":
        return np.matmul(a.astype(np.float64), b.astype(np.float64)).astype(np.int64)
    if a.dtype == np.float16:
        a, b = a.astype(np.float32), b.astype(np.float32)
    elif a.dtype == np.float32 and input_precision == ir.INPUT_PRECISION.TF32:
        a, b = casts.round_tf32(a), casts.round_tf32(b)
    return np.matmul(a[..., None, :], b[..., None, :, :])[..., 0, :]


def _divide(a: Array, b: Array) -> Array:
    quotient = a // b if a.dtype.kind == "u" else (a - np.fmod(a, b)) // b
    return _all_ones_by_zero(quotient, b)


def _remainder(a: Array, b: Array) -> Array:
    return _all_ones_by_zero(np.fmod(a, b), b)


def _all_ones_by_zero(result: Array, divisor: Array) -> Array:
    if divisor.all():
        return result
    return np.where(divisor == 0, ~result.dtype.type(0), result)


def _min_dot_size(lhs_type: tl.dtype, rhs_type: tl.dtype) -> tuple[int, int, int]:
    """Return the least M, N and K that Triton's NVIDIA back end compiles."""
    return (1, 1, 32 if lhs_type.scalar.primitive_bitwidth == 8 else 16)


def _unsigned(data: Array) -> Array:
    return data.view(f"u{data.dtype.itemsize}") if data.dtype.kind == "i" else data


def _signed(data: Array) -> Array:
    return data.view(f"i{data.dtype.itemsize}") if data.dtype.kind == "u" else data
