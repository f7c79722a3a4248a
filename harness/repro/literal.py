"""Python source that rebuilds a tensor, standing alone."""

import base64
import math
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

import torch

from eagerdiff.harness.memory.copies import is_thin

INLINE = 48
"""Most elements written out one by one."""

UNPACK = """\
import base64, zlib


def tensor_from_text(text, dtype):
    return torch.frombuffer(bytearray(zlib.decompress(base64.b85decode(text))), dtype=dtype)
"""
"""What a script with packed tensors needs besides."""


def literal(value: Any, *, exact: bool) -> str:
    """Return an expression that rebuilds a value; `exact` keeps every bit, else large floats become seeded noise.

    Raise TypeError for what cannot be written down.
    """
    if isinstance(value, torch.Tensor):
        return _strided(value.detach().cpu(), exact)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key!r}: {literal(item, exact=exact)}" for key, item in value.items()) + "}"
    if isinstance(value, tuple):
        return "(" + "".join(f"{literal(item, exact=exact)}, " for item in value) + ")"
    if isinstance(value, list):
        return "[" + ", ".join(literal(item, exact=exact) for item in value) + "]"
    if isinstance(value, torch.dtype):
        return str(value)
    if value is None or isinstance(value, bool | int | str):
        return repr(value)
    if isinstance(value, float):
        return number(value)
    raise TypeError(f"cannot write a {type(value).__name__} as source")


def number(value: float) -> str:
    """Write a float so that it reads back as itself, NaN and infinity included."""
    return repr(value) if math.isfinite(value) else f'float("{value}")'


def _strided(tensor: torch.Tensor, exact: bool) -> str:
    """Rebuild size and strides over the span of storage that the tensor touches.

    `.data` makes it no view of what it is rebuilt from (`_base`): what the harness hands to a call is none either.
    """
    if tensor.is_contiguous():
        return _flat(tensor.reshape(-1), exact) + (f".reshape({tuple(tensor.shape)}).data" if tensor.dim() != 1 else "")
    if is_thin(tensor):
        empty = f"torch.empty_strided({tuple(tensor.shape)}, {tensor.stride()}, dtype={tensor.dtype})"
        return f"{empty}.copy_({_strided(tensor.contiguous(), exact)})"
    span = 1 + sum((size - 1) * stride for size, stride in zip(tensor.shape, tensor.stride(), strict=True))
    base = tensor.as_strided((span,), (1,), tensor.storage_offset())
    return f"{_flat(base, exact)}.as_strided({tuple(tensor.shape)}, {tensor.stride()}).data"


def _flat(tensor: torch.Tensor, exact: bool) -> str:
    if tensor.numel() <= INLINE:
        return f"torch.tensor({_items(tensor)}, dtype={tensor.dtype})"
    constant = tensor[0].item()
    if bool((tensor == constant).all()):
        return f"torch.full(({tensor.numel()},), {_item(constant)}, dtype={tensor.dtype})"
    if not exact and tensor.is_floating_point() and bool(tensor.double().isfinite().all()):
        return f"torch.randn({tensor.numel()}, generator=G).to({tensor.dtype})"
    packed = base64.b85encode(zlib.compress(tensor.contiguous().view(torch.uint8).numpy().tobytes(), 9)).decode()
    return f"tensor_from_text({packed!r}, {tensor.dtype})"


def _items(tensor: torch.Tensor) -> str:
    values: Sequence[Any] = tensor.double().tolist() if tensor.is_floating_point() else tensor.tolist()
    return "[" + ", ".join(_item(value) for value in values) + "]"


def _item(value: Any) -> str:
    return number(value) if isinstance(value, float) else repr(value)
