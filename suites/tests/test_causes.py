"""One cause is one family, whichever operation meets it and however it is compiled."""

import pytest
import torch
from torch import Tensor
from torch._dynamo.exc import UserError, UserErrorType

from eagerdiff import Finding, Status
from eagerdiff.compiled.export_config import Tautology
from eagerdiff.harness.judge.exceptions import raised
from eagerdiff.harness.judge.origin import origin_of
from eagerdiff.harness.model.identity import Identity, Stage
from eagerdiff.harness.model.verdict import Refusal, Verdict
from eagerdiff.harness.triage.cause import cause_of, shape_of
from eagerdiff.harness.triage.classification import Class
from eagerdiff.harness.triage.family import families


def finding(
    reason: str, *, about: tuple[str, ...] = ("op_db:add",), way: str = "dynamo.dynamic", **told: object
) -> Finding:
    verdict = Verdict(status=Status.RAISED, reason=reason, exceptions=("UserError",), **told)  # pyright: ignore[reportArgumentType]
    return Finding(
        operator="torch_api", implementation=way, device="cpu", verdict=verdict, workload=[{"seed": 0}], about=about
    )


GUARD = "UserError: Could not guard on data-dependent expression {} (unhinted: {}).  (Size-like symbols: u0)"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (GUARD.format("Eq(2, u0)", "Eq(s40, u0)"), GUARD.format("Eq(u1, 7)", "Eq(u1, 7)")),
        (GUARD.format("u0 >= 1", "u0 >= 1"), GUARD.format("3*u0 >= 12", "3*u0 >= 12")),
        ("2 <= x0.size()[1] <= 5", "2 <= x3.size()[0] <= 19"),
        ("length s3 at 1! had torch.Size([s3, s4, 2])", "length 7 at 0! had torch.Size([2, s4])"),
        ("UnsupportedOperatorException: aten._to_sparse.default", "UnsupportedOperatorException: aten.nonzero.out"),
        ("Constraints violated (L['x0'].size()[1])! - constant (9)", "Constraints violated (a, …)! - constant (8)"),
        ("[JitTracer(bfloat16[3,8])] can only be of Array", "[JitTracer(float32[2,8])] can only be of Array"),
    ],
)
def test_sizes_symbols_and_operations_are_no_part_of_a_shape(one: str, other: str) -> None:
    assert shape_of(one) == shape_of(other)


def test_another_question_is_another_shape() -> None:
    assert shape_of(GUARD.format("Eq(u0, 2)", "")) != shape_of(GUARD.format("u0 >= 2", ""))
    assert shape_of("2 <= x0.size()[1] <= 5") != shape_of("2 <= x0.size()[1]")


def test_operations_and_ways_that_share_a_function_of_torch_are_one_family() -> None:
    origin = "torch._refs:broadcast"
    same = [
        finding(GUARD.format("Eq(u0, 2)", ""), about=(name,), way=way, origin=origin)
        for name in ("op_db:add", "op_db:mul")
        for way in ("dynamo.dynamic", "inductor.dynamic")
    ]
    other = finding(GUARD.format("Eq(u0, 2)", ""), origin="torch._refs:gather")
    (largest, single) = families([other, *same])
    assert (largest.parts, largest.ways) == (["op_db:add", "op_db:mul"], ["dynamo.dynamic", "inductor.dynamic"])
    assert (largest.findings, single.findings) == (4, 1)


def test_without_a_function_the_operation_tells() -> None:
    one, other = (finding(GUARD.format("u0 > 1", ""), about=(name,), frame="torch:f") for name in ("add", "mul"))
    assert cause_of(one) != cause_of(other)
    assert cause_of(one).where == "add"


def test_what_generated_code_asserts_of_strides_is_a_cause_of_the_operation() -> None:
    """All of them say it in one function: a convolution's was taken for that of poisson."""
    said = "AssertionError: expected size {0}=={0}, stride 1==4 at dim=1; expected size 2==2, stride 8==2 at dim=2"
    met = [
        cause_of(finding(said.format(size), about=(name,), origin="torch._inductor.output_code:__call__"))
        for name, size in (("poisson", 4), ("conv2d", 4), ("conv2d", 5))
    ]
    assert [cause.where for cause in met] == ["poisson", "conv2d", "conv2d"]
    assert met[1] == met[2]


