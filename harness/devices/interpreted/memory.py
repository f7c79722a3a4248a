"""Loads, stores and atomics that check every live lane before touching memory."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast

import numpy as np
import triton.language as tl

from eagerdiff.harness.devices.interpreted.casts import nearest_tf32
from eagerdiff.harness.devices.interpreted.spans import Span, Spans
from eagerdiff.harness.devices.interpreted.values import (
    Addresses,
    Array,
    Lanes,
    decode,
    encode,
    memory_dtype,
    settle,
    value_dtype,
    wild,
)
from eagerdiff.harness.devices.watch import AccessKind, MemoryFault, MemoryWatch
from eagerdiff.harness.internals.triton_interpreter import TensorHandle, ir, native

if TYPE_CHECKING:
    from eagerdiff.harness.internals.triton_interpreter import BlockPointerHandle, TensorDescHandle

Position = TypeVar("Position", contravariant=True)


class Choice(Protocol):
    """One of what `ir` enumerates, such as a rounding mode: native code, with no types of its own."""

    @property
    def name(self) -> str: ...


class Pointing(Protocol[Position]):
    """A block of memory that tells its pointers: at a descriptor's offsets, or with a block pointer's axes checked."""

    @property
    def base(self) -> TensorHandle: ...

    def materialize_pointers(self, position: Position, /) -> tuple[TensorHandle, Lanes | TensorHandle]: ...


class OutOfBounds(Exception):
    """A kernel reached outside its arguments while nothing watched it."""


class MemoryOperations:
    """The part of the interpreter's builder that touches memory.

    A wild lane is reported to `watch` and dropped: a store or an atomic is not performed, a load gives NaN or a wild
    integer. With no watch, `OutOfBounds` is raised.
    """

    spans: Spans = Spans([])
    watch: MemoryWatch | None = None
    kernel: str = "?"
    has_other: bool = False
    """Whether the load in hand was given an `other`, if only a zero."""

    # Of the interpreter's builder, which `CheckedBuilder` extends, too.
    grid_idx: tuple[int, int, int]
    ir_rmw_op_to_interpreter_rmw_op: Mapping[Choice, Choice]
    ir_sem_to_interpreter_sem: Mapping[Choice, Choice]

    # How a load or a store is cached is told in two arguments before triton 3.9, and in one from there on.

    def create_load(self, ptr: TensorHandle, *_policy: object) -> TensorHandle:
        return self._read(ptr, None, None)

    def create_masked_load(
        self, ptrs: TensorHandle, mask: TensorHandle, other: TensorHandle | None, *_policy: object
    ) -> TensorHandle:
        if other is None and self.has_other:
            return self._read(ptrs, mask.data, np.zeros(1, value_dtype(ptrs.get_element_ty())))
        return self._read(ptrs, mask.data, None if other is None else other.data)

    def create_store(self, ptr: TensorHandle, value: TensorHandle, *_policy: object) -> None:
        return self._write(ptr, value, None)

    def create_masked_store(
        self, ptrs: TensorHandle, value: TensorHandle, mask: TensorHandle, *_policy: object
    ) -> None:
        return self._write(ptrs, value, mask.data)

    def create_tensor_pointer_load(
        self, ptr: "BlockPointerHandle", boundary_check: Sequence[int], padding: Choice | None, *_policy: object
    ) -> TensorHandle:
        pointers, mask = _materialize(ptr, boundary_check)
        return self._read(pointers, mask, _padding(padding, pointers))

    def create_tensor_pointer_store(
        self, ptr: "BlockPointerHandle", value: TensorHandle, boundary_check: Sequence[int], *_policy: object
    ) -> None:
        pointers, mask = _materialize(ptr, boundary_check)
        return self._write(pointers, value, mask)

    def create_descriptor_load(
        self, desc: "TensorDescHandle", indices: list[TensorHandle], *_policy: object
    ) -> TensorHandle:
        pointers, mask = _materialize(desc, indices)
        loaded = self._read(pointers, mask, _padding(desc.padding, pointers))
        if getattr(desc, "round_f32_to_tf32", False):  # from triton 3.9 on
            loaded.data = nearest_tf32(loaded.data)
        return loaded

    def create_descriptor_store(
        self, desc: "TensorDescHandle", value: TensorHandle, indices: list[TensorHandle]
    ) -> None:
        pointers, mask = _materialize(desc, indices)
        return self._write(pointers, value, mask)

    def create_descriptor_gather(
        self, desc: "TensorDescHandle", x_offsets: TensorHandle, y_offset: TensorHandle, _type: tl.dtype
    ) -> TensorHandle:
        rows = [self.create_descriptor_load(desc, [_row(x), y_offset]).data for x in x_offsets.data]
        return TensorHandle(np.concatenate(rows), cast(tl.pointer_type, desc.base.dtype).element_ty)

    def create_descriptor_scatter(
        self, desc: "TensorDescHandle", value: TensorHandle, x_offsets: TensorHandle, y_offset: TensorHandle
    ) -> None:
        for index, x in enumerate(x_offsets.data):
            self.create_descriptor_store(
                desc, TensorHandle(value.data[index : index + 1], value.dtype), [_row(x), y_offset]
            )

    def create_descriptor_reduce(
        self, kind: Choice, desc: "TensorDescHandle", value: TensorHandle, indices: list[TensorHandle]
    ) -> None:
        pointers, mask = _materialize(desc, indices)
        names = ("ADD", "MIN", "MAX", "AND", "OR", "XOR")
        name = next(name for name in names if getattr(ir.DESCRIPTOR_REDUCE_KIND, name, None) == kind)
        self._combine(name, pointers, value, mask)

    def create_atomic_rmw(
        self,
        operation: Choice,
        ptr: TensorHandle,
        value: TensorHandle,
        mask: TensorHandle,
        sem: Choice,
        _scope: Choice,
    ) -> TensorHandle:
        live, _, _ = self._admit("atomic", ptr, mask.data, memory_dtype(ptr.get_element_ty()).itemsize)
        if value.data.dtype.itemsize >= 4 and not _is_half(value.dtype):
            lanes = _lanes(live, ptr.data)
            kind, order = self.ir_rmw_op_to_interpreter_rmw_op[operation], self.ir_sem_to_interpreter_sem[sem]
            where, added = np.ascontiguousarray(ptr.data), _dense(value.data, ptr.data)
            old = native.atomic_rmw(kind, where, added, lanes, order)
            return TensorHandle(np.where(lanes, old, wild(old.shape, value.dtype)), value.dtype.scalar)
        return self._combine(operation.name, ptr, value, live)

    def create_atomic_cas(
        self, ptr: TensorHandle, cmp: TensorHandle, value: TensorHandle, sem: Choice, _scope: Choice
    ) -> TensorHandle:
        live, clean, _ = self._admit("atomic", ptr, None, memory_dtype(ptr.get_element_ty()).itemsize)
        order = self.ir_sem_to_interpreter_sem[sem]
        expected, new = encode(cmp.data, cmp.dtype), encode(value.data, value.dtype)
        if clean:
            where = np.ascontiguousarray(ptr.data)
            old = native.atomic_cas(where, _dense(expected, ptr.data), _dense(new, ptr.data), order)
            return TensorHandle(decode(old, cmp.dtype), cmp.dtype.scalar)
        result = np.array(wild(ptr.data.shape, cmp.dtype))
        live = _lanes(live, ptr.data)
        if live.any():
            chosen = [np.ascontiguousarray(_spread(data, ptr.data)[live]) for data in (ptr.data, expected, new)]
            result[live] = decode(native.atomic_cas(*chosen, order), cmp.dtype)
        return TensorHandle(result, cmp.dtype.scalar)

    def _read(self, ptrs: TensorHandle, mask: Lanes | None, other: Array | None) -> TensorHandle:
        element = ptrs.get_element_ty()
        stored = memory_dtype(element)
        live, clean, home = self._admit("load", ptrs, mask, stored.itemsize)
        if home is not None:
            return TensorHandle(_gather(home, ptrs.data, live, other, element, stored), element)
        fill = wild(ptrs.data.shape, element) if other is None else _spread(other, ptrs.data)
        if other is not None and not clean:
            fill = np.where(_lanes(mask, ptrs.data) & ~_lanes(live, ptrs.data), wild(ptrs.data.shape, element), fill)
        filler = np.ascontiguousarray(encode(_held(fill, element), element))
        bits = native.load(np.ascontiguousarray(ptrs.data), _lanes(live, ptrs.data), filler, stored)
        return TensorHandle(decode(bits, element), element)

    def _write(self, ptrs: TensorHandle, value: TensorHandle, mask: Lanes | None) -> None:
        element = ptrs.get_element_ty()
        stored = memory_dtype(element)
        live, _, home = self._admit("store", ptrs, mask, stored.itemsize)
        bits = encode(_held(value.data, element), element)
        if home is None:
            where = np.ascontiguousarray(ptrs.data)
            return native.store(where, _dense(bits, ptrs.data), _lanes(live, ptrs.data))
        if live is None:
            home.cells(stored)[home.places(ptrs.data)] = bits
        else:
            live = _spread(live, ptrs.data)
            home.cells(stored)[home.places(ptrs.data[live])] = _spread(bits, ptrs.data)[live]
        return None

    def _admit(
        self, kind: AccessKind, ptrs: TensorHandle, mask: Lanes | None, size: int
    ) -> tuple[Lanes | None, bool, Span | None]:
        """Return the lanes that may be performed (None: all), whether none was dropped, and the span that holds all."""
        addresses = ptrs.data if mask is None else ptrs.data[_spread(mask, ptrs.data)]
        home: Span | None = ptrs.attr.get("span")
        if addresses.size == 0:
            return mask, True, None
        if home is not None and home.low <= int(addresses.min()) and int(addresses.max()) + size <= home.high:
            return mask, True, home if home.itemsize == size else None
        inside = self.spans.inside(ptrs.data, size, home)
        asked = _lanes(mask, ptrs.data)
        dropped = asked & ~inside
        if not dropped.any():
            return mask, True, None
        self._report(kind, ptrs.data[dropped], size, home)
        return asked & inside, False, None

    def _report(self, kind: AccessKind, addresses: Addresses, size: int, home: Span | None) -> None:
        first = int(addresses.ravel()[0])
        span = self.spans.nearest(first, home)
        offset, extent = (_signed(first) - span.low) // size, (span.high - span.low) // size
        fault = MemoryFault(kind, self.kernel, span.argument, int(addresses.size), offset, extent, self.grid_idx)
        if self.watch is None:
            raise OutOfBounds(fault.describe())
        self.watch.report(fault)

    def _combine(self, name: str, ptrs: TensorHandle, value: TensorHandle, mask: Lanes | None) -> TensorHandle:
        """Perform an atomic of a type narrower than 32 bits, lane by lane where addresses repeat."""
        element = ptrs.get_element_ty()
        live, _, _ = self._admit("atomic", ptrs, mask, memory_dtype(element).itemsize)
        addresses = ptrs.data.ravel()
        values = _spread(value.data, ptrs.data).ravel()
        old = np.array(wild((addresses.size,), element))
        pending = np.flatnonzero(_lanes(live, ptrs.data))
        while pending.size:
            _, first = np.unique(addresses[pending], return_index=True)
            lanes = pending[first]
            where, every = np.ascontiguousarray(addresses[lanes]), np.ones(lanes.shape, dtype=bool)
            stored = memory_dtype(element)
            read = decode(native.load(where, every, np.zeros(lanes.shape, dtype=stored), stored), element)
            old[lanes] = read
            new = settle(_COMBINE[name.removeprefix("F").removeprefix("U")](read, values[lanes]), element)
            native.store(where, np.ascontiguousarray(encode(new, element)), every)
            pending = np.delete(pending, first)
        return TensorHandle(old.reshape(ptrs.data.shape), element)


_COMBINE: dict[str, Callable[[Array, Array], Array]] = {
    "ADD": lambda old, new: old.astype(np.float32) + new if old.dtype.kind == "f" else old + new,
    "MIN": np.minimum,
    "MAX": np.maximum,
    "AND": np.bitwise_and,
    "OR": np.bitwise_or,
    "XOR": np.bitwise_xor,
    "XCHG": lambda old, new: new,
}


def _gather(
    home: Span, addresses: Addresses, live: Lanes | None, other: Array | None, element: tl.dtype, stored: np.dtype[Any]
) -> Array:
    """Load lanes that all lie within one argument."""
    cells = home.cells(stored)
    if live is None:
        return decode(cells[home.places(addresses)], element)
    live = _spread(live, addresses)
    fill = wild(addresses.shape, element) if other is None else _held(_spread(other, addresses), element)
    result = np.array(fill)
    result[live] = decode(cells[home.places(addresses[live])], element)
    return result


def _materialize(block: Pointing[Position], position: Position) -> tuple[TensorHandle, Lanes]:
    pointers, mask = block.materialize_pointers(position)
    span = block.base.attr.get("span")
    if span is not None:
        pointers.set_attr("span", span)
    # From triton 3.9 on the mask is a block, too.
    return pointers, np.broadcast_to(mask.data if isinstance(mask, TensorHandle) else mask, pointers.data.shape)


def _padding(padding: Choice | None, pointers: TensorHandle) -> Array | None:
    """Return what padded lanes read; None where Triton leaves it undefined."""
    if padding == ir.PADDING_OPTION.PAD_ZERO:
        return np.zeros(pointers.data.shape, dtype=value_dtype(pointers.get_element_ty()))
    if padding == ir.PADDING_OPTION.PAD_NAN:
        return np.full(pointers.data.shape, np.nan, dtype=value_dtype(pointers.get_element_ty()))
    return None


def _held(data: Array, element: tl.dtype) -> Array:
    """Return values in the numpy type that holds them; they are rounded already."""
    return data.astype(value_dtype(element), copy=False)


def _row(x: np.int32) -> TensorHandle:
    return TensorHandle(np.array([x], dtype=np.int32), tl.int32)


def _spread(data: Array, like: Array) -> Array:
    return data if data.shape == like.shape else np.broadcast_to(data, like.shape)


def _dense(data: Array, like: Array) -> Array:
    """Broadcast and lay out: Triton's native functions read their arrays as contiguous."""
    return np.ascontiguousarray(_spread(data, like))


def _lanes(mask: Lanes | None, like: Array) -> Lanes:
    return np.ones(like.shape, dtype=bool) if mask is None else _dense(mask, like)


def _signed(address: int) -> int:
    return address - 2**64 if address >= 2**63 else address


def _is_half(dtype: tl.dtype) -> bool:
    return dtype.scalar.primitive_bitwidth < 32
