"""Exported programs: right at all sizes that were declared, one artifact a workload, other sizes refused."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import torch
from torch._dynamo.exc import UserError

from eagerdiff import Inputs, Status, Workload
from eagerdiff.compiled.declared import Declared
from eagerdiff.compiled.dynamic_shapes import Linear, Shapes, declare
from eagerdiff.compiled.export_config import ExampleRefused, ExportConfig, Exported, UnenforcedBound
from eagerdiff.compiled.export_path import (
    AOT_OPTIONS,
    AOTI,
    CHECKED,
    EXPORT,
    EXPORT_SAVED,
    EXPORT_STRICT,
    PATHS,
    ExportPath,
    OtherStrides,
    known,
)
from eagerdiff.compiled.torch_export import exports
from eagerdiff.harness import devices
from eagerdiff.harness.execution.execution import execute
from eagerdiff.harness.ledger import Ledger
from eagerdiff.harness.model.excuse import rule_of
from eagerdiff.reference.symbolic import PROGRAMS
from eagerdiff.strategies.cases.symbolic import SymbolicCase
from eagerdiff.strategies.programs.cases import ProgramCase, inputs
from eagerdiff.strategies.programs.program import Input, Node, Program
from eagerdiff.suites import program_exports
from eagerdiff.suites.symbolic import OPERATOR, dims, example, met
from eagerdiff.suites.tests.test_symbolic import fitting

CPU = devices.parse("cpu")
EXPORTS = {one.name: one for one in OPERATOR.implementations if one.backend in {path.name for path in PATHS}}
SIZES = ((2, 2), (5, 7), (1, 1), (0, 3))
FORMULAS = {0: {0: "a", 1: "b"}, 1: {0: "2*a + 1"}}


@pytest.fixture(autouse=True, scope="module")
def activated() -> None:
    CPU.activate()


def stretched(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return (x * 2.0).sum(0) + y[1:].view(2, -1).sum()


def arguments(a: int, b: int) -> tuple[torch.Tensor, ...]:
    return torch.randn(a, b), torch.randn(2 * a + 1)


def config(path: ExportPath, shapes: Shapes) -> ExportConfig:
    args = arguments(4, 7)
    return ExportConfig(path, declare(shapes, FORMULAS, args, {}), args)


def checked(found: Callable[..., Any], a: int, b: int) -> None:
    args = arguments(a, b)
    torch.testing.assert_close(found(*args), stretched(*args))


def test_exports_are_named_after_path_and_shapes() -> None:
    assert set(EXPORTS) == {f"{path.name}.{shapes.value}" for path in PATHS for shapes in path.shapes}


@pytest.mark.parametrize("implementation_name", ["export.named", "export_strict.named", "export.dynamic"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_symbolic_programs_are_right_at_all_sizes_and_exported_once(name: str, implementation_name: str) -> None:
    cases = tuple(fitting(name, batch, seq, seed=seq) for batch, seq in SIZES)
    outcome = execute(OPERATOR, EXPORTS[implementation_name], Workload(cases), CPU)
    if outcome.first_failure is not None:
        assert name == "pad_to_multiple"  # scripts/export_pad_by_remainder_dim_assertion.py
        assert "Cannot create Dim with inconsistent min=" in outcome.first_failure.reason
        return
    reasons = [verdict.reason for verdict in outcome.verdicts if verdict.status is Status.SKIPPED]
    assert all(rule_of(reason, EXPORTS[implementation_name].excuses) or "not exported" in reason for reason in reasons)
    if len(reasons) < len(cases):
        assert (outcome.compile_count, outcome.compile_allowed) == (1, 1)
    elif PROGRAMS[name].fullgraph and PROGRAMS[name].graphs == 1:
        assert PROGRAMS[name].extra_compiles


@pytest.mark.parametrize(
    "implementation_name", ["export.auto", "export.collection", "export.bounded", "export_saved.named"]
)
def test_every_way_of_declaring_is_right(implementation_name: str) -> None:
    cases = tuple(fitting("append_cache", batch, seq) for batch, seq in ((5, 7), (20, 3), (2, 40)))
    outcome = execute(OPERATOR, EXPORTS[implementation_name], Workload(cases), CPU)
    assert [verdict.status for verdict in outcome.verdicts] == [Status.PASSED] * 3
    assert outcome.compile_count == 1


@pytest.mark.slow
def test_one_package_serves_the_whole_workload() -> None:
    cases = tuple(fitting("rms_norm_residual", batch, seq) for batch, seq in ((2, 2), (5, 7), (33, 3), (0, 3), (17, 9)))
    outcome = execute(OPERATOR, EXPORTS["aoti.named"], Workload(cases), CPU)
    assert outcome.first_failure is None
    passed = [verdict.status is Status.PASSED for verdict in outcome.verdicts]
    assert passed == [True, True, True, False, True]
    assert outcome.verdicts[3].reason.startswith("specialisation on 0 and 1: (batch) >= 2 is false where batch = 0")
    assert outcome.compile_count == 1


def test_a_size_baked_in_is_caught() -> None:
    def spoiled(x_BS: torch.Tensor) -> torch.Tensor:
        return PROGRAMS["moving_average"].function(x_BS) * (x_BS.size(1) / 13)

    declared = Declared(dims=dims, met=met)
    made = exports("symbolic", lambda case: spoiled, declared=declared, example=example, ignored=("program",))
    found = next(one for one in made if one.name == "export.named")
    outcome = execute(
        OPERATOR, found, Workload((fitting("moving_average", 5, 13), fitting("moving_average", 5, 9))), CPU
    )
    assert [verdict.status for verdict in outcome.verdicts] == [Status.PASSED, Status.WRONG_VALUE]


@pytest.mark.parametrize("shapes", Shapes)
def test_derived_dims_follow_their_root(shapes: Shapes) -> None:
    found = config(EXPORT, shapes).export(stretched)
    for a, b in ((4, 7), (9, 3), (16, 5)):
        checked(found, a, b)
    if not shapes.hinted:  # what is not declared is found out only where the function needs it
        with pytest.raises(AssertionError, match="Guard failed"):
            found(torch.randn(5, 7), torch.randn(15))


@pytest.mark.parametrize("path", [EXPORT, EXPORT_STRICT, EXPORT_SAVED], ids=lambda path: path.name)
def test_sizes_outside_the_bounds_are_refused_and_left_to_eager(path: ExportPath) -> None:
    found = config(path, Shapes.BOUNDED).export(stretched)
    for a, b in ((4, 7), (3, 16), (2, 7), (17, 7), (4, 0), (4, 17)):
        checked(found, a, b)


def test_a_dropped_bound_is_caught() -> None:
    found = config(replace(EXPORT, load=lambda program, example: stretched), Shapes.BOUNDED).export(stretched)
    checked(found, 4, 7)
    with pytest.raises(UnenforcedBound, match=r"a = 20 outside \[3, 16\]"):
        found(*arguments(20, 7))


def test_a_package_keeps_its_bounds_and_its_strides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CHECKED, "1")  # given back after the test
    found = config(AOTI, Shapes.BOUNDED).export(stretched)
    for a, b in ((4, 7), (9, 3), (2, 7), (17, 7)):
        checked(found, a, b)
    x, y = arguments(4, 7)
    with pytest.raises(OtherStrides, match="packaged for"):
        found(x.t().contiguous().t(), y)


def test_a_dim_that_becomes_a_constant_is_no_documented_limit() -> None:
    def triangle(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return x[torch.triu_indices(x.size(0), x.size(0))[0]]

    for shapes in (Shapes.NAMED, Shapes.DYNAMIC):
        with pytest.raises(UserError, match="constant"):
            config(EXPORT, shapes).export(triangle)


def test_what_a_dim_cannot_say_is_refused() -> None:
    def turned(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return x.sum(0) if x.size(0) != 9 else x.sum(1)

    with pytest.raises(UserError, match="Not all values of a"):
        config(EXPORT, Shapes.NAMED).export(turned)
    found = config(EXPORT, Shapes.DYNAMIC).export(turned)
    with pytest.raises(AssertionError, match="!= 9"):
        found(*arguments(9, 7))


@pytest.mark.parametrize("path", [EXPORT, EXPORT_STRICT], ids=lambda path: path.name)
def test_an_example_that_eager_refuses_is_told(path: ExportPath) -> None:
    """Its layout may be what the function does not take: an odd storage offset is no complex tensor's."""

    def as_complex(x: torch.Tensor) -> torch.Tensor:
        return torch.view_as_complex(x.contiguous())

    def export(offset: int) -> Callable[..., Any]:
        args = (torch.zeros(offset + 12)[offset:].view(6, 2),)
        return ExportConfig(path, declare(Shapes.NAMED, {0: {0: "a"}}, args, {}), args).export(as_complex)

    x = torch.randn(4, 2)
    assert torch.equal(export(2)(x), as_complex(x))
    with pytest.raises(ExampleRefused, match="offset"):
        export(1)


