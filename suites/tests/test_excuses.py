"""Excuses: each rule excuses what it is proved of, and nothing else; a guard that all sizes meet is a finding."""

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor

from eagerdiff import Case, Implementation, Inputs, Mode, Operator, Outcome, Status, Workload, dynamic
from eagerdiff.compiled import limits
from eagerdiff.compiled.backend import DYNAMO
from eagerdiff.compiled.declared import Declared
from eagerdiff.compiled.dynamic_shapes import Shapes, declare
from eagerdiff.compiled.excuses import false_guard, specialisation
from eagerdiff.compiled.export_path import EXPORT, EXPORT_STRICT, OtherStrides
from eagerdiff.compiled.guard import Formula, Guard, Unreadable, renamed
from eagerdiff.compiled.refusal import read
from eagerdiff.compiled.torch_compile import Compilable, always
from eagerdiff.compiled.torch_export import exports
from eagerdiff.harness.campaign.tally import Tally
from eagerdiff.harness.devices import parse
from eagerdiff.harness.execution.execution import execute
from eagerdiff.harness.model.excuse import Excuse, excused
from eagerdiff.harness.model.identity import Identity
from eagerdiff.harness.model.verdict import passed, skipped
from eagerdiff.harness.report.page import page
from eagerdiff.harness.results.excuses import Excused, Rule, by_operation, lines_of
from eagerdiff.harness.results.results import Results, Row
from eagerdiff.harness.triage.classification import Class, classify
from eagerdiff.strategies.programs.cases import ProgramCase
from eagerdiff.strategies.programs.program import Input, Node, Program
from eagerdiff.suites import program_exports
from eagerdiff.suites.programs import OPERATOR

CPU = parse("cpu")
PROGRAMS = {one.name: one for one in OPERATOR.implementations}
SMALL, FALSE, NUMBER = "specialisation on 0 and 1", "a guard that a declared size does not meet", "a Python number"


@pytest.fixture(autouse=True, scope="module")
def activated() -> None:
    CPU.activate()


class Pair(Case):
    """Name the sizes of one matrix."""

    a: int = dynamic(4)
    b: int = dynamic(7)


def matrix(case: Pair, device: str) -> Inputs:
    return Inputs((torch.randn(case.a, case.b),))


DECLARED = Declared[Pair](
    dims=lambda case: {0: {0: "a", 1: "b"}},
    met=lambda case: {"a": case.a, "b": case.b},
    traced=lambda case: {"a": 6, "b": 7},
    computed=lambda case: ["((a) // (2))"],
)


def exported(function: Callable[..., Any], shapes: Shapes, *sizes: tuple[int, int]) -> Outcome:
    """Export a function of one matrix of 6 by 7 and call it."""
    operator = Operator(name="pairs", case=Pair, inputs=matrix, reference=function, cases=lambda: None)  # pyright: ignore
    made = exports(
        "pairs",
        lambda case: function,
        declared=DECLARED,
        example=lambda case: matrix(Pair(a=6, b=7), "cpu"),
        paths=(EXPORT,),
    )
    found = next(one for one in made if one.variant == shapes.value)
    return execute(operator, found, Workload(tuple(Pair(a=a, b=b) for a, b in sizes)), CPU)


def told(outcome: Outcome) -> list[str]:
    """Return the rule by which each call was skipped, else its status."""
    return [
        one.reason.partition(":")[0] if one.status is Status.SKIPPED else one.status.value for one in outcome.verdicts
    ]


def by_parity(x: Tensor) -> Tensor:
    return x * 2 if x.size(0) % 2 == 0 else x + 1


