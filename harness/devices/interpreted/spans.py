"""The memory that one launch may touch: the spans of its tensor arguments."""

import ctypes
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from triton.tools.tensor_descriptor import TensorDescriptor

from eagerdiff.harness.devices.extents import extent, live_tensors, pointed_at
from eagerdiff.harness.devices.interpreted.values import Addresses, Array, Lanes


@dataclass(frozen=True, slots=True)
class Span:
    """Bound the bytes of one argument's view, strides included: `low <= address < high`; empty where equal."""

    argument: str
    low: int
    high: int
    storage: int
    """Address of the storage: views of one storage may reach into one another."""
    itemsize: int
    """Bytes of an element; 0 where a pointer was cast to another width."""

    @classmethod
    def of(cls, argument: str, tensor: torch.Tensor) -> "Span":
        """Measure a tensor."""
        low, high = extent(tensor)
        return cls(argument, low, high, tensor.untyped_storage().data_ptr(), tensor.element_size())

    def cells(self, dtype: np.dtype[Any]) -> Array:
        """Return the memory itself, as one axis of elements."""
        memory = (ctypes.c_char * (self.high - self.low)).from_address(self.low)
        # numpy's hints leave out the arrays of ctypes.
        return np.frombuffer(memory, dtype=dtype)  # pyright: ignore[reportCallIssue, reportArgumentType]

    def places(self, addresses: Addresses) -> NDArray[np.int64]:
        """Return the index in `cells` of each uint64 address."""
        return (addresses - np.uint64(self.low)).view(np.int64) // self.itemsize


class Spans:
    """Look addresses up among the arguments of one launch."""

    def __init__(self, spans: list[Span]) -> None:
        self.spans = spans
        self._live: list[Span] | None = None

    def inside(self, addresses: Addresses, size: int, home: Span | None) -> Lanes:
        """Return which uint64 addresses begin `size` bytes that a pointer from `home` may touch.

        A pointer with no known home (made from an integer) may touch any argument or any live tensor.
        """
        allowed = self.spans if home is None else [span for span in self.spans if span.storage == home.storage]
        found = _within(addresses, size, allowed)
        if home is None and not found.all():
            found |= _within(addresses, size, self._live_tensors())
        return found

    def nearest(self, address: int, home: Span | None) -> Span:
        """Return the span to name in a report."""
        if home is not None:
            return home
        if not self.spans:
            return Span("<none>", 0, 0, 0, 0)
        return min(self.spans, key=lambda span: min(abs(address - span.low), abs(address - span.high)))

    def _live_tensors(self) -> list[Span]:
        if self._live is None:
            self._live = [Span.of("<live tensor>", tensor) for tensor in live_tensors()]
        return self._live


def tensors_of(name: str, value: object) -> list[tuple[str, torch.Tensor]]:
    """Return the tensors inside an argument: itself or what it points into, a descriptor's base, a tuple's items."""
    if isinstance(value, TensorDescriptor):
        return tensors_of(name, value.base)
    if isinstance(value, (tuple, list)):
        return [found for index, item in enumerate(value) for found in tensors_of(f"{name}[{index}]", item)]
    tensor = pointed_at(value)
    return [] if tensor is None else [(name, tensor)]


def _within(addresses: Addresses, size: int, spans: list[Span]) -> Lanes:
    found = np.zeros(addresses.shape, dtype=bool)
    for span in spans:
        if span.high - span.low >= size:
            found |= (addresses >= np.uint64(span.low)) & (addresses <= np.uint64(span.high - size))
    return found
