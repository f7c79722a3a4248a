"""Expressions over sizes and numbers: each gives the kind that it says, and each place takes it."""

import dataclasses
import itertools
from collections import Counter
from typing import Any

import pytest
import torch

from eagerdiff import Status, Workload
from eagerdiff.harness.devices import parse
from eagerdiff.harness.execution.execution import execute
from eagerdiff.strategies.programs.cases import ProgramCase, inputs, source
from eagerdiff.strategies.programs.drawing import programs as drawn_programs
from eagerdiff.strategies.programs.expression import CONSTANTS, DEEPEST, FORMS, PRELUDE, Leaf, fits, leaves_in, written
from eagerdiff.strategies.programs.families.expressions import ROLES
from eagerdiff.strategies.programs.operation import IllTyped
from eagerdiff.strategies.programs.program import Input, Node, Program
from eagerdiff.strategies.programs.simplification import simpler
from eagerdiff.suites.program_exports import needing_value
from eagerdiff.suites.programs import CODE, OPERATOR
from eagerdiff.suites.tests.test_programs import examples

CPU = parse("cpu")
LEAVES = (Leaf(("size", 0), "natural"), Leaf(("value", 1), "float"))
TRAITS = ("arithmetic", "decision")
NUMBERS: dict[str, tuple[Any, ...]] = {
    "positive": (1, 2, 9),
    "natural": (0, 1, 6),
    "int": (-5, 0, 15),
    "float": (-1.5, 0.0, 3),
    "bool": (True, False),
}
IS: dict[str, Any] = {
    "positive": lambda value: isinstance(value, int) and value > 0,
    "natural": lambda value: isinstance(value, int) and value >= 0,
    "int": lambda value: isinstance(value, int),
    "float": lambda value: isinstance(value, int | float),
    "bool": lambda value: isinstance(value, bool),
}


def computed(name: str, *parts: Any) -> Any:
    scope: dict[str, Any] = {"torch": torch}
    exec("\n".join(PRELUDE.values()), scope)
    return eval(written((name, *(("value", at) for at in range(len(parts)))), [f"({part!r})" for part in parts]), scope)


@pytest.mark.parametrize("name", FORMS)
def test_a_form_gives_the_kind_that_it_says(name: str) -> None:
    form = FORMS[name]
    for parts in itertools.product(*(NUMBERS[kind] for kind in form.takes)):
        assert IS[form.gives](computed(name, *parts)), parts


@pytest.mark.parametrize("outer", FORMS)
def test_any_form_may_stand_within_another(outer: str) -> None:
    form = FORMS[outer]
    parts = [("value", at) for at in range(len(form.takes))]
    for inner, other in FORMS.items():
        within = (inner, *(("value", at) for at in range(len(other.takes))))
        for at in range(len(parts)):
            compile(written((outer, *parts[:at], within, *parts[at + 1 :]), ["a", "b", "c", "d"]), inner, "eval")


@pytest.mark.parametrize("name", FORMS)
def test_a_constant_may_stand_in_any_form(name: str) -> None:
    """A literal's end may be taken for a decimal point: `2.bit_length()`."""
    parts = [next(iter(CONSTANTS.get(kind, (True,)))) for kind in FORMS[name].takes]
    compile(written((name, *parts), []), name, "eval")


def program(*roles: Any, op: str = "arithmetic_of_sizes", numbers: int = 0) -> Program:
    given = (Input(shape=("a", 3)), *(Input(kind="float", dtype="float64") for _ in range(numbers)))
    args = tuple(range(1 + numbers))
    return Program(inputs=given, nodes=(Node(op=op, args=args, attrs={"roles": roles}),), outputs=(1 + numbers,))


@pytest.mark.parametrize("name", ROLES)
def test_a_role_takes_its_kind_and_keeps_the_shape(name: str) -> None:
    whole = {"bool": ("gt", ("size", 0), 2)}.get(ROLES[name].kind, ("size", 0))
    op = "arithmetic_of_sizes" if ROLES[name].trait == "arithmetic" else "decision_by_sizes"
    given = inputs(ProgramCase(program=program((name, whole), op=op), sizes={"a": 4}), "cpu")
    (found,) = OPERATOR.reference(*given.args, **given.options)
    assert (found.shape, found.dtype) == ((4, 3), torch.float32)