def halved(x: Tensor) -> Tensor:
    return x[: x.size(0) // 2].squeeze(0)


def up_to_nine(x: Tensor) -> Tensor:
    return x * 2 if x.size(0) > 9 else x + 1


def test_an_artifact_refuses_the_other_side_of_a_branch_and_answers_for_its_own() -> None:
    assert told(exported(by_parity, Shapes.DYNAMIC, (4, 3), (5, 3), (0, 3))) == ["PASSED", FALSE, "PASSED"]
    assert told(exported(up_to_nine, Shapes.DYNAMIC, (9, 3), (10, 3), (1, 1))) == ["PASSED", FALSE, "PASSED"]


def test_export_refuses_a_guard_that_a_declared_size_does_not_meet() -> None:
    outcome = exported(up_to_nine, Shapes.NAMED, (4, 3), (5, 3))
    assert told(outcome) == [FALSE, FALSE]
    assert "a = 10" in outcome.verdicts[0].reason


PACKAGED = "input_handles[0]: dim value is too {} at 1, expected {}to be {} {}, but got: {}"


@pytest.mark.parametrize(
    ("case", "said", "rule"),
    [
        (Pair(a=6, b=3), PACKAGED.format("small", "it ", ">=", 7, 3), None),
        (Pair(a=6, b=9), PACKAGED.format("large", "", "<=", 7, 9), None),
        (Pair(a=6, b=1), PACKAGED.format("small", "it ", ">=", 2, 1), SMALL),
    ],
)
def test_a_package_must_take_what_the_exported_program_takes(case: Pair, said: str, rule: str | None) -> None:
    """Its own bounds are those of sizes that AOTInductor made constant, but for 0 and 1."""
    found = excused((specialisation(DECLARED), false_guard(DECLARED)), case, RuntimeError(said))
    assert (found and found.partition(":")[0]) == rule


def test_what_is_refused_of_a_computed_size_of_one_is_specialisation() -> None:
    assert told(exported(halved, Shapes.DYNAMIC, (4, 3), (3, 3), (2, 1))) == ["PASSED", SMALL, SMALL]


MULTIPLE = Declared[Pair](
    dims=lambda case: {0: {0: "5*a"}, 1: {0: "a"}}, met=lambda case: {"a": case.a}, computed=lambda case: ["a", "5*a"]
)


@pytest.mark.parametrize(
    ("guard", "excused_by"),
    [
        ("args_1.size()[0] != 1", True),  # the size itself
        ("args_0.size()[0] // 5 != 1", False),  # 5*a of a = 1 is 5, and a = 1 is declared
        ("args_0.size()[0] != 5", False),
        ("args_0.size()[0] // 5 + args_1.size()[0] != 2", True),
        ("args_0.size()[0] // 3 != 1", True),  # computed, and no dim
    ],
)
def test_a_guard_on_larger_sizes_alone_is_specialisation_only_where_it_computes_a_small_one(
    guard: str, excused_by: bool
) -> None:
    """A program that takes a = 1 takes 5*a = 5: pytorch/pytorch#181097."""
    rule = specialisation(MULTIPLE)
    assert bool(rule.proof(Pair(a=1), AssertionError(f"Guard failed: {guard}"))) == excused_by


def test_an_example_of_the_least_declared_size_is_taken_or_it_is_a_finding() -> None:
    """What a `Dim` declares an example may have; of `AUTO` and `DYNAMIC` 0 and 1 are constants, as documented."""
    said = "You marked L['args'][0].size()[0] as dynamic but your code specialized it to be a constant ({})"
    declared = Declared[Pair](
        dims=lambda case: {0: {0: "a", 1: "b"}},
        met=lambda case: {"a": case.a, "b": case.b},
        traced=lambda case: {"a": 1, "b": 3},
        computed=lambda case: ["a", "b", "((b) // (2))"],
    )
    assert specialisation(declared).proof(Pair(), ValueError(said.format(1)))
    hinted = "export 0/1 specialized due to hint of 1 for dimension inputs['args'][0].shape[{}]."
    assert specialisation(declared).proof(Pair(), ValueError(hinted.format(0)))
    assert not specialisation(dataclasses.replace(declared, computed=lambda case: [])).proof(
        Pair(), ValueError(hinted.format(1))
    )
    promised = specialisation(dataclasses.replace(declared, promised=True))
    assert not promised.proof(Pair(), ValueError(said.format(1)))
    computed = said.format(3).replace("[0].size()[0]", "[0].size()[1]")  # b // 2 is 1
    assert promised.proof(Pair(), ValueError(computed))


def test_a_bound_that_follows_from_a_computed_size_is_specialisation() -> None:
    size = "L['args'][0].size()[0]"
    said = f"Not all values of a = {size} in the specified range satisfy the generated guard {{}} <= {size}"
    rule = specialisation(DECLARED)
    assert rule.proof(Pair(), ValueError(said.format(4)))  # a // 2 is 0 or 1 below
    assert not rule.proof(Pair(), ValueError(said.format(5)))


def test_a_guard_that_every_declared_size_meets_is_a_finding() -> None:
    outcome = exported(halved, Shapes.NAMED, (4, 3))
    assert outcome.first_failure is not None
    assert outcome.first_failure.status is Status.RAISED
    assert "by no declared size: ((a) // 2) <= (a)" in outcome.first_failure.reason


def test_a_size_that_became_a_constant_is_no_excuse() -> None:
    def triangle(x: Tensor) -> Tensor:
        return x[torch.triu_indices(x.size(0), x.size(0))[0]]

    for shapes in (Shapes.NAMED, Shapes.DYNAMIC):
        assert told(exported(triangle, shapes, (4, 3))) == ["RAISED"]


def program(op: str, *inputs: Input, args: tuple[int, ...] = (0,), **attrs: Any) -> Program:
    given = inputs or (Input(shape=("a", "b")),)
    return Program(inputs=given, nodes=(Node(op=op, args=args, attrs=attrs),), outputs=(len(given),))


def called(way: str, made: Program, *sizes: dict[str, int]) -> list[str]:
    """Call a program in one way of compiling."""
    cases = tuple(ProgramCase(program=made, sizes=one) for one in sizes)
    return told(execute(OPERATOR, PROGRAMS[way], Workload(cases), CPU, relations=False))


def test_a_program_that_branches_on_a_size_is_exported_and_marked() -> None:
    sizes = [{"a": 4, "b": 3}, {"a": 5, "b": 3}, {"a": 2, "b": 2}]
    found = called("export.dynamic", program("branch_on_parity"), *sizes)
    assert found == [FALSE, "PASSED", FALSE]
    assert called("dynamo.mark_dynamic", program("branch_on_parity"), *sizes) == ["PASSED"] * 3


def test_a_number_is_a_constant_of_an_exported_program() -> None:
    made = program("times_int", Input(shape=("a",)), Input(kind="int", shape=("k",)), args=(0, 1))
    found = called("export.named", made, {"a": 3, "k": 2}, {"a": 4, "k": 2}, {"a": 4, "k": 5})
    assert found == ["PASSED", "PASSED", f"{NUMBER} is a constant"]


def test_a_graph_break_is_one_of_strict_export_alone() -> None:
    made = program("sin_out_self", Input(shape=("a", 2)))
    assert called("export_strict.named", made, {"a": 3}) in (["a graph break"], ["PASSED"])
    case = ProgramCase(program=made, sizes={"a": 3})
    rules = program_exports.excuses(EXPORT_STRICT, Shapes.NAMED)
    assert (excused(rules, case, RuntimeError("Graph break in user code")) or "").startswith("a graph break")
    plain = ProgramCase(program=program("neg"), sizes={"a": 3, "b": 3})
    assert excused(rules, plain, RuntimeError("Graph break in user code")) is None


def test_python_that_reads_a_tensor_is_a_branch_on_data_of_an_export() -> None:
    error = RuntimeError("Could not guard on data-dependent expression Eq(u0, 1)")
    rules = program_exports.excuses(EXPORT, Shapes.NAMED)
    leaving = ProgramCase(program=program("exit_in_a_loop", Input(shape=("a", "a"))), sizes={"a": 3})
    assert (excused(rules, leaving, error) or "").startswith("a branch on data: exit_in_a_loop")
    assert excused(rules, ProgramCase(program=NEGATED, sizes={"a": 3, "b": 3}), error) is None


def test_a_mark_on_what_a_small_size_is_computed_of_is_specialisation() -> None:
    case = ProgramCase(program=program("head_min", Input(shape=("a",)), Input(kind="int", shape=("k",)), args=(0, 1)))
    case = case.model_copy(update={"sizes": {"a": 8, "k": 1}})
    said = "You marked L['x0'].size()[0] as dynamic but your code specialized it to be a constant (8)"
    rule = specialisation(program_exports.MARKED)
    assert "is 1 where" in rule.proof(case, ValueError(said))
    assert rule.proof(case.model_copy(update={"sizes": {"a": 8, "k": 3}}), ValueError(said)) == ""


MADE_CONSTANT = "You marked L['x0'].size()[0] as dynamic but your code specialized it to be a constant (8)"
BRANCH, NEGATED = program("branch_on_numel"), program("neg")


@pytest.mark.parametrize(
    ("rule", "error", "yes", "no"),
    [
        (
            limits.data_decision(program_exports.branching),
            RuntimeError("Could not guard on data-dependent expression u0 > 3"),
            BRANCH,
            NEGATED,
        ),
        (
            limits.traced_value(lambda case: "float" if case.program == BRANCH else "", program_exports.EXPORTED),
            RuntimeError(MADE_CONSTANT),
            BRANCH,
            NEGATED,
        ),
        (limits.no_backward(lambda case: case.program == BRANCH), None, BRANCH, NEGATED),
        (limits.interpreted(5, lambda case: 6 if case.program == BRANCH else 5), None, BRANCH, NEGATED),
    ],
    ids=lambda value: value.name if isinstance(value, Excuse) else "",
)
def test_a_rule_excuses_what_it_is_proved_of(
    rule: Excuse, error: BaseException | None, yes: Program, no: Program
) -> None:
    assert rule.proof(ProgramCase(program=yes, sizes={"a": 3, "b": 3}), error)
    assert not rule.proof(ProgramCase(program=no, sizes={"a": 3, "b": 3}), error)


@pytest.mark.parametrize(
    "rule",
    [
        limits.data_decision(lambda case: "x"),
        limits.graph_break(lambda case: "x"),
        limits.traced_value(lambda case: "x", DECLARED),
    ],
)
def test_another_error_of_such_a_program_is_no_excuse(rule: Excuse) -> None:
    assert not rule.proof(Pair(), RuntimeError("an assertion failed"))
    assert not rule.proof(Pair(), None)


@pytest.mark.parametrize(
    ("rule", "error"),
    [(limits.own_strides(), OtherStrides("strides")), (limits.refused_example(), limits.ExampleRefused("no"))],
)
def test_a_rule_about_one_exception_takes_no_other(rule: Excuse, error: Exception) -> None:
    assert rule.proof(Pair(), error)
    assert not rule.proof(Pair(), ValueError(str(error)))


def guard(text: str, **bounds: tuple[int, int | None]) -> Guard:
    return Guard(Formula(text), bounds)


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("(a // 2) <= a", None),
        ("a <= 9", 10),
        ("2 <= a and a <= 9", 0),
        ("Mod(a, 2) == 0", 1),
        ("Ne(a, 7)", 7),
        ("a*b < 2147483648", 1),
        ("Max(1, a) >= 1", None),
        ("2 <= a and a <= IntInfinity()", 0),
    ],
)
def test_guards_are_evaluated_over_what_was_declared(text: str, refused: int | None) -> None:
    found = guard(text).refused()
    assert (found[0]["a"] if found else None) == refused


