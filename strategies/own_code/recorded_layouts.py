"""Memory layouts that were met in a program, as text that fits tensors of other sizes: `order 1 0 room 0 64 from 8`.

The order of the dims in memory, from the outermost on; how much room a row of each but the outermost takes, in
elements, where that is more than it needs (a slice of something larger); the step between elements; where the first one
lies; dims that repeat.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor

_WORDS = ("order", "room", "step", "from", "repeat")


@dataclass(frozen=True)
class MetLayout:
    """Hold a layout."""

    order: tuple[int, ...]
    """Dims that do not repeat, the outermost first."""
    room: tuple[int, ...] = ()
    """Elements by dim in that order; 0 where it takes no more than it needs, and of the first."""
    step: int = 1
    offset: int = 0
    repeat: tuple[int, ...] = field(default=())

    @classmethod
    def of(cls, shape: Sequence[int], strides: Sequence[int], offset: int = 0) -> "MetLayout":
        """Read a layout from the strides of a tensor [*shape]."""
        repeat = tuple(dim for dim, (size, stride) in enumerate(zip(shape, strides, strict=True)) if size > 1 > stride)
        kept = [dim for dim in range(len(shape)) if dim not in repeat]
        order = sorted(kept, key=lambda dim: (-strides[dim], dim))
        step = max(1, strides[order[-1]]) if order else 1
        room = [0] * len(order)
        for at in range(1, len(order)):
            outer, inner = order[at - 1], order[at]
            apart = strides[outer] > shape[inner] * strides[inner] and shape[outer] > 1
            room[at] = strides[outer] if apart else 0
        return cls(tuple(order), tuple(room) if any(room) else (), step, offset, repeat)

    @classmethod
    def read(cls, text: str) -> "MetLayout":
        """Read what `str` wrote; raise ValueError for anything else."""
        numbers: dict[str, list[int]] = {word: [] for word in _WORDS}
        word = ""
        for part in text.split():
            if part in numbers:
                word = part
            else:
                numbers[word].append(int(part)) if word else _refuse(text)
        step, offset = numbers["step"] or [1], numbers["from"] or [0]
        order, room, repeat = (tuple(numbers[name]) for name in ("order", "room", "repeat"))
        if sorted((*order, *repeat)) != list(range(len(order) + len(repeat))) or len(room) not in (0, len(order)):
            _refuse(text)
        return cls(order, room, step[0], offset[0], repeat)

    def __str__(self) -> str:
        """Write it."""
        parts = {
            "order": self.order,
            "room": self.room,
            "step": (self.step,) if self.step != 1 else (),
            "from": (self.offset,) if self.offset else (),
            "repeat": self.repeat,
        }
        return " ".join(f"{word} {' '.join(map(str, found))}" for word, found in parts.items() if found)

    @property
    def contiguous(self) -> bool:
        """Whether nothing about it is unusual."""
        usual = self.order == tuple(sorted(self.order)) and not self.room and not self.repeat
        return usual and self.step == 1 and not self.offset

    def lay_out(self, values: Tensor) -> Tensor:
        """Return values [*shape] laid out so, of whatever sizes; as they are where they have other dims."""
        if len(self.order) + len(self.repeat) != values.dim():
            return values
        once = values
        for dim in self.repeat:
            once = once.narrow(dim, 0, min(1, once.size(dim)))
        strides, stride = [0] * values.dim(), self.step
        for at in reversed(range(len(self.order))):
            dim = self.order[at]
            strides[dim] = stride
            stride = max(stride * max(once.size(dim), 1), self.room[at] if self.room else 0)
        extent = 1 + sum((size - 1) * step for size, step in zip(once.shape, strides, strict=True) if size)
        gap = math.nan if values.dtype.is_floating_point else 1
        buffer = torch.full((self.offset + extent,), gap, dtype=values.dtype, device=values.device)
        laid_out = buffer.as_strided(once.shape, strides, self.offset).copy_(once)
        return laid_out.expand(values.shape) if self.repeat else laid_out


def _refuse(text: str) -> None:
    raise ValueError(f"not a layout: {text!r}")
