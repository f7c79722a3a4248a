"""A small simulator of Dynamo's code cache: which calls hit, which compile again.

It follows `torch._dynamo.pgo` (what becomes dynamic by itself) and `ShapeEnv._compute_symbolic_stride` (how sizes and
strides become symbols); what hangs on the release of torch stands in `behaviour`. Guards that a program adds itself (a
branch on a size) are not in it, but for one kind: most operators ask whether a strided input is dense, and in what
order its dims lie.
"""

import math
from collections.abc import Collection
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from eagerdiff.harness.ledger.behaviour import Behaviour, behaviour
from eagerdiff.harness.ledger.signature import Signature, TensorSignature
from eagerdiff.harness.model.mode import Policy

_ALL_DYNAMIC = ("dynamic", "oblivious")
Scalar = int | float
Key = tuple[str, str, int]
"""Where a number stands in a call: argument's path, `size`, `stride` or `value`, dim."""


@dataclass(frozen=True)
class Term:
    """A number as guarded: a constant times the symbols of other places."""

    constant: Scalar = 1
    symbols: tuple[Key, ...] = ()

    def times(self, other: "Term") -> "Term":
        """Multiply two terms."""
        return Term(self.constant * other.constant, self.symbols + other.symbols)


@dataclass
class Entry:
    """One compiled graph and its guards."""

    facts: tuple[Any, ...]
    """What must be equal: dtypes, ranks, plain values that are not numbers."""
    terms: dict[Key, Term] = field(default_factory=dict[Key, Term])
    least: dict[Key, int] = field(default_factory=dict[Key, int])
    """Lower bound of a symbol's value: 2 where Dynamo specialises 0 and 1."""
    ducks: dict[int, Key] = field(default_factory=dict[int, Key])
    """Symbols shared by equal numbers, while the entry is being made."""
    dynamo: Behaviour = field(default_factory=behaviour)

    def accepts(self, facts: tuple[Any, ...], numbers: dict[Key, Scalar]) -> bool:
        """Whether a call passes the guards."""
        return (
            facts == self.facts
            and all(numbers[symbol] >= least for symbol, least in self.least.items())
            and all(
                numbers[key] == term.constant * math.prod(numbers[symbol] for symbol in term.symbols)
                for key, term in self.terms.items()
            )
        )

    def symbol(self, key: Key, value: Scalar, *, duck: bool = False, least: int | None = 2) -> Term:
        """Make, or share, a symbol for a number; 0 and 1 stay constants where `least` is given."""
        if least is not None and value in self.dynamo.specialised:
            return Term(value)
        duck = duck and self.dynamo.duck
        if duck and value in self.ducks:
            return Term(1, (self.ducks[int(value)],))
        if duck:
            self.ducks[int(value)] = key
        if least is not None:
            self.least[key] = least
        return Term(1, (key,))


@dataclass
class Seen:
    """What automatic dynamic remembers of one argument: what stands here never changed; `Ellipsis` did."""

    values: dict[Key, Any] = field(default_factory=dict[Key, Any])
    rank: int | None = None

    def merge(self, values: dict[Key, Any], rank: int) -> None:
        """Join a call's numbers; a change of rank makes every size dynamic."""
        if self.rank is None:
            self.rank, self.values = rank, dict(values)
        elif self.rank != rank:
            self.rank = -1
        else:
            self.values = {key: old if old == values[key] else ... for key, old in self.values.items()}

    def changed(self, key: Key) -> bool:
        """Whether a number changed from one compilation to another."""
        return self.rank == -1 or self.values.get(key) is ...