@pytest.mark.parametrize("within", ["", " 4 <= a", " 4 <= a <= 9"])
def test_a_demanded_guard_is_read_whatever_range_was_declared(within: str) -> None:
    said = f"  - Not all values of a = L['x'].size()[0] in the specified range{within} satisfy the generated guard "
    found = read(
        ValueError(f"Constraints violated (a)!\n{said}5 <= L['x'].size()[0].\nSuggested"), lambda name, dim: "a"
    )
    assert found.demanded == ("5 <= (a)",)


def test_bounds_leave_out_what_was_not_declared() -> None:
    assert guard("a <= 16").refused()
    assert not guard("a <= 16", a=(3, 16)).refused()
    assert not guard("2 <= a", a=(2, None)).refused()


@pytest.mark.parametrize(
    ("text", "one"), [("a == 5", True), ("a // 2 == 3", True), ("a % 2 == 0", False), ("a < 5", False)]
)
def test_an_equality_that_large_sizes_do_not_meet_holds_one_size(text: str, one: bool) -> None:
    assert guard(text).holds_one_size is one


@pytest.mark.parametrize("text", ["__import__('os')", "a.b", "[a]", "(lambda: 1)()", "'x'.join", "a if b else", "a[0]"])
def test_what_is_no_formula_is_not_evaluated(text: str) -> None:
    with pytest.raises(Unreadable):
        Formula(text)


