"""Numbers that are read from one tensor: what is checked of them holds, and each use takes them."""

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
    for how, seed in product(READ, range(3)):
        given = inputs(called("numbers_read", how=how, uses=(use,)).model_copy(update={"seed": seed}), "cpu")
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


def test_compiled_code_takes_what_was_checked() -> None:
    CPU.activate()
    (dynamo,) = (one for one in OPERATOR.implementations if one.name == "dynamo.dynamic")
    attrs = {"expression": ("sub", B, A), "form": "least", "factor": 2, "rest": 1, "bounded": True, "denied": False}
    cases = [called("relation_checked", **attrs), called("numbers_read", how="listed", uses=("slice", "zeros"))]
    for case in cases:
        calls = Workload(tuple(case.model_copy(update={"seed": seed, "sizes": {"a": 3 + seed}}) for seed in range(3)))
        assert execute(OPERATOR, dynamo, calls, CPU).first_failure is None
