"""Scripts: a finding becomes a program that fails while the bug is there and passes when it is gone."""

import ast
import dataclasses
import subprocess
import sys
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import pytest
import torch

from eagerdiff import (
    Case,
    Finding,
    Implementation,
    Inputs,
    Mode,
    Operator,
    Oracle,
    Showing,
    Status,
    Verdict,
    Workload,
    dynamic,
)
from eagerdiff.harness.catalog.catalog import load
from eagerdiff.harness.corpus.interpreters import Interpreter, State
from eagerdiff.harness.judge import raised
from eagerdiff.harness.repro import Form, UnscriptableError, drafts, render, verify, write_script
from eagerdiff.harness.repro.condensing import condensed
from eagerdiff.harness.repro.kernel import standing_alone
from eagerdiff.harness.repro.literal import UNPACK, literal
from eagerdiff.harness.repro.script import forms
from eagerdiff.suites.tests import compiling, doubling
from eagerdiff.suites.tests.usual import others_slow


class Doubled(Case):
    n: int = dynamic(3, ge=0)


def inputs(case: Doubled, device: str) -> Inputs:
    return Inputs((torch.randn(case.n, generator=torch.Generator().manual_seed(case.seed)).to(device),))


OPERATOR = Operator(
    name="doubling",
    case=Doubled,
    inputs=inputs,
    reference=doubling.doubled,
    cases=lambda: st.builds(Doubled, n=st.integers(0, 9)),
)


def implementation(source: str) -> Implementation:
    return Implementation(
        operator="doubling", name="bad", build=lambda case: doubling.doubled, source=lambda case: source
    )


def finding(status: Status, *sizes: int, allowed: float | None = None) -> Finding:
    return Finding(
        operator="doubling",
        implementation="bad",
        device="cpu",
        verdict=Verdict(
            status=status,
            reason="ValueError: planted",
            exceptions=("ValueError",),
            oracle=Oracle.RMSE,
            allowed=allowed,
        ),
        workload=Workload.of(*(Doubled(n=size) for size in sizes)).to_data(),
    )


PLANTED = {
    Status.WRONG_VALUE: "def implementation(x):\n    return 2 * x if x.numel() < 3 else 2.01 * x",
    Status.WRONG_SHAPE: "def implementation(x):\n    return 2 * x[:1]",
    Status.WRONG_DTYPE: "def implementation(x):\n    return (2 * x).double()",
    Status.WRONG_STRIDES: "def implementation(x):\n    return (2 * x).repeat_interleave(2)[::2]",
    Status.WRONG_MUTATION: "def implementation(x):\n    return x.mul_(2).clone()",
    Status.RAISED: "def implementation(x):\n    raise ValueError('planted')",
    Status.CRASHED: "import os\n\n\ndef implementation(x):\n    os.abort()",
    Status.NONDETERMINISTIC: "def implementation(x):\n    return x + torch.rand_like(x)",
    Status.OVER_BUDGET: "implementation = torch.compile(reference, backend='eager', dynamic=False)",
}
RIGHT = "def implementation(x):\n    return x + x"


@pytest.mark.parametrize("status", others_slow(PLANTED, (Status.WRONG_VALUE, Status.CRASHED)))
def test_a_script_fails_while_the_bug_is_there_and_passes_when_it_is_gone(status: Status) -> None:
    found = finding(status, 5, 4, 3, allowed=2)
    assert verify(render(found, OPERATOR, implementation(PLANTED[status])), found.verdict).shown
    gone = verify(render(found, OPERATOR, implementation(RIGHT)), found.verdict)
    assert not gone.shown
    assert "passes" in gone.note


def test_a_script_that_would_fail_without_the_bug_is_not_published(tmp_path: Path) -> None:
    """A reference that does not agree with itself must not pass for a bug of the implementation."""
    drifting = "FACTORS = iter([1, 1, 9])\n\n\ndef reference(x):\n    return x * next(FACTORS)"

    def source(case: Case) -> str:
        return drifting

    noisy = dataclasses.replace(
        OPERATOR,
        showing=Showing(source=source),
    )
    found = finding(Status.WRONG_VALUE, 5)
    write_script(found, tmp_path, drafts(found, noisy, implementation(RIGHT)))
    assert found.script == ""
    assert "even with the reference" in found.script_note


