"""The judge refuses what is wrong: a planted fault for each promise of docs/architecture.md#the-judge."""

# pyright: reportUnknownLambdaType=false

import math
from collections.abc import Callable
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor
from torch._subclasses.fake_tensor import FakeTensorMode

from eagerdiff import Inputs, Oracle, Status
from eagerdiff.harness.judge import framework_frame, judge_raise, raised, tell_truth
from eagerdiff.suites.tests.judged import draw, verdict_on
from eagerdiff.suites.tests.rows import operator_of, reference

ROUNDED = ("float32", "bfloat16", "float16")


def swapped(x: Tensor, w: Tensor) -> Tensor:
    out = reference(x, w)
    return out[[1, 0, *range(2, len(out))]]


def replaced(x: Tensor, w: Tensor) -> Tensor:
    out = reference(x, w).clone()
    out.view(-1)[::20] = out.view(-1).roll(7)[::20]
    return out


@pytest.mark.parametrize("dtype", ROUNDED)
@pytest.mark.parametrize(
    "wrong",
    [lambda x, w: torch.zeros_like(x @ w), swapped, replaced, lambda x, w: reference(x.flip(0), w)],
    ids=["zeros", "two rows swapped", "5 % replaced", "another call's output"],
)
def test_wrong_values_are_refused(wrong: Callable[..., Tensor], dtype: str) -> None:
    assert verdict_on(wrong, draw((8, 16), (16, 8), dtype=dtype)).status is Status.WRONG_VALUE


@pytest.mark.parametrize(
    ("wrong", "status"),
    [
        (lambda x, w: reference(x, w).double(), Status.WRONG_DTYPE),
        (lambda x, w: reference(x, w)[:-1], Status.WRONG_SHAPE),
        (lambda x, w: reference(x, w)[None], Status.WRONG_SHAPE),
        (lambda x, w: (reference(x, w),), Status.WRONG_SHAPE),
        (lambda x, w: None, Status.WRONG_SHAPE),
        (lambda x, w: reference(x, w).tolist(), Status.WRONG_SHAPE),
    ],
    ids=["dtype", "shape", "rank", "tuple", "None", "list"],
)
def test_wrong_structure_is_refused(wrong: Callable[..., Any], status: Status) -> None:
    verdict = verdict_on(wrong, draw((8, 16), (16, 8)))
    assert (verdict.status, verdict.oracle) == (status, Oracle.STRUCTURE)


def test_nested_leaves_are_named() -> None:
    def nested(x: Tensor, w: Tensor) -> dict[str, Any]:
        return {"out": (x @ w, [x.sum(-1), None]), "n": x.shape[0]}

    def wrong(x: Tensor, w: Tensor) -> dict[str, Any]:
        return {"out": (x @ w, [x.sum(-1) + 1, None]), "n": x.shape[0]}

    def miscounted(x: Tensor, w: Tensor) -> dict[str, Any]:
        return nested(x, w) | {"n": x.shape[0] + 1}

    inputs = draw((8, 16), (16, 8))
    assert verdict_on(nested, inputs, nested).status is Status.PASSED
    assert verdict_on(wrong, inputs, nested).output == "['out'][1][0]"
    assert verdict_on(miscounted, inputs, nested).output == "['n']"


def test_strides_count_only_where_they_matter() -> None:
    def transposed(x: Tensor, w: Tensor) -> Tensor:
        return reference(x, w).T.contiguous().T

    inputs = draw((8, 16), (16, 8))
    assert verdict_on(transposed, inputs).status is Status.PASSED
    assert verdict_on(transposed, inputs, strides="eager").status is Status.WRONG_STRIDES


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_a_moved_or_missing_nan_is_refused(value: float) -> None:
    def marked(x: Tensor) -> Tensor:
        return x.clone().index_fill_(0, torch.tensor([1]), value) * 1.1

    inputs = draw((4, 4))
    right = marked(*inputs.args)
    assert verdict_on(lambda x: right, inputs, marked).status is Status.PASSED
    for wrong in (right[[1, 0, 2, 3]], right.nan_to_num(0.0, 0.0, 0.0), right.index_fill(0, torch.tensor([2]), value)):
        verdict = verdict_on(lambda x, wrong=wrong: wrong, inputs, marked)
        assert (verdict.status, verdict.oracle) == (Status.WRONG_VALUE, Oracle.NONFINITE)


