"""What example tensors say: which of their dims may change, what their numbers mean, and what is told of both."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from eagerdiff.strategies.own_code.argument import Bound, SizeRange, TensorOf, Values
from eagerdiff.suites.own.dims import Resizing, Takes
from eagerdiff.suites.own.meaning import Meaning, Place, meanings, unlike

UNBOUNDED = 1 << 20
"""An integer that is taken though nothing is so large: then integers index nothing."""
_MEANINGS: Mapping[Values, str] = {
    "offsets": "offsets from 0 to {}",
    "parts": "counts that add up to {}",
    "lengths": "lengths up to {}",
    "mask": "0 or 1",
}


@dataclass(frozen=True)
class Examples:
    """Hold what was read of examples, by argument."""

    given: Mapping[str, Tensor]
    names: Mapping[Place, str]
    """Dims that may change, with the names of their sizes."""
    meanings: Mapping[str, Meaning]

    @classmethod
    def read(cls, given: Mapping[str, Tensor], takes: Takes) -> "Examples":
        """Try what eager takes in the place of examples."""
        found: dict[str, Meaning] = {}
        for name in given:
            meant = next((one for one in meanings(name, given) if _holds(name, given[name], one, takes)), None)
            if meant is not None:
                found[name] = meant
        return cls(given, Resizing(given, found, takes).named(), found)

    def arguments(self) -> dict[str, TensorOf]:
        """Return the examples as tensors told by their sizes."""
        found: dict[str, TensorOf] = {}
        for name, tensor in self.given.items():
            one = described(tensor, tuple(self._size((name, dim)) for dim in range(tensor.dim())))
            meaning = self.meanings.get(name)
            of = None if meaning is None or meaning.of is None else self._size(meaning.of)
            found[name] = one if meaning is None else replace(one, values=meaning.values, below=of)
        return found

    def ranges(self) -> dict[str, SizeRange]:
        """Return what bounds sizes: offsets have two ends, what adds up has one part at least."""
        lasts = {name: self._size((name, tensor.dim() - 1)) for name, tensor in self.given.items() if tensor.dim()}
        kinds = {name: self.meanings[name].values for name in lasts if name in self.meanings}
        least = {"offsets": 2, "parts": 1}
        return {str(lasts[name]): SizeRange(least[kind]) for name, kind in kinds.items() if kind in least}

    def said(self) -> Iterator[str]:
        """Say what was found out, in a line each."""
        changing = ", ".join(f"{name}[{dim}]" for name, dim in self.names)
        yield f"sizes that change: {changing or 'none'} (eager takes others there)"
        for name, one in self.arguments().items():
            if name in self.meanings and one.values != "sorted":  # told with what they index
                yield f"{name}: {_MEANINGS[one.values].format(one.below)} (as in the example)"

    def _size(self, place: Place) -> Bound:
        return self.names.get(place, self.given[place[0]].shape[place[1]])


def _holds(name: str, tensor: Tensor, meaning: Meaning, takes: Takes) -> bool:
    """Whether numbers mean what they look like: if that is not sure, eager refuses what means something else."""
    if meaning.sure:
        return True
    if meaning.values == "mask":
        return takes({name: torch.full_like(tensor, UNBOUNDED)})
    return not takes({name: unlike(tensor, meaning)})


def described(tensor: Tensor, shape: tuple[Bound, ...]) -> TensorOf:
    """Describe an example tensor, of which some dims have names."""
    floats = tensor.is_floating_point() and tensor.numel() > 0
    unit = (
        floats and bool(((tensor >= 0) & (tensor <= 1)).all()) and float(tensor.detach().double().std(correction=0)) > 0
    )
    return TensorOf(shape, tensor.dtype, "unit" if unit else "any")
