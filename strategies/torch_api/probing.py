"""Which sizes of a sample's call change together, and which values it needs: eager is asked.

Nothing says so in torch's tables. A size that may grow alone is a symbol of its own; else the smallest set of sizes and
integer arguments that may grow together is one; else what may double together; else it stays a constant.
"""

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor
from torch.utils._pytree import tree_leaves

from eagerdiff.strategies.torch_api.call import Argument, Call, Path, TensorSpec
from eagerdiff.strategies.torch_api.recording import Recorded
from eagerdiff.strategies.torch_api.running import run
from eagerdiff.strategies.torch_api.values import FLOAT_KINDS, build

MOST_TRIALS = 200
"""Sets of sizes that are tried for one size."""
MOST_LITERALS = 64
_SEEDS = range(4)
"""What is taken once may be luck."""
Place = tuple[int, int]
"""A dim: tensor and dim."""


def grown(size: int) -> int:
    """Return one more."""
    return size + 1


def doubled(size: int) -> int:
    """Return twice as much."""
    return 2 * size


@dataclass
class Group:
    """Hold sizes that change together."""

    dims: list[Place]
    arguments: list[Path] = field(default_factory=list[Path])
    parts: int = 0
    """The symbol's value in the sample: each size and argument is a multiple of it."""


@dataclass
class Probe:
    """Ask eager about a recorded call, with other sizes and values."""

    recorded: Recorded
    specs: list[TensorSpec] = field(init=False)

    def __post_init__(self) -> None:
        self.specs = [literal(tensor) for tensor in self.recorded.tensors]
        base = Call(steps=tuple(self.recorded.steps), tensors=())
        self._base = base
        self.integers = {
            path: value for path, value in base.arguments() if isinstance(value, int) and not isinstance(value, bool)
        }

    def result(
        self,
        specs: Sequence[TensorSpec] | None = None,
        shapes: Sequence[Sequence[int]] | None = None,
        changes: Mapping[Path, Argument] | None = None,
        seed: int = 0,
    ) -> Any:
        """Return what eager gives; raise what it raises, and ValueError for other sizes of what is literal."""
        generator = torch.Generator().manual_seed(seed)
        tensors: list[Tensor] = []
        for at, spec in enumerate(specs or self.specs):
            own = self.recorded.tensors[at]
            shape = tuple(own.shape if shapes is None else shapes[at])
            if spec.values == "literal":
                if shape != tuple(own.shape):
                    raise ValueError("what is literal has one shape")
                tensors.append(own.detach().clone())
                continue
            below = None if spec.below is None else int(spec.below)
            tensors.append(build(spec, own.dtype, shape, below, "normal", generator))
        steps = self._base.replaced(changes).steps if changes else self._base.steps
        return run(steps, tensors, self.recorded.module)

    def accepts(
        self,
        specs: Sequence[TensorSpec] | None = None,
        shapes: Sequence[Sequence[int]] | None = None,
        changes: Mapping[Path, Argument] | None = None,
        most_nans: int | None = None,
        seeds: Sequence[int] = (0,),
    ) -> bool:
        """Whether eager takes the call, with the values of each seed, and gives no more NaNs than so many."""
        try:
            results = [self.result(specs, shapes, changes, seed) for seed in seeds]
        except Exception:  # noqa: BLE001 - that is the answer
            return False
        return most_nans is None or all(nans(result) <= most_nans for result in results)


def literal(tensor: Tensor) -> TensorSpec:
    """Describe a tensor of any shape by its very values; those of a large one are left out: it stands for nothing."""
    values = tensor.detach().reshape(-1).tolist() if tensor.numel() <= MOST_LITERALS and not tensor.is_complex() else ()
    return TensorSpec(dtype=_name(tensor.dtype), shape=tuple(tensor.shape), values="literal", literal=tuple(values))


def nans(result: Any) -> int:
    """Count the NaNs of a result."""
    leaves = tree_leaves(result)
    return sum(int(leaf.isnan().sum()) for leaf in leaves if isinstance(leaf, Tensor) and leaf.layout is torch.strided)


def find_values(probe: Probe) -> None:
    """Replace literal values by kinds of values, the freest first, where eager takes them and gives no new NaN."""
    most = nans(probe.result())
    tensors = probe.recorded.tensors
    floats = [at for at, tensor in enumerate(tensors) if tensor.is_floating_point() or tensor.is_complex()]
    free = [_kind(spec, "normal") if at in floats else spec for at, spec in enumerate(probe.specs)]
    if probe.accepts(free, most_nans=most, seeds=_SEEDS):
        probe.specs = free
    else:
        for at in floats:
            _first(probe, at, [_kind(probe.specs[at], kind) for kind in FLOAT_KINDS], most)
    for at, tensor in enumerate(tensors):
        if tensor.dtype is torch.bool:
            _first(probe, at, [_kind(probe.specs[at], "mask")], None)
        elif at not in floats:
            _find_integers(probe, at)


def _find_integers(probe: Probe, at: int) -> None:
    tensor, spec = probe.recorded.tensors[at], probe.specs[at]
    low, high = (int(tensor.min()), int(tensor.max())) if tensor.numel() else (0, 1)
    kinds = [_kind(spec, kind, low=low, high=high) for kind in ("between", "permutation", "offsets")]
    _first(probe, at, kinds, None)
    if probe.specs[at].values != "between" or low < 0 or not tensor.numel():
        return
    sizes = {size for other in probe.recorded.tensors for size in other.shape if size > high}
    for bound in sorted(sizes | {high + 1, 100}):
        trial = list(probe.specs)
        trial[at] = _kind(spec, "between", low=bound, high=bound)
        if not probe.accepts(trial):
            probe.specs[at] = _kind(spec, "below", below=bound)
            return


