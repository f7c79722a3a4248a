"""What a program called is noted, without what its tensors hold."""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import torch

from eagerdiff import (
    check,
    read_recording,
    record,
)
from eagerdiff.harness.recording import recorder
from eagerdiff.harness.recording.call_key import key_of
from eagerdiff.harness.recording.recorder import MOST_CALLS, MOST_RUNS
from eagerdiff.suites.benchmarks.recorded.kernels import softmax as softmax_rows
from eagerdiff.suites.benchmarks.recording import own_share, prepared
from eagerdiff.suites.own.nearby import Elsewhere, spec_of
from eagerdiff.suites.tests import recorded_functions as own
from eagerdiff.suites.tests.recordings import HEAD, compiled, like, only, recorded, values
from eagerdiff.suites.tests.recordings import activated as activated
from eagerdiff.suites.tests.recordings import elsewhere as elsewhere


def test_calls_are_noted_once_and_their_order_in_runs() -> None:
    f = compiled(own.attended)
    before = f
    with record("shapes.yaml"):
        for new in (3, 5, 5, 3):
            f(torch.randn(new, 4), torch.randn(9, 4), new, mode="mean")
        before(torch.randn(8, 6).t()[:, :4], torch.zeros(9, 8)[1:, ::2], start=1)
    f(torch.randn(1, 4), torch.randn(1, 4), 0)  # is noted no more
    found = only()
    assert found.name == "eagerdiff.suites.tests.recorded_functions:attended"
    assert (found.parameters, found.called, found.order) == (
        ("q", "keys", "start", "mode"),
        5,
        ((0, 1), (1, 2), (0, 1), (2, 1)),
    )
    assert found.line == own.attended.__code__.co_firstlineno
    first, last = values(found.calls[0]), values(found.calls[2])
    assert first["q"].model_dump(exclude_defaults=True) == {"tensor": (3, 4), "dtype": "float32"}
    assert (first["start"], first["mode"]) == (3, "mean")
    assert (last["q"].strides, last["q"].offset) == ((1, 6), 0)
    assert (last["keys"].strides, last["keys"].offset, last["keys"].storage) == ((8, 2), 8, 72)
    assert not Path("shapes.yaml.parts").exists()


def test_a_module_is_noted_with_its_mode_and_whether_gradients_are_taken() -> None:
    module = compiled(own.Scaled())
    with record("shapes.yaml"):
        module(torch.randn(2, 4), bias=torch.ones(4, requires_grad=True)).sum().backward()
        module.eval()
        with torch.no_grad():
            module(torch.randn(3, 4))
    found = only()
    assert (found.kind, found.name.rpartition(":")[2]) == ("module", "Scaled")
    assert [(call.training, call.grad) for call in found.calls] == [(True, True), (False, False)]
    assert values(found.calls[0])["bias"].requires_grad


def test_what_shares_memory_what_is_sparse_and_what_stands_in_lists_is_noted() -> None:
    base = torch.zeros(6)
    f = compiled(lambda *args: args[0])
    with record("shapes.yaml"):
        f(base[:2], base[4:], [torch.zeros(1), (1, None)], {"a": 2.5}, torch.eye(3).to_sparse(), torch.float16, "a b")
    told = values(only().calls[0])
    assert told["args_1"].model_dump(exclude_defaults=True)["shares"] == 0
    assert told["args_0"].storage == 6
    assert told["args_4"].model_dump(exclude_defaults=True)["layout"] == "sparse_coo"
    assert told["args_4"].stored == 3
    assert told["args_2"].model_dump(exclude_defaults=True) == {
        "list": ({"tensor": (1,), "dtype": "float32"}, {"tuple": (1, None)})
    }
    assert (told["args_3"].mapping, told["args_5"].dtype) == ({"a": 2.5}, "float16")
    assert told["args_6"].object == "builtins:str"


def test_contents_are_noted_only_where_they_are_asked_for() -> None:
    f, index = compiled(own.picked), torch.tensor([4, 1, 3])
    with record("plain.yaml"):
        f(torch.randn(5, 2), index)
    with record("shapes.yaml", contents=True):
        f(torch.full((5, 2), 0.123456), index)
        f(torch.randn(5, 2), torch.arange(300) % 4)
    assert "values" not in Path("plain.yaml").read_text()
    assert "0.123" not in Path("shapes.yaml").read_text()
    few, many = (values(call)["index"] for call in only().calls)
    assert (few.values, few.least, few.most) == ((4, 1, 3), 1, 4)
    assert (many.values, many.least, many.most) == (None, 0, 3)


class Counts(torch.Tensor):
    """Be a subclass, of whose tensors the type is noted."""


