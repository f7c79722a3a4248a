"""Programs as data: what is drawn is well-typed, and each operation gives what its type says."""

import itertools
import random
from dataclasses import replace
from typing import Any, cast

import pytest
import torch
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from eagerdiff import Implementation, Oracle, Outcome, Status, Verdict, Workload
from eagerdiff.harness.model.verdict import passed
from eagerdiff.harness.search.batch import Batch
from eagerdiff.reference.programs import programs
from eagerdiff.strategies.programs.cases import ProgramCase, cases, inputs, typing
from eagerdiff.strategies.programs.drawing import programs as drawn_programs
from eagerdiff.strategies.programs.program import Node, Program
from eagerdiff.strategies.programs.rendering import read_by_value, render
from eagerdiff.strategies.programs.simplification import simpler
from eagerdiff.strategies.programs.size import Unknown
from eagerdiff.strategies.programs.table import OPERATIONS
from eagerdiff.strategies.programs.value_type import Type
from eagerdiff.suites.programs import OPERATOR

QUIET = settings(
    database=None,
    deadline=None,
    suppress_health_check=[cast(HealthCheck, check) for check in HealthCheck],
    phases=(Phase.generate,),
)


def examples(strategy: st.SearchStrategy[Any], count: int, number: int = 0) -> list[Any]:
    found: list[Any] = []

    @seed(number)
    @settings(QUIET, max_examples=count)
    @given(strategy)
    def collect(value: Any) -> None:
        found.append(value)

    collect()
    return found


def sized(program: Program, number: int) -> ProgramCase | None:
    """Return a call with random sizes that the program accepts."""
    pick = random.Random(number)
    floors = typing(program).floors
    for most in (9, 4, 0):
        sizes = {name: least + pick.randint(0, most) for name, least in floors.items()}
        if typing(program).allows(sizes) is None:
            return ProgramCase(program=program, sizes=sizes, seed=number)
    return None


def every_value(program: Program) -> Program:
    """Return the program with all its tensors as outputs."""
    types = typing(program).types
    outputs = tuple(at for at in range(len(program.inputs), len(types)) if not types[at].plain)
    return program.model_copy(update={"outputs": outputs, "gradients": False})


def disagreement(value: Any, wanted: Type, sizes: dict[str, int]) -> str:
    """Return how a tensor differs from its type, or an empty string; binds sizes that depend on data."""
    if str(value.dtype) != f"torch.{wanted.dtype}":
        return f"{value.dtype} is not {wanted.dtype}"
    if value.dim() != wanted.ndim:
        return f"{list(value.shape)} is not {list(map(str, wanted.shape))}"
    for found, size in zip(value.shape, wanted.shape, strict=True):
        text = str(size)
        if text.startswith("u") and text[1:].isdigit():
            if sizes.setdefault(text, found) != found:
                return f"{text} is both {sizes[text]} and {found}"
            continue
        try:
            expected = size.value(sizes)
        except Unknown:
            continue
        if expected != found:
            return f"{list(value.shape)} is not {list(map(str, wanted.shape))} for {sizes}"
    if wanted.below is not None and value.numel():
        try:
            limit = wanted.below.value(sizes)
        except Unknown:
            limit = None
        if int(value.min()) < 0 or (limit is not None and int(value.max()) >= limit):
            return f"values from {int(value.min())} to {int(value.max())}, not below {wanted.below}"
    return ""


@pytest.mark.parametrize("name", sorted(OPERATIONS))
def test_an_operation_gives_what_its_type_says(name: str) -> None:
    """Eager agrees with the inferred dtypes and shapes, at least three drawn programs an operation."""
    held = 0
    for number, program in enumerate(examples(drawn_programs(only=name, gradients=False), 15)):
        case = sized(program, number)
        if case is None or not program.nodes or program.nodes[-1].op != name:
            continue
        whole = every_value(program)
        given = inputs(case.model_copy(update={"program": whole}), "cpu")
        torch.manual_seed(0)
        outputs = programs(*given.args, **given.options)
        sizes = dict(case.sizes)
        for at, value in zip(whole.outputs, outputs, strict=True):
            problem = disagreement(value, typing(whole).types[at], sizes)
            assert not problem, f"{problem}\n{render(whole)}\n{case.sizes}"
        held += 1
    assert held >= 3, f"only {held} programs hold {name}"


def test_nothing_is_used_for_its_sizes_alone() -> None:
    """A compiler may drop what no output depends on, and the exception that eager raises there."""
    assert read_by_value(Node(op="half_mask", args=(0,), attrs={"dim": 0})) == set()
    assert read_by_value(Node(op="mul_size", args=(0,), attrs={"dim": 0})) == {0}
    for program in examples(drawn_programs(), 100, 3):
        read = {value for node in program.nodes for value in read_by_value(node)}
        types = typing(program).types
        results = range(len(program.inputs), len(types))
        assert all(value in read or value in program.outputs for value in results if not types[value].plain)


def test_drawn_programs_run_in_eager() -> None:
    """Fewer than 2 in 100 drawn calls fail: what is drawn is well-typed by construction."""
    drawn = examples(cases(), 400)
    failed: list[str] = []
    for case in drawn:
        plain = case.model_copy(update={"fills": ("normal",) * len(case.fills)})
        given = inputs(plain, "cpu")
        try:
            programs(*given.args, **given.options)
        except Exception as error:  # noqa: BLE001 - counted
            failed.append(f"{type(error).__name__}: {error}\n{render(case.program)}{case.sizes}")
    assert len(failed) < 8, "\n".join(failed)


@pytest.mark.parametrize("number", range(12))
def test_simpler_workloads_are_well_typed_and_simpler(number: int) -> None:
    for case in examples(cases(), 6, number):
        for workload in itertools.islice(simpler(Workload.of(case)), 40):
            (other,) = workload.cases
            assert isinstance(other, ProgramCase)
            assert typing(other.program).allows(other.sizes) is None
            assert ProgramCase.model_validate(other.model_dump()) == other
            assert len(other.program.nodes) <= len(case.program.nodes)
            assert len(inputs(other, "cpu").args) == len(other.program.inputs)


@pytest.mark.parametrize("culprit", ["sin", "amax", "where", "max"])
def test_a_failure_shrinks_to_the_operation_that_causes_it(culprit: str) -> None:
    """A compiler that fails wherever one operation stands is shown by that operation alone, once, on tiny data."""

    def run(workload: Workload) -> Outcome:
        bad = any(node.op == culprit for case in workload.cases for node in case.program.nodes)  # pyright: ignore[reportAttributeAccessIssue]
        verdict = Verdict(status=Status.RAISED, reason=culprit, oracle=Oracle.RAISE) if bad else passed()
        return Outcome(verdicts=[verdict for _ in workload.cases])

    nothing = Implementation(operator="programs", name="nothing", build=lambda case: programs)
    few = replace(OPERATOR, cases=lambda: cases(families=("pointwise", "reductions")))
    report = Batch(few, nothing, "cpu", examples=600).explore(run)
    assert report.finding is not None
    (case,) = Workload.from_data(ProgramCase, report.finding.workload).cases
    assert isinstance(case, ProgramCase)
    assert [node.op for node in case.program.nodes] == [culprit]
    assert set(case.layouts) <= {"contiguous"}
    assert all(size <= 2 for size in case.sizes.values())