def test_what_is_no_expression_is_refused() -> None:
    deep: Any = ("size", 0)
    for _ in range(DEEPEST + 2):
        deep = ("neg", deep)
    for wrong in (("__import__", "os"), ("neg",), ("size", 9), ("root", ("neg", ("size", 0))), deep, "os", 1e9, True):
        with pytest.raises(IllTyped):
            fits(wrong, "float", LEAVES, TRAITS)
    with pytest.raises(IllTyped, match="no expression"):
        fits(("gcd", ("size", 0), 2), "natural", LEAVES, TRAITS)  # it breaks the graph: another operation's
    with pytest.raises(IllTyped, match="is not natural"):
        fits(("value", 1), "natural", LEAVES, TRAITS)


def test_most_forms_and_roles_are_drawn_and_numbers_stand_in_several_places() -> None:
    forms, roles, several, numbered = Counter[str](), Counter[str](), 0, 0
    for op in ("arithmetic_of_int_and_float", "decision_by_float", "value_of_int", "break_at_int"):
        for found in examples(drawn_programs(only=op, gradients=False), 60, 7):
            for node in found.nodes:
                drawn = node.attrs["roles"]
                roles.update(name for name, _ in drawn)
                forms.update(_names([expression for _, expression in drawn]))
                used = Counter(leaf for _, one in drawn for leaf in set(leaves_in(one)) if leaf[0] == "value")
                assert used  # a number that is there is used
                numbered += len(drawn) > 1
                several += max(used.values()) > 1
    assert len(forms) > 0.7 * len(FORMS), sorted(set(FORMS) - set(forms))
    assert len(roles) > 0.8 * len(ROLES), sorted(set(ROLES) - set(roles))
    assert several > 0.6 * numbered


def _names(expression: Any) -> list[str]:
    own = [expression[0]] if isinstance(expression, tuple) and expression[0] in FORMS else []
    parts = expression if isinstance(expression, tuple | list) else ()
    return own + [name for part in parts if isinstance(part, tuple) for name in _names(part)]


ROUNDED = ("round_tens", ("add_int", ("size", 0), ("mul_int", 3, ("size", 1))))


def test_an_expression_shrinks_to_the_form_that_fails() -> None:
    case = ProgramCase(program=program(("factor", ("neg", ROUNDED)), ("shift", ("mod", ROUNDED, 5))), sizes={"a": 9})
    workload = Workload.of(case)

    def fails(one: Workload[ProgramCase]) -> bool:
        return "round(" in source(one.cases[0].program)

    while (smaller := next(filter(fails, simpler(workload)), None)) is not None:
        workload = smaller
    (role,) = workload.cases[0].program.nodes[0].attrs["roles"]
    assert role[1][0] == "round_tens"
    assert role[1][1] in (("size", 0), ("size", 1), 3)


def test_a_script_of_an_expression_stands_alone() -> None:
    roles = (("factor", ("in_pair", ("size", 0), 2)), ("addend", ("sqrt", ("in_attribute", ("size", 1)))))
    case = ProgramCase(program=program(*roles), sizes={"a": 4})
    text = CODE.standalone(case)
    assert "eagerdiff" not in text
    scope: dict[str, Any] = {}
    exec(text, scope)
    given = inputs(case, "cpu")
    assert torch.equal(scope["reference"](*given.args)[0], given.args[0] * 8 + 3**0.5)


def test_compiled_code_computes_what_python_does() -> None:
    """A number in three places, another one in each call: a graph that keeps the first value is found out."""
    number = ("value", 1)
    whole = program(
        ("factor", ("mul_float", number, ("size", 0))),
        ("addend", ("round_digits", number)),
        ("divisor", ("add_float", number, ("floor_div", ("size", 0), 2))),
        op="arithmetic_of_float",
        numbers=1,
    )
    cases = tuple(ProgramCase(program=whole, sizes={"a": size}, numbers=(size / 4,)) for size in (3, 6, 9, 5))
    CPU.activate()
    (dynamo,) = (one for one in OPERATOR.implementations if one.name == "dynamo.dynamic")
    assert execute(OPERATOR, dynamo, Workload(cases), CPU).first_failure is None

    def stale(case: ProgramCase) -> Any:
        kept = inputs(case, "cpu").args[1]
        return lambda x, s, **options: OPERATOR.reference(x, kept, **options)

    planted = dataclasses.replace(dynamo, build=stale, mode=None, max_compiles=None)
    failure = execute(OPERATOR, planted, Workload(cases), CPU).first_failure
    assert failure is not None
    assert failure.status is Status.WRONG_VALUE


def test_what_needs_the_value_of_a_size_says_so() -> None:
    plain = ProgramCase(program=program(("factor", ("size", 0))), sizes={"a": 4})
    texted = ProgramCase(program=program(("factor", ("hash", ("size", 0))), op="value_of_sizes"), sizes={"a": 4})
    assert not needing_value(plain)
    assert "value_of_sizes" in needing_value(texted)
