"""The truth about one case: eager twice, float64 once, and a closer look when asked."""

import inspect
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import torch

from eagerdiff.harness.judge.copying import is_copy
from eagerdiff.harness.judge.leaf import LeafTruth
from eagerdiff.harness.judge.reference import Run, run_eager, run_exact, run_magnitude, widened
from eagerdiff.harness.judge.strides import Promise, promise_of, same_strides
from eagerdiff.harness.judge.structure import Leaf, flatten, kind
from eagerdiff.harness.memory.leaves import tensors
from eagerdiff.harness.model.operator import Inputs, Operator
from eagerdiff.harness.model.tolerance import Tolerance


@dataclass
class Truth:
    """Hold what is right about one call."""

    operator: Operator
    inputs: Inputs
    """As the operator built them; never written to."""
    output: Any = None
    """Eager's output in the case's own dtype."""
    leaves: list[LeafTruth] = field(default_factory=list[LeafTruth])
    """The output's leaves, then those of the inputs that may be mutated."""
    raised: BaseException | None = None
    """What eager raises on this call: the implementation must raise too."""
    meaningless: str = ""
    """Why this call cannot be judged."""
    alternative: "Truth | None" = None
    """The float64 run's own answer where its sizes differ from eager's: either is right."""
    looked: int = 0
    """How many closer looks were taken."""
    drawn: Sequence[Any] | None = None
    """Random numbers that the reference drew, if any."""
    settled: bool = False
    """Whether the reference breaks its ties as the output does: what it chose then counts, however close."""
    unstable: str = ""
    """How sizes change under perturbations smaller than a rounding of the inputs."""

    @property
    def may_change(self) -> tuple[int | str, ...]:
        """Positions and names of the arguments that may be mutated."""
        return mutable_arguments(self.operator, self.inputs)


def tell_truth(operator: Operator, inputs: Inputs) -> Truth:
    """Run the reference twice in its own dtype and once in float64, and say what is right."""
    first = run_eager(operator, inputs)
    exact_inputs, exact = exact_run(operator, inputs, first.drawn)
    truth = Truth(operator, inputs, output=first.output, drawn=first.drawn)
    if first.error is not None:
        return _without_eager(truth, first.error, exact)
    again = run_eager(operator, inputs)
    if again.error is not None:
        truth.meaningless = "eager raises in one run and not in the other"
        return truth
    parts = comparable(truth, first, exact)
    if exact.error is None and not parts:
        truth.alternative = _alternative(truth, exact)
    truth.leaves = _leaves(truth, first, again, exact if parts else None)
    if parts and exact_inputs is not None:
        _give_magnitudes(truth, exact_inputs)
    return truth


def free_format(truth: Truth) -> None:
    """Let what is new lie in memory as it may, but where the operator demands eager's strides."""
    for leaf in truth.leaves:
        leaf.promise = None if leaf.promise is Promise.FORMAT else leaf.promise


def mutable_arguments(operator: Operator, inputs: Inputs) -> tuple[int | str, ...]:
    """Resolve `Operator.mutates` to positions of positional arguments and names of options."""
    try:
        names = list(inspect.signature(operator.reference).parameters)
    except (TypeError, ValueError):
        names = []
    found: list[int | str] = []
    for item in operator.mutates:
        if isinstance(item, str) and item not in inputs.options and item in names:
            found.append(names.index(item))
        elif isinstance(item, int) and item >= len(inputs.args) and item < len(names):
            found.append(names[item])
        else:
            found.append(item)
    return tuple(found)


def all_leaves(operator: Operator, output: Any, inputs: Inputs) -> list[Leaf]:
    """List the leaves of an output, then the tensors that may be mutated, as they are after the call."""
    mutable = mutable_arguments(operator, inputs) if operator.mutates else ()
    after = [named for named in tensors(inputs) if named.argument in mutable] if mutable else []
    return flatten(output) + [leaf for named in after for leaf in flatten(named.tensor, named.path)]


def exact_run(operator: Operator, inputs: Inputs, drawn: Sequence[Any] | None = None) -> tuple[Inputs | None, Run]:
    """Upcast a call and run the reference on it in float64; None for inputs that have no float64 twin."""
    try:
        exact_inputs = widened(operator, inputs)
    except Exception as error:  # noqa: BLE001 - a call with no float64 twin is judged against eager
        return None, Run(error=error)
    return exact_inputs, run_exact(operator, exact_inputs, drawn)


def _without_eager(truth: Truth, error: BaseException, exact: Run) -> Truth:
    """Decide what an exception of eager means: a promise, or a gap in eager's own dtypes."""
    if exact.error is None and "not implemented" in str(error):
        truth.meaningless = f"eager has no kernel for it: {str(error).splitlines()[0][:160]}"
    elif exact.error is None:
        truth.meaningless = f"eager raises and float64 does not: {type(error).__name__}"
    else:
        truth.raised = error
    return truth


def comparable(truth: Truth, first: Run, exact: Run) -> bool:
    """Whether two runs have one structure and one set of shapes, and neither raised."""
    if exact.error is not None or kind(first.output) != kind(exact.output):
        return False
    pairs = zip(
        all_leaves(truth.operator, first.output, first.inputs),
        all_leaves(truth.operator, exact.output, exact.inputs),
        strict=True,
    )
    return all(shape_of(one.value) == shape_of(other.value) for one, other in pairs)