def test_a_script_whose_bug_hangs_on_the_order_of_a_set_starts_itself_with_that_order(tmp_path: Path) -> None:
    """Its reader's Python has other hashes of texts each time."""
    found = finding(Status.RAISED, 5)
    first = "next(iter({'left', 'right'}))"
    for which, pinned in (("left", False), ("right", True)):  # with hash seed 1 "left" comes first
        raises = f"if {first} == '{which}':\n        raise ValueError('planted')"
        planted = implementation(f"def implementation(x):\n    {raises}\n    return 2 * x")
        write_script(found, tmp_path, drafts(found, OPERATOR, planted))
        script = tmp_path / found.script
        assert ("execv" in script.read_text()) is pinned
    for seed in ("1", "2", "random"):
        python = Interpreter(sys.executable, torch.__version__)
        assert python.watch([str(script)], settings={"PYTHONHASHSEED": seed})[0].state is State.PRESENT


def test_a_script_that_raises_something_else_is_not_published(tmp_path: Path) -> None:
    found = finding(Status.RAISED, 5)
    written = drafts(found, OPERATOR, implementation("def implementation(x):\n    raise KeyError('other')"))
    write_script(found, tmp_path, written)
    assert "other than ValueError" in found.script_note


def test_a_script_whose_build_raises_is_published(tmp_path: Path) -> None:
    verdict = raised(ValueError("planted"), oracle=Oracle.BUILD, prefix="build raised ")
    found = finding(Status.RAISED, 5).model_copy(update={"verdict": verdict})
    planted = implementation("def implementation(x):\n    return x\n\nraise ValueError('planted')")
    write_script(found, tmp_path, drafts(found, OPERATOR, planted))
    assert found.script, found.script_note
    other = implementation("def implementation(x):\n    return x\n\nraise KeyError('other')")
    write_script(found, tmp_path, drafts(found, OPERATOR, other))
    assert "other than ValueError" in found.script_note


def test_a_script_leaves_out_the_setting_that_asks_for_gpu_code() -> None:
    for options in (
        "{'cpu_backend': 'triton'}",
        "{'a': 1, 'cpu_backend': 'triton', 'b': 2}",
        "{'cpu_backend': 'triton', 'b': 2}",
    ):
        compiled = implementation(f"implementation = torch.compile(reference, options={options})")
        script = render(finding(Status.WRONG_VALUE, 5), OPERATOR, compiled, Form(processor=True))
        kept = ast.literal_eval(script.partition("options=")[2].partition(")")[0])
        assert kept == {key: value for key, value in ast.literal_eval(options).items() if key != "cpu_backend"}


def test_a_script_of_a_gpus_finding_calls_on_the_gpu() -> None:
    """Where there is none it says so and is no answer; where there is one it fails as on the processor."""
    found = finding(Status.WRONG_VALUE, 5, 4).model_copy(update={"device": "cuda"})
    shown = verify(render(found, OPERATOR, implementation(PLANTED[Status.WRONG_VALUE])), found.verdict)
    if torch.cuda.is_available():
        assert shown.shown, shown.note
    else:
        assert shown.note == "the script ends with 2: needs an NVIDIA GPU"


def test_a_script_that_is_no_longer_waited_for_is_not_published(tmp_path: Path) -> None:
    found = finding(Status.WRONG_VALUE, 5)
    written = drafts(found, OPERATOR, implementation("while True:\n    pass"))
    write_script(found, tmp_path, written, going=lambda: False)
    assert (found.script, found.script_note) == ("", "its verification was cut short")


@pytest.mark.slow
def test_a_script_runs_inductors_gpu_code_without_a_gpu() -> None:
    """The planted bug is in what calls the compiled code, which therefore must have run."""
    source = (
        "compiled = torch.compile(reference, options={'cpu_backend': 'triton'})\n\n"
        "def implementation(x):\n    return compiled(x) * 1.01"
    )
    found = finding(Status.WRONG_VALUE, 5).model_copy(update={"device": "interpreted"})
    compiled = dataclasses.replace(implementation(source), mode=Mode.STATIC)
    script = render(found, OPERATOR, compiled)
    assert "TRITON_INTERPRET" in script
    assert verify(script, found.verdict).shown


