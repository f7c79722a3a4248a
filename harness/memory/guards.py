"""Guard bands around inputs, so that a write before the first or after the last element shows."""

from dataclasses import dataclass
from typing import Any

import torch

from eagerdiff.harness.memory.copies import Copies, duplicate, is_thin
from eagerdiff.harness.memory.leaves import NamedTensor, tensors
from eagerdiff.harness.model.operator import Inputs

BAND = 256
"""Bytes on either side: keeps the 16-byte alignment that Triton and Inductor specialise on."""
LARGEST = 1 << 28
"""Bytes of storage past which no guards are laid: the copy would cost more than it tells."""
_FILL = 0x7F
"""0x7F7F is a NaN in bfloat16 and float16, a huge number in float32 and float64, a wild index as an integer."""


class _CudaSpan:
    """Offer a span of CUDA memory to torch as an allocation of its own, at storage offset 0."""

    def __init__(self, owner: torch.Tensor, start: int, size: int) -> None:
        self.owner = owner
        self.__cuda_array_interface__: dict[str, Any] = {
            "shape": (size,),
            "typestr": "|u1",
            "data": (owner.data_ptr() + start, False),
            "version": 3,
        }


@dataclass
class GuardedInputs:
    """Hold a call's private copy between guard bands, and what it looked like before."""

    original: Inputs
    copies: Copies
    bands: list[torch.Tensor]
    """1-D uint8 views of the bands."""
    thin: list[tuple[NamedTensor, torch.Tensor]]
    """Tensors that are called with as they are, as a copy would take the memory that they do not; with their values."""

    @property
    def inputs(self) -> Inputs:
        """The copy to call with."""
        return self.copies.inputs

    def overrun(self) -> bool:
        """Whether a byte of any band was overwritten."""
        return any(bool((band != _FILL).any()) for band in self.bands)

    def changed(self) -> list[int | str]:
        """Name the arguments of which any byte changed; -1 where bytes between a tensor's strides changed."""
        written = [named.argument for named, before in self.thin if not same_bits(named.tensor, before)]
        if all(torch.equal(old, new) for old, new in self.copies.storages) and not self._odd():
            return written
        pairs = zip(tensors(self.original), tensors(self.inputs), strict=True)
        names = [before.argument for before, after in pairs if not same_bits(before.tensor, after.tensor)]
        return list(dict.fromkeys([*names, *written])) or [-1]

    def _odd(self) -> bool:
        """Whether there are tensors that no storage pair covers (empty ones apart)."""
        return any(
            type(named.tensor) is not torch.Tensor or named.tensor.requires_grad for named in tensors(self.inputs)
        )


def guard(inputs: Inputs) -> GuardedInputs:
    """Copy a call's tensors between guard bands; alignment, strides, offsets and aliasing stay as they were."""
    bands: list[torch.Tensor] = []

    def allocate(old: torch.Tensor) -> torch.Tensor:
        if old.numel() > LARGEST or old.device.type not in ("cpu", "cuda"):
            return old.clone()
        owner = torch.full((old.numel() + 3 * BAND,), _FILL, dtype=torch.uint8, device=old.device)
        start = BAND + (-owner.data_ptr() % 64) + old.data_ptr() % 64
        end = start + old.numel()
        owner[start:end] = old
        bands.extend((owner[:start], owner[end:]))
        return _span(owner, start, old.numel())

    copies = duplicate(inputs, allocate, thin=lambda tensor: tensor)
    thin = [(named, named.tensor.clone()) for named in tensors(inputs) if is_thin(named.tensor)]
    return GuardedInputs(inputs, copies, bands, thin)


def _span(owner: torch.Tensor, start: int, size: int) -> torch.Tensor:
    """View part of an allocation as a storage that begins there: an offset would be a guard to Dynamo."""
    if owner.device.type == "cpu":
        return torch.from_numpy(owner.numpy()[start : start + size])
    return torch.as_tensor(_CudaSpan(owner, start, size), device=owner.device)


def same_bits(one: torch.Tensor, other: torch.Tensor) -> bool:
    """Whether two tensors have the same dtype, shape and bits (NaN equals the same NaN)."""
    if one.dtype != other.dtype or one.shape != other.shape:
        return False
    if one.numel() == 0:
        return True
    if one.layout != torch.strided:
        return torch.equal(one, other)
    return torch.equal(_bits(one), _bits(other))


def _bits(tensor: torch.Tensor) -> torch.Tensor:
    """Return the bits of what a tensor holds, as integers: torch compares no complex32."""
    plain = tensor.detach().resolve_conj().resolve_neg()
    numbers = torch.view_as_real(plain) if plain.is_complex() else plain
    integers = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}
    return numbers.contiguous().view(integers[numbers.element_size()])
