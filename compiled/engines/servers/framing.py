"""Frames between a worker and an engine's process: a line of JSON, then tensors as raw bytes. Imports torch alone.

A frame is 8 bytes, the length of the JSON that follows (big endian), then for each entry of its `tensors`, which is a
dtype and a shape, the elements in row-major order. Nothing in it is code.
"""

import json
import math
from collections.abc import Mapping, Sequence
from typing import IO, Any

import torch
from torch import Tensor

_LENGTH = 8


def send(pipe: IO[bytes], message: Mapping[str, Any], tensors: Sequence[Tensor] = ()) -> None:
    """Write a frame with tensors of any shapes; raise OSError where nobody reads.

    All is made ready before the first byte is written: half a frame would be read as the beginning of the next.
    """
    plain = [tensor.detach().to("cpu").clone(memory_format=torch.contiguous_format) for tensor in tensors]
    told = [{"dtype": str(tensor.dtype).removeprefix("torch."), "shape": list(tensor.shape)} for tensor in plain]
    head = json.dumps({**message, "tensors": told}).encode()
    data = [tensor.reshape(-1).view(torch.uint8).numpy().data if tensor.numel() else b"" for tensor in plain]
    pipe.write(len(head).to_bytes(_LENGTH, "big") + head)
    for one in data:
        pipe.write(one)
    pipe.flush()


def receive(pipe: IO[bytes]) -> tuple[dict[str, Any], list[Tensor]]:
    """Read a frame with its tensors, of any shapes; raise EOFError where the other side has ended."""
    head = json.loads(_exactly(pipe, int.from_bytes(_exactly(pipe, _LENGTH), "big")))
    return head, [_tensor(pipe, one["dtype"], one["shape"]) for one in head.pop("tensors")]


def _tensor(pipe: IO[bytes], dtype: str, shape: Sequence[int]) -> Tensor:
    found: torch.dtype = getattr(torch, dtype)
    data = _exactly(pipe, math.prod(shape) * found.itemsize)
    # A copy lies where torch puts memory: some engines take what is aligned alone.
    return torch.frombuffer(data, dtype=found).reshape(shape).clone() if data else torch.empty(shape, dtype=found)


def _exactly(pipe: IO[bytes], count: int) -> bytearray:
    found = bytearray(count)
    view, done = memoryview(found), 0
    while done < count:
        read = pipe.readinto(view[done:])  # type: ignore[attr-defined]
        if not read:
            raise EOFError("the other side has ended")
        done += read
    return found
