"""Exhibits: what a call gave, as plain bytes that a process which never ran it can judge."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from pathlib import Path
from typing import Any, cast

import torch

from eagerdiff.harness.judge.structure import kind
from eagerdiff.harness.memory.copies import as_bytes
from eagerdiff.harness.memory.guards import GuardedInputs

_LENGTH = 8
"""Bytes that say how long the header is."""
_SCALARS = (bool, int, float, str)


class Unfit(Exception):
    """Say in one line why an output cannot be written as bytes."""


@dataclass(frozen=True)
class Exhibit:
    """Hold what a call gave, read again."""

    kind: str
    """How the output is nested, and of what."""
    leaves: Sequence[Any]
    """Tensors and plain values, in the order of `replace_leaves`."""
    storages: Sequence[torch.Tensor]
    """Bytes of the arguments' storages after the call (uint8, 1-D), in the order of `duplicate`."""
    thin: Sequence[torch.Tensor]
    """Values after the call of the arguments that have no copy of their storage, in order, dense."""


def write(file: Path, output: Any, after: GuardedInputs) -> None:
    """Write an output and the arguments after the call; raise Unfit, or OSError where there is no room."""
    leaves: list[Any] = []
    replace_leaves(output, leaves.append)
    thin = [named.tensor.detach().contiguous() for named, _ in after.thin]
    described = [_describe(leaf) for leaf in leaves]
    chunks = [_bytes_of(leaf) for leaf in leaves if isinstance(leaf, torch.Tensor)]
    storages = [_raw(new) for _, new in after.copies.storages]
    header = {
        "kind": kind(output),
        "leaves": described,
        "storages": [len(storage) for storage in storages],
        "thin": [_describe(tensor) for tensor in thin],
    }
    head = json.dumps(header).encode()
    file.parent.mkdir(mode=0o700, exist_ok=True)
    with file.open("wb") as out:
        out.write(len(head).to_bytes(_LENGTH, "big") + head)
        for chunk in (*chunks, *storages, *map(_bytes_of, thin)):
            out.write(chunk)


def read(file: Path) -> Exhibit:
    """Read an exhibit; raise ValueError, KeyError or TypeError for what `write` did not write."""
    data = bytearray(file.read_bytes())
    start = _LENGTH + int.from_bytes(data[:_LENGTH], "big")
    header = json.loads(data[_LENGTH:start])
    cut = _Cutter(data, start)
    leaves = [_restore(leaf, cut) for leaf in header["leaves"]]
    storages = [cut.take(int(length)) for length in header["storages"]]
    return Exhibit(header["kind"], leaves, storages, [_restore(tensor, cut) for tensor in header["thin"]])


def replace_leaves(value: Any, change: Callable[[Any], Any]) -> Any:
    """Return a nested output of the same structure with every leaf changed."""
    if isinstance(value, Mapping):
        items = cast("Mapping[Any, Any]", value).items()
        return {key: replace_leaves(item, change) for key, item in items}
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        named = cast(Any, value)
        return named._replace(**{name: replace_leaves(getattr(named, name), change) for name in named._fields})
    if isinstance(value, (tuple, list)):
        inner = [replace_leaves(item, change) for item in cast("Sequence[Any]", value)]
        return inner if isinstance(value, list) else tuple(inner)
    if is_dataclass(value) and not isinstance(value, type):
        names = [item.name for item in fields(value)]
        return replace(value, **{name: replace_leaves(getattr(value, name), change) for name in names})
    return change(value)


def _describe(leaf: Any) -> dict[str, Any]:
    if isinstance(leaf, torch.Tensor):
        if leaf.layout != torch.strided or leaf.is_quantized:
            raise Unfit(f"a tensor of layout {leaf.layout} is not plain memory")
        return {
            "dtype": str(leaf.dtype).removeprefix("torch."),
            "shape": list(leaf.shape),
            "stride": list(leaf.stride()),
            "length": _span(leaf) * leaf.element_size(),
            "device": leaf.device.type,
        }
    if leaf is None or isinstance(leaf, _SCALARS):
        return {"value": leaf}
    raise Unfit(f"a {type(leaf).__name__} is no plain value")


def _span(tensor: torch.Tensor) -> int:
    """Return how many elements lie from a tensor's first to its last."""
    if tensor.numel() == 0:
        return 0
    return 1 + sum((size - 1) * stride for size, stride in zip(tensor.shape, tensor.stride(), strict=True))


def _bytes_of(tensor: torch.Tensor) -> bytes:
    plain = tensor.detach().resolve_conj().resolve_neg()
    return _raw(torch.as_strided(plain, (_span(plain),), (1,)).clone())


def _raw(tensor: torch.Tensor) -> bytes:
    return as_bytes(tensor).cpu().numpy().tobytes() if tensor.numel() else b""


def _restore(leaf: Mapping[str, Any], cut: "_Cutter") -> Any:
    if "dtype" not in leaf:
        return leaf["value"]
    dtype: Any = getattr(torch, leaf["dtype"])
    memory = cut.take(int(leaf["length"]))
    flat = memory.view(dtype) if memory.numel() else torch.empty(0, dtype=dtype)
    return flat.as_strided(leaf["shape"], leaf["stride"]).to(leaf["device"])


class _Cutter:
    """Take piece after piece of some bytes; raise ValueError where there are no more."""

    def __init__(self, data: bytearray, start: int) -> None:
        self._data = data
        self._at = start

    def take(self, length: int) -> torch.Tensor:
        """Return the next bytes as a tensor of their own (uint8, 1-D)."""
        end = self._at + length
        if end > len(self._data):
            raise ValueError("the file ends too soon")
        piece = (
            torch.frombuffer(self._data[self._at : end], dtype=torch.uint8)
            if length
            else torch.empty(0, dtype=torch.uint8)
        )
        self._at = end
        return piece
