"""A launch's arguments in the order of the compiled kernel's: tuples and descriptors taken apart."""

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch

from eagerdiff.harness.devices.extents import pointed_at

Kind = str | tuple["Kind", ...]
"""Triton's name of a type in a signature: `*fp32`, `i32`, `constexpr`, `tensordesc<…>`; of a tuple its items'."""


@dataclass(frozen=True)
class Argument:
    """One argument of the compiled kernel."""

    name: str
    """As the kernel's source says it: `x`, or `pair[1]`."""
    kind: str
    value: Any

    @property
    def is_pointer(self) -> bool:
        return self.kind.startswith("*")

    @property
    def is_float(self) -> bool:
        return self.kind.startswith(("fp", "bf"))

    @functools.cached_property
    def tensor(self) -> torch.Tensor | None:
        """The tensor that a pointer points into."""
        return pointed_at(self.value) if self.is_pointer else None

    @property
    def address(self) -> int:
        """Of a pointer; None is one to nothing."""
        if self.value is None:
            return 0
        return int(self.value) if isinstance(self.value, int) else int(self.value.data_ptr())


def flattened(name: str, kind: Kind, value: Any) -> Iterator[Argument]:
    """Take an argument apart as Triton does when it rewrites descriptors to pointers."""
    if isinstance(kind, tuple):
        for index, (inner, item) in enumerate(zip(kind, value, strict=True)):
            yield from flattened(f"{name}[{index}]", inner, item)
    elif kind.startswith("tensordesc"):
        yield Argument(name, "*", value.base)
        yield from (Argument(name, "i64", number) for number in (*value.shape, *value.strides))
        yield Argument(name, "i1", value.padding == "nan")
        yield Argument(name, "i1", getattr(value, "round_f32_to_tf32", False))
        yield from (Argument(name, "i32", number) for number in value.shape)
        yield from (Argument(name, "i64", number) for number in value.strides)
    elif kind != "constexpr":
        yield Argument(name, kind, value)
