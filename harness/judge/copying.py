"""Copying outputs: every value is one of the inputs' own."""

import torch

from eagerdiff.harness.memory.leaves import tensors
from eagerdiff.harness.model.operator import Inputs

_MOST = 1 << 20
"""Elements past which a copy is not looked for: sorting them would cost more than the reference."""
_DISTINCT = 8
"""Fewer distinct values could be there by chance: zeros, ones, a maximum."""


def is_copy(eager: torch.Tensor, exact: torch.Tensor, inputs: Inputs) -> bool:
    """Whether eager is exact everywhere and all its values stand in an input of the same dtype (or are zero).

    Selections, gathers, pads, maxima and sorts are; there an implementation has no rounding to be forgiven.
    """
    if eager.numel() < _DISTINCT or eager.numel() > _MOST or not torch.equal(eager.double(), exact):
        return False
    sources = [named.tensor for named in tensors(inputs) if named.tensor.dtype == eager.dtype]
    if not sources or sum(source.numel() for source in sources) > _MOST:
        return False
    values = torch.unique(eager.double())
    if values.numel() < _DISTINCT:
        return False
    pool = torch.cat([source.reshape(-1).double() for source in sources] + [values.new_zeros(1)])
    return bool(torch.isin(values, pool).all())
