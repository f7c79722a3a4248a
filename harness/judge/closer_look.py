"""Closer looks: what a refusal must stand before it is published."""

import math
from collections.abc import Collection, Iterable, Iterator, Sequence

import torch

from eagerdiff.harness.judge.leaf import wide
from eagerdiff.harness.judge.perturb import Conversions, in_both_precisions, nearby, neighbours
from eagerdiff.harness.judge.reference import Run, run_eager, run_exact
from eagerdiff.harness.judge.structure import Leaf, flatten
from eagerdiff.harness.judge.truth import Truth, all_leaves, comparable, exact_run, shape_of
from eagerdiff.harness.memory.leaves import tensors

_PROBES = 3
_SEEDS = range(1, 8)
"""Of neighbouring inputs."""


def look_closer(truth: Truth) -> bool:
    """Widen the bounds by what perturbed inputs show; False where there is nothing more to learn.

    The first look estimates how sensitive the truth is to a rounding of the inputs, and the error of float64 itself;
    the second samples eager's error on neighbouring inputs.
    """
    truth.looked += 1
    if truth.looked == 1:
        _look_at_sensitivity(truth)
        _look_at_integers(truth)
        if truth.drawn is None:
            _look_at_float64(truth)
        else:
            _look_at_draws(truth)
    elif truth.looked == 2:
        _look_at_neighbours(truth)
    return truth.looked <= 2


def _look_at_sensitivity(truth: Truth) -> None:
    """Estimate the sum of the absolute terms by the change of the truth under order-preserving perturbations."""
    exact_inputs, base = exact_run(truth.operator, truth.inputs, truth.drawn)
    if exact_inputs is None or base.error is not None:
        return
    narrow = _finest(truth)
    amplitude = max(torch.finfo(narrow).eps / 4, 1e-12)
    sums: dict[int, torch.Tensor] = {}
    for seed in range(1, _PROBES + 1):
        with Conversions(narrow, amplitude, seed):
            probe = run_exact(truth.operator, nearby(exact_inputs, amplitude, seed), truth.drawn)
        if probe.error is not None:
            continue
        if not comparable(truth, base, probe):
            truth.unstable = "sizes change under a perturbation smaller than a rounding of the inputs"
            continue
        if not truth.settled:
            _note_undecided(truth, probe, base)
        changes = _differences(truth, probe, base)
        for index, change in changes.items():
            sums[index] = sums.get(index, torch.zeros_like(change)) + (change / amplitude).square()
    for index, total in sums.items():
        # uniform noise in [-1, 1] has a variance of a third; two standard deviations stand for the largest
        truth.leaves[index].widen(sensitivity=_smooth(2 * (3 * total / _PROBES).sqrt()))


def _look_at_integers(truth: Truth) -> None:
    """Take the largest number that is given for the scale of each result, where none can be perturbed.

    Integers are what they are, and their float64 run rounds as eager does: that a small result is the difference of
    large terms (`log_softmax`) shows nowhere else.
    """
    given = [named.tensor for named in tensors(truth.inputs) if not named.tensor.is_complex()]
    if not given or any(tensor.is_floating_point() for tensor in given):
        return
    largest = max((float(tensor.double().abs().max()) for tensor in given if tensor.numel()), default=0.0)
    for leaf in truth.leaves:
        if leaf.floating:
            leaf.widen(sensitivity=torch.full_like(wide(leaf.eager), largest))


def _note_undecided(truth: Truth, probe: Run, base: Run) -> None:
    """Mark integers and booleans that a perturbation smaller than a rounding changes: nobody can get them right."""
    leaves = zip(truth.leaves, flatten(probe.output), flatten(base.output), strict=False)
    for leaf, mine, theirs in leaves:
        if not leaf.floating and isinstance(mine.value, torch.Tensor):
            changed = mine.value != theirs.value
            leaf.undecided = changed if leaf.undecided is None else leaf.undecided | changed