def test_of_a_subclass_the_contents_are_not_noted() -> None:
    with record("shapes.yaml", contents=True, functions=[f"{own.__name__}:twice"]):
        own.twice(torch.tensor([4, 1]).as_subclass(Counts))
    assert set(values(only().calls[0])["x"].model_dump()) == {"object"}


def test_what_is_left_out_is_counted() -> None:
    f = compiled(lambda x, n: x)
    x = torch.zeros(2)
    with torch.compiler.set_stance("force_eager"), record("shapes.yaml"):
        for n in range(MOST_CALLS + 7):
            f(x, n)
        for n in range(MOST_RUNS):
            f(x, n % 2)
    found = only()
    assert found.called == MOST_CALLS + 7 + MOST_RUNS
    assert (len(found.calls), found.left_out.calls, len(found.order)) == (MOST_CALLS, 7, MOST_RUNS)
    assert found.left_out.places == MOST_CALLS
    assert "left out" in read_recording(Path("shapes.yaml")).summary()


def test_what_cannot_be_noted_does_not_stop_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> Any:
        raise ZeroDivisionError("no key")

    monkeypatch.setattr("eagerdiff.harness.recording.recorder.key_of", broken)
    with record("shapes.yaml"):
        assert compiled(own.picked)(torch.ones(2), torch.tensor([1])).item() == 1
    notes = read_recording(Path("shapes.yaml")).not_noted
    assert notes == ("ZeroDivisionError: no key", "1 calls could not be noted in a process")


def test_a_key_holds_no_tensor_and_tells_true_from_1() -> None:
    assert key_of((1,), {}) != key_of((True,), {})
    x = torch.zeros(3)
    assert key_of((x, x), {}) != key_of((x, x.clone()), {})
    assert "Tensor" not in repr(key_of((x, [x]), {"a": x}))


def test_a_program_is_recorded_with_the_processes_that_it_forks_and_starts() -> None:
    child = "import torch; torch.compile(lambda x: x, backend='eager')(torch.zeros(9))"
    found = recorded(
        "import multiprocessing, subprocess, sys",
        "f(torch.zeros(2))",
        "process = multiprocessing.get_context('fork').Process(target=lambda: [f(torch.zeros(n)) for n in (3, 3)])",
        "process.start(); process.join()",
        f'subprocess.run([sys.executable, "-c", {child!r}], check=True)',
    )
    assert found.processes == 3
    sizes = [[values(call)["x"].tensor for call in one.calls] for one in found.functions]
    assert sizes == [[(2,), (3,)], [(9,)]]
    assert found.functions[0].order == ((0, 1), (1, 2))
    assert (found.functions[0].name, found.functions[0].file) == ("program.py:<lambda>", "program.py")


def test_a_killed_program_keeps_what_was_noted() -> None:
    found = recorded(
        "import os, signal, time",
        "for n in (2, 3):",
        "    f(torch.zeros(n)); time.sleep(0.5)",
        "f(torch.zeros(4)); os.kill(os.getpid(), signal.SIGKILL)",
        code=137,
    )
    assert [values(call)["x"].tensor for call in found.functions[0].calls][:2] == [(2,), (3,)]