def test_an_unreadable_guard_proves_nothing() -> None:
    error = AssertionError("Guard failed: args_0.stride()[0] == 5")
    for rule in (specialisation(DECLARED), false_guard(DECLARED)):
        assert rule.proof(Pair(), error) == ""
    assert declare(Shapes.NAMED, DECLARED.dims(Pair()), (torch.zeros(6, 7),), {}).tautology(error) == ""


def test_a_guard_of_a_program_that_was_exported_again_is_read() -> None:
    met = "Not all values of a = L['args_0'].size()[0] in the specified range satisfy the generated guard {}."
    declared = declare(Shapes.NAMED, DECLARED.dims(Pair()), (torch.zeros(6, 7),), {"a": 2})
    true, false = "L['args_0'].size()[0] >= 1", "L['args_0'].size()[0] >= 9"
    assert declared.tautology(AssertionError(met.format(true))) == renamed(true, lambda *_: "a", str)
    assert declared.tautology(AssertionError(met.format(false))) == ""


RULE = Excuse(name="too odd", says="Odd.", link="torch/odd.py", proof=lambda case, error: "odd", specialises=True)


def test_excused_calls_are_counted_by_rule_way_and_operation() -> None:
    tally = Tally(Row(operator="doubling", implementation="x", device="cpu"), excuses=[RULE])
    verdicts = [passed(), skipped("too odd: 3 is odd"), skipped("too odd: 5 is odd"), skipped("elsewhere: 3")]
    tally.add([{"size": at} for at in range(4)], Outcome(verdicts=verdicts), ("add", "mul"))
    tally.skip(["too odd: before anything ran"])
    row = tally.row
    assert row.excused == {"too odd": Excused(calls=3, proof="3 is odd", operations={"add": 2, "mul": 2})}
    assert row.skip_reasons == {"too odd": 3, "elsewhere: 3": 1}
    assert by_operation([row]) == {"add": 2, "mul": 2}
    (line,) = lines_of([Rule(name="too odd")], [row])
    assert (line.calls, line.is_large) == (5, True)