def shape_of(value: Any) -> tuple[int, ...]:
    """Return a tensor's shape, () for a scalar."""
    return tuple(value.shape) if isinstance(value, torch.Tensor) else ()


def _leaves(truth: Truth, first: Run, again: Run, exact: Run | None) -> list[LeafTruth]:
    operator = truth.operator
    mine = all_leaves(operator, first.output, first.inputs)
    seconds = all_leaves(operator, again.output, again.inputs)
    truths = [None] * len(mine) if exact is None else all_leaves(operator, exact.output, exact.inputs)
    steady = len(seconds) == len(mine)
    outputs = len(flatten(first.output))
    found: list[LeafTruth] = []
    for index, leaf in enumerate(mine):
        other = truths[index]
        second = seconds[index].value if steady else torch.empty(0, 0, 0, 0, 0)
        built = _leaf(truth, leaf, second, None if other is None else other.value)
        built.mutated = index >= outputs
        built.promise = _promise(operator, built, first.inputs)
        found.append(built)
    return found


def _leaf(truth: Truth, leaf: Leaf, again: Any, exact: Any) -> LeafTruth:
    tensor = isinstance(leaf.value, torch.Tensor)
    floating = isinstance(leaf.value, float) or (tensor and leaf.value.is_floating_point())
    wide = None
    if floating and exact is not None:
        wide = exact.detach().double() if tensor else torch.tensor(float(exact), dtype=torch.float64)
    elif tensor and exact is not None:
        wide = exact
    exactly = truth.operator.judging.exact
    if isinstance(leaf.value, torch.Tensor) and floating and not exactly and wide is not None:
        exactly = is_copy(leaf.value, wide, truth.inputs)
    return LeafTruth(
        path=leaf.path,
        eager=leaf.value,
        exact=wide,
        again=again,
        tolerance=_tolerance(truth.operator, leaf.value),
        must_equal=exactly,
        coarse=_coarsest(truth.inputs),
        paired=leaf.paired,
        alone=floating and wide is None,
    )


def _promise(operator: Operator, leaf: LeafTruth, after: Inputs) -> Promise | None:
    """Return why a leaf must lie in memory as eager's does; None where it need not, or eager does not repeat it."""
    one, two = leaf.eager, leaf.again
    if not isinstance(one, torch.Tensor) or not isinstance(two, torch.Tensor) or one.shape != two.shape:
        return None
    if operator.judging.strides == "free" or not same_strides(one, two):
        return None
    return Promise.DEMANDED if operator.judging.strides == "eager" else promise_of(one, after, mutated=leaf.mutated)


def _tolerance(operator: Operator, value: Any) -> Tolerance:
    """Return the budget of an output: a narrow one that is summed in float32 has less."""
    tolerance = operator.judging.tolerance
    narrow = isinstance(value, torch.Tensor) and value.dtype in (torch.float16, torch.bfloat16)
    return tolerance.of_wide_sums() if narrow and operator.judging.accumulates == "float32" else tolerance


def leaf_alone(truth: Truth, leaf: Leaf) -> LeafTruth:
    """Take a value as the truth about itself: no float64 run stands behind it, so the floors are wider."""
    return _leaf(truth, leaf, leaf.value, None)


def _coarsest(inputs: Inputs) -> torch.dtype:
    dtypes = {named.tensor.dtype for named in tensors(inputs) if named.tensor.is_floating_point()}
    return max(dtypes, key=lambda dtype: torch.finfo(dtype).eps, default=torch.float32)


def _give_magnitudes(truth: Truth, exact_inputs: Inputs) -> None:
    magnitude = run_magnitude(truth.operator, exact_inputs)
    if magnitude is None:
        return
    by_path = {leaf.path: leaf.value for leaf in flatten(magnitude)}
    for leaf in truth.leaves:
        value = by_path.get(leaf.path)
        if not leaf.mutated and leaf.floating and value is not None:
            leaf.magnitude = torch.as_tensor(value, dtype=torch.float64)


def _alternative(truth: Truth, exact: Run) -> Truth:
    """Take the float64 run as the truth, in eager's dtypes: near a threshold its sizes are as right as eager's."""
    dtypes = [leaf.value.dtype for leaf in flatten(truth.output) if isinstance(leaf.value, torch.Tensor)]
    narrow = next((dtype for dtype in dtypes if dtype.is_floating_point), torch.float64)

    def cast(value: Any) -> Any:
        if isinstance(value, torch.Tensor) and value.dtype == torch.float64:
            return value.to(narrow)
        if isinstance(value, dict):
            return {key: cast(item) for key, item in value.items()}
        if type(value) in (tuple, list):
            return type(value)(cast(item) for item in value)
        return value

    output = cast(exact.output)
    found = Truth(truth.operator, truth.inputs, output=output)
    run = Run(output, exact.inputs)
    found.leaves = [leaf for leaf in _leaves(found, run, run, None) if not leaf.mutated]
    return found
