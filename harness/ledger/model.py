"""The compile model: how often a sequence of calls should compile, by mode (docs/architecture.md#the-ledger)."""

import dataclasses
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from eagerdiff.harness.ledger.signature import Signature, TensorSignature
from eagerdiff.harness.ledger.simulation import CodeCache, Key, numbers_of
from eagerdiff.harness.model.mode import Mode

SMALLEST_BUCKET = 8


@dataclass(frozen=True)
class Expectation:
    """Bound the compilations of one frame over a workload, both ends included."""

    low: int
    """Fewer is reported as a change."""
    high: int
    """More is a failure."""
    why: str
    """One line for the report."""
    calls: tuple[int, ...] = ()
    """Indices of the calls at which the model compiles."""

    def over(self, count: int) -> str:
        """Return why `count` compiles are too many, or an empty string."""
        return f"{count} compiles, {self.high} allowed: {self.why}" if count > self.high else ""

    def under(self, count: int) -> str:
        """Return how `count` compiles are fewer than the model says, or an empty string."""
        return f"{count} compiles, {self.low} expected: {self.why}" if count < self.low else ""


def expected(mode: Mode, signatures: Sequence[Signature], extra: int = 0) -> Expectation:
    """Bound the compiles of a fresh function called with `signatures` in order.

    `extra` allows for guards that the program itself adds (a Python branch on a size, a divisibility): it widens
    `high` only. `low` assumes a program that looks neither at its plain values nor at its tensors' layouts.
    Raises ValueError for no signature.
    """
    if not signatures:
        raise ValueError("a workload needs at least one call")
    varying = changing(signatures)
    seen = [bucketed(one, varying) for one in signatures] if mode.padded else list(signatures)
    compiled = _simulate(mode, seen, varying)
    blind = _simulate(mode, [_without_layouts(one) for one in seen], varying)
    high = len(compiled) + extra
    why = f"{mode.name}: {len(compiled)} for {len(set(signatures))} distinct signatures of {len(signatures)} calls"
    return Expectation(
        min(len(blind), high), high, why + (f", {extra} for the program's own guards" if extra else ""), compiled
    )


def changing(signatures: Sequence[Signature]) -> frozenset[Key]:
    """Return the dims whose size is not the same in every call: those that a user would mark."""
    values: dict[Key, set[float]] = {}
    for one in signatures:
        for key, number in numbers_of(one).items():
            values.setdefault(key, set()).add(number)
    return frozenset(key for key, met in values.items() if key[1] == "size" and len(met) > 1)


def bucketed(one: Signature, varying: Collection[Key]) -> Signature:
    """Return the signature after padding every varying dim up to a power of two, at least `SMALLEST_BUCKET`."""
    return dataclasses.replace(one, tensors=tuple(_padded(tensor, varying) for tensor in one.tensors))


def _padded(tensor: TensorSignature, varying: Collection[Key]) -> TensorSignature:
    named = [(tensor.path, "size", dim) in varying for dim in range(len(tensor.shape))]
    if not any(named):
        return tensor
    shape = tuple(_bucket(size) if grows else size for size, grows in zip(tensor.shape, named, strict=True))
    return dataclasses.replace(tensor, shape=shape, stride=(), requires_grad=False)


def _bucket(size: int) -> int:
    return max(SMALLEST_BUCKET, 1 << max(size - 1, 0).bit_length())


def _without_layouts(one: Signature) -> Signature:
    return Signature(tuple(dataclasses.replace(tensor, stride=()) for tensor in one.tensors))


def _simulate(mode: Mode, signatures: Sequence[Signature], varying: frozenset[Key]) -> tuple[int, ...]:
    marked = varying if mode.marked else ()
    cache = CodeCache(mode.policy, marked)
    compiling = signatures[:1] if mode.stance else signatures
    return tuple(index for index, one in enumerate(compiling) if cache.call(one))
