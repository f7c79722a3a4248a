"""Executing a workload: every way of going wrong becomes a verdict about the right case."""

# pyright: reportUnknownLambdaType=false

import ctypes
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import torch
from torch import Tensor

from eagerdiff import (
    Declined,
    Drawing,
    Implementation,
    Inputs,
    Mode,
    Oracle,
    Relation,
    Requirements,
    Status,
    Workload,
)
from eagerdiff.harness.devices import Device, parse
from eagerdiff.harness.devices.cpu import Cpu
from eagerdiff.harness.execution.execution import execute
from eagerdiff.harness.execution.stage import Stage
from eagerdiff.suites.tests.rows import Rows, implementation_of, operator_of, reference, run, statuses


@pytest.fixture(scope="module")
def device() -> Device:
    found = parse("cpu")
    found.activate()
    return found


def test_a_right_implementation_passes_and_is_discriminated(device: Device) -> None:
    outcome = run(device, implementation_of(reference))
    assert statuses(outcome) == [Status.PASSED] * 4
    assert outcome.first_failure is None
    assert [verdict.checked_mutants for verdict in outcome.verdicts] == [3, 2, 0, 3]
    assert all(verdict.surviving_mutants == () for verdict in outcome.verdicts)
    assert outcome.seconds > 0


@pytest.mark.parametrize(
    ("asserts", "may_raise", "error"),
    [
        (True, True, IndexError),
        (True, False, IndexError),
        (False, True, IndexError),
        (True, True, RuntimeError),
        (True, True, TypeError),
        (True, True, NotImplementedError),
    ],
)
def test_what_the_processor_raises_of_is_not_called_where_it_ends_the_process(
    asserts: bool, may_raise: bool, error: type[Exception]
) -> None:
    called: set[int] = set()

    class Fragile(Cpu):
        pass

    Fragile.asserts = asserts

    def chosen(x: Tensor, w: Tensor) -> Tensor:
        if x.shape[0] < 3:
            raise error("outside")
        return reference(x, w)

    def kernel(x: Tensor, w: Tensor) -> Tensor:
        called.add(x.shape[0])
        return chosen(x, w)

    fragile = Fragile()
    fragile.activate()
    outcome = run(fragile, implementation_of(kernel), 4, 2, reference=chosen, may_raise=may_raise)
    spared = asserts and may_raise and error in (IndexError, RuntimeError)
    assert statuses(outcome) == [Status.PASSED, Status.SKIPPED if spared else Status.PASSED]
    assert called == ({4} if spared else {4, 2})
    assert ("eager raises on the processor" in outcome.verdicts[1].reason) == spared


def test_the_previous_output_is_asked_about(device: Device) -> None:
    outcome = run(device, implementation_of(reference), 4, 4)
    assert [verdict.checked_mutants for verdict in outcome.verdicts] == [3, 4]


def test_a_stale_buffer_is_caught_on_the_call_that_shows_it(device: Device) -> None:
    kept: list[Tensor] = []

    def stale(x: Tensor, w: Tensor) -> Tensor:
        if not kept or kept[0].shape[0] != x.shape[0]:
            kept[:] = [reference(x, w)]
        return kept[0]

    assert statuses(run(device, implementation_of(stale), 4, 4)) == [Status.PASSED, Status.WRONG_VALUE]


def test_what_raises_is_named_by_the_framework_frame(device: Device) -> None:
    outcome = run(device, implementation_of(lambda x, w: torch.nn.functional.linear(x, w)), 4)
    verdict = outcome.verdicts[0]
    assert (verdict.status, verdict.oracle) == (Status.RAISED, Oracle.RAISE)
    assert verdict.reason.startswith("RuntimeError: ")
    assert "mat1 and mat2 shapes" in verdict.reason
    deep = run(device, implementation_of(lambda x, w: torch.einsum("ij,kl->q", x, w)), 4).verdicts[0]
    assert deep.frame == "torch.functional:einsum"