def _first(probe: Probe, at: int, kinds: Sequence[TensorSpec], most_nans: int | None) -> None:
    for spec in kinds:
        trial = [*probe.specs[:at], spec, *probe.specs[at + 1 :]]
        if probe.accepts(trial, most_nans=most_nans, seeds=_SEEDS):
            probe.specs = trial
            return


def _kind(spec: TensorSpec, kind: str, **others: Any) -> TensorSpec:
    return TensorSpec(dtype=spec.dtype, shape=spec.shape, values=kind, **others)


def _name(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")


def groups(probe: Probe) -> list[Group]:
    """Return which sizes of at least 2 change together, so that eager takes the call still."""
    shapes = [tensor.shape for tensor in probe.recorded.tensors]
    dims = [
        (at, dim)
        for at, shape in enumerate(shapes)
        if probe.specs[at].values != "literal" and at not in probe.recorded.fixed
        for dim, size in enumerate(shape)
        if size >= 2
    ]
    found: list[Group] = []
    for change, candidates in ((grown, _alike), (doubled, _any)):
        done = {place for group in found for place in group.dims}
        for place in dims:
            if place in done:
                continue
            rest = [other for other in dims if other != place and other not in done]
            for trial in itertools.islice(candidates(probe, place, rest), MOST_TRIALS):
                if _takes(probe, trial, change):
                    trial.parts = _size(probe, place) if change is grown else _parts(probe, trial)
                    found.append(trial)
                    done.update(trial.dims)
                    break
    return found


def _size(probe: Probe, place: Place) -> int:
    return probe.recorded.tensors[place[0]].shape[place[1]]


def _alike(probe: Probe, place: Place, rest: Sequence[Place]) -> Iterator[Group]:
    """Return sets that a size may grow with, the smallest first: sizes and arguments that are equal to it."""
    size = _size(probe, place)
    same = [other for other in rest if _size(probe, other) == size]
    paths = [path for path, value in probe.integers.items() if value == size]
    for count in range(min(len(same), 3) + 1):
        for others in itertools.combinations(same, count):
            yield Group([place, *others])
    yield Group([place, *same])
    for count in range(min(len(same), 2) + 1):
        for others in itertools.combinations(same, count):
            for path in paths:
                yield Group([place, *others], [path])
    yield Group([place, *same], paths)


def _any(probe: Probe, place: Place, rest: Sequence[Place]) -> Iterator[Group]:
    """Return sets that a size may double with, the smallest first, whatever the sizes are."""
    for count in range(min(len(rest), 3) + 1):
        for others in itertools.combinations(rest, count):
            yield Group([place, *others])
    for path in probe.integers:
        yield Group([place], [path])
        for other in rest:
            yield Group([place, other], [path])


def _parts(probe: Probe, group: Group) -> int:
    """Return into how many equal parts all of a group can be cut, so that eager takes one part more."""
    values = [_size(probe, place) for place in group.dims] + [probe.integers[path] for path in group.arguments]
    whole = math.gcd(*values)
    for parts in range(whole, 1, -1):
        if whole % parts == 0 and _takes(probe, group, lambda size, parts=parts: size // parts * (parts + 1)):
            return parts
    return 1


def _takes(probe: Probe, group: Group, change: Callable[[int], int]) -> bool:
    shapes = [list(tensor.shape) for tensor in probe.recorded.tensors]
    specs = list(probe.specs)
    for at, dim in group.dims:
        before = shapes[at][dim]
        shapes[at][dim] = change(before)
        specs = [spec.model_copy(update={"below": change(before)}) if spec.below == before else spec for spec in specs]
    changes = {path: change(probe.integers[path]) for path in group.arguments}
    return probe.accepts(specs, shapes, changes)


def symbolic(probe: Probe, found: Sequence[Group], dtype: torch.dtype) -> tuple[Call, dict[str, int]]:
    """Return the call with sizes as formulas, and the sample's sizes by symbol; tensors of `dtype` take the case's.

    Raises ValueError where a tensor keeps values that are not data.
    """
    shapes: list[list[int | str]] = [list(tensor.shape) for tensor in probe.recorded.tensors]
    bounds: dict[int, str] = {}
    changes: dict[Path, Argument] = {}
    sizes: dict[str, int] = {}
    for number, group in enumerate(found):
        symbol = _symbol(number)
        sizes[symbol] = group.parts
        for at, dim in group.dims:
            size = _size(probe, (at, dim))
            shapes[at][dim] = _formula(size // group.parts, symbol)
            bounds.setdefault(size, _formula(size // group.parts, symbol))
        for path in group.arguments:
            changes[path] = {"size": _formula(probe.integers[path] // group.parts, symbol)}
    tensors: list[TensorSpec] = []
    for spec, shape in zip(probe.specs, shapes, strict=True):
        if spec.values == "literal" and not spec.literal and torch.Size([int(size) for size in shape]).numel():
            raise ValueError("values that eager needs, and that are too many to keep")
        below = bounds.get(int(spec.below), spec.below) if spec.below is not None else None
        own = "" if spec.dtype == _name(dtype) else spec.dtype
        tensors.append(spec.model_copy(update={"shape": tuple(shape), "below": below, "dtype": own}))
    call = Call(steps=tuple(probe.recorded.steps), tensors=tuple(tensors), module=probe.recorded.module)
    return call.replaced(changes), sizes


def _formula(factor: int, symbol: str) -> str:
    return symbol if factor == 1 else f"{factor}*{symbol}"


def _symbol(number: int) -> str:
    letters = "abcdefghijklmopqrstvwxyz"  # `n` and `u` stand for numbers and sizes that depend on data
    return letters[number] if number < len(letters) else f"a{number}"
