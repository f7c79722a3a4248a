"""Gradients of mixtures: the truth against differences, what is drawn, what must hold, what ships, what is caught."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from eagerdiff import Inputs, Relation, Status, Verdict, Workload
from eagerdiff.compiled.moe import worklist
from eagerdiff.compiled.moe_gradients.gradients import gradients_of
from eagerdiff.harness.judge import judge, tell_truth
from eagerdiff.harness.judge.widening import Widening
from eagerdiff.harness.memory.copies import upcast
from eagerdiff.harness.mutation.faults import faults_of, plant
from eagerdiff.harness.processes import Task, Worker, WorkerPool
from eagerdiff.reference.moe import moe
from eagerdiff.reference.moe_gradients import moe_gradients
from eagerdiff.strategies.cases.moe_gradients import MoeGradientsCase
from eagerdiff.strategies.moe_gradients import cases, inputs
from eagerdiff.suites.moe_gradients import OPERATOR, RELATIONS
from eagerdiff.suites.tests.examples import CHOOSY, FEW
from eagerdiff.suites.tests.generated import draw_edge, judge_generated, two_calls

FAULTS = {fault.id: fault for fault in faults_of(OPERATOR)}
SMALL_WORKLOADS = [name for name in OPERATOR.workloads if not name.startswith("serving")]


def differentiated(given: Inputs) -> dict[str, Any]:
    with Widening():
        return moe_gradients(*given.args, **given.options)


def differing(given: Inputs, step: dict[str, torch.Tensor]) -> float:
    """Return the change of <output, grad_output> along a step of the inputs, by a central difference."""
    *args, grad_output = given.args
    names = ("x", "router_logits", "w_gate_up", "w_down")

    def at(distance: float) -> torch.Tensor:
        moved = [arg + distance * step[name] for name, arg in zip(names, args, strict=True)]
        options = {
            name: value + distance * step[name] if name in step else value for name, value in given.options.items()
        }
        return (moe(*moved, **options) * grad_output).sum()

    with Widening():
        return float(at(1e-6) - at(-1e-6)) / 2e-6


@given(cases())
@CHOOSY
def test_the_gradients_are_those_of_differences(case: MoeGradientsCase) -> None:
    assume(case.activation != "relu2" and case.data == "normal")
    exact = upcast(inputs(case.model_copy(update={"poison": False, "nan_logits": False}), "cpu"))
    found = differentiated(exact)
    generator = torch.Generator().manual_seed(case.seed)
    values = dict(zip(("x", "router_logits", "w_gate_up", "w_down"), exact.args[:4], strict=True)) | dict(exact.options)
    step = {
        name: torch.randn(gradient.shape, generator=generator, dtype=torch.float64).where(values[name].isfinite(), 0.0)
        for name, gradient in found.items()
        if name != "output"
    }
    slope = sum(float((found[name] * step[name]).sum()) for name in step)
    scale = sum(float((found[name] * step[name]).abs().sum()) for name in step) + float(found["output"].abs().sum())
    assert abs(slope - differing(exact, step)) <= 1e-6 * scale + 1e-8


@given(cases())
@FEW
def test_the_worklist_agrees_with_the_reference(case: MoeGradientsCase) -> None:
    exact = upcast(inputs(case, "cpu"))
    found = gradients_of(worklist.moe)(*exact.args, **exact.options)
    wanted = differentiated(exact)
    assert list(found) == list(wanted)
    for name, value in wanted.items():
        torch.testing.assert_close(found[name], value, rtol=1e-9, atol=1e-9)


@given(cases())
@FEW
def test_what_no_route_reaches_has_no_gradient(case: MoeGradientsCase) -> None:
    given = inputs(case, "cpu")
    found = moe_gradients(*given.args, **given.options)
    assert all(not bool(value.isnan().any()) for value in found.values())
    nowhere = ~(given.args[1] > -torch.inf).any(dim=1) | given.args[1].isnan().any(dim=1)
    assert not bool(found["router_logits"][nowhere].any())
    if not case.shared_intermediate:
        assert not bool(found["x"][nowhere].any())
    if not case.experts_elsewhere and case.num_groups == 1:
        empty = torch.tensor(case.expert_tokens) == 0
        assert not bool(found["w_gate_up"][empty].any() | found["w_down"][empty].any())


@pytest.mark.parametrize("relation", RELATIONS, ids=[relation.name for relation in RELATIONS])
def test_relations_hold_for_the_reference(relation: Relation) -> None:
    @given(cases())
    @FEW
    def holds(case: MoeGradientsCase) -> None:
        exact = upcast(inputs(case, "cpu"))
        changed, expected = relation.transform(exact, torch.Generator().manual_seed(case.seed))
        wanted = expected(differentiated(exact))
        for name, value in differentiated(changed).items():
            torch.testing.assert_close(value, wanted[name], rtol=1e-7, atol=1e-9)

    holds()


@given(st.data())
@FEW
def test_further_cases_share_the_static_key_and_have_no_ties(data: st.DataObject) -> None:
    case, further = two_calls(OPERATOR, data)
    assert (further.tie_group, case.tie_group, case.weight_dtype) == (1, 1, "as_x")


EDGES: dict[str, Callable[[MoeGradientsCase], bool]] = {
    "larger blocks of columns": lambda case: case.intermediate >= 256 and sum(case.expert_tokens) > 0,
    "no tokens": lambda case: case.tokens == 0,
    "first expert empty": lambda case: (
        case.num_experts > 2 and case.expert_tokens[0] == 0 < min(case.expert_tokens[1:])
    ),
    "last expert empty": lambda case: (
        case.num_experts > 2 and case.expert_tokens[-1] == 0 < min(case.expert_tokens[:-1])
    ),
    "middle expert empty": lambda case: 0 in case.expert_tokens[1:-1] and case.expert_tokens[0] > 0,
    "all experts empty": lambda case: case.tokens > 1 and not any(case.expert_tokens),
    "several blocks of columns": lambda case: case.intermediate > 64 and max(case.expert_tokens) > 16,
    "a block of columns and one over": lambda case: case.intermediate == 33 and max(case.expert_tokens) > 16,
    "biases with weights first": lambda case: case.expert_bias and case.weight_first and case.tokens > 1,
    "a shared expert": lambda case: case.shared_intermediate > 0 and case.tokens > 1,
    "experts elsewhere": lambda case: case.experts_elsewhere > 0 and case.tokens > 1,
    "masked tokens": lambda case: case.grad_zeros and case.tokens > 2,
    "sizes that grouped_mm takes": lambda case: case.hidden % 8 == 0 == case.intermediate % 8 and case.top_k > 1,
}


@pytest.mark.parametrize("edge", EDGES)
def test_edges_are_drawn(edge: str) -> None:
    draw_edge(OPERATOR, EDGES[edge])


CASE = MoeGradientsCase(num_experts=4, top_k=2, hidden=24, intermediate=33, tokens=9, expert_tokens=(9, 0, 4, 5))


@pytest.mark.parametrize("name", ["x", "router_logits", "w_gate_up", "w_down"])
def test_the_judge_refuses_a_gradient_that_is_missing_or_half_as_large(name: str) -> None:
    given = inputs(CASE, "cpu")
    right = moe_gradients(*given.args, **given.options)

    def verdict_on(wrong: torch.Tensor) -> Verdict:
        return judge(tell_truth(OPERATOR, given), {**right, name: wrong}, given)

    assert verdict_on(right[name]).status is Status.PASSED
    assert verdict_on(torch.zeros_like(right[name])).status is Status.WRONG_VALUE
    assert verdict_on(right[name] / 2).status is Status.WRONG_VALUE


def test_of_a_routers_gradient_that_is_0_rounding_alone_is_forgiven() -> None:
    """A token's only weight, renormalised, is 1: its gradient is rounding in whatever order it is computed."""
    only = CASE.model_copy(update={"top_k": 1, "expert_tokens": (3, 0, 1, 5)})
    given = inputs(only, "cpu")
    right = moe_gradients(*given.args, **given.options)
    truth = tell_truth(OPERATOR, given)
    for off, status in ((1e-8, Status.PASSED), (1e-3, Status.WRONG_VALUE)):
        assert judge(truth, {**right, "router_logits": right["router_logits"] + off}, given).status is status