class CodeCache:
    """Simulate the cache of one code object under one policy."""

    def __init__(self, policy: Policy, marked: Collection[Key] = (), dynamo: Behaviour | None = None) -> None:
        self.dynamo = behaviour() if dynamo is None else dynamo
        self.policy = policy
        self.marked = marked
        self.entries: list[Entry] = []
        self._seen: dict[str, Seen] = {}

    def call(self, signature: Signature) -> bool:
        """Run one call; return whether it compiled."""
        facts = facts_of(signature, self.marked if self.policy == "unbacked" else ())
        numbers = numbers_of(signature)
        if any(entry.accepts(facts, numbers) for entry in self.entries):
            return False
        entry = Entry(facts, dynamo=self.dynamo)
        for plain in signature.plain:
            if plain.kind in ("int", "float"):
                self._add_scalar(entry, (plain.path, "value", 0), plain.value)
        for tensor in signature.tensors:
            self._add_tensor(entry, tensor)
        self.entries.append(entry)
        return True

    def _add_scalar(self, entry: Entry, key: Key, value: Scalar) -> None:
        seen = self._seen.setdefault(key[0], Seen())
        seen.merge({key: value}, 0)
        dynamic = self.policy in _ALL_DYNAMIC or (self.policy != "static" and seen.changed(key))
        entry.terms[key] = entry.symbol(key, value, least=None) if dynamic and math.isfinite(value) else Term(value)

    def _add_tensor(self, entry: Entry, tensor: TensorSignature) -> None:
        seen = self._seen.setdefault(tensor.path, Seen())
        seen.merge(_remembered(tensor), len(tensor.shape))
        sizes = [self._size(entry, seen, tensor, dim) for dim in range(len(tensor.shape))]
        fixed = all(kind == "static" for kind, _ in sizes)
        terms = [term for _, term in sizes]
        entry.terms.update({(tensor.path, "size", dim): term for dim, term in enumerate(terms)})
        self._add_strides(entry, seen, tensor, terms, fixed)

    def _size(self, entry: Entry, seen: Seen, tensor: TensorSignature, dim: int) -> tuple[str, Term]:
        key, value = (tensor.path, "size", dim), tensor.shape[dim]
        if self.policy == "unbacked" and key in self.marked:
            return "symbol", entry.symbol(key, value, least=None)
        least = None if self.policy == "oblivious" else max(self.dynamo.specialised, default=-1) + 1
        if self.policy != "static" and (key in self.marked or seen.changed(key)):
            return "symbol", entry.symbol(key, value, least=least)
        if self.policy in _ALL_DYNAMIC:
            return "symbol", entry.symbol(key, value, duck=True, least=least)
        return "static", Term(value)

    def _add_strides(self, entry: Entry, seen: Seen, tensor: TensorSignature, sizes: list[Term], fixed: bool) -> None:
        candidates: dict[int, Term] = {}
        for dim in _ascending(tensor.stride):
            key, value = (tensor.path, "stride", dim), tensor.stride[dim]
            varies = fixed and self.policy != "static" and seen.changed(key)
            if value in (0, 1) and not _is_contiguous(tensor, dim):
                term = Term(value)
            elif value in candidates and not varies:
                term = candidates[value]
            elif fixed and not varies:
                term = Term(value)
            else:
                term = entry.symbol(key, value, duck=not varies)
            entry.terms[key] = term
            candidates[value * tensor.shape[dim]] = sizes[dim].times(term)


def facts_of(signature: Signature, unbacked: Collection[Key] = ()) -> tuple[Any, ...]:
    """Return what two calls must share, whatever is dynamic."""
    tensors = tuple(
        (t.path, t.dtype, t.device, t.requires_grad, len(t.shape), layout_of(t, unbacked)) for t in signature.tensors
    )
    plain = tuple((p.path, p.kind, None if p.kind in ("int", "float") else p.value) for p in signature.plain)
    return tensors + plain


def layout_of(tensor: TensorSignature, unbacked: Collection[Key] = ()) -> tuple[Any, ...]:
    """Return () for a contiguous tensor, else whether it has no gaps, its dims by stride, and which strides are equal.

    The strides of dims of size 1, and of tensors without elements, say nothing, but for `unbacked` sizes: a compiler
    does not know that those are 1 or 0.
    """
    unknown = [(tensor.path, "size", dim) in unbacked for dim in range(len(tensor.shape))]
    wide = [dim for dim in range(len(tensor.stride)) if unknown[dim] or tensor.shape[dim] != 1]
    order = _ascending(tensor.stride)
    dims = [dim for dim in order if dim in wide]
    dense = all(
        tensor.stride[dim] == math.prod(max(tensor.shape[inner], 1) for inner in dims[:index])
        for index, dim in enumerate(dims)
    )
    empty = any(size == 0 and not hidden for size, hidden in zip(tensor.shape, unknown, strict=True))
    contiguous = empty or (dense and dims == sorted(dims, reverse=True))
    equal = tuple(tensor.stride[inner] == tensor.stride[outer] for inner, outer in pairwise(order))
    return () if contiguous else (dense, tuple(order), equal)


def numbers_of(signature: Signature) -> dict[Key, Scalar]:
    """Return every number that may become dynamic."""
    numbers: dict[Key, Scalar] = {}
    for tensor in signature.tensors:
        numbers.update({(tensor.path, "size", dim): size for dim, size in enumerate(tensor.shape)})
        numbers.update({(tensor.path, "stride", dim): step for dim, step in enumerate(tensor.stride)})
    numbers.update({(p.path, "value", 0): p.value for p in signature.plain if p.kind in ("int", "float")})
    return numbers


def _remembered(tensor: TensorSignature) -> dict[Key, Any]:
    """Return sizes and strides as automatic dynamic compares them: an inferable stride counts as the dim it follows."""
    values: dict[Key, Any] = {(tensor.path, "size", dim): size for dim, size in enumerate(tensor.shape)}
    candidates: dict[int, str] = {}
    for dim in _ascending(tensor.stride):
        step = tensor.stride[dim]
        values[(tensor.path, "stride", dim)] = candidates.get(step, step)
        candidates.setdefault(step * tensor.shape[dim], f"after {dim}")
    return values


def _ascending(strides: tuple[int, ...]) -> list[int]:
    return sorted(range(len(strides)), key=lambda dim: (strides[dim], -dim))


def _is_contiguous(tensor: TensorSignature, dim: int) -> bool:
    last = dim == len(tensor.stride) - 1
    return not last and tensor.stride[dim] == tensor.shape[dim + 1] * tensor.stride[dim + 1]