def test_an_overflow_of_eager_alone_may_stay_away() -> None:
    def squares(x: Tensor) -> Tensor:
        return (x * x * 1e4) * 1e-4

    inputs = Inputs((torch.tensor([[1.0, 8.0, 1.5]], dtype=torch.float16),))
    assert squares(*inputs.args).isinf().any()
    assert verdict_on(lambda x: (x.float() ** 2).half(), inputs, squares).status is Status.PASSED
    assert verdict_on(lambda x: (x.float() ** 2).half() * float("nan"), inputs, squares).failed


def test_four_times_worse_than_eager_is_refused() -> None:
    """Eager rounds after every step here, so its error stands well above the floor."""

    def stepwise(x: Tensor) -> Tensor:
        total = torch.zeros_like(x[:, 0])
        for column in x.unbind(1):
            total = total + column
        return total[:, None] + torch.zeros_like(x)

    inputs = Inputs((torch.rand(64, 300, generator=torch.Generator().manual_seed(0)).bfloat16(),))
    exact = stepwise(inputs.args[0].double())
    error = stepwise(inputs.args[0]).double() - exact
    verdict = verdict_on(lambda x: (exact + 4 * error).bfloat16(), inputs, stepwise)
    assert (verdict.status, verdict.oracle) == (Status.WRONG_VALUE, Oracle.RMSE)
    assert verdict.numbers["eager_rmse"] > 4 * torch.finfo(torch.bfloat16).eps * exact.square().mean().sqrt() / 4
    assert verdict_on(lambda x: (exact + 1.5 * error).bfloat16(), inputs, stepwise).status is Status.PASSED


@pytest.mark.parametrize("round_probabilities", [False, True])
@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_an_honest_narrow_kernel_is_accepted(dtype: str, round_probabilities: bool) -> None:
    def honest(x: Tensor, w: Tensor) -> Tensor:
        weights = torch.exp2((x.float() - x.float().amax(-1, keepdim=True)) * 1.44269504)
        total = weights.sum(-1, keepdim=True)
        weights = weights.to(x.dtype).float() if round_probabilities else weights
        return ((weights @ w.float()) / total).to(x.dtype)

    def precise(x: Tensor, w: Tensor) -> Tensor:
        return (torch.softmax(x.float(), -1) @ w.float()).to(x.dtype)

    for seed in range(40):
        inputs = draw((1 + seed, 64), (64, 16), dtype=dtype, seed=seed)
        assert not verdict_on(honest, inputs, precise).failed
        assert not verdict_on(honest, inputs, reference).failed


@pytest.mark.parametrize("given", [True, False], ids=["magnitude given", "magnitude estimated"])
def test_cancellation_is_forgiven(given: bool) -> None:
    def total(x: Tensor) -> Tensor:
        return x.sum(-1)

    magnitude = {"magnitude": lambda x: x.abs().sum(-1)} if given else {}
    for seed in range(30):
        half = torch.randn(3, 50, generator=torch.Generator().manual_seed(seed)) * 1e6
        rest = torch.rand(3, 1, generator=torch.Generator().manual_seed(seed))
        inputs = Inputs((torch.cat([half, rest, -half], -1),))
        verdict = verdict_on(lambda x: x.flip(-1).cumsum(-1)[:, -1], inputs, total, **magnitude)
        assert not verdict.failed, verdict.describe()
        assert verdict_on(lambda x: x.sum(-1) + 1e4, inputs, total, **magnitude).failed


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_eagers_error_in_one_element_is_not_made_little_of(dtype: str) -> None:
    """What is exactly 0 has no terms that are known: eager's own error is all there is to go by."""

    def divergence(x: Tensor) -> Tensor:
        return F.kl_div(x.log_softmax(-1), x.softmax(-1), reduction="sum")

    def otherwise(x: Tensor) -> Tensor:
        weights = x.softmax(-1)
        return (weights * (weights.log() - x.log_softmax(-1))).flip(0).sum(0).sum()

    for seed in range(20):
        inputs = draw((13, 2), dtype=dtype, seed=seed)
        assert not verdict_on(otherwise, inputs, divergence).failed
        assert verdict_on(lambda x: otherwise(x) + 1e-4, inputs, divergence).failed