def test_what_a_killed_block_left_is_read_from_its_parts() -> None:
    Path("program.py").write_text(
        HEAD + "import os, signal, eagerdiff\n"
        "with eagerdiff.record('shapes.yaml'):\n    f(torch.zeros(2))\n    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    assert subprocess.run([sys.executable, "program.py"], check=False).returncode == -9
    assert values(only().calls[0])["x"].tensor == (2,)


def test_the_exit_code_is_the_programs_and_no_program_is_one_line() -> None:
    recorded("raise SystemExit(7)", code=7)
    command = [sys.executable, "-m", "eagerdiff.harness.cli", "record", "--", "no-such-program"]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (2, "eagerdiff: no such program: no-such-program\n")


def test_kernels_are_noted_by_a_test_suite_in_the_interpreter_and_replayed_by_what_launches_them() -> None:
    shutil.copytree(Path(__file__).parents[1] / "benchmarks" / "recorded", "recorded")
    wanted = "test_add[65] or test_softmax[33-5]"
    command = [sys.executable, "-m", "eagerdiff.harness.cli", "record", "--function", "recorded.kernels:softmax"]
    suite = ["-p", "no:cacheprovider", "recorded/kernel_tests.py", "-k", wanted]
    ended = subprocess.run(
        [*command, "--", sys.executable, "-m", "pytest", "-q", *suite],
        env=os.environ | {"TRITON_INTERPRET": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    add, launched, softmax = read_recording(Path("shapes.yaml")).functions
    assert (add.kind, add.constexprs, add.calls[0].grid) == ("kernel", ("BLOCK",), (2,))
    assert values(add.calls[0])["n"] == 65
    assert (softmax.calls[0].options, values(softmax.calls[0])["BLOCK"]) == ({"num_warps": 4}, 64)
    with pytest.raises(Elsewhere, match="no reference"):
        spec_of(add, Path.cwd())
    assert (launched.name, launched.kind, launched.line) == ("recorded.kernels:softmax", "function", 33)
    assert values(launched.calls[0])["x"].tensor == (5, 33)
    checked = check(kernel=softmax_rows, reference=torch_softmax, like="shapes.yaml", **FEW)
    assert "as recorded: 1 different calls of 1, replayed first" in checked.said


def torch_softmax(x: torch.Tensor) -> torch.Tensor:
    return x.softmax(-1)


FEW: dict[str, Any] = {"seconds": 1.0, "workloads": 3, "layouts": False}


def test_a_function_that_is_named_is_noted_once_where_it_is_compiled_too() -> None:
    with record("shapes.yaml", functions=[f"{own.__name__}:picked"]):
        own.picked(torch.randn(5, 2), torch.tensor([1]))
        f = compiled(own.picked)
        f(torch.randn(6, 2), torch.tensor([1]))
        compiled(lambda x: own.picked(x, torch.tensor([0])) + 1)(torch.randn(7, 2))
    picked, around = read_recording(Path("shapes.yaml")).functions
    assert (picked.called, [values(call)["x"].tensor for call in picked.calls]) == (2, [(5, 2), (6, 2)])
    assert "<lambda>" in around.name
    assert not hasattr(own.picked, "__wrapped__")


@pytest.mark.parametrize(
    ("named", "said"),
    [
        (f"{own.__name__}:nothing", "no such function"),
        (f"{own.__name__}:picked", "was not called by that name"),
    ],
)
def test_a_named_function_that_was_not_called_is_said(named: str, said: str) -> None:
    Path("program.py").write_text(f"{HEAD}import {own.__name__}\nf(torch.zeros(2))")
    command = [sys.executable, "-m", "eagerdiff.harness.cli", "record", "--function", named, "--", sys.executable]
    ended = subprocess.run([*command, "program.py"], capture_output=True, text=True, check=False)
    assert (ended.returncode, f"{named}: {said}" in ended.stderr or f"{named} {said}" in ended.stderr) == (0, True)


def test_a_name_that_is_none_is_one_line() -> None:
    command = [sys.executable, "-m", "eagerdiff.harness.cli", "record", "--function", "picked", "--", "true"]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 2
    assert ended.stderr == "eagerdiff: 'picked' names no function of a module: write module:function\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "is not YAML"),
        ("functions: []", "is no recording of eagerdiff"),
        ("eagerdiff_recording: 2", "eagerdiff_recording: Input should be 1"),
        ("eagerdiff_recording: 1\nfunctions: [{name: a}]", "functions.0.kind: Field required"),
        ("eagerdiff_recording: !!python/object/apply:os.system [id]", "names a type"),
    ],
)
def test_a_file_that_is_no_recording_is_one_line(text: str, said: str) -> None:
    Path("bad.yaml").write_text(text)
    with pytest.raises(ValueError, match=r"^bad\.yaml [^\n]*$") as caught:
        read_recording(Path("bad.yaml"))
    assert said in str(caught.value)


def test_a_recording_is_readable_and_reads_back() -> None:
    recording = like(own.picked, (torch.randn(5, 2), torch.tensor([1])))
    text = recording.to_yaml()
    assert (
        "- {arguments: {x: {tensor: [5, 2], dtype: float32}, index: {tensor: [1], dtype: int64}}, grad: true}" in text
    )
    Path("again.yaml").write_text(text)
    assert read_recording(Path("again.yaml")) == recording
    json.loads(recording.model_dump_json())


def test_torch_knows_the_back_end_with_no_import() -> None:
    assert "eagerdiff_record" in torch._dynamo.list_backends()


@pytest.mark.slow
def test_the_back_end_compiles_by_inductor_and_records_what_is_compiled_by_it() -> None:
    Path("program.py").write_text(
        HEAD + "g = torch.compile(lambda x: x + 1, backend='eagerdiff_record')\n"
        "f(torch.zeros(2))\n"
        "assert g(torch.zeros(3)).sum() == 3\n"
    )
    ended = subprocess.run([sys.executable, "program.py"], capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    assert values(only().calls[0])["x"].tensor == (3,)


@pytest.mark.slow
def test_recording_costs_less_than_3_percent_of_a_training_step(monkeypatch: pytest.MonkeyPatch) -> None:
    go = prepared("training")
    assert 0 < own_share(go, Path("shapes.yaml"), 10.0) < 0.03
    monkeypatch.setattr(recorder, "key_of", slow_key)
    assert own_share(go, Path("shapes.yaml"), 2.0) > 0.03


def slow_key(args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    until = time.process_time() + 0.001
    while time.process_time() < until:
        pass
    return key_of(args, kwargs)