def test_a_script_is_short_and_imports_nothing_of_ours(tmp_path: Path) -> None:
    found = finding(Status.WRONG_VALUE, 5)
    write_script(found, tmp_path, drafts(found, OPERATOR, implementation(PLANTED[Status.WRONG_VALUE])))
    text = (tmp_path / found.script).read_text()
    assert len(text.splitlines()) <= 40
    assert "harness" not in text
    assert subprocess.run([sys.executable, tmp_path / found.script], capture_output=True).returncode == 1


def test_a_script_may_hold_both_noise_and_numbers_that_are_no_noise() -> None:
    def both(case: Doubled, device: str) -> Inputs:
        return Inputs((torch.randn(60), torch.randint(9, (60,))))

    def added(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return x + y

    operator = dataclasses.replace(OPERATOR, inputs=both, reference=added)
    found = finding(Status.WRONG_VALUE, 5)
    script = render(found, operator, implementation("def implementation(x, y):\n    return x - y"), Form(exact=False))
    assert "generator=G" in script
    assert "tensor_from_text(" in script
    assert verify(script, found.verdict).shown


def test_a_verdict_that_only_the_harness_can_give_says_so() -> None:
    with pytest.raises(UnscriptableError, match="eagerdiff replay"):
        render(finding(Status.OUT_OF_BOUNDS, 5), OPERATOR, implementation(RIGHT))


def test_a_third_partys_file_stands_alone_without_its_binding() -> None:
    source = standing_alone(doubling, ("doubled", "build"))
    assert "def doubled" in source
    assert "harness" not in source
    assert "IMPLEMENTATION" not in source
    assert "def build(case: object)" in source


WRONG = Verdict(status=Status.WRONG_VALUE, oracle=Oracle.RMSE)


def of_a_strangers(implementation: Implementation, verdict: Verdict = WRONG) -> str:
    """Return the script of what an implementation of a third party's file gives."""
    workload = Workload.of(compiling.Scaled(rows=3)).to_data()
    found = Finding(
        operator="scaled", implementation=implementation.name, device="cpu", verdict=verdict, workload=workload, seed=0
    )
    return render(found, compiling.OPERATOR, implementation)


@pytest.mark.parametrize("implementation", compiling.OPERATOR.implementations, ids=lambda one: one.name)
def test_a_script_compiles_what_a_third_party_has_compiled(implementation: Implementation) -> None:
    """It holds the back end and all settings of whoever called `torch.compile`, not the function that went in."""
    script = of_a_strangers(implementation)
    assert "eagerdiff" not in script
    assert "torch.compile(" in script
    names: dict[str, Any] = {}
    torch._dynamo.reset()
    exec(script.partition("\ncalls = [")[0], names)
    x = torch.ones(3)
    assert names["reference"](x).tolist() == [2, 2, 2]
    assert names["implementation"](x).tolist() == [3, 3, 3]


def test_a_script_of_a_third_partys_compiled_function_shows_its_bug() -> None:
    script = of_a_strangers(compiling.OPERATOR.implementations[0])
    assert verify(script, WRONG).shown


def test_a_script_builds_what_a_third_party_cannot_build() -> None:
    refused = Implementation(operator="scaled", name="refused", build=compiling.refused)
    verdict = raised(ValueError("planted"), oracle=Oracle.BUILD, prefix="build raised ")
    script = of_a_strangers(refused, verdict)
    assert script.partition("\ncalls = [")[0].endswith("implementation = refused(None)\n")
    assert verify(script, verdict).shown


def test_a_build_that_holds_what_cannot_be_written_says_so() -> None:
    held = torch.ones(2)
    lost = Implementation(operator="scaled", name="lost", build=lambda case: torch.compile(lambda x: x + held))
    with pytest.raises(UnscriptableError, match="`build` holds a Tensor, which has no literal"):
        of_a_strangers(lost)


def tensors() -> list[torch.Tensor]:
    base = torch.randn(40, 40)
    return [
        base,
        base.t()[3:, ::2],
        base[0].expand(7, 40),
        torch.randint(0, 9, (300,)),
        torch.randn(70).bfloat16(),
        torch.tensor([float("nan"), float("inf"), -0.0]),
        torch.empty(0, 3),
        torch.zeros(200, dtype=torch.bool),
        torch.tensor(1.5),
        torch.randn(5, 16).to(torch.float8_e4m3fn),
        torch.empty(3 << 30, dtype=torch.int16).as_strided((3, 4), (1 << 30, 1)).fill_(7),
    ]


@pytest.mark.parametrize("tensor", tensors(), ids=lambda tensor: f"{tensor.dtype}{list(tensor.shape)}")
def test_an_exact_literal_gives_every_bit_and_stride_back(tensor: torch.Tensor) -> None:
    names: dict[str, Any] = {"torch": torch}
    exec(UNPACK, names)
    again = eval(literal(tensor, exact=True), names)
    assert (again.dtype, again.shape, again.stride()) == (tensor.dtype, tensor.shape, tensor.stride())
    assert torch.equal(again.reshape(-1).view(torch.uint8), tensor.reshape(-1).view(torch.uint8))


def test_no_script_takes_what_is_under_test_for_the_references() -> None:
    """In a script both stand side by side: a function that took a name again would be called in the other's place."""
    catalog = load()
    compared = 0
    for operator in catalog.operators.values():
        for implementation in catalog.implementations[operator.name].values():
            small = (name for name in operator.workloads if not name.startswith("serving"))
            cases = (operator.workloads[name].cases[0] for name in small)
            case = next((case for case in cases if implementation.supports(case) is None), None)
            if case is None or implementation.source is None or operator.showing.source is None:
                continue
            both = functions(operator.showing.source(case)) & functions(implementation.source(case))
            assert both == set(), f"{operator.name}/{implementation.name}"
            compared += 1
    assert compared > 100


def functions(source: str) -> set[str]:
    return {node.name for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)}


