"""Buckets: sizes rounded up, so that one compile serves many."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor
from torch.utils import _pytree as pytree

Axes = Mapping[int, str]
"""Names of a tensor's changing dims: dim → axis."""

SMALLEST = 8


def bucket(size: int) -> int:
    """Return the bucket of a size: the next power of two, at least 8."""
    return max(SMALLEST, 1 << max(size - 1, 0).bit_length())


def pad(tensor: Tensor, axes: Axes) -> Tensor:
    """Copy a tensor of any shape into zeros whose named dims are rounded up to their buckets."""
    sizes = [bucket(size) if dim in axes else size for dim, size in enumerate(tensor.shape)]
    padded = torch.zeros(sizes, dtype=tensor.dtype, device=tensor.device)
    padded[tuple(slice(size) for size in tensor.shape)].copy_(tensor)
    return padded


def crop(outputs: Any, axes: Sequence[Axes], sizes: Mapping[str, int]) -> Any:
    """Cut the named dims of every output tensor back to size; raise ValueError where they do not pair up."""
    leaves, structure = pytree.tree_flatten(outputs)
    if len(leaves) != len(axes):
        raise ValueError(f"{len(leaves)} outputs, but axes for {len(axes)}")
    cut = [_cut(leaf, named, sizes) for leaf, named in zip(leaves, axes, strict=True)]
    return pytree.tree_unflatten(cut, structure)


def call_in_buckets(
    function: Callable[..., Any],
    dims: Mapping[int | str, Axes],
    outputs: Sequence[Axes],
    args: Sequence[Any],
    options: Mapping[str, Any],
) -> Any:
    """Call a function on padded copies of the tensors in `dims` (by position or name) and cut its outputs to size."""
    given: dict[int | str, Any] = {**dict(enumerate(args)), **options}
    sizes = {axis: given[key].size(dim) for key, axes in dims.items() for dim, axis in axes.items()}
    given.update({key: pad(given[key], axes) for key, axes in dims.items() if axes})
    padded_options = {name: given[name] for name in options}
    return crop(function(*(given[position] for position in range(len(args))), **padded_options), outputs, sizes)


def _cut(tensor: Tensor, axes: Axes, sizes: Mapping[str, int]) -> Tensor:
    for dim, name in axes.items():
        tensor = tensor.narrow(dim, 0, sizes[name])
    return tensor
