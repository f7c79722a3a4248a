"""Memory layouts of tensors, and moving tensors without losing theirs."""

from itertools import accumulate

import torch
from torch import Tensor

from eagerdiff import Inputs, is_thin, replace_tensors

LAYOUTS = ("contiguous", "transposed", "strided", "offset", "expanded", "channels_last", "reversed_dims")
"""Memory layouts; one that a tensor's dims do not allow leaves it contiguous."""


def lay_out(values: Tensor, layout: str) -> Tensor:
    """Return the values, of any shape and dtype, under other strides; the same tensor where the layout does not apply.

    `expanded` repeats the first row. A layout that is not among LAYOUTS changes nothing.
    """
    if layout == "transposed" and values.dim() > 1:
        return values.transpose(0, 1).contiguous().transpose(0, 1)
    if layout == "reversed_dims" and values.dim() > 1:
        order = tuple(reversed(range(values.dim())))
        return values.permute(order).contiguous().permute(order)
    if layout == "strided" and values.dim():
        return values.repeat_interleave(2, dim=-1)[..., ::2]
    if layout == "offset":
        return torch.cat((values.new_zeros(1), values.reshape(-1)))[1:].view(values.shape)
    if layout == "expanded" and values.dim() > 1 and values.size(0):
        return values[:1].expand(values.shape)
    if layout == "channels_last" and values.dim() == 4:
        return values.contiguous(memory_format=torch.channels_last)
    return values


def laid_out_as(model: Tensor, values: Tensor, *, far: bool = False) -> Tensor:
    """Copy values [rows, ...] into the layout of a model, of which they may have other rows: no second change.

    They get its strides, or where its rows lie in one another its order of dims, dense; between elements there is NaN,
    or 255. Contiguous where the model is expanded or of another shape; also where it is mostly not there, unless `far`
    asks for that of a model of the very shape, whose gaps are then left alone.
    """
    same, thin = model.shape == values.shape, is_thin(model)
    if model.shape[1:] != values.shape[1:] or 0 in model.stride() or (thin and not (far and same)):
        return values.contiguous()
    if thin:
        return torch.empty_strided(model.shape, model.stride(), dtype=values.dtype, device=values.device).copy_(values)
    reach = [(size - 1) * stride for size, stride in zip(values.shape, model.stride(), strict=True)]
    if not same and model.stride(0) <= sum(reach[1:]):
        order = sorted(range(values.dim()), key=model.stride, reverse=True)
        return torch.empty_permuted(values.shape, order, dtype=values.dtype, device=values.device).copy_(values)
    gaps = torch.full((1 + sum(reach) if values.numel() else 0,), torch.nan if values.is_floating_point() else 255)
    buffer = gaps.to(values.device, values.dtype)
    return buffer.as_strided(values.shape, model.stride()).copy_(values)


def spread(*tensors: Tensor) -> list[Tensor]:
    """Return tensors [rows, ...] in one buffer, the last of 3 or more rows of each 2**31 elements in.

    They share the device, and have rows, each in numbers and a dtype of its own; rows are dense. What is between the
    rows is not touched. Rows are less than 2**31 elements apart: their stride is a 32-bit number.
    """
    if not tensors:
        return []
    sizes = [tensor[0].numel() * tensor.element_size() for tensor in tensors]
    places = [0, *accumulate(-(-size // 64) * 64 for size in sizes)]
    # Rows of all begin a multiple of `step` bytes apart, each tensor's at a place of its own: none lies in another's.
    step = 1 << (places[-1] - 1).bit_length()
    views, room = list[tuple[int, ...]](), 0
    for tensor, place, size in zip(tensors, places, sizes, strict=False):
        distance = 2**31 * tensor.element_size() // max(2, len(tensor) - 1) // step * step + step
        views.append((distance // tensor.element_size(), place // tensor.element_size()))
        room = max(room, (len(tensor) - 1) * distance + place + size)
    storage = torch.empty(room, dtype=torch.uint8, device=tensors[0].device).untyped_storage()
    return [
        torch.empty(0, dtype=tensor.dtype, device=tensor.device)
        .set_(storage, offset, tensor.shape, (stride, *tensor.stride()[1:]))  # pyright: ignore[reportArgumentType]
        .copy_(tensor)
        for tensor, (stride, offset) in zip(tensors, views, strict=True)
    ]


def place(tensor: Tensor, device: str) -> Tensor:
    """Move a tensor of any shape with its strides and offset, which `.to` does not keep where it is expanded or sliced.

    `device` is a torch device; on `cpu` the tensor itself is returned.
    """
    return tensor if device == "cpu" else _placed(tensor, device, {})


def place_together(inputs: Inputs, device: str) -> Inputs:
    """Move the tensors of a call as `place` does; views of one storage stay views of one storage."""
    storages: dict[int, torch.UntypedStorage] = {}
    return inputs if device == "cpu" else replace_tensors(inputs, lambda tensor: _placed(tensor, device, storages))


def _placed(tensor: Tensor, device: str, storages: dict[int, torch.UntypedStorage]) -> Tensor:
    old, thin = tensor.untyped_storage(), is_thin(tensor)
    if old.data_ptr() not in storages:
        storages[old.data_ptr()] = torch.UntypedStorage(old.nbytes(), device=device) if thin else old.to(device=device)
    new = storages[old.data_ptr()]
    view = torch.empty(0, dtype=tensor.dtype, device=device)
    view = view.set_(new, tensor.storage_offset(), tensor.size(), tensor.stride())  # pyright: ignore[reportArgumentType]
    return view.copy_(tensor) if thin else view