def made_from(error: BaseException, cause: BaseException) -> BaseException:
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (MemoryError(), Status.OUT_OF_MEMORY),
        (RuntimeError("DefaultCPUAllocator: can't allocate memory"), Status.OUT_OF_MEMORY),
        (torch.OutOfMemoryError("CUDA out of memory"), Status.OUT_OF_MEMORY),
        (made_from(ValueError("no tile fits"), MemoryError()), Status.OUT_OF_MEMORY),
        (SystemExit(3), Status.RAISED),
        (AssertionError(), Status.RAISED),
    ],
)
def test_exceptions_become_verdicts(device: Device, error: BaseException, status: Status) -> None:
    def fail(x: Tensor, w: Tensor) -> Tensor:
        raise error

    verdict = run(device, implementation_of(fail), 4).verdicts[0]
    assert verdict.status is status
    assert verdict.reason.startswith(type(error).__name__)


@pytest.mark.parametrize("raised", [KeyboardInterrupt(), SystemExit(0), SystemExit(3)])
def test_what_ends_a_process_is_a_verdict_where_a_kernel_raises_it(device: Device, raised: BaseException) -> None:
    def interrupt(x: Tensor, w: Tensor) -> Tensor:
        raise raised

    (verdict,) = run(device, implementation_of(interrupt), 4).verdicts
    assert (verdict.status, verdict.exceptions) == (Status.RAISED, (type(raised).__name__,))


def test_what_is_not_supported_is_skipped_with_the_reason(device: Device) -> None:
    picky = implementation_of(reference, supports=lambda case: "no rows" if case.rows == 0 else None)
    outcome = run(device, picky)
    assert statuses(outcome) == [Status.PASSED, Status.PASSED, Status.SKIPPED, Status.PASSED]
    assert outcome.verdicts[2].reason == "no rows"

    def outside_domain(case: Rows) -> str | None:
        return "too few" if case.rows < 4 else None

    outside = run(device, implementation_of(reference), drawing=Drawing(check_inputs=outside_domain))
    assert outside.verdicts[1].reason == "too few"
    elsewhere = run(device, implementation_of(reference, devices=("cuda",)))
    assert set(statuses(elsewhere)) == {Status.SKIPPED}
    assert "runs on cuda" in elsewhere.verdicts[0].reason
    needy = run(device, implementation_of(reference, requires=Requirements(packages=("no_such_package",))))
    assert "no_such_package" in needy.verdicts[0].reason


def test_raising_where_eager_raises_passes(device: Device) -> None:
    def strict(x: Tensor, w: Tensor) -> Tensor:
        if x.shape[0] == 0:
            raise ValueError("empty")
        return reference(x, w)

    assert set(statuses(run(device, implementation_of(strict), reference=strict))) == {Status.PASSED}
    lax = run(device, implementation_of(lambda x, w: x @ w * 0 + reference(x, w)), reference=strict)
    assert statuses(lax)[2] is Status.DID_NOT_RAISE


def test_unwritten_output_is_told_from_a_wrong_nan(device: Device) -> None:
    def forgetful(x: Tensor, w: Tensor) -> Tensor:
        out = torch.empty(x.shape[0], 8)
        out[:-1] = reference(x, w)[:-1]
        return out

    def divided(x: Tensor, w: Tensor) -> Tensor:
        return reference(x, w) / 0 * 0

    assert run(device, implementation_of(forgetful), 5).verdicts[0].status is Status.UNWRITTEN
    assert run(device, implementation_of(divided), 5).verdicts[0].status is Status.WRONG_VALUE


@pytest.mark.parametrize("offset", [-4, 1])
def test_a_write_beside_an_input_is_out_of_bounds(device: Device, offset: int) -> None:
    def overrun(x: Tensor, w: Tensor) -> Tensor:
        start = x.data_ptr() + (offset if offset < 0 else x.numel() * 4 + offset)
        ctypes.memset(start, 0, 1)
        return reference(x, w)

    verdict = run(device, implementation_of(overrun), 5).verdicts[0]
    assert (verdict.status, verdict.oracle) == (Status.OUT_OF_BOUNDS, Oracle.BOUNDS)