def test_a_row_that_cancels_is_no_decision() -> None:
    """A row whose rounding is larger than itself: eager and float64 did not decide differently there."""

    def normalised(x: Tensor, w: Tensor) -> Tensor:
        return F.batch_norm(x, None, None, w, w, training=True)

    def otherwise(x: Tensor, w: Tensor) -> Tensor:
        centred = x - x.mean(0)
        return centred * (centred.square().mean(0) + 1e-5).rsqrt() * w + w

    inputs = Inputs((torch.tensor([[-50.6877, 144.3116, 93.7086], [-81.1202, -55.4227, 38.9967]]), torch.rand(3) - 2))
    assert verdict_on(otherwise, inputs, normalised).status is Status.PASSED
    assert verdict_on(lambda x, w: otherwise(x, w) + 1e-4, inputs, normalised).status is Status.WRONG_VALUE


def test_float64_may_round_too() -> None:
    """Eager is its own truth in float64, and may be no better there than others are."""

    def normalised(x: Tensor, w: Tensor) -> Tensor:
        return F.group_norm(x, x.shape[1], w)

    inputs = Inputs((torch.randn(2, 3, 1, dtype=torch.float64), torch.randn(3, dtype=torch.float64)))
    assert verdict_on(lambda x, w: torch.zeros_like(x), inputs, normalised).status is Status.PASSED
    assert verdict_on(lambda x, w: torch.full_like(x, 1e-12), inputs, normalised).status is Status.WRONG_VALUE
    scaled = draw((4, 6), (6, 3), dtype="float64")
    ratio = torch.tensor(7 / 3, dtype=torch.float32).double()
    wrong = verdict_on(lambda x, w: reference(x, w) * (ratio / (7 / 3)), scaled)
    assert wrong.status is Status.WRONG_VALUE, "a ratio in float32 is no rounding of float64"


@pytest.mark.parametrize("dtype", ROUNDED)
def test_a_wrong_row_among_much_larger_rows_is_refused(dtype: str) -> None:
    inputs = draw((16, 64), (64, 8), dtype=dtype)
    inputs.args[0][3] *= 1e-3

    def wrong(x: Tensor, w: Tensor) -> Tensor:
        out = x @ w
        out[3] *= 1.5
        return out

    verdict = verdict_on(wrong, inputs, lambda x, w: x @ w)
    assert (verdict.status, verdict.oracle) == (Status.WRONG_VALUE, Oracle.ELEMENTWISE)
    assert verdict.numbers["worst_index"] // 8 == 3