def test_an_example_that_eager_refuses_is_told_where_only_the_package_is_asked() -> None:
    """Torch exports such a call as it is, and what makes a package of it asks."""

    def scattered(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return torch.diagonal_scatter(x, y, dim1=0, dim2=7)

    args = (torch.zeros(6, 2), torch.zeros(2))
    found = declare(Shapes.NAMED, {0: {0: "a"}}, args, {})
    torch.export.export(Exported(scattered), args, dynamic_shapes=found.dynamic_shapes(args))
    with pytest.raises(ExampleRefused, match="Dimension out of range"):
        ExportConfig(AOTI, found, args).export(scattered)


@pytest.mark.parametrize("shapes", [Shapes.NAMED, Shapes.BOUNDED])
def test_what_is_declared_holds_the_example(shapes: Shapes) -> None:
    """Eager may take a size alone that it does not take beside the others of the example, and the reverse."""
    args = (torch.zeros(2, 5),)
    found = declare(shapes, {0: {0: "a", 1: "b"}}, args, {"a": 4})
    assert not found.outside(args)
    assert torch.export.export(torch.nn.Identity(), args, dynamic_shapes=found.dynamic_shapes(args)[0])


@pytest.mark.parametrize("strict", [False, True])
def test_what_export_compiles_for_itself_is_not_counted(strict: bool) -> None:
    class Twice(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            for _ in range(2):
                x = torch.cond(x.sum() > 0, torch.sin, torch.cos, (x,))
            return x

    with Ledger() as ledger:
        torch.export.export(Twice(), (torch.randn(3),), strict=strict)
        ledger.at(0)
        assert ledger.compile_count == 1
        inside = [record.details.get("inside") for record in ledger.records if record.layer == "dynamo"]
        assert set(inside) <= {"export"}
        assert strict or len(inside) == 2


def test_two_exports_are_over_budget() -> None:
    def twice(case: SymbolicCase) -> Callable[..., Any]:
        build = EXPORTS["export.named"].build
        return (build(case), build(case))[1]

    outcome = execute(
        OPERATOR, replace(EXPORTS["export.named"], build=twice), Workload((fitting("layer_norm", 5, 7),)), CPU
    )
    assert outcome.workload.status is Status.OVER_BUDGET


@pytest.mark.parametrize("path", [EXPORT, EXPORT_STRICT, EXPORT_SAVED], ids=lambda path: path.name)
@pytest.mark.parametrize("shapes", Shapes)
def test_source_stands_alone(path: ExportPath, shapes: Shapes) -> None:
    if shapes not in path.shapes:
        return
    scope: dict[str, Any] = {"torch": torch, "program": stretched}
    exec(config(path, shapes).source("program"), scope)
    checked(scope["implementation"], 9, 3)
    if shapes is Shapes.BOUNDED:
        checked(scope["implementation"], 20, 3)


@pytest.mark.parametrize(
    ("text", "linear"),
    [("a", "a"), ("2*a", "2 * a"), ("a + 1", "a + 1"), ("2*a+3", "2 * a + 3"), ("a*b", None), ("a + b", None)],
)
def test_formulas_of_one_name_are_derived_dims(text: str, linear: str | None) -> None:
    found = Linear.of(text)
    assert (str(found) if found else None) == linear


def program(*nodes: Node, shape: tuple[int | str, ...] = ("a", "b")) -> Program:
    return Program(inputs=(Input(shape=shape),), nodes=nodes, outputs=(len(nodes),))


def test_an_example_has_sizes_of_two_and_more_that_differ() -> None:
    case = ProgramCase(program=program(Node(op="relu", args=(0,))), sizes={"a": 0, "b": 1}, layouts=("transposed",))
    (x,) = program_exports.example(case).args
    assert min(x.shape) >= 2
    assert x.size(0) != x.size(1)
    assert not x.is_contiguous()


def test_a_package_is_made_with_the_settings_that_the_release_has() -> None:
    assert known({"compile_threads": 1, "aot_inductor.no_such_setting": True}) == {"compile_threads": 1}
    assert known(AOT_OPTIONS).items() >= {("compile_threads", 1), ("fallback_random", True)}


def test_examples_are_drawn_and_keep_python_numbers() -> None:
    made = Program(inputs=(Input(shape=("a", "b")), Input(kind="int", shape=("k",))), nodes=(), outputs=(0,))
    cases = [ProgramCase(program=made, sizes={"a": 3, "b": 1, "k": 2}, example=draw) for draw in range(8)]
    shapes = {tuple(program_exports.example(case).args[0].shape) for case in cases}
    assert len(shapes) > 4
    assert all(min(shape) >= 2 and len(set(shape)) == 2 for shape in shapes)
    assert {program_exports.example(case).args[1] for case in cases} == {2}


def test_a_program_without_sizes_of_two_and_more_has_an_example_too() -> None:
    parity = program(Node(op="pad_to_eight", args=(0,)))
    assert program_exports.example(ProgramCase(program=parity, sizes={"a": 3, "b": 1})).args


def test_a_drawn_program_is_exported() -> None:
    case = ProgramCase(program=program(Node(op="relu", args=(0,))), sizes={"a": 3, "b": 5})
    args = program_exports.example(case).args
    found = ExportConfig(EXPORT, declare(Shapes.NAMED, {0: {0: "a", 1: "b"}}, args, {}), args)
    given: Inputs = inputs(case, "cpu")
    torch.testing.assert_close(found.export(torch.relu)(*given.args), torch.relu(given.args[0]))


@pytest.mark.parametrize(
    "arg",
    [
        torch.zeros(2, 3),
        torch.zeros(6, 8)[1:, :5],
        torch.zeros(6, 8)[:2],
        torch.zeros(6, 8)[:2].data,
        torch.empty_strided((2, 3), (8, 1)).zero_(),
        torch.zeros(3, 2).t(),
    ],
    ids=lambda arg: f"{list(arg.shape)}{list(arg.stride())}{'' if arg._base is None else ' a view'}",
)
def test_a_scripts_example_is_a_view_of_what_the_example_is_a_view_of(arg: torch.Tensor) -> None:
    """An exported program's guards may ask for the base of an argument (export_guards_on_base)."""
    declared = declare(Shapes.DYNAMIC, {0: {0: "a", 1: "b"}}, (arg,), {})
    text = ExportConfig(EXPORT, declared, (arg,)).source("program")
    (again,) = eval(text.partition("\n")[0].removeprefix("example = "), {"torch": torch})
    assert lies(again) == lies(arg)
    assert lies(again._base) == lies(arg._base)


def lies(tensor: torch.Tensor | None) -> tuple[Any, ...] | None:
    return None if tensor is None else (tensor.shape, tensor.stride(), tensor.storage_offset())