def test_a_changed_input_is_reported_before_the_value(device: Device) -> None:
    def scale(x: Tensor, w: Tensor) -> Tensor:
        return torch.softmax(x.mul_(2), -1) @ w

    assert run(device, implementation_of(scale), 5).verdicts[0].status is Status.WRONG_MUTATION


def compiled(mode: Mode, **options: Any) -> Implementation:
    dynamic = {Mode.STATIC: False, Mode.AUTOMATIC: None, Mode.DYNAMIC: True}[mode]

    def build(case: Rows) -> Callable[..., Any]:
        def fresh(x: Tensor, w: Tensor) -> Tensor:
            return torch.softmax(x, -1) @ w

        return torch.compile(fresh, backend="eager", dynamic=dynamic)

    return implementation_of(reference, build=build, mode=mode, **options)


def test_compiles_are_counted_against_the_model(device: Device) -> None:
    outcome = run(device, compiled(Mode.STATIC), 4, 5, 6, 4)
    assert outcome.first_failure is None
    assert (outcome.compile_count, outcome.compile_allowed) == (3, 3)
    assert len([record for record in outcome.compiles if record.layer == "dynamo"]) == 3


def test_a_way_of_compiling_that_never_compiles_fell_back(device: Device) -> None:
    outcome = run(device, implementation_of(reference, mode=Mode.DYNAMIC), 4, 5)
    assert outcome.workload.status is Status.FELL_BACK
    assert "nothing was compiled" in outcome.workload.reason


def test_a_size_that_is_held_to_a_number_after_it_had_changed_is_said(device: Device) -> None:
    """In automatic mode the first code is for one size, by design; the next is not."""

    def counting(x: Tensor, w: Tensor) -> Tensor:
        for _ in range(x.shape[0]):
            x = x * 1
        return reference(x, w)

    implementation = implementation_of(lambda x, w: x, mode=Mode.AUTOMATIC)
    implementation = replace(implementation, build=lambda case: torch.compile(counting, backend="eager"))
    over = run(device, implementation, 2, 3, 4).workload
    assert over.status is Status.OVER_BUDGET
    assert over.reason.endswith("expected 3, actual 4 (it had changed before)")
    assert (over.held, over.held_anew, over.guard in over.reason) == (3, True, True)
    torch.compiler.reset()
    forced = replace(implementation, build=lambda case: torch.compile(counting, backend="eager", dynamic=False))
    assert (
        "changed before" not in run(device, replace(forced, max_compiles=lambda workload: 1), 4, 4, 5).workload.reason
    )


def test_the_reason_given_is_the_first_that_the_model_does_not_have(device: Device) -> None:
    def branching(x: Tensor, w: Tensor) -> Tensor:
        return reference(x, w) * (1 if x.shape[0] % 2 else 2) / (1 if x.shape[0] % 2 else 2)

    implementation = implementation_of(lambda x, w: x, mode=Mode.DYNAMIC)
    implementation = replace(implementation, build=lambda case: torch.compile(branching, backend="eager", dynamic=True))
    over = run(device, implementation, 4, 5, 1).workload  # 1 compiles by design, 5 by the branch
    assert over.status is Status.OVER_BUDGET
    assert "%" in over.reason or "Mod" in over.reason


def test_too_many_compiles_are_over_budget_and_fewer_are_noted(device: Device) -> None:
    over = run(device, compiled(Mode.STATIC, max_compiles=lambda workload: 1), 4, 5, 6)
    assert over.workload.status is Status.OVER_BUDGET
    assert (over.workload.numbers, over.workload.allowed) == ({"compiles": 3.0}, 1.0)
    fewer = run(device, replace(compiled(Mode.DYNAMIC), mode=Mode.STATIC), 4, 5)
    assert fewer.workload.status is Status.PASSED
    assert "1 compiles" in fewer.compile_note


