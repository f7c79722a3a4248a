"""Drawn code written anew means what it meant, and finds out what is done twice, not at all or to another state."""

from typing import Any

import pytest
import torch
import torch._dynamo.config as dynamo_config
from torch.compiler import set_stance

from eagerdiff import Implementation
from eagerdiff.compiled.rewriting.body import Body, defined
from eagerdiff.compiled.rewriting.breaks import KINDS, broken
from eagerdiff.compiled.rewriting.holding import ENTRIES, functional, held, reloaded
from eagerdiff.compiled.rewriting.keeping import HOLDERS, handed, kept, of_state, with_random
from eagerdiff.compiled.rewriting.parts import in_parts
from eagerdiff.harness.devices import parse
from eagerdiff.reference.programs import function_of, programs
from eagerdiff.strategies.programs import cases as program_cases
from eagerdiff.strategies.programs.rendering import operations
from eagerdiff.strategies.torch_api import cases as call_cases
from eagerdiff.suites.programs import OPERATOR
from eagerdiff.suites.tests.test_drawn_ways import SILU, SQUARE, SUM
from eagerdiff.suites.tests.test_programs import examples
from eagerdiff.suites.tests.usual import others_slow

CPU = parse("cpu")
EAGER = {"disable": True}
"""Arguments of `torch.compile` with which nothing is compiled."""
TEXT = """
def program(x0, x1, n2):
    v3 = x0 * n2

    def twice(value):
        return value + value
    total = [one for one in (v3, x1)]
    v4 = twice(v3) + x1
    x1.add_(1)
    return (v4, x1, total[0])
"""
BODY = Body.read(TEXT, "program")
PROGRAM = function_of(TEXT)


def arguments() -> tuple[Any, ...]:
    torch.manual_seed(3)
    return torch.randn(3, 4), torch.randn(3, 4), 2


def same(made: Any) -> None:
    """Compare what is returned and what is written, in three calls."""
    for _ in range(3):
        (ours, theirs) = (arguments(), arguments())
        for one, other in zip(made(*ours), PROGRAM(*theirs), strict=True):
            assert torch.equal(one, other)
        assert torch.equal(ours[1], theirs[1])


def built(text: str, function: Any = PROGRAM) -> Any:
    return defined(text, function, "build")(EAGER)