def test_one_exact_element_does_not_alarm() -> None:
    """With one element eager is exact by luck: an ulp more must pass, ten percent must not."""
    for seed in range(100):
        inputs = draw((1, 3), dtype="bfloat16", seed=seed)
        right = inputs.args[0].double().sum(-1).bfloat16()
        ulp = torch.nextafter(right, right + 1)
        assert not verdict_on(lambda x, ulp=ulp: ulp, inputs, lambda x: x.sum(-1)).failed
        assert verdict_on(lambda x: x.sum(-1) + 0.2 * x.abs().sum(-1), inputs, lambda x: x.sum(-1)).failed


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (lambda x: x.argmax(-1), lambda x: x.argmax(-1) + 1),
        (lambda x: x > 0, lambda x: x >= -0.001 * x.abs().max()),
        (lambda x: x[:, ::2], lambda x: x[:, ::2] * (1 + 2**-22)),
        (lambda x: x[x > 0], lambda x: x[x > 0].bfloat16().float()),
    ],
    ids=["integer", "boolean", "copy", "selection"],
)
def test_what_does_not_round_is_exact(right: Callable[..., Any], wrong: Callable[..., Any]) -> None:
    inputs = draw((40, 64))
    assert verdict_on(right, inputs, right).status is Status.PASSED
    verdict = verdict_on(wrong, inputs, right)
    assert (verdict.status, verdict.oracle) == (Status.WRONG_VALUE, Oracle.EXACT)


def test_an_exact_operator_forgives_no_ulp() -> None:
    inputs = draw((4, 4))
    slightly: Callable[[Tensor], Tensor] = lambda x: x * 2 * (1 + 2**-23)  # noqa: E731
    assert verdict_on(slightly, inputs, lambda x: x * 2).status is Status.PASSED
    assert verdict_on(slightly, inputs, lambda x: x * 2, exact=True).oracle is Oracle.EXACT


def test_a_changed_input_is_refused() -> None:
    def scribble(x: Tensor, w: Tensor) -> Tensor:
        out = reference(x, w)
        w[2, 3] += 1
        return out

    verdict = verdict_on(scribble, draw((8, 16), (16, 8)))
    assert (verdict.status, verdict.output) == (Status.WRONG_MUTATION, "args[1]")


def test_a_declared_mutation_is_judged_as_an_output() -> None:
    def write(cache: Tensor, x: Tensor) -> None:
        cache[2:6] = x * 1.1

    inputs = draw((8, 4), (4, 4))
    assert verdict_on(write, inputs, write, mutates=("cache",)).status is Status.PASSED
    for wrong in (lambda cache, x: None, lambda cache, x: write(cache[1:], x)):
        verdict = verdict_on(wrong, inputs, write, mutates=(0,))
        assert (verdict.status, verdict.output) == (Status.WRONG_MUTATION, "args[0]")


def test_eager_that_cannot_repeat_itself_blames_nobody() -> None:
    def dice(x: Tensor) -> tuple[Tensor, Tensor]:
        return x + torch.rand(3, generator=generator), x @ x

    generator = torch.Generator().manual_seed(0)
    inputs = draw((3, 3))
    assert not verdict_on(lambda x: (x + 0.3, x @ x), inputs, dice).failed
    assert verdict_on(lambda x: (x + 0.3, x @ x + 1), inputs, dice).output == "[1]"


def test_a_missing_and_an_extra_exception_are_refused() -> None:
    def checked(x: Tensor) -> Tensor:
        if x.shape[0] > 4:
            raise ValueError("too many rows")
        return x * 2

    assert verdict_on(lambda x: x * 2, draw((5, 2)), checked).status is Status.DID_NOT_RAISE
    for rows, status in ((5, Status.PASSED), (4, Status.RAISED)):
        truth = tell_truth(operator_of(checked), draw((rows, 2)))
        with pytest.raises(RuntimeError) as caught:
            torch.mm(torch.randn(2, 3), torch.randn(2, 3))
        assert judge_raise(truth, raised(caught.value)).status is status


def test_a_reference_that_names_a_narrow_dtype_is_still_run_in_float64() -> None:
    def narrow(x: Tensor, w: Tensor) -> Tensor:
        return torch.softmax(x.float(), -1, dtype=torch.float32).to(torch.float32) @ w.to(dtype=torch.float32)

    truth = tell_truth(operator_of(narrow), draw((8, 16), (16, 8)))
    assert truth.leaves[0].bounds.eager_rmse > 0


