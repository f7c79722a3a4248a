"""Copies of a call's tensors that keep strides, offsets and aliasing."""

from collections.abc import Callable
from dataclasses import dataclass, field

import torch

from eagerdiff.harness.memory.leaves import replace_tensors, tensors
from eagerdiff.harness.model.operator import Inputs

FAR = 1 << 30
"""Bytes of a storage from which on it may be too thin to be copied as a whole."""

Allocate = Callable[[torch.Tensor], torch.Tensor]
"""From the old storage's bytes (uint8, 1-D) to a new uint8 tensor of the same bytes, at offset 0 of its storage."""


@dataclass
class Copies:
    """Hold a copied call and the storages behind it."""

    inputs: Inputs
    storages: list[tuple[torch.Tensor, torch.Tensor]] = field(default_factory=list[tuple[torch.Tensor, torch.Tensor]])
    """(bytes of the original, bytes of the copy), one pair a storage."""


def duplicate(
    inputs: Inputs, allocate: Allocate = torch.Tensor.clone, thin: Callable[[torch.Tensor], torch.Tensor] = torch.clone
) -> Copies:
    """Copy every tensor, storage by storage, so that views of one storage stay views of one storage.

    `thin` says what becomes of a thin tensor: by default a copy that is dense.
    """
    copied: dict[int, tuple[torch.Tensor, torch.Tensor]] = {}

    def copy(tensor: torch.Tensor) -> torch.Tensor:
        if not is_plain(tensor):
            return tensor.detach().clone().requires_grad_(tensor.requires_grad)
        if is_thin(tensor):
            return thin(tensor)
        key = tensor.untyped_storage().data_ptr()
        if key not in copied:
            old = as_bytes(tensor)
            copied[key] = (old, allocate(old))
        return _view_like(tensor, copied[key][1])

    return Copies(replace_tensors(inputs, copy), list(copied.values()))


def upcast(inputs: Inputs) -> Inputs:
    """Copy a call with every floating-point tensor in float64.

    Strides and aliasing are kept where all views of a storage have one dtype.
    """
    dtypes: dict[int, set[torch.dtype]] = {}
    for named in tensors(inputs):
        dtypes.setdefault(named.tensor.untyped_storage().data_ptr(), set()).add(named.tensor.dtype)
    copied: dict[int, torch.Tensor] = {}

    def widen(tensor: torch.Tensor) -> torch.Tensor:
        key = tensor.untyped_storage().data_ptr()
        if not is_plain(tensor) or is_thin(tensor) or len(dtypes[key]) > 1:
            return tensor.detach().to(_widest(tensor.dtype), copy=True)
        if key not in copied:
            copied[key] = _typed(tensor).to(_widest(tensor.dtype), copy=True)
        return copied[key].as_strided(tensor.size(), tensor.stride(), tensor.storage_offset())

    return replace_tensors(inputs, widen)


def is_plain(tensor: torch.Tensor) -> bool:
    """Whether a tensor is strided memory and nothing else: no subclass, no gradient, not empty."""
    simple = type(tensor) is torch.Tensor and tensor.layout == torch.strided and not tensor.requires_grad
    return simple and tensor.untyped_storage().nbytes() > 0 and not tensor.is_conj() and not tensor.is_neg()


def is_thin(tensor: torch.Tensor) -> bool:
    """Whether a tensor's elements lie so far apart that most of its storage was never touched, and takes no memory."""
    total = tensor.untyped_storage().nbytes()
    return total >= FAR and 16 * tensor.numel() * tensor.element_size() < total


def as_bytes(tensor: torch.Tensor) -> torch.Tensor:
    """View a tensor's whole storage as 1-D uint8, without a copy."""
    storage = tensor.untyped_storage()
    return torch.empty(0, dtype=torch.uint8, device=tensor.device).set_(storage, 0, (storage.nbytes(),), (1,))


def _typed(tensor: torch.Tensor) -> torch.Tensor:
    storage = tensor.untyped_storage()
    count = storage.nbytes() // tensor.element_size()
    return torch.empty(0, dtype=tensor.dtype, device=tensor.device).set_(storage, 0, (count,), (1,))


def _widest(dtype: torch.dtype) -> torch.dtype:
    if dtype.is_complex:
        return torch.complex128
    return torch.float64 if dtype.is_floating_point else dtype


def _view_like(tensor: torch.Tensor, data: torch.Tensor) -> torch.Tensor:
    empty = torch.empty(0, dtype=tensor.dtype, device=tensor.device)
    return empty.set_(data.untyped_storage(), tensor.storage_offset(), tensor.size(), tensor.stride())
