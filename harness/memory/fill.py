"""Give uninitialised memory contents of one's choice instead of NaN."""

import contextlib
from collections.abc import Generator

import torch

from eagerdiff.harness.devices.uninitialised import Poison


@contextlib.contextmanager
def filled(value: float) -> Generator[None]:
    """Fill uninitialised allocations inside a `Device.watch` with a number that every wider dtype can hold.

    int8 and uint8 take 101. Only what the fill writes changes: the allocating functions stay the same objects, for
    Dynamo guards on them.
    """
    original = Poison.write

    def fill(tensor: torch.Tensor) -> None:
        if tensor.dtype == torch.bool:
            tensor.zero_()
        else:
            tensor.fill_(value if tensor.element_size() > 1 else 101)

    Poison.write = fill
    try:
        yield
    finally:
        Poison.write = original
