"""Which bytes tensors span."""

import gc
from collections.abc import Iterator

import torch


def extent(tensor: torch.Tensor) -> tuple[int, int]:
    """Return the first byte of a view and the one after its last, strides included; two alike of an empty one."""
    low = tensor.data_ptr()
    if tensor.numel() == 0:
        return low, low
    last = sum((size - 1) * stride for size, stride in zip(tensor.shape, tensor.stride(), strict=True))
    return low, low + (last + 1) * tensor.element_size()


def live_tensors() -> Iterator[torch.Tensor]:
    """Return every tensor of this process that has memory of its own on the processor.

    By exact type: to ask a weak proxy or a lazy module for its class would run its code.
    """
    for item in gc.get_objects():
        if type(item) in (torch.Tensor, torch.nn.Parameter) and _has_memory(item):
            yield item


def _has_memory(tensor: torch.Tensor) -> bool:
    return tensor.device.type == "cpu" and tensor.layout == torch.strided