def _finest(truth: Truth) -> torch.dtype:
    leaves = [leaf for leaf in truth.leaves if leaf.floating and isinstance(leaf.eager, torch.Tensor)]
    dtypes = (leaf.eager.dtype for leaf in leaves)
    return min(dtypes, key=lambda dtype: torch.finfo(dtype).eps, default=torch.float32)


def _smooth(sensitivity: torch.Tensor) -> torch.Tensor:
    """Raise each element to its row's RMS: one probe of one element may be small by chance."""
    if sensitivity.dim() < 2 or sensitivity.numel() == 0:
        return sensitivity
    return torch.maximum(sensitivity, sensitivity.square().mean(-1, keepdim=True).sqrt())


def _look_at_neighbours(truth: Truth) -> None:
    """Sample eager's error on neighbouring inputs: here it may have been exact by luck."""

    def pairs() -> Iterator[tuple[Run, Run]]:
        for seed in _SEEDS:
            moved = neighbours(truth.inputs, seed)
            eager = run_eager(truth.operator, moved)
            _, exact = exact_run(truth.operator, moved, eager.drawn)
            yield eager, exact

    _sample(truth, pairs(), [index for index, leaf in enumerate(truth.leaves) if leaf.eager_error is None])


def _look_at_float64(truth: Truth) -> None:
    """Estimate the errors of float64 results by those of float32, for which there is a truth, scaled to its eps."""
    doubles = [
        index
        for index, leaf in enumerate(truth.leaves)
        if isinstance(leaf.eager, torch.Tensor) and leaf.eager.dtype is torch.float64
    ]
    if not doubles:
        return

    def pairs() -> Iterator[tuple[Run, Run]]:
        for seed in _SEEDS:
            coarse, fine = in_both_precisions(truth.inputs, seed)
            yield run_eager(truth.operator, coarse), run_eager(truth.operator, fine)

    _sample(truth, pairs(), doubles, torch.finfo(torch.float64).eps / torch.finfo(torch.float32).eps)


def _look_at_draws(truth: Truth) -> None:
    """See what a unit in the inputs does to eager, where random numbers are drawn.

    An operation that draws and computes at once is replayed with its rounding: its result in float64 is eager's own.
    """
    base = run_eager(truth.operator, truth.inputs)
    moved = (run_eager(truth.operator, neighbours(truth.inputs, seed)) for seed in _SEEDS)
    _sample(truth, ((base, other) for other in moved), range(len(truth.leaves)))


def _sample(truth: Truth, pairs: Iterable[tuple[Run, Run]], wanted: Collection[int], scale: float = 1.0) -> None:
    """Take how two runs differ, times `scale`, for samples of eager's error in the leaves whose indices are wanted."""
    samples: dict[int, list[torch.Tensor]] = {}
    for one, other in pairs:
        if one.error is not None or not comparable(truth, one, other):
            continue
        for index, error in _differences(truth, one, other).items():
            if index in wanted and error.shape == shape_of(truth.leaves[index].eager):
                samples.setdefault(index, []).append(error * scale)
    for index, errors in samples.items():
        truth.leaves[index].widen(eager_error=torch.stack(errors))


def _differences(truth: Truth, one: Run, other: Run) -> dict[int, torch.Tensor]:
    """Map a leaf's index to |one − other| in float64, 0 where either is not finite."""
    pairs: Sequence[tuple[Leaf, Leaf]] = list(
        zip(
            all_leaves(truth.operator, one.output, one.inputs),
            all_leaves(truth.operator, other.output, other.inputs),
            strict=True,
        )
    )
    found: dict[int, torch.Tensor] = {}
    for index, (mine, theirs) in enumerate(pairs):
        if index < len(truth.leaves) and truth.leaves[index].floating and mine.value is not None:
            change = torch.as_tensor(mine.value).double() - torch.as_tensor(theirs.value).double()
            found[index] = torch.nan_to_num(change.abs(), nan=0.0, posinf=math.inf).nan_to_num(posinf=0.0)
    return found
