"""Relations: what a change of the inputs must do to the output, and what a repetition must not."""

from collections.abc import Callable
from typing import Any

import torch

from eagerdiff.harness.judge.judge import compare, judge
from eagerdiff.harness.judge.structure import flatten, kind
from eagerdiff.harness.judge.truth import Truth, all_leaves, leaf_alone, tell_truth
from eagerdiff.harness.memory.copies import duplicate
from eagerdiff.harness.memory.guards import same_bits
from eagerdiff.harness.model.operator import Inputs, Relation
from eagerdiff.harness.model.verdict import Oracle, Status, Verdict

Again = Callable[[Inputs, int], tuple[Any, Inputs, Verdict | None]]
"""Call the implementation under a shuffle seed: output, inputs after the call, verdict where it raised or faulted."""


def check_relation(
    relation: Relation, truth: Truth, output: Any, seed: int, again: Again, *, invariant: bool = False
) -> Verdict | None:
    """Call the implementation on changed inputs; refuse it where its output does not follow. None where it does.

    `invariant` says that the implementation declares of this case that a batch changes no bit of a row.

    An exact relation holds bit for bit, between calls of the same compiled code. Any other holds within the floors of
    the error budget; before it is refused the reference is asked about the changed inputs, so that an ill-conditioned
    change is not blamed on the implementation.
    """
    generator = torch.Generator().manual_seed(seed)
    changed, follow = relation.transform(duplicate(truth.inputs).inputs, generator)
    got, after, failure = again(changed, seed)
    if failure is not None:
        return _unless_eager_raises(truth, changed, failure, relation.name)
    wanted = follow(output)
    declared = relation.of_batch and invariant
    exact = relation.exact or declared
    broken = _differs(wanted, got) if exact else None
    if not exact or (broken is not None and _compiled_anew(truth, got, follow, seed, again)):
        declared = False
        broken = _differs_by_more(truth, changed, wanted, got, after)
    if broken is None:
        return None
    return broken.model_copy(
        update={
            "oracle": Oracle.BATCH if declared else Oracle.RELATION,
            "relation": relation.name,
            "reason": f"{relation.name} does not hold: {broken.reason}",
        }
    )


def _compiled_anew(truth: Truth, got: Any, follow: Callable[[Any], Any], seed: int, again: Again) -> bool:
    """Whether the unchanged inputs, too, now give other bits: code compiled since then may sum in another order."""
    now, _, failure = again(truth.inputs, seed)
    return failure is None and _differs(follow(now), got) is None


def check_recall(truth: Truth, seed: int, again: Again) -> Verdict | None:
    """Call again with inputs met before, after other calls (A, B, A); refuse a value that was right then."""
    verdict = _repeat(truth, seed, again)
    if verdict is None:
        return None
    reason = f"right at first, wrong when called again after the others: {verdict.reason}"
    return verdict.model_copy(update={"oracle": Oracle.RELATION, "relation": "recall", "reason": reason})


def check_rerun(truth: Truth, seed: int, again: Again) -> Verdict | None:
    """Call again at once, programs in another order; refuse a value that was right the first time."""
    verdict = _repeat(truth, seed ^ 0x5DEECE66, again)
    if verdict is None:
        return None
    status = Status.NONDETERMINISTIC if verdict.status is Status.WRONG_VALUE else verdict.status
    reason = f"right in one run, wrong in the next: {verdict.reason}"
    how = {"oracle": Oracle.RELATION, "relation": "rerun", "reason": reason}
    return verdict.model_copy(update={"status": status, **how})


def _repeat(truth: Truth, seed: int, again: Again) -> Verdict | None:
    got, after, failure = again(truth.inputs, seed)
    verdict = failure or judge(truth, got, after)
    return None if verdict.status in (Status.PASSED, Status.SKIPPED) else verdict


def _unless_eager_raises(truth: Truth, changed: Inputs, failure: Verdict, relation: str) -> Verdict | None:
    if failure.status is Status.RAISED and tell_truth(truth.operator, changed).raised is not None:
        return None
    return failure.model_copy(update={"oracle": Oracle.RELATION, "relation": relation})


def _differs(wanted: Any, got: Any) -> Verdict | None:
    """Refuse the first leaf that differs in a bit."""
    if kind(wanted) != kind(got):
        is_, was = kind(got)[:90], kind(wanted)[:90]
        return Verdict(status=Status.WRONG_SHAPE, reason=f"{is_} where {was} follows", got=is_, expected=was)
    for mine, theirs in zip(flatten(wanted), flatten(got), strict=True):
        one, other = mine.value, theirs.value
        if not (_same(one, other) if isinstance(one, torch.Tensor) else one == other):
            return Verdict(status=Status.WRONG_VALUE, reason="not the same bits", output=mine.path)
    return None


def _same(one: torch.Tensor, other: torch.Tensor) -> bool:
    """Whether two tensors hold the same values; any NaN equals any NaN."""
    if same_bits(one, other):
        return True
    if one.shape != other.shape or one.dtype != other.dtype:
        return False
    return bool(((one == other) | ((one != one) & (other != other))).all())


def _differs_by_more(truth: Truth, changed: Inputs, wanted: Any, got: Any, after: Inputs) -> Verdict | None:
    """Refuse what is neither near what follows from the first output nor right by the reference."""
    near = Truth(truth.operator, changed, output=wanted)
    near.leaves = [leaf_alone(near, leaf) for leaf in all_leaves(truth.operator, wanted, Inputs(()))]
    if not compare(near, got).failed:
        return None
    verdict = judge(tell_truth(truth.operator, changed), got, after)
    return verdict if verdict.failed else None