def test_condensed_source_keeps_what_either_of_two_functions_of_one_name_calls() -> None:
    """A reference and what is under test may both be named after the operator."""
    source = """
def first(x): return x + 1
def second(x): return x + 2
def work(x): return first(x)
reference = work
def work(x): return second(x)
implementation = work
"""
    found: dict[str, Any] = {}
    exec(condensed(source, ()), found)
    assert (found["reference"](0), found["implementation"](0)) == (1, 2)


def test_condensed_source_keeps_what_runs_and_nothing_else() -> None:
    source = '''
"""A module."""
import math
import torch
from torch import Tensor

def wanted(x: Tensor, *, scale: float = 1.0) -> Tensor:
    """Say what it does."""
    return called(x) * scale  # why

def called(x: Tensor) -> Tensor:
    return x.sin()

"""Another module, behind the first."""

class Kept:
    """Hold one number."""

    number: int
    """What it is."""

def unused() -> float:
    return math.pi
'''
    short = condensed(source, ("wanted",))
    assert short.splitlines() == [
        "def wanted(x, *, scale=1.0):",
        "    return called(x) * scale",
        "",
        "def called(x):",
        "    return x.sin()",
        "",
        "class Kept:",
        "    number: int",
    ]
    assert not {"math", "Tensor", "unused", "why", "Say"} & set(short.replace(".", " ").split())


def test_a_compiled_function_is_held_against_itself_in_eager() -> None:
    """Where the function that is compiled is not the reference, a script needs only one of them."""
    source = (
        "def tripled(x):\n    return 2 * x\n\n\neager = tripled\n"
        "def implementation(x):\n    return 2 * x if x.numel() < 3 else 2.01 * x"
    )
    found = finding(Status.WRONG_VALUE, 5)
    compiled = dataclasses.replace(implementation(source), mode=Mode.STATIC)
    assert [form.own for form in forms(found, OPERATOR, compiled)] == [True, False, True, False]
    script = render(found, OPERATOR, compiled, Form(own=True))
    assert "reference = tripled" in script
    assert "doubled" not in script.split("calls = [")[0].split("\n", 3)[3]
    assert verify(script, found.verdict).shown


@pytest.mark.parametrize(
    ("met", "shown"), [("IncompatibleTypeErrorImpl('no')", True), ("AttributeError('no erfcx')", False)]
)
def test_what_the_interpreter_met_must_be_what_the_finding_says(met: str, shown: bool) -> None:
    reason = "InterpreterError: IncompatibleTypeErrorImpl('no')"
    verdict = Verdict(status=Status.RAISED, reason=reason, exceptions=("InterpreterError",), oracle=Oracle.BUILD)
    script = f"class InterpreterError(Exception): pass\nraise InterpreterError({met!r})\n"
    assert verify(script, verdict).shown is shown
