"""The key of a call: what two equal calls have in common, in a few microseconds, and what it says as data.

Nothing is read of a tensor but its metadata. A key holds no tensor.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor
from torch.nn import Parameter

MOST_ITEMS = 64
"""Of a list, tuple or dict among the arguments; a longer one is noted by its type."""
DEEPEST = 4
"""Lists, tuples and dicts in one another."""
LONGEST_TEXT = 32
"""Characters: texts that are words (`mean`, `bilinear`) are options; longer ones are noted by their type."""
MOST_DIGITS = 30
_PLAIN = frozenset((bool, int, float, type(None)))
_TENSORS = frozenset((Tensor, Parameter))

Key = tuple[Any, ...]


def key_of(args: Sequence[Any], kwargs: Mapping[str, Any]) -> Key:
    """Return the key of a call: of equal arguments the same, with which of its tensors share memory."""
    storages: list[int] = []
    places = tuple([_key(value, storages, 0) for value in args])
    named = tuple([(name, _key(value, storages, 0)) for name, value in kwargs.items()]) if kwargs else ()
    shared = tuple(map(storages.index, storages)) if len(set(storages)) < len(storages) else ()
    return places, named, shared, torch.is_grad_enabled()


def _key(value: Any, storages: list[int], depth: int) -> Key:
    kind = type(value)
    if kind in _TENSORS:
        return _of_tensor(value, storages)
    if kind in _PLAIN:
        return kind, value
    if kind is str:
        return (kind, value) if len(value) <= LONGEST_TEXT and value.isidentifier() else ("object", kind)
    if kind is tuple or kind is list or kind is torch.Size:
        if depth < DEEPEST and len(value) <= MOST_ITEMS:
            return kind, tuple([_key(item, storages, depth + 1) for item in value])
    elif kind is dict:
        if depth < DEEPEST and len(value) <= MOST_ITEMS and all(type(name) is str for name in value):
            return kind, tuple([(name, _key(item, storages, depth + 1)) for name, item in value.items()])
    elif kind is torch.dtype:
        return kind, value
    elif isinstance(value, Tensor):
        return "subclass", kind, tuple(map(str, value.shape)), value.dtype
    return "object", kind


def _of_tensor(value: Tensor, storages: list[int]) -> Key:
    if value.layout is not torch.strided:
        stored = value._nnz() if value.layout is torch.sparse_coo else None
        return "sparse", value.shape, value.layout, value.dtype, value.device, value.requires_grad, stored
    storage = value.untyped_storage()
    storages.append(storage._cdata)
    return (
        "tensor",
        value.shape,
        value.stride(),
        value.dtype,
        value.device,
        value.requires_grad,
        value.storage_offset(),
        storage.nbytes(),
    )


class Telling:
    """Say what a key holds, as data of the fields of `model.RecordedCall`."""

    def __init__(self, key: Key) -> None:
        self._places, self._named, self._shared, self.grad = key
        self._tensors = 0

    def arguments(self) -> tuple[list[Any], dict[str, Any]]:
        """Return the arguments by position, and those by name."""
        return [self._told(one) for one in self._places], {name: self._told(one) for name, one in self._named}

    def _told(self, key: Key) -> Any:
        kind, value = key[0], key[1]
        if kind == "tensor":
            return self._strided(*key[1:])
        if kind == "sparse":
            return _sparse(*key[1:])
        if kind == "subclass":
            return {"object": f"{value.__module__}:{value.__qualname__} [{', '.join(key[2])}] {_name(key[3])}"}
        if kind is tuple or kind is list or kind is torch.Size:
            return {"list" if kind is list else "tuple": [self._told(item) for item in value]}
        if kind is dict:
            return {"mapping": {name: self._told(item) for name, item in value}}
        if kind is torch.dtype:
            return {"dtype": _name(value)}
        if kind == "object":
            return {"object": f"{value.__module__}:{value.__qualname__}"}
        return {"object": "int"} if kind is int and abs(value) >= 10**MOST_DIGITS else value

    def _strided(self, shape: Any, strides: Any, dtype: Any, device: Any, grad: bool, offset: int, room: int) -> Any:
        told: dict[str, Any] = {"tensor": list(shape), "dtype": _name(dtype)}
        if not _is_dense(shape, strides):
            told["strides"] = list(strides)
        if offset:
            told["offset"] = offset
        extent = _extent(shape, strides)
        if extent and room // dtype.itemsize > offset + extent:
            told["storage"] = room // dtype.itemsize
        at = self._tensors
        self._tensors += 1
        if self._shared and self._shared[at] != at:
            told["shares"] = self._shared[at]
        return told | _elsewhere(device, grad)


def _sparse(shape: Any, layout: Any, dtype: Any, device: Any, grad: bool, stored: int | None) -> dict[str, Any]:
    told: dict[str, Any] = {"tensor": list(map(int, shape)), "dtype": _name(dtype), "layout": _name(layout)}
    return told | ({} if stored is None else {"stored": stored}) | _elsewhere(device, grad)


def _elsewhere(device: Any, grad: bool) -> dict[str, Any]:
    return ({} if device.type == "cpu" else {"device": str(device)}) | ({"requires_grad": True} if grad else {})


def _name(value: Any) -> str:
    return str(value).removeprefix("torch.")


def _extent(shape: Sequence[int], strides: Sequence[int]) -> int:
    """Return from the first element to the last how many places there are; 0 for no element."""
    extent = 1
    for size, stride in zip(shape, strides, strict=True):
        if size == 0:
            return 0
        extent += (size - 1) * stride
    return extent


def _is_dense(shape: Sequence[int], strides: Sequence[int]) -> bool:
    """Whether strides are those of a contiguous tensor, where it matters."""
    if 0 in shape:
        return True
    inner = 1
    for size, stride in zip(reversed(shape), reversed(strides), strict=True):
        if size != 1 and stride != inner:
            return False
        inner *= size
    return True
