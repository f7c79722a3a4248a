"""Tables of parameters, and tensors without poison."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

Table = Mapping[str, Sequence[Any]]
"""Name of a parameter → its values, as `pytest.mark.parametrize` lists them."""


def expand(table: Table) -> Iterator[dict[str, Any]]:
    """Give every combination of a table's values."""
    return (dict(zip(table, values, strict=True)) for values in itertools.product(*table.values()))


def fill_poison(tensor: Tensor, generator: torch.Generator) -> None:
    """Replace every NaN, in place, by a normal random number."""
    found = tensor.float()  # fp8 knows no isnan
    drawn = torch.randn(tensor.shape, generator=generator).to(tensor.device)
    tensor.copy_(torch.where(found.isnan(), drawn, found))
