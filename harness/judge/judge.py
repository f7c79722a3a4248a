"""The judge: the promises of docs/architecture.md#the-judge, in order."""

import math

import torch

from eagerdiff.harness.judge.bounds import HANDFUL
from eagerdiff.harness.judge.closer_look import look_closer
from eagerdiff.harness.judge.leaf import check_leaf
from eagerdiff.harness.judge.reference import run_eager
from eagerdiff.harness.judge.structure import check_structure
from eagerdiff.harness.judge.truth import Truth, all_leaves, shape_of, tell_truth
from eagerdiff.harness.memory.guards import GuardedInputs
from eagerdiff.harness.memory.leaves import tensors
from eagerdiff.harness.model.operator import Inputs
from eagerdiff.harness.model.verdict import Oracle, Status, Verdict, passed, skipped

_REPEATS = 4
_DIRT = tuple(range(1, 300, 7))
"""Elements of the tensors that leave NaN behind in the allocator's small blocks."""


def judge(truth: Truth, output: object, after: Inputs | None = None) -> Verdict:
    """Say whether an output is right: structure, dtype, shape, NaN, values; then the inputs that may be mutated.

    `after` holds the arguments as the call left them; leave it out where nothing may be mutated. An output that chooses
    is held against the reference that breaks its ties alike: of several right answers each is right. Before a value is
    refused, eager is looked at more closely: what a rounding of the inputs changes, and what eager's error is nearby.
    """
    if truth.meaningless:
        return skipped(truth.meaningless)
    if truth.raised is not None:
        reason = f"eager raises {type(truth.raised).__name__} and the implementation returned"
        return Verdict(status=Status.DID_NOT_RAISE, reason=reason, oracle=Oracle.RAISE)
    verdict = compare(truth, output, after)
    if verdict.failed and (settled := _break_ties(truth, output, verdict)) is not None:
        truth = settled
        verdict = compare(truth, output, after)
    while verdict.failed and _may_be_rounding(verdict, truth) and look_closer(truth):
        verdict = compare(truth, output, after)
    if verdict.failed and truth.alternative is not None:
        other = compare(truth.alternative, output, None)
        verdict = verdict if other.failed else other
    if verdict.status is Status.WRONG_SHAPE and truth.unstable:
        return skipped(truth.unstable)
    if verdict.failed and not _eager_repeats_itself(truth):
        return skipped("eager itself gives another result when it is run again")
    return verdict


def _break_ties(truth: Truth, output: object, verdict: Verdict) -> Truth | None:
    """Return the truth about the output's own choices among ties; None where the operator has none."""
    if truth.operator.judging.break_ties is None or verdict.status is not Status.WRONG_VALUE:
        return None
    inputs = truth.operator.judging.break_ties(truth.inputs, output)
    if inputs is None:
        return None
    settled = tell_truth(truth.operator, inputs)
    settled.settled = True
    return settled


def _eager_repeats_itself(truth: Truth) -> bool:
    """Run eager again over freed memory that held NaN: what it never wrote, or raced for, is not blamed on others."""
    for _ in range(_REPEATS):
        dirt = [torch.full((size,), math.nan) for size in _DIRT]
        del dirt
        run = run_eager(truth.operator, truth.inputs)
        if run.error is not None or compare(truth, run.output, run.inputs).failed:
            return False
    return True


def judge_raise(truth: Truth, raised: Verdict) -> Verdict:
    """Turn the verdict on an exception into PASSED where eager raises too."""
    if truth.meaningless:
        return skipped(truth.meaningless)
    if truth.raised is None or raised.status is Status.OUT_OF_MEMORY:
        return raised
    return passed(oracle=Oracle.RAISE, reason="raises, as eager does")


def check_mutation(truth: Truth, guarded: GuardedInputs) -> Verdict | None:
    """Refuse a call that changed an argument which the operator does not declare as mutated; None where it did not."""
    changed = guarded.changed()
    if not changed:
        return None
    allowed = _with_aliases(truth)
    wrong = [name for name in changed if name not in allowed and not (name == -1 and allowed)]
    if not wrong:
        return None
    name = wrong[0]
    what = "memory between an input's elements" if name == -1 else f"input {name!r}"
    path = "" if name == -1 else f"args[{name}]" if isinstance(name, int) else f"options[{name!r}]"
    reason = f"{what} was changed by the call"
    return Verdict(status=Status.WRONG_MUTATION, reason=reason, oracle=Oracle.MUTATION, output=path)


def check_guards(guarded: GuardedInputs) -> Verdict | None:
    """Refuse a call that wrote before the first or after the last byte of an input; None where it did not."""
    if not guarded.overrun():
        return None
    reason = "a guard band beside an input was overwritten"
    return Verdict(status=Status.OUT_OF_BOUNDS, reason=reason, oracle=Oracle.BOUNDS)


def _with_aliases(truth: Truth) -> set[int | str]:
    """Add the arguments that share memory with one that may change."""
    declared = set(truth.may_change)
    if not declared:
        return declared
    named = tensors(truth.inputs)
    shared = {item.tensor.untyped_storage().data_ptr() for item in named if item.argument in declared}
    return declared | {item.argument for item in named if item.tensor.untyped_storage().data_ptr() in shared}


def _may_be_rounding(verdict: Verdict, truth: Truth) -> bool:
    """Whether the next closer look could excuse a refusal: first sensitivity, then eager's luck (a factor of 64).

    In a handful of elements eager may be exact altogether: there no factor tells luck from a wrong value.
    """
    if truth.looked == 0:
        values = verdict.oracle is not None and verdict.oracle.of_values
        return values or verdict.status is Status.WRONG_SHAPE
    if verdict.oracle not in (Oracle.RMSE, Oracle.ELEMENTWISE):
        return False
    few = any(leaf.path == verdict.output and math.prod(shape_of(leaf.eager)) <= HANDFUL for leaf in truth.leaves)
    return few or verdict.numbers.get("excess", 0.0) < 64


def compare(truth: Truth, output: object, after: Inputs | None = None) -> Verdict:
    """Hold an output against the truth as it stands: no closer look, and eager is not asked again."""
    refusal = check_structure(output, truth.output)
    if refusal is not None:
        return refusal
    leaves = all_leaves(truth.operator, output, after if after is not None else Inputs(()))
    verdicts = [check_leaf(leaf, got.value) for leaf, got in zip(truth.leaves, leaves, strict=False)]
    failures = [verdict for verdict in verdicts if verdict.failed]
    if failures:
        return failures[0]
    aside = next((verdict for verdict in verdicts if verdict.reason), None)
    return aside or _most_telling(verdicts)


def _most_telling(verdicts: list[Verdict]) -> Verdict:
    """Choose the passing leaf that came nearest to its allowance."""

    def excess(verdict: Verdict) -> float:
        return verdict.numbers.get("excess", 0.0)

    if not verdicts:
        return passed()
    nearest = max(verdicts, key=excess)
    return passed(numbers=nearest.numbers, allowed=nearest.allowed)
