"""The operator `symbolic`: every program in eager, and under every mode."""

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.utils._pytree import tree_leaves

from eagerdiff import Mode, Status, Workload
from eagerdiff.compiled.buckets import call_in_buckets
from eagerdiff.compiled.torch_compile import MODES
from eagerdiff.harness import devices
from eagerdiff.harness.execution.execution import execute
from eagerdiff.harness.mutation.faults import load_faults
from eagerdiff.harness.processes import Task, Worker
from eagerdiff.reference.symbolic import EVERY, PROGRAMS, symbolic
from eagerdiff.strategies import symbolic as strategies
from eagerdiff.strategies import symbolic_inputs
from eagerdiff.strategies.cases.symbolic import SymbolicCase
from eagerdiff.strategies.symbolic import cases, check_inputs, inputs, workload_cases
from eagerdiff.suites.symbolic import OPERATOR, dims, met, outputs, permute_rows, source

CPU = devices.parse("cpu")
IMPLEMENTATIONS = {implementation.name: implementation for implementation in OPERATOR.implementations}
EDGES = ((0, 1), (1, 1), (2, 2), (7, 8), (17, 9), (3, 33))


def fitting(program: str, batch: int, seq: int, **fields: Any) -> SymbolicCase:
    """Return a case with the greatest count that its program takes."""
    spec = strategies.EVERY[program]
    return SymbolicCase(program=program, batch=batch, seq=seq, count=spec.counts(batch, seq)[1], **fields)


@pytest.fixture(autouse=True, scope="module")
def activated() -> None:
    CPU.activate()


def statuses(workload: Workload, implementation: str) -> tuple[list[Status], str]:
    outcome = execute(OPERATOR, IMPLEMENTATIONS[implementation], workload, CPU, relations=False)
    failure = outcome.first_failure
    return [verdict.status for verdict in outcome.verdicts], failure.describe() if failure else ""


def test_programs_are_spread_over_the_three_kinds() -> None:
    kinds = Counter(program.kind for program in PROGRAMS.values())
    assert set(kinds) == {"bounded", "data-dependent", "control-dependent"}
    assert min(kinds.values()) >= 3
    assert len(PROGRAMS) >= 24
    assert set(PROGRAMS) == set(symbolic_inputs.PROGRAMS)


@pytest.mark.parametrize("name", PROGRAMS)
def test_program_declares_the_dims_it_is_given(name: str) -> None:
    program = PROGRAMS[name]
    case = fitting(name, 5, 6)
    given_inputs, sizes = inputs(case, "cpu"), met(case)
    for tensor, named in zip(given_inputs.args, dims(case).values(), strict=True):
        assert {dim: tensor.shape[dim] for dim in named} == {dim: sizes[axis] for dim, axis in named.items()}
    assert [tensor.dim() for tensor in given_inputs.args] == [len(notation.split()) for notation in program.inputs]
    assert bool(program.extra_compiles or program.graphs > 1) == bool(program.extra_reason)


@pytest.mark.parametrize("name", EVERY)
def test_padding_changes_nothing_or_it_is_said_why(name: str) -> None:
    program = EVERY[name]
    assert (program.outputs is None) == bool(program.unpadded)
    for batch, seq in EDGES:
        case = fitting(name, batch, seq)
        axes = outputs(case)
        if axes is not None and check_inputs(case) is None:
            given_inputs = inputs(case, "cpu")
            expected = symbolic(*given_inputs.args, **given_inputs.options)
            padded = call_in_buckets(symbolic, dims(case), axes, given_inputs.args, given_inputs.options)
            torch.testing.assert_close(padded, expected)


@pytest.mark.parametrize("name", PROGRAMS)
def test_eager_runs_over_edge_sizes(name: str) -> None:
    for batch, seq in EDGES:
        case = fitting(name, batch, seq)
        assert check_inputs(case) is None
        symbolic(*(given_inputs := inputs(case, "cpu")).args, **given_inputs.options)


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_drawn_cases_are_in_the_domain(data: st.DataObject) -> None:
    first = data.draw(cases())
    further = data.draw(workload_cases(first))
    assert check_inputs(first) is check_inputs(further) is None
    assert first.static_key == further.static_key
    given_inputs = inputs(further, "cpu")
    symbolic(*given_inputs.args, **given_inputs.options)


@pytest.mark.parametrize(
    ("name", "output", "dim"),
    [
        ("nonzero_positions", 0, 0),
        ("select_and_scale", 0, 0),
        ("boolean_rows", 0, 0),
        ("unique_ids", 0, 0),
        ("repeat_rows", 0, 0),
        ("slice_by_item", 0, 0),
        ("split_by_sizes", 0, 0),
        ("topk_by_tensor", 0, 1),
    ],
)
def test_data_dependent_sizes_come_out_as_wanted(name: str, output: int, dim: int) -> None:
    for count in (1, 3, 5):
        given_inputs = inputs(SymbolicCase(program=name, batch=6, seq=5, count=count), "cpu")
        outputs = tree_leaves(symbolic(*given_inputs.args, **given_inputs.options))
        assert outputs[output].size(dim) == count


