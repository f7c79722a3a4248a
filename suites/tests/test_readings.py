"""Numbers that are read from one tensor: what is checked of them holds, and each use takes them."""

from dataclasses import replace
from itertools import product

import pytest
import torch

from eagerdiff import Workload
from eagerdiff.harness.devices import parse
from eagerdiff.harness.execution.execution import execute
from eagerdiff.strategies.programs.cases import ProgramCase, inputs, source
from eagerdiff.strategies.programs.drawing import programs as drawn_programs
from eagerdiff.strategies.programs.drawing import well_typed
from eagerdiff.strategies.programs.families.readings import LIMIT, READ, USES, relation
from eagerdiff.strategies.programs.program import Input, Node, Program
from eagerdiff.suites.programs import OPERATOR
from eagerdiff.suites.tests.test_programs import examples

CPU = parse("cpu")
A, B = ("value", 0), ("value", 1)


def called(op: str, **attrs: object) -> ProgramCase:
    given = (Input(shape=("a", 3)), Input(dtype="int64", shape=(4,), below=LIMIT))
    whole = Program(inputs=given, nodes=(Node(op=op, args=(0, 1), attrs=attrs),), outputs=(2,))
    assert well_typed(whole) is None
    return ProgramCase(program=whole, sizes={"a": 4})


@pytest.mark.parametrize("use", USES)
def test_a_use_takes_numbers_in_ascending_order_and_keeps_the_shape(use: str) -> None:
    """Read or not: eager takes a tensor of no dims for each of them."""
    for (op, how), seed in product([*(("numbers_read", how) for how in READ), ("numbers_as_tensors", "not")], range(3)):
        given = inputs(called(op, how=how, uses=(use,)).model_copy(update={"seed": seed}), "cpu")
        (found,) = OPERATOR.reference(*given.args, **given.options)
        assert (found.shape, found.dtype) == ((4, 3), torch.float32)


@pytest.mark.parametrize(
    ("expression", "form", "factor", "rest", "wanted"),
    [
        (("mod", B, A), "least", 3, 0, "({b} % {a}) == 0"),
        (B, "remainder", 3, 2, "{b} % 3 == 2"),
        (("sub", B, A), "least", 2, 1, "({b} - {a}) >= 2"),
        (("mul_int", A, B), "most", 0, 0, "({a} * {b}) <= 81"),
        (A, "remainder", 0, 0, "{a} >= 1"),
    ],
)
def test_a_relation_is_the_one_that_holds(expression: object, form: str, factor: int, rest: int, wanted: str) -> None:
    assert relation(expression, form, factor, rest) == wanted


def test_what_is_checked_holds_of_all_that_is_drawn() -> None:
    """Eager refuses none of them, and of relations some are of remainders and some of both numbers."""
    found = [one for one in examples(drawn_programs(only="relation_checked", gradients=False), 60, 3) if one.nodes]
    texts: list[str] = []
    for one in found:
        case = ProgramCase(program=one, sizes=dict.fromkeys("abc", 3))
        given = inputs(case, "cpu")
        OPERATOR.reference(*given.args, **given.options)
        texts.append(source(one))
    assert sum("% " in text for text in texts) > 3
    assert sum("_a" in line and "_b" in line for text in texts for line in text.splitlines() if "_check" in line) > 5


def drawn_sources(op: str, count: int) -> list[str]:
    return [source(one) for one in examples(drawn_programs(only=op, gradients=False), count, 3) if one.nodes]


def test_a_relation_is_checked_before_the_bounds_and_after_them() -> None:
    texts = [text for text in drawn_sources("relation_checked", 60) if text.count("_check") == 3]
    lasts = [[line for line in text.splitlines() if "_check" in line][-1] for text in texts]
    bounds = ["_check_is_size(" in line or line.rstrip().endswith((">= 0)", ">= 1)")) for line in lasts]
    assert {True, False} <= {*bounds}
    assert any("_check_is_size(" in text for text in texts)


@pytest.mark.parametrize(("op", "reads"), [("numbers_read_unchecked", True), ("numbers_as_tensors", False)])
def test_numbers_are_taken_unchecked_and_unread_too(op: str, reads: bool) -> None:
    texts = drawn_sources(op, 30)
    assert texts
    assert not any("_check" in text for text in texts)
    assert {".item()" in text or ".tolist()" in text for text in texts} == {reads}


@pytest.mark.parametrize("op", ["numbers_read", "numbers_read_unchecked", "numbers_as_tensors"])
def test_what_data_decide_is_excused_where_nothing_was_checked(op: str) -> None:
    how = "not" if op == "numbers_as_tensors" else "items"
    CPU.activate()
    dynamo = replace(
        next(one for one in OPERATOR.implementations if one.name == "dynamo.dynamic"), build=lambda case: asking
    )
    outcome = execute(OPERATOR, dynamo, Workload((called(op, how=how, uses=("zeros",)),)), CPU)
    (verdict,) = outcome.verdicts
    assert verdict.failed == (op == "numbers_read")


def asking(*args: object, **options: object) -> object:
    raise RuntimeError("Could not guard on data-dependent expression Eq(u0, 0) (unhinted: Eq(u0, 0))")


def test_compiled_code_takes_what_was_checked() -> None:
    CPU.activate()
    (dynamo,) = (one for one in OPERATOR.implementations if one.name == "dynamo.dynamic")
    attrs = {
        "expression": ("sub", B, A),
        "form": "least",
        "factor": 2,
        "rest": 1,
        "bounds": "positive",
        "last": False,
        "denied": False,
    }
    cases = [called("relation_checked", **attrs), called("numbers_read", how="listed", uses=("slice", "zeros"))]
    for case in cases:
        calls = Workload(tuple(case.model_copy(update={"seed": seed, "sizes": {"a": 3 + seed}}) for seed in range(3)))
        assert execute(OPERATOR, dynamo, calls, CPU).first_failure is None


def test_numbers_that_pieces_are_handed_may_each_be_compiled() -> None:
    """Between two pieces a number that was read is an argument as any other; in one graph it is none."""
    attrs = {"expression": ("sub", B, A), "form": "least", "factor": 2, "rest": 1, "denied": False}
    case = called("relation_checked", **attrs, bounds="positive", last=False)
    calls = Workload(tuple(case.model_copy(update={"seed": seed}) for seed in range(6)))
    allowed = {one.name: one.max_compiles(calls) for one in OPERATOR.implementations if one.max_compiles is not None}
    assert allowed["dynamo.automatic+break_print"] == 6
    assert allowed["dynamo.dynamic"] == 1
