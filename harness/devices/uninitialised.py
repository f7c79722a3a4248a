"""Fill what `torch.empty` and its kin return, so that reading it before writing it shows.

The allocating functions are wrapped once for the process and not per call: Dynamo guards on the functions that it
traces, so a wrapper that came and went would cause recompilations of its own.
"""

import contextlib
import functools
from collections.abc import Callable, Generator
from typing import Any

import torch

WILD_BYTE = 0x5A
"""Every byte of an uninitialised integer: large and positive, far outside any index."""

ALLOCATORS = ("empty", "empty_like", "empty_strided", "empty_permuted")
METHODS = ("new_empty", "new_empty_strided")


_NANS = {2: (torch.int16, 0x7FDA), 4: (torch.int32, 0x7FDA5A5A), 8: (torch.int64, 0x7FFA5A5A5A5A5A5A)}
"""By bytes of an element: a NaN whose payload no arithmetic makes, of bfloat16 as of float16."""


class Poison:
    """Hold how many `poisoned` blocks are open in this process, what writes into allocations there, and who is told."""

    depth = 0
    write: Callable[[torch.Tensor], None]

    @staticmethod
    def tell(tensor: torch.Tensor) -> None:
        """Take note of a fresh allocation, filled already; a device may put its own in the place of this."""


def install() -> None:
    """Wrap the allocating functions of this process, once."""
    if hasattr(torch.empty, "__wrapped__"):
        return
    from eagerdiff.harness.internals import allocators

    allocators.know_functions()
    for owner, names in ((torch, ALLOCATORS), (torch.Tensor, METHODS), allocators.inductor_allocators()):
        for name in names:
            if hasattr(owner, name):
                setattr(owner, name, _filling(getattr(owner, name)))


@contextlib.contextmanager
def poisoned() -> Generator[None]:
    """Fill every uninitialised allocation made inside; raise RuntimeError where `install` was not called."""
    if not hasattr(torch.empty, "__wrapped__"):
        raise RuntimeError("activate the device before watching it")
    Poison.depth += 1
    try:
        yield
    finally:
        Poison.depth -= 1


def fill(tensor: torch.Tensor) -> None:
    """Overwrite a fresh allocation: NaN for floating point, `WILD_BYTE` for integers, True for booleans."""
    if tensor.dtype.is_floating_point or tensor.dtype.is_complex:
        _fill_nan(tensor)
    elif tensor.dtype == torch.bool:
        tensor.fill_(True)
    elif tensor.numel():
        size = tensor.element_size()
        tensor.fill_(int.from_bytes(bytes([WILD_BYTE]) * size, "little"))


Poison.write = fill


def _fill_nan(tensor: torch.Tensor) -> None:
    real = torch.view_as_real(tensor) if tensor.is_complex() else tensor
    if real.element_size() == 1:
        real.view(torch.uint8).fill_(0x80 if "uz" in str(real.dtype) else 0x7F)
    else:
        dtype, bits = _NANS[real.element_size()]
        real.view(dtype).fill_(bits)


def _filling(allocate: Callable[..., torch.Tensor]) -> Callable[..., torch.Tensor]:
    @functools.wraps(allocate)
    def filled(*args: Any, **kwargs: Any) -> torch.Tensor:
        tensor = allocate(*args, **kwargs)
        if torch.compiler.is_compiling():
            return tensor
        if Poison.depth and type(tensor) is torch.Tensor and _fillable(tensor):
            with torch.no_grad():
                Poison.write(tensor)
                Poison.tell(tensor)
        return tensor

    return filled


def _fillable(tensor: torch.Tensor) -> bool:
    if tensor.device.type == "cuda":
        return not torch.cuda.is_current_stream_capturing()
    return tensor.device.type == "cpu" and tensor.layout == torch.strided
