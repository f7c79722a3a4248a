"""Mutants: wrong answers that a case must let the judge refuse."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import torch

from eagerdiff.harness.judge.leaf import LeafTruth, accepts
from eagerdiff.harness.judge.truth import Truth
from eagerdiff.harness.model.verdict import Verdict

_MOST_LEAVES = 4
_SIGNED = {torch.uint16: torch.int16, torch.uint32: torch.int32, torch.uint64: torch.int64}


@dataclass(frozen=True)
class Discrimination:
    """Say which wrong answers the judge could not refuse."""

    surviving_mutants: tuple[str, ...]
    asked: int

    def told_in(self, verdict: Verdict) -> Verdict:
        """Return a verdict that says it, too."""
        return verdict.model_copy(update={"surviving_mutants": self.surviving_mutants, "checked_mutants": self.asked})


def ask_mutants(truth: Truth, previous: Mapping[str, torch.Tensor], seed: int) -> Discrimination:
    """Ask the judge about zeros, swapped rows, replaced elements and the previous call's output, leaf by leaf.

    A mutant that equals the truth is not asked about. `previous` maps a leaf's path to its last value.
    """
    generator = torch.Generator().manual_seed(seed)
    leaves = [leaf for leaf in truth.leaves if isinstance(leaf.eager, torch.Tensor) and leaf.eager.numel() > 0]
    surviving_mutants: list[str] = []
    asked = 0
    for leaf in leaves[:_MOST_LEAVES]:
        if leaf.set_aside:
            continue
        for name, mutant in _mutants(leaf, previous.get(leaf.path), generator):
            asked += 1
            if accepts(leaf, mutant):
                surviving_mutants.append(name + leaf.path)
    return Discrimination(tuple(surviving_mutants), asked)


def _mutants(
    leaf: LeafTruth, previous: torch.Tensor | None, generator: torch.Generator
) -> Iterator[tuple[str, torch.Tensor]]:
    right: torch.Tensor = leaf.eager
    if bool((right != 0).any()):
        yield "zeros", torch.zeros_like(right)
    workable = _workable(right)
    for name, spoil in (("swapped", swap_rows), ("replaced", replace_elements)):
        mutant = spoil(workable, generator)
        if mutant is not None:
            yield name, mutant.view(right.dtype) if right.dtype in _SIGNED else mutant.to(right.dtype)
    if previous is not None and fits(previous, right) and not _same(previous, right):
        yield "stale", previous


def _workable(right: torch.Tensor) -> torch.Tensor:
    """Return a tensor in a dtype that torch can index in: it computes little in fp8, and in wide unsigned integers."""
    if right.dtype in _SIGNED:
        return right.view(_SIGNED[right.dtype])
    return right.float() if right.is_floating_point() and right.element_size() == 1 else right


def fits(one: torch.Tensor, other: torch.Tensor) -> bool:
    """Whether two tensors have one dtype, shape and device."""
    return one.dtype == other.dtype and one.shape == other.shape and one.device == other.device


def swap_rows(right: torch.Tensor, generator: torch.Generator) -> torch.Tensor | None:
    """Copy a tensor with a row (last dim; of a vector, an element) and the least like it of four others exchanged."""
    flat = right.reshape(-1, right.shape[-1]) if right.dim() >= 2 else right.reshape(-1, 1)
    if flat.shape[0] < 2:
        return None
    picks = torch.randint(flat.shape[0], (5,), generator=generator).to(right.device)
    first, others = flat[picks[:1]].double(), flat[picks[1:]].double()
    apart = torch.nan_to_num((others - first).abs(), nan=1.0).sum(1)
    one, other = picks[:1], picks[1:][apart.argmax().reshape(1)]
    if _same(flat[one], flat[other]):
        return None
    mutant = flat.clone()
    mutant[one], mutant[other] = flat[other], flat[one]
    return mutant.reshape(right.shape)


def replace_elements(right: torch.Tensor, generator: torch.Generator) -> torch.Tensor | None:
    """Copy a tensor with 5 % (at least one) of its elements replaced, each by the least like it of four others."""
    flat = right.reshape(-1)
    count = max(1, flat.numel() // 20)
    if flat.numel() == 1:
        return (~right if right.dtype == torch.bool else right + right + 1).to(right.dtype)
    places = torch.randint(flat.numel(), (5, count), generator=generator).to(right.device)
    values = flat[places]
    apart = torch.nan_to_num((values[1:].double() - values[:1].double()).abs(), nan=1.0)
    mutant = flat.clone()
    mutant[places[0]] = values[1:].gather(0, apart.argmax(0, keepdim=True))[0]
    return None if _same(mutant, flat) else mutant.reshape(right.shape)


def _same(one: torch.Tensor, other: torch.Tensor) -> bool:
    equal = (one == other) | ((one != one) & (other != other))
    return bool(equal.all())
