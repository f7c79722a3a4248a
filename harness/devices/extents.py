"""Which bytes tensors span."""

import gc
from collections.abc import Iterable, Iterator
from typing import Any

import torch


def extent(tensor: torch.Tensor) -> tuple[int, int]:
    """Return the first byte of a view and the one after its last, strides included; two alike of an empty one."""
    low = tensor.data_ptr()
    if tensor.numel() == 0:
        return low, low
    last = sum((size - 1) * stride for size, stride in zip(tensor.shape, tensor.stride(), strict=True))
    return low, low + (last + 1) * tensor.element_size()


def pointed_at(value: Any) -> torch.Tensor | None:
    """Return the tensor that an argument points into: itself, or of what Triton takes for one (it has `data_ptr`).

    A reinterpreted tensor holds it, and so may a program's own class, by any name; else it is looked for among all that
    live. Where several are around the address, it is the widest. None for what points nowhere.
    """
    if isinstance(value, torch.Tensor):
        return value
    if not hasattr(value, "data_ptr"):
        return None
    address = int(value.data_ptr())
    attributes: dict[str, Any] = getattr(value, "__dict__", {})
    held = _around(address, (one for one in attributes.values() if isinstance(one, torch.Tensor)))
    return held if held is not None else _around(address, live_tensors())


def _around(address: int, tensors: Iterable[torch.Tensor]) -> torch.Tensor | None:
    found: tuple[int, torch.Tensor] | None = None
    for tensor in tensors:
        low, high = extent(tensor)
        if (low <= address < high or low == address) and (found is None or high - low > found[0]):
            found = high - low, tensor
    return found[1] if found is not None else None


def live_tensors() -> Iterator[torch.Tensor]:
    """Return every tensor of this process that has memory of its own on the processor.

    By exact type: to ask a weak proxy or a lazy module for its class would run its code.
    """
    for item in gc.get_objects():
        if type(item) in (torch.Tensor, torch.nn.Parameter) and _has_memory(item):
            yield item


def _has_memory(tensor: torch.Tensor) -> bool:
    return tensor.device.type == "cpu" and tensor.layout == torch.strided