def test_sizes_near_a_threshold_may_fall_either_way() -> None:
    def selected(x: Tensor) -> Tensor:
        score = (x * 3).sum(-1)
        return x[score >= score.new_tensor(3.0)] * 1.7

    x = torch.full((4, 10), 0.1)
    x[:2] = 5.0
    assert selected(x).shape != selected(x.double()).shape
    assert not verdict_on(selected, Inputs((x,)), selected).failed
    assert not verdict_on(lambda x: selected(x.double()).float(), Inputs((x,)), selected).failed
    assert verdict_on(lambda x: selected(x)[:1], Inputs((x,)), selected).status in (Status.WRONG_SHAPE, Status.SKIPPED)


def test_frames_of_generated_code_are_named_alike() -> None:
    """Inductor names a module after a hash of its text: with it every failure would be a bug of its own."""
    frames: set[str] = set()
    for letter in "ab":
        names = {"__name__": "torch._inductor.runtime.compile_tasks.c" + letter * 51}
        exec("def call():\n    raise NameError('s0')", names)
        with pytest.raises(NameError) as error:
            names["call"]()  # pyright: ignore[reportCallIssue]
        frames.add(framework_frame(error.value))
    assert frames == {"torch._inductor.runtime.compile_tasks.generated:call"}


def test_large_integers_round_when_they_become_floats() -> None:
    def total(x: Tensor) -> Tensor:
        return (x * 0.25).cumsum(0)

    def otherwise(x: Tensor) -> Tensor:
        found = (x * 0.25).cumsum(0)
        found[-1] += 0.25
        return found

    large = Inputs((torch.tensor([1, 2147483647, -2147483647, -1], dtype=torch.int32),))
    small = Inputs((torch.tensor([1, 2147, -2147, -1], dtype=torch.int32),))
    assert not verdict_on(otherwise, large, total).failed
    assert verdict_on(otherwise, small, total).failed


def test_an_infinite_complex_number_may_have_any_parts() -> None:
    given = Inputs((torch.tensor([complex(math.inf, 1.0), complex(2.0, 3.0)]),))

    def other_part(x: Tensor) -> Tensor:
        return torch.where(x.isinf(), torch.tensor(complex(math.nan, -math.inf)), x)

    assert not verdict_on(other_part, given, lambda x: x * 1.0).failed
    assert verdict_on(lambda x: x.nan_to_num(0, 0, 0), given, lambda x: x * 1.0).failed
    assert verdict_on(lambda x: x / 0, given, lambda x: x * 1.0).failed


def test_a_tensor_that_tracing_left_behind_is_no_answer() -> None:
    """As an export of `torch.func.grad` returns it."""
    (x,) = draw((8,)).args
    with FakeTensorMode():
        fake = torch.empty(8)
    wrapped: list[Tensor] = []
    torch.func.vmap(lambda row: (wrapped.append(row), row)[1])(x[None])
    for output, named in ((fake, "a FakeTensor"), (wrapped[0], "a tensor of torch.func")):
        verdict = verdict_on(lambda x, output=output: output, Inputs((x,)), lambda x: x * 2)
        assert verdict.status is Status.WRONG_VALUE
        assert verdict.reason == f"values {named} without values where eager gives ones"


def test_results_of_integers_are_as_exact_as_the_largest_of_their_terms() -> None:
    """No perturbation shows that a small result is the difference of large terms, nor does float64."""
    given = Inputs((torch.tensor([[7, -3, 0, -1], [9, 1, 9, 0]], dtype=torch.int8),))

    def fused(x: Tensor) -> Tensor:
        wide = x.double()
        return wide - wide.logsumexp(1, keepdim=True)

    def eager(x: Tensor) -> Tensor:
        return torch.log_softmax(x, 1, dtype=torch.float64)

    assert not torch.equal(fused(*given.args), eager(*given.args))
    assert not verdict_on(fused, given, eager).failed
    assert verdict_on(lambda x: fused(x) + 1e-13, given, eager).status is Status.WRONG_VALUE
