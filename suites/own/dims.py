"""Which dims of examples may change: those where eager takes other sizes, alone or with those that are equal."""

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from eagerdiff.suites.own.meaning import Meaning, Place, remade

MOST_TOGETHER = 6
"""Dims of one size of which each part is tried."""
Takes = Callable[[Mapping[str, Tensor]], bool]


@dataclass(frozen=True)
class Resizing:
    """Try other sizes of examples."""

    given: Mapping[str, Tensor]
    meanings: Mapping[str, Meaning]
    takes: Takes
    """Whether eager takes a call with other tensors for some arguments."""

    def named(self) -> dict[Place, str]:
        """Return the dims that may change, each with the name of its size."""
        places = [
            (name, dim) for name, tensor in self.given.items() for dim, size in enumerate(tensor.shape) if size > 1
        ]
        found = {place: _name(place) for place in places if self._resizes((place,))}
        left = [place for place in places if place not in found]
        for size in dict.fromkeys(self._size(place) for place in left):
            group = [place for place in left if self._size(place) == size]
            while together := next(filter(self._resizes, _parts(group)), None):
                found |= dict.fromkeys(together, _name(together[0]))
                group = [place for place in group if place not in together]
        return found

    def _size(self, place: Place) -> int:
        return self.given[place[0]].shape[place[1]]

    def _resizes(self, places: tuple[Place, ...]) -> bool:
        """Whether eager takes two larger sizes in some places, and a smaller one, for which integers may be small."""
        return all(self._takes(places, more, low=False) for more in (3, 1)) and any(
            self._takes(places, -1, low=low) for low in (False, True)
        )

    def _takes(self, places: tuple[Place, ...], more: int, *, low: bool) -> bool:
        shapes = {name: list(tensor.shape) for name, tensor in self.given.items()}
        for name, dim in places:
            shapes[name][dim] += more
        instead: dict[str, Tensor] = {}
        for name, tensor in self.given.items():
            meaning, shape = self.meanings.get(name), tuple(shapes[name])
            mask = meaning is not None and meaning.values == "mask"  # one of ones alone may be passed over
            if meaning is not None and (mask or meaning.of in places or shape != tensor.shape):
                of = meaning.of
                instead[name] = remade(tensor, shape, meaning, shapes[of[0]][of[1]] if of else int(tensor.max()) + 1)
            elif shape != tensor.shape:
                instead[name] = like(tensor, shape)
            if low and meaning is None and _counts(tensor):
                instead[name] = torch.full(shape, int(tensor.min()), dtype=tensor.dtype)
        return self.takes(instead)


def like(tensor: Tensor, shape: tuple[int, ...]) -> Tensor:
    """Return a tensor [*shape] with values as an example has them."""
    if tensor.dtype is torch.bool:
        return torch.rand(shape) < 0.5
    if tensor.is_floating_point() or tensor.is_complex():
        return torch.randn(shape, dtype=tensor.dtype)
    low, high = (int(tensor.min()), int(tensor.max())) if tensor.numel() else (0, 0)
    return torch.randint(low, high + 1, shape).to(tensor.dtype)


def _counts(tensor: Tensor) -> bool:
    return (
        not tensor.is_floating_point()
        and not tensor.is_complex()
        and tensor.dtype is not torch.bool
        and tensor.numel() > 0
    )


def _parts(group: list[Place]) -> Iterator[tuple[Place, ...]]:
    """Return all of a group, then fewer of it, two at least."""
    least = 2 if len(group) <= MOST_TOGETHER else len(group)
    for count in range(len(group), max(least, 2) - 1, -1):
        yield from itertools.combinations(group, count)


def _name(place: Place) -> str:
    """Name a size after its argument: a name of a size begins with a small letter."""
    return f"{place[0].lower().strip('_') or 'size'}_{place[1]}"