def test_a_wrong_shape_and_a_wrong_dtype_of_one_operation_are_two_causes() -> None:
    statuses = (Status.WRONG_VALUE, Status.WRONG_SHAPE, Status.WRONG_DTYPE, Status.WRONG_MUTATION)
    one = finding("", about=("sum",))
    causes = {cause_of(one.model_copy(update={"verdict": Verdict(status=status, reason="")})) for status in statuses}
    assert len(causes) == len(statuses)
    assert {(cause.defect, cause.where) for cause in causes} == {(Class.WRONG_VALUE, "sum")}


def test_what_is_not_about_sizes_is_one_cause_whichever_operation_meets_it() -> None:
    one, other = (finding("RuntimeError: no", about=(name,), frame="torch:f") for name in ("add", "mul"))
    assert cause_of(one) == cause_of(other)
    assert cause_of(one).where == "torch:f"


def compiled(function: object, *args: Tensor) -> BaseException:
    """Return what compiling raises with sizes that depend on data."""
    torch._dynamo.reset()
    with torch._dynamo.config.patch(capture_dynamic_output_shape_ops=True), pytest.raises(UserError) as met:
        torch.compile(function, backend="eager", fullgraph=True, dynamic=True)(*args)  # pyright: ignore[reportCallIssue, reportArgumentType]
    return met.value


def test_an_origin_is_the_function_that_asked_and_not_what_carried_it_up() -> None:
    mask = torch.tensor([True, False, True])
    error = compiled(lambda x, m: torch.nn.functional.l1_loss(x[m], torch.zeros(2, 3)), torch.zeros(3, 3), mask)
    assert origin_of(error) == "torch.nn.functional:l1_loss"
    verdict = raised(error)
    assert verdict.origin == origin_of(error)
    assert verdict.frame != verdict.origin  # what carried it up


def test_an_error_of_no_framework_has_no_origin() -> None:
    assert origin_of(ValueError("mine")) == ""


def test_what_only_words_another_exception_is_not_what_a_script_must_raise() -> None:
    with pytest.raises(Tautology) as met:
        raise Tautology("Constraints violated by no declared size: a >= 0") from UserError(
            UserErrorType.CONSTRAINT_VIOLATION, "Constraints violated"
        )
    verdict = raised(met.value)
    assert verdict.exceptions == ("UserError",)
    assert "Tautology" in verdict.reason


@pytest.mark.parametrize(
    "reason",
    [
        "values a FakeTensor without values where eager gives ones",
        "the call changed modes of torch in force from (0, 0, 0) to (0, 0, 1)",
    ],
)
def test_what_leaks_is_one_cause_whichever_operation_is_called(reason: str) -> None:
    one, other = (
        Finding(
            operator="torch_api",
            implementation="export.auto",
            device="cpu",
            verdict=Verdict(status=Status.WRONG_VALUE, reason=reason),
            workload=[{"seed": 0}],
            about=(name,),
        )
        for name in ("op_db:add", "op_db:mul")
    )
    assert cause_of(one) == cause_of(other)
    assert cause_of(one).shape
    assert not cause_of(one).where


@pytest.mark.parametrize("size", [0, 1, 7])
def test_an_export_that_refuses_its_example_of_0_or_1_is_one_cause(size: int) -> None:
    said = f"UserError: - You marked a as dynamic but your code specialized it to be a constant ({size})."
    exported = Identity(backend="export", stage=Stage.EXPORT)
    add, square = (
        finding(said, about=(name,), refusal=Refusal.CONSTANT).model_copy(update={"identity": exported})
        for name in ("op_db:add", "op_db:square")
    )
    assert (cause_of(add) == cause_of(square)) is (size < 2)


@pytest.mark.parametrize(
    ("said", "one"), [("to be of the form 2*s4 + 2, where s4 is an integer", True), ("<= 9", False)]
)
def test_a_size_that_is_not_of_its_derived_dims_form_is_one_cause(said: str, one: bool) -> None:
    reason = f"RuntimeError: Expected input *args[0].shape[0] = 2 {said}"
    exported = Identity(backend="export", stage=Stage.EXPORT)
    add, square = (
        finding(reason, about=(name,), refusal=Refusal.SIZE).model_copy(update={"identity": exported})
        for name in ("op_db:add", "op_db:square")
    )
    assert add.defect is Class.EXPORT_CONSTRAINT
    assert (cause_of(add) == cause_of(square)) is one
