"""Contents of tensors, where they are asked for: those of small integer tensors, and bounds of larger ones."""

from typing import Any

import torch

MOST_VALUES = 256
"""Elements of an integer or boolean tensor that is kept whole; of a larger one the least and the greatest are."""


def contents_of(value: Any) -> dict[str, Any]:
    """Return the contents of an integer or boolean tensor, of any shape, in row-major order; nothing of any other."""
    if not isinstance(value, torch.Tensor) or value.is_floating_point() or value.is_complex():
        return {}
    if value.layout is not torch.strided or not value.numel():
        return {}
    told: dict[str, Any] = {}
    if value.dtype is not torch.bool:
        told = {"least": int(value.min()), "most": int(value.max())}
    if value.numel() <= MOST_VALUES:
        told["values"] = [int(one) for one in value.detach().reshape(-1).tolist()]
    return told