def test_reaching_the_recompile_limit_is_a_failure(device: Device) -> None:
    outcome = run(device, compiled(Mode.STATIC), *range(2, 14))
    assert outcome.workload.status is Status.FELL_BACK


def test_whose_time_passes_is_told_for_each_case(device: Device) -> None:
    seen: list[tuple[int, Stage]] = []
    workload = Workload.of(Rows(rows=1), Rows(rows=2))

    def announce(case: int, stage: Stage, relation: str = "") -> None:
        seen.append((case, stage))

    execute(operator_of(), implementation_of(reference), workload, device, relations=False, announce=announce)
    work = [Stage.IMPLEMENTATION, Stage.HARNESS]
    assert seen == [
        *((0, stage) for stage in (Stage.HARNESS, *work, *work)),  # it is built first
        *((1, stage) for stage in (Stage.HARNESS, *work)),
    ]


def test_a_lost_device_ends_the_workload(device: Device) -> None:
    def wild(x: Tensor, w: Tensor) -> Tensor:
        raise RuntimeError("CUDA error: an illegal memory access was encountered")

    outcome = run(device, implementation_of(wild))
    assert statuses(outcome) == [Status.OUT_OF_BOUNDS, *[Status.SKIPPED] * 3]
    assert outcome.workload.status is Status.CRASHED


def test_an_output_that_nobody_can_compare_is_a_verdict(device: Device) -> None:
    class Odd(Tensor):
        @classmethod
        def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            raise NotImplementedError("no such operation on Odd")

    verdict = run(device, implementation_of(lambda x, w: reference(x, w).as_subclass(Odd)), 4).verdicts[0]
    assert verdict.status is Status.RAISED


def test_what_an_implementation_declines_is_skipped_with_its_reason(device: Device) -> None:
    def build(case: Rows) -> Callable[..., Any]:
        raise Declined("not for this")

    def call(x: Tensor, w: Tensor) -> Tensor:
        if len(x) == 1:
            raise Declined("not one row")
        return reference(x, w)

    declined = run(device, replace(implementation_of(reference), build=build))
    assert {verdict.reason for verdict in declined.verdicts} == {"not for this"}
    assert statuses(declined) == [Status.SKIPPED] * 4
    assert statuses(run(device, implementation_of(call))) == [
        Status.PASSED,
        Status.SKIPPED,
        Status.PASSED,
        Status.PASSED,
    ]


def test_what_an_implementation_omits_is_not_judged_and_the_rest_is(device: Device) -> None:
    def both(x: Tensor, w: Tensor) -> tuple[Tensor, Tensor]:
        return reference(x, w), x.logsumexp(-1)

    def first(x: Tensor, w: Tensor) -> tuple[Tensor, None]:
        return reference(x, w), None

    def doubled(x: Tensor, w: Tensor) -> tuple[Tensor, None]:
        return reference(x, w) * 2, None

    def wrong_second(x: Tensor, w: Tensor) -> tuple[Tensor, Tensor]:
        return reference(x, w), x.sum(-1)

    def judged(function: Callable[..., Any], *omits: str) -> Status:
        rows_apart = Relation("rows reversed", reverse, exact=True)
        implementation = implementation_of(function, omits=omits)
        return run(device, implementation, 5, reference=both, relations=(rows_apart,)).verdicts[0].status

    def reverse(given: Inputs, generator: torch.Generator) -> tuple[Inputs, Callable[[Any], Any]]:
        return Inputs((given.args[0].flip(0), given.args[1])), lambda output: (output[0].flip(0), output[1].flip(0))

    assert judged(first, "[1]") is Status.PASSED
    assert judged(doubled, "[1]") is Status.WRONG_VALUE
    assert judged(first) is Status.WRONG_SHAPE
    assert judged(first, "[0]") is Status.WRONG_SHAPE
    assert judged(both, "[1]") is Status.PASSED
    assert judged(wrong_second, "[1]") is Status.WRONG_VALUE