@pytest.mark.parametrize(
    ("implementation", "device", "examples"),
    [
        ("triton.block_sparse", "interpreted", 6),
        ("torch.grouped_mm", "cpu", 6),
        ("worklist.aot_eager.unbacked", "cpu", 4),
    ],
)
def test_implementations_pass_generated_cases(
    workers: dict[str, Worker], implementation: str, device: str, examples: int
) -> None:
    judged = judge_generated(workers[device], OPERATOR, implementation, examples)
    assert judged.count(Status.PASSED) >= 3


@pytest.mark.parametrize("name", SMALL_WORKLOADS)
def test_kernels_pass_the_fixed_workloads(workers: dict[str, Worker], name: str) -> None:
    workload = OPERATOR.workloads[name].to_data()
    task = Task(operator="moe_gradients", implementation="triton.block_sparse", workload=workload, relations=False)
    outcome = workers["interpreted"].run(task)
    assert [verdict.status for verdict in outcome.verdicts] == [Status.PASSED] * len(workload)


def test_the_worklist_compiles_once_for_sizes_that_are_not_known(workers: dict[str, Worker]) -> None:
    workload = OPERATOR.workloads["ragged"].to_data()[:3]
    task = Task(
        operator="moe_gradients", implementation="worklist.aot_eager.unbacked", workload=workload, relations=False
    )
    outcome = workers["cpu"].run(task)
    assert outcome.first_failure is None
    assert outcome.compile_count == 1


def test_a_script_takes_the_gradients_that_the_operator_does() -> None:
    case = CASE.model_copy(update={"num_experts": 2, "expert_tokens": (9, 9), "intermediate": 8})
    given, right, tested = inputs(case, "cpu"), dict[str, Any](), dict[str, Any]()
    implementation = next(one for one in OPERATOR.implementations if one.name == "worklist.aot_eager.unbacked")
    assert implementation.source is not None
    assert OPERATOR.showing.source is not None
    exec(OPERATOR.showing.source(case), right)
    exec(implementation.source(case), tested)
    wanted = right["reference"](*given.args, **given.options)
    for name in ("eager", "implementation"):
        found = tested[name](*given.args, **given.options)
        assert list(found) == list(wanted)
        for key, value in wanted.items():
            torch.testing.assert_close(found[key], value, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("name", ["moe_gradients.empty_expert_unwritten", "moe_gradients.router_detached"])
def test_a_planted_fault_is_found_by_a_generated_case(worker_pool: WorkerPool, tmp_path: Path, name: str) -> None:
    """Two stand for all here: `eagerdiff selfcheck` searches for every one of them."""
    found: list[str] = []
    root = str(plant(FAULTS[name], tmp_path))
    task = Task(operator="moe_gradients", implementation=FAULTS[name].implementation, workload=[], source_root=root)

    @given(cases())
    @settings(FEW, max_examples=40)
    def search(case: MoeGradientsCase) -> None:
        if not found and (failure := worker.run(task.with_cases(Workload.of(case))).first_failure):
            found.append(failure.decided_by)

    with Worker("interpreted", worker_pool=worker_pool) as worker:
        search()
    assert found