def test_what_is_alive_is_bound_before_and_named_after() -> None:
    assert [BODY.alive(at) for at in range(7)] == [
        ("x0", "x1", "n2"),
        ("x1", "v3"),
        ("x1", "v3", "twice"),
        ("x1", "v3", "twice", "total"),
        ("x1", "total", "v4"),
        ("x1", "total", "v4"),
        (),
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_breaks_change_nothing(kind: str) -> None:
    same(built(broken(BODY, kind)))


@pytest.mark.parametrize("entry", ENTRIES)
def test_a_state_that_is_loaded_is_what_was_given(entry: str) -> None:
    text = reloaded(BODY, entry)
    assert held(BODY) == ["x1"]
    same(built(text.replace("module.compile(**settings)", "pass")))


def test_a_state_that_is_given_is_what_was_given() -> None:
    same(built(functional(BODY)))


def test_what_python_keeps_and_hands_on_is_what_was_given() -> None:
    texts = [of_state(BODY), handed(BODY), with_random(BODY)]
    assert [*kept(BODY)] == ["x1", "n2"]
    for text in texts:
        same(built(text))


def test_arguments_are_kept_in_every_holder_and_a_list_holds_one() -> None:
    many = Body(tuple(f"x{at}" for at in range(12)), ("return (x0,)",))
    held = kept(many)
    assert len(held) == 11
    assert {*held.values()} == {*HOLDERS}
    assert [*held.values()].count("item") == 1


def test_a_count_that_python_keeps_and_that_is_lost_raises() -> None:
    for line in ("HELD.calls += 1", 'ENTRIES["calls"] += 1', "ITEMS[0] += 1", "CALLS += 1", "        calls += 1"):
        spoiled = of_state(BODY).replace(line, line.replace("+= 1", "+= 2"))
        with pytest.raises(AssertionError, match="counts of calls"):
            built(spoiled)(*arguments())


def test_parts_are_submodules_and_each_takes_a_step() -> None:
    module = defined(in_parts(BODY), PROGRAM, "Exported")()
    same(module)
    assert [name for name, _ in module.named_children()] == ["steps", "part_0", "part_1", "part_2"]
    assert module.steps.taken == 9


def test_a_repeated_or_a_lost_effect_raises() -> None:
    text = broken(BODY, "asked")
    for spoiled in (text.replace("TAKEN.append(2)", "TAKEN.extend((2, 2))"), text.replace("TAKEN.append(2)", "pass")):
        with pytest.raises(AssertionError, match="effects around graph breaks"):
            built(spoiled)(*arguments())


def test_a_number_of_a_rewritten_function_is_no_tensor() -> None:
    text = "def program(n0):\n    return (torch.ones(n0),)\n"
    function = function_of(text)
    for kind in KINDS:
        (made,) = built(broken(Body.read(text, "program"), kind), function)(3)
        assert made.tolist() == [1, 1, 1]


def test_an_argument_that_a_closure_takes_is_handed_on_once() -> None:
    lines = ["v0 = x0 + 1", "def taken(y):", "    return y * n0", "v1 = taken(v0)", "return v1 + n0"]
    body = Body.read("def program(x0, n0):\n    " + "\n    ".join(lines) + "\n", "program")
    assert [body.alive(at).count("n0") for at in range(3)] == [1, 1, 1]


@pytest.mark.parametrize("number", others_slow(range(6), [0]))
def test_drawn_code_means_the_same_when_it_is_rewritten(number: int) -> None:
    """Bit for bit, where eager gives the same twice."""
    compared = 0
    for cases, inputs in ((program_cases.cases, program_cases.inputs), (call_cases.cases, call_cases.inputs)):
        for case in examples(cases(), 8, number):
            given = inputs(case, "cpu")
            function = function_of(given.options["source"])
            body = Body.of(function)
            texts = [broken(body, kind) for kind in KINDS] + [functional(body)]
            texts += [of_state(body), handed(body), with_random(body)]
            runs: list[Any] = [*(built(text, function) for text in texts)]
            runs.append(defined(in_parts(body), function, "Exported")())
            for run in runs:
                compared += _agree(run, case, inputs)
    assert compared > 30


def _agree(run: Any, case: Any, inputs: Any) -> bool:
    """Hold what is rewritten against the reference; False where eager refuses the call or does not repeat itself."""

    def called(function: Any) -> list[Any]:
        torch.manual_seed(0)
        given = inputs(case, "cpu")
        options = {**given.options, "gradients": False}
        with set_stance("force_eager"):  # else `torch.cond` compiles itself, and may fail at that
            outputs = function(*given.args, **options) if function is programs else function(*given.args)
        return [*outputs, *given.args]

    try:
        wanted, again = called(programs), called(programs)
    except Exception:  # noqa: BLE001 - eager refuses what is drawn now and then; so it is no comparison
        return False
    if not _equal(wanted, again):
        return False
    assert _equal(called(run), wanted), case
    return True


def _equal(one: list[Any], other: list[Any]) -> bool:
    return all(
        torch.equal(torch.nan_to_num(left), torch.nan_to_num(right))
        if isinstance(left, torch.Tensor)
        else left == right
        for left, right in zip(one, other, strict=True)
    )


NEW = [
    one
    for one in OPERATOR.implementations
    if one.name.startswith(("dynamo.", "export_decomposed", "export_unflattened", "export_again", "draft_export"))
    and (
        one.variant.startswith(("break_", "reloaded_", "state_", "spec", "compiled_", "kept", "handed"))
        or "export" in one.name
    )
]


@pytest.mark.parametrize(
    "implementation",
    others_slow(NEW, [one for one in NEW if one.name in ("dynamo.unbacked+spec", "dynamo.automatic+break_item")]),
    ids=lambda one: one.name,
)
def test_the_source_of_a_way_stands_alone(implementation: Implementation) -> None:
    CPU.activate()
    source = OPERATOR.showing.source
    assert source is not None
    assert implementation.source is not None
    for made in (SUM, SILU, SQUARE):
        case = program_cases.ProgramCase(program=made, sizes={"a": 5, "b": 7})
        if implementation.unsupported(case):
            continue
        text = "from __future__ import annotations\n" + source(case) + implementation.source(case)
        scope: dict[str, Any] = {}
        kept = {
            name: getattr(dynamo_config, name)
            for name in ("capture_scalar_outputs", "capture_dynamic_output_shape_ops")
        }
        with dynamo_config.patch(kept):
            exec(text, scope)
            for sizes in ({"a": 5, "b": 7}, {"a": 6, "b": 3}):
                args = program_cases.inputs(case.model_copy(update={"sizes": sizes}), "cpu").args
                for one, other in zip(scope["implementation"](*args), scope["reference"](*args), strict=True):
                    torch.testing.assert_close(one, other)


def test_there_are_such_ways() -> None:
    assert len(NEW) >= 20
    assert not any(operation.random for operation in operations(SUM))
