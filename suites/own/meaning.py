"""What the numbers of an example mean: offsets, parts, lengths, masks, groups, as its values and its name tell."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from eagerdiff.strategies.own_code.argument import TensorOf, Values
from eagerdiff.strategies.own_code.values import build

Place = tuple[str, int]
"""An argument and a dim of it."""
_OFFSETS = ("ptr", "offset", "offsets", "indptr", "rowptr", "cu", "starts", "splits", "crow")
_LENGTHS = ("len", "lens", "length", "lengths", "seqlens")
_MASKS = ("mask", "masks", "masked")


@dataclass(frozen=True)
class Meaning:
    """Say what the numbers of an example are."""

    values: Values
    of: Place | None = None
    """The dim that offsets end at, parts add up to, lengths are at most."""
    sure: bool = True
    """Whether it holds whatever eager says; else numbers that mean something else must be refused."""


def meanings(name: str, given: Mapping[str, Tensor]) -> Iterator[Meaning]:
    """Return what the numbers of an example may mean, the likeliest first; of most there is nothing."""
    tensor, words = given[name], set(name.lower().split("_"))
    if tensor.dtype is torch.bool or tensor.is_complex() or tensor.numel() < 2:
        return
    zeros, ones = tensor == 0, tensor == 1
    binary = bool((zeros | ones).all())
    both = binary and bool(zeros.any()) and bool(ones.any())
    if (both and tensor.is_floating_point()) or (binary and words & set(_MASKS)):
        yield Meaning("mask")
    elif not tensor.is_floating_point() and int(tensor.min()) >= 0:
        yield from _of_sizes(tensor, words, list(_sizes(name, given)))
        if _repeats(tensor):
            yield Meaning("sorted")
        elif both:
            yield Meaning("mask", sure=False)


def _of_sizes(tensor: Tensor, words: set[str], sizes: list[tuple[Place, int]]) -> Iterator[Meaning]:
    """Find what integers have to do with a size of another argument."""
    last, total, most = (
        tensor.reshape(-1, tensor.shape[-1])[:, -1] if tensor.dim() else tensor,
        tensor.sum(),
        tensor.max(),
    )
    ascends = tensor.dim() > 0 and bool((tensor[..., 0] == 0).all()) and bool((tensor.diff() >= 0).all())
    if ascends and bool((last == last[0]).all()):
        counts = torch.equal(tensor, torch.arange(tensor.numel()).to(tensor.dtype))
        for place, size in sizes:
            if size == int(last[0]) and (not counts or words & set(_OFFSETS)):
                yield Meaning("offsets", place, sure=bool(words & set(_OFFSETS)))
    for place, size in sizes:
        if tensor.dim() == 1 and size == int(total):
            yield Meaning("parts", place, sure=False)
    for place, size in sizes:
        if size == int(most) and words & set(_LENGTHS):
            yield Meaning("lengths", place)


def _repeats(tensor: Tensor) -> bool:
    """Whether numbers ascend, and some come again: groups, each beside itself."""
    steps = tensor.diff() if tensor.dim() == 1 else tensor.new_zeros(0)
    return bool((steps >= 0).all()) and bool((steps == 0).any() & (steps > 0).any())


def _sizes(name: str, given: Mapping[str, Tensor]) -> Iterator[tuple[Place, int]]:
    for other, tensor in given.items():
        yield from (((other, dim), size) for dim, size in enumerate(tensor.shape) if other != name and size > 1)


def remade(tensor: Tensor, shape: tuple[int, ...], meaning: Meaning, size: int) -> Tensor:
    """Make numbers [*shape] that mean the same, of another size."""
    one = TensorOf(shape, tensor.dtype, meaning.values, size)
    return build(one, {}, "normal", torch.Generator().manual_seed(0))


def unlike(tensor: Tensor, meaning: Meaning) -> Tensor:
    """Return numbers [*] that do not mean it: offsets that descend, parts that add up to one more."""
    return tensor.flip(-1) if meaning.values == "offsets" else tensor + (torch.arange(tensor.numel()) == 0).to(tensor)