def test_the_page_shows_the_rules_and_their_proofs() -> None:
    row = Row(operator="moe", implementation="x", device="cpu", cases=99, skipped=1)
    row.excused["too odd"] = Excused(calls=1, proof="3 is odd", operations={"add": 1})
    shown = page(Results(rows=[row], excuses=[Rule(name="too odd", says="Odd.", link="torch/odd.py")]))
    assert all(text in shown for text in ("too odd", "3 is odd", "torch/odd.py", "1.0 %", "add: 1"))


def test_every_rule_that_excuses_much_says_why() -> None:
    rules = {rule.name: rule for one in OPERATOR.implementations for rule in one.excuses}
    assert {SMALL, FALSE, "a Python number is a constant", "a branch on data"} <= set(rules)
    assert all(rule.link and rule.says.endswith(".") for rule in rules.values())
    assert all(rules[name].reason for name in (SMALL, FALSE))


def test_modes_have_the_rules_that_are_theirs() -> None:
    names = {name: {rule.name for rule in PROGRAMS[name].excuses} for name in PROGRAMS}
    value = "a value where Python runs"
    branch = "a branch on data"
    assert names["dynamo.mark_dynamic"] == {SMALL, branch, "a Python number is a constant", value}
    assert names["dynamo.unbacked"] == {branch, "a Python number is a constant", value}
    assert names[f"dynamo.{Mode.STATIC.name}"] == {branch}


def marked(function: Callable[..., Any], mode: Mode, size: int, *excuses: Excuse) -> Outcome:
    """Compile a function of one matrix whose rows are marked, and call it."""
    operator = Operator(name="pairs", case=Pair, inputs=matrix, reference=function, cases=lambda: None)  # pyright: ignore
    made = Compilable[Pair](
        operator="pairs", function=always(function), dims={0: {0: "a"}}, excuses=lambda backend, mode: excuses
    )
    (one,) = made.implementations(backends=(DYNAMO,), modes=(mode,))
    return execute(operator, one, Workload((Pair(a=size),)), CPU)


def test_a_mark_that_becomes_a_constant_in_silence_is_found_unless_a_rule_is_proved() -> None:
    def pinned(x: Tensor) -> Tensor:
        torch._check(x.size(0) == 6)
        return x * 2

    verdict = marked(pinned, Mode.UNBACKED, 6).workload
    assert (verdict.status, verdict.held) == (Status.OVER_BUDGET, 6)
    assert "in silence: L['x'].size()[0] == 6" in verdict.reason
    assert classify(verdict, Identity(mode=Mode.UNBACKED)) is Class.SPECIALISATION
    rule = Excuse(name="six", says="", link="", proof=lambda case, error: "six" if "constant (6)" in str(error) else "")
    assert marked(pinned, Mode.UNBACKED, 6, rule).workload.status is Status.PASSED
    assert marked(torch.neg, Mode.UNBACKED, 6).workload.status is Status.PASSED
    assert marked(torch.neg, Mode.MARK_DYNAMIC, 1).workload.status is Status.PASSED


def test_a_proof_that_raises_is_a_harness_error() -> None:
    def broken(case: Any, error: BaseException | None) -> str:
        if error is None:
            return ""
        raise KeyError("no such size")

    def refuse(x: Tensor) -> Tensor:
        raise RuntimeError("not for this")

    operator = Operator(name="pairs", case=Pair, inputs=matrix, reference=torch.neg, cases=lambda: None)  # pyright: ignore
    made = Implementation[Pair](
        operator="pairs",
        name="one",
        build=lambda case: refuse,
        devices=("cpu",),
        excuses=[Excuse(name="broken", says="", link="", proof=broken)],
    )
    assert told(execute(operator, made, Workload((Pair(),)), CPU)) == ["HARNESS_ERROR"]


@pytest.mark.parametrize(
    ("text", "one"),
    [("a == 10", True), ("2 * a == 20", True), ("a % 4 == 2", False), ("a % 16 == 13", False), ("a // 3 == 4", True)],
)
def test_an_equality_of_remainders_holds_no_size_to_a_number(text: str, one: bool) -> None:
    assert Guard(Formula(text), {"a": (1, None)}).holds_one_size is one