@pytest.mark.parametrize("count", range(4))
def test_early_exit_leaves_after_the_layer_wanted(count: int) -> None:
    case = SymbolicCase(program="early_exit", batch=3, seq=1, count=count)
    x, weights, bias = inputs(case, "cpu").args
    expected = x
    for layer in range(min(count + 1, 3)):
        expected = torch.tanh(expected @ weights[layer])
    torch.testing.assert_close(
        symbolic(x, weights, bias, program="early_exit"), expected * (2.0 if count == 3 else 1.0)
    )


@pytest.mark.parametrize("layout", ["transposed", "strided", "offset"])
def test_layouts_change_strides_and_no_value(layout: str) -> None:
    plain, *_ = inputs(fitting("mlp", 3, 5), "cpu").args
    other, *_ = inputs(fitting("mlp", 3, 5, layout=layout), "cpu").args
    assert torch.equal(plain, other)
    assert (plain.stride(), plain.storage_offset()) != (other.stride(), other.storage_offset())


def test_domain_is_told_in_words() -> None:
    assert "no program" in (check_inputs(SymbolicCase(program="absent", batch=1)) or "")
    assert "sequence" in (check_inputs(SymbolicCase(program="moving_average", batch=1, seq=0)) or "")
    assert "count" in (check_inputs(SymbolicCase(program="slice_by_item", batch=1, count=2)) or "")


@pytest.mark.parametrize("mode", MODES, ids=str)
@pytest.mark.parametrize("name", PROGRAMS)
def test_dynamo_is_right_and_within_the_compile_model(name: str, mode: Mode) -> None:
    sizes = ((7, 9), (17, 3), (1, 2))
    workload = Workload(tuple(fitting(name, batch, seq, seed=batch) for batch, seq in sizes))
    implementation = IMPLEMENTATIONS[f"dynamo.{mode.name}"]
    if reason := implementation.supports(workload.cases[0]):
        assert reason.startswith(("not padded: ", "not unbacked: "))
        return
    found, failure = statuses(workload, implementation.name)
    assert not failure
    assert found == [Status.PASSED] * 3


def test_inductor_is_right_over_a_workload() -> None:
    found, failure = statuses(Workload(OPERATOR.workloads["length_mask"].cases[:4]), "inductor.unbacked")
    assert not failure
    assert found == [Status.PASSED] * 4


def test_inductor_gpu_code_is_right_on_the_interpreter() -> None:
    workload = Workload(tuple(fitting("rms_norm_residual", batch, 3) for batch in (5, 9, 2)))
    task = Task(operator="symbolic", implementation="inductor_triton.dynamic", workload=workload.to_data())
    with Worker("interpreted") as worker:
        outcome = worker.run(task)
    assert outcome.first_failure is None
    assert outcome.launches > 0


def test_branches_are_allowed_for_and_no_more() -> None:
    long_and_short = Workload(tuple(fitting("branch_on_length", batch, 1) for batch in (20, 5, 30, 4)))
    outcome = execute(OPERATOR, IMPLEMENTATIONS["dynamo.dynamic"], long_and_short, CPU)
    assert (outcome.compile_count, outcome.compile_allowed) == (2, 2)
    strict = replace(IMPLEMENTATIONS["dynamo.dynamic"], max_compiles=None)
    assert execute(OPERATOR, strict, long_and_short, CPU).workload.status is Status.OVER_BUDGET


def test_a_programs_own_guard_stands_beside_that_of_a_size_of_one() -> None:
    """One block or several, a batch of one or several: four graphs, after the first that is static."""
    sizes = ((9, 5), (7, 33), (1, 5), (65, 5), (1, 9))
    workload = Workload(tuple(fitting("pad_to_multiple", batch, seq) for batch, seq in sizes))
    outcome = execute(OPERATOR, IMPLEMENTATIONS["dynamo.automatic"], workload, CPU)
    assert (outcome.compile_count, outcome.first_failure) == (5, None)


def test_permuted_rows_catch_a_row_that_knows_its_place() -> None:
    given_inputs = inputs(fitting("length_mask", 9, 5), "cpu")
    permuted, follow = permute_rows(given_inputs, torch.Generator().manual_seed(1))
    output = symbolic(*given_inputs.args, program="length_mask")
    torch.testing.assert_close(symbolic(*permuted.args, program="length_mask"), follow(output))
    place = torch.arange(9.0).unsqueeze(1)
    wrong = [symbolic(*one.args, program="length_mask") + place for one in (given_inputs, permuted)]
    assert not torch.allclose(wrong[1], follow(wrong[0]))


@pytest.mark.parametrize("name", PROGRAMS)
def test_source_stands_alone(name: str) -> None:
    case = fitting(name, 4, 5)
    given_inputs = inputs(case, "cpu")
    scope: dict[str, Any] = {}
    exec(source(case), scope)
    torch.testing.assert_close(
        scope["reference"](*given_inputs.args),  # a script's calls leave out what only chose the program
        symbolic(*given_inputs.args, **given_inputs.options),
        equal_nan=True,
    )


def test_cost_counts_the_products() -> None:
    assert OPERATOR.cost is not None
    cost = OPERATOR.cost(fitting("flatten_tokens", 3, 5))
    assert cost.flops >= 2 * 3 * 5 * 8 * 12
    assert cost.bytes == 4 * (3 * 5 * 8 + 8 * 12 + 3 * 5 * 12)


def test_faults_fit_the_source() -> None:
    assert len(load_faults([OPERATOR])) >= 10
