"""Memory that was allocated and not filled: what kernels have written of it since."""

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

_WIDEST = 8


@dataclass(frozen=True)
class Fresh:
    """One allocation."""

    written: NDArray[np.uint8]
    """One a byte: whether a kernel has written it."""
    pattern: int
    """Its first bytes as they were filled, little end first."""
    period: int
    """How many of these there are, again and again."""

    @classmethod
    def of(cls, tensor: torch.Tensor) -> "Fresh | None":
        """Return a filled allocation's; None where the fill may well be a value: booleans, floats of eight bits."""
        size = tensor.element_size() // (2 if tensor.is_complex() else 1)
        storage = tensor.untyped_storage()
        ambiguous = size == 1 and (tensor.dtype == torch.bool or tensor.dtype.is_floating_point)
        if ambiguous or not tensor.numel() or tensor.storage_offset():
            return None
        first = bytes(storage[index] for index in range(size))
        return cls(np.zeros(storage.nbytes(), np.uint8), int.from_bytes(first, "little"), size)
