"""What a program called is noted, without what its tensors hold, and replayed."""

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
from hypothesis import given, settings
from hypothesis import strategies as st

from eagerdiff import (
    Batch,
    CheckFailed,
    Outcome,
    RecordedCall,
    Recording,
    Workload,
    check,
    execute,
    parse_device,
    read_recording,
    record,
)
from eagerdiff.harness.recording import recorder
from eagerdiff.harness.recording.call_key import key_of
from eagerdiff.harness.recording.model import RecordedFunction
from eagerdiff.harness.recording.recorder import MOST_CALLS, MOST_RUNS
from eagerdiff.harness.search.batch import Report
from eagerdiff.strategies.own_code.argument import TensorOf
from eagerdiff.strategies.own_code.recorded_layouts import MetLayout
from eagerdiff.suites.benchmarks.recorded.kernels import softmax as softmax_rows
from eagerdiff.suites.benchmarks.recording import own_share, prepared
from eagerdiff.suites.own.like import Unlike, likes
from eagerdiff.suites.own.met_sizes import name_sizes
from eagerdiff.suites.own.nearby import Elsewhere, spec_of
from eagerdiff.suites.own.pages import pages_like
from eagerdiff.suites.tests import recorded_functions as own

HEAD = "import torch\nf = torch.compile(lambda x: x * 2, backend='eager')\n"
CPU = parse_device("cpu")
QUICK: dict[str, Any] = {"seconds": 1.0, "workloads": 6, "ways": ["dynamo.dynamic"]}


@pytest.fixture(autouse=True, scope="module")
def activated() -> None:
    CPU.activate()


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Recordings and scripts are written where pytest runs."""
    monkeypatch.chdir(tmp_path)
    torch.compiler.reset()


def compiled(code: Any) -> Any:
    return torch.compile(code, backend="eager")


def only(path: str = "shapes.yaml") -> RecordedFunction:
    (found,) = read_recording(Path(path)).functions
    return found


def values(call: RecordedCall) -> dict[str, Any]:
    """Return the arguments of a call, of which a test knows what they are."""
    return dict(call.arguments)


def recorded(*lines: str, arguments: tuple[str, ...] = (), code: int = 0) -> Recording:
    """Run a program under the command, and read what it wrote."""
    Path("program.py").write_text(HEAD + "\n".join(lines))
    command = [sys.executable, "-m", "eagerdiff.harness.cli", "record", *arguments, "--", sys.executable, "program.py"]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == code, ended.stderr
    assert "written: shapes.yaml" in ended.stderr
    return read_recording(Path("shapes.yaml"))


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


def test_a_kernel_is_replayed_and_what_is_wrong_beside_the_recorded_sizes_is_found() -> None:
    with record("shapes.yaml", functions=[f"{own.__name__}:doubled"]):
        for rows in (36, 36, 38):
            own.doubled(torch.randn(rows, 4))
    assert only().order == ((0, 2), (1, 1))
    with pytest.raises(CheckFailed) as caught:
        check(kernel=own.doubled, reference=own.twice, like="shapes.yaml", seed=3, seconds=20.0, layouts=False)
    (finding,) = caught.value.checked.findings
    assert [case["sizes"] for case in finding.workload] == [{"x_0": 37}]
    with pytest.raises(ValueError, match=r"^like says the arguments"):
        check(kernel=own.doubled, reference=own.twice, like="shapes.yaml", x=(3, 4))


@pytest.mark.parametrize("option", [{"ways": ["dynamic"]}, {"max_compiles": 1}, {"dynamic": {}}, {"fullgraph": True}])
def test_what_is_of_compiled_code_is_refused_beside_a_kernel(option: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=rf"^{next(iter(option))}= is of code that is compiled"):
        check(kernel=own.doubled, reference=own.twice, x=("rows", 4), **option)


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


def hostile(name: str, file: str = "", kind: str = "function") -> Recording:
    call = {"arguments": {"command": "reboot"}}
    function = {"name": name, "kind": kind, "file": file, "line": 1, "parameters": ["command"], "called": 1}
    return Recording.model_validate({"functions": [function | {"calls": [call], "order": [(0, 1)]}]})


@pytest.mark.parametrize(
    ("name", "file"),
    [("os:system", "os.py"), ("subprocess:run", ""), ("../away.py:f", "../away.py"), ("a.b:f.<locals>.g", "")],
)
def test_a_strangers_recording_chooses_no_code_that_is_not_of_this_folder(name: str, file: str, tmp_path: Path) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    (tmp_path / "away.py").write_text("raise SystemExit")
    with pytest.raises(Elsewhere):
        spec_of(hostile(name, file).functions[0], folder)
    (folder / "os.py").write_text("def system(command): ...")  # the name leads to this file, not to Python's module
    if name == "os:system":
        assert spec_of(hostile(name, file).functions[0], folder) == f"{folder / 'os.py'}:system"


def test_functions_of_this_folder_are_found_by_module_or_file(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def f(x): ...")
    assert spec_of(hostile("mine:f", "mine.py").functions[0], tmp_path) == "mine:f"
    assert spec_of(hostile("mine.py:f", "mine.py").functions[0], tmp_path) == f"{tmp_path / 'mine.py'}:f"


def test_equal_sizes_get_one_name_and_those_that_follow_a_formula() -> None:
    start, new = (0, 4, 9, 12), (4, 5, 3, 1)
    total = tuple(a + b for a, b in zip(start, new, strict=True))
    places = {("q", 0): new, ("k", 0): total, ("k", 1): (8, 8, 8, 8), ("start", -1): start, ("v", 0): total}
    places |= {("mask", 0): tuple(2 * size + 1 for size in total)}
    found = name_sizes(places)
    assert found.formulas == {
        ("start", -1): "start",
        ("q", 0): "q_0",
        ("k", 0): "start+q_0",
        ("v", 0): "start+q_0",
        ("mask", 0): found.formulas["mask", 0],
    }
    assert found.bases.keys() == {"start", "q_0"} | ({"mask_0"} & found.bases.keys())


def layouts() -> list[torch.Tensor]:
    base = torch.arange(120.0)
    return [
        base.view(2, 3, 20)[:, :, 4:9],
        base.view(4, 5, 6).permute(2, 0, 1),
        base.view(12, 10)[::2, 1::3],
        base[7:11].expand(3, 4),
        base.view(1, 120)[:, :5],
        base[:1].view(1, 1),
    ]


@pytest.mark.parametrize("at", range(len(layouts())))
def test_a_layout_that_was_met_is_made_again_at_its_sizes_and_at_others(at: int) -> None:
    met = layouts()[at]
    layout = MetLayout.of(met.shape, met.stride(), int(met.storage_offset()))
    assert MetLayout.read(str(layout)) == layout
    again = layout.lay_out(met.clone())
    assert torch.equal(again, met)
    strides = [(a, b) for a, b, size in zip(again.stride(), met.stride(), met.shape, strict=True) if size > 1]
    assert all(a == b for a, b in strides)
    assert again.storage_offset() == met.storage_offset()


@settings(max_examples=50, database=None, deadline=None)
@given(shape=st.lists(st.integers(0, 4), min_size=3, max_size=3))
def test_a_layout_fits_tensors_of_any_size(shape: list[int]) -> None:
    layout = MetLayout.of((2, 3, 5), (1, 40, 4), 3)
    values = torch.randn(shape)
    assert torch.equal(layout.lay_out(values), values)


def like(code: Any, *calls: tuple[Any, ...], contents: bool = False) -> Recording:
    f = compiled(code)
    with torch.compiler.set_stance("force_eager"), record("shapes.yaml", contents=contents):
        for args in calls:
            f(*args)
    return read_recording(Path("shapes.yaml"))


def searched(code: Any, recording: Recording) -> tuple[Report, list[Workload]]:
    """Search one way of compiling in this process; return what it reports, and what it ran."""
    (page, _), *_ = pages_like(code, recording)[0]
    operator, ran = page.operator(), list[Workload]()
    way = next(one for one in operator.implementations if one.name == "dynamo.dynamic")

    def run(workload: Workload) -> Outcome:
        ran.append(workload)
        return execute(operator, way, workload, CPU, relations=False)

    return Batch(operator, way, "cpu", index=1, examples=3, max_cases=3).explore(run), ran


def test_a_fault_at_a_recorded_size_is_found_and_not_shrunk_away() -> None:
    recording = like(own.wrong_at_37, *((torch.randn(rows, 3),) for rows in (5, 37, 37, 200)))
    report, ran = searched(own.wrong_at_37, recording)
    assert [case.sizes["x_0"] for case in ran[0].cases] == [5, 37, 200]
    assert report.finding is not None
    assert [case["sizes"] for case in report.finding.workload] == [{"x_0": 37}]


def test_a_fault_of_a_recorded_layout_is_found() -> None:
    wide = torch.randn(6, 16)
    recording = like(own.wrong_of_rows_in_a_larger_tensor, (wide[:3, :4],), (wide[:5, :4],))
    report, _ = searched(own.wrong_of_rows_in_a_larger_tensor, recording)
    assert report.finding is not None
    assert [case["layouts"] for case in report.finding.workload] == [{"x": "order 0 1 room 0 16"}]


def test_what_is_right_is_replayed_and_searched_around() -> None:
    report, ran = searched(own.wrong_at_37, like(own.wrong_at_37, *((torch.randn(n, 3),) for n in (50, 60))))
    assert (report.finding, report.broken) == (None, "")
    assert len(ran) == 4
    drawn = {case.sizes["x_0"] for workload in ran[1:] for case in workload.cases}
    assert drawn <= set(range(49, 62))
    assert drawn - {50, 60}


@pytest.mark.slow
def test_a_check_finds_what_was_recorded_and_writes_its_script() -> None:
    recording = like(own.wrong_at_37, *((torch.randn(rows, 3),) for rows in (5, 37, 200)))
    with pytest.raises(CheckFailed) as caught:
        check(own.wrong_at_37, like=recording, **QUICK)
    assert "calls: x_0=37" in str(caught.value)
    assert "as recorded: 3 different calls of 3, replayed first; what changes: x_0 5…200" in str(caught.value)
    assert "script:" in str(caught.value)


def test_sizes_are_drawn_around_those_that_were_met() -> None:
    recording = like(own.attended, *((torch.randn(n, 4), torch.randn(n + 90, 4), n) for n in (100, 140, 180)))
    (kind,), _ = likes(recording.functions[0])
    assert {name: (one.least, one.most) for name, one in kind.ranges.items()} == {"start": (99, 181)}
    keys = kind.arguments["keys"]
    assert isinstance(keys, TensorOf)
    assert [str(size) for size in keys.sizes] == ["start + 90", "4"]


def test_integers_that_were_kept_are_given_again() -> None:
    calls = [(torch.randn(rows, 2), torch.tensor(index)) for rows, index in ((5, [4, 1]), (9, [8, 0]), (7, [1, 1]))]
    recording = like(own.picked, *calls, contents=True)
    (page, said), *_ = pages_like(own.picked, recording)[0]
    assert page.interface.tensors["index"].below == "x_0"
    (replayed,) = page.first
    given = [page.interface.inputs(case, "cpu").args[1].tolist() for case in replayed.cases]
    assert given == [[4, 1], [8, 0], [1, 1]]
    assert any("index: indices below x_0" in line for line in said)


def test_calls_of_other_ranks_are_checked_apart_and_what_cannot_be_made_again_is_said() -> None:
    calls = [(torch.randn(4),), (torch.randn(2, 4),), (torch.randn(3, 4),)]
    recording = like(own.Scaled(), *calls, (torch.randn(4), [torch.randn(4)]))
    kinds, said = likes(recording.functions[0])
    assert [len(kind.calls) for kind in kinds] == [2, 1]
    assert said == ["not made again: 1 different calls: bias holds tensors in a list, a tuple or a dict"]
    assert all(kind.gradients and kind.training for kind in kinds)
    with pytest.raises(Unlike, match=r"no call of picked is recorded: there is .*:Scaled"):
        check(own.picked, like=recording)
    with pytest.raises(ValueError, match="like says the arguments"):
        check(own.Scaled(), x=("n", 4), like=recording)


@pytest.mark.slow
def test_the_command_replays_all_that_it_can_import_and_says_what_it_cannot() -> None:
    Path("mine.py").write_text(Path(own.__file__).read_text())
    recording = like(own.wrong_at_37, (torch.randn(37, 2),), (torch.randn(5, 2),))
    mine = recording.functions[0].model_copy(update={"name": "mine:wrong_at_37", "file": "mine.py"})
    both = recording.model_copy(update={"functions": (mine, hostile("os:system").functions[0])})
    Path("shapes.yaml").write_text(both.to_yaml())
    command = [sys.executable, "-m", "eagerdiff.harness.cli", "check", "--like", "shapes.yaml"]
    options = ["--way", "dynamo.dynamic", "--seconds", "1"]
    ended = subprocess.run([*command, *options], capture_output=True, text=True, check=False)
    assert ended.returncode == 1, ended.stderr
    assert "WRONG_VALUE" in ended.stdout
    assert "os:system: not checked: it is not of this folder" in ended.stdout


def test_what_the_command_cannot_read_is_one_line() -> None:
    Path("bad.yaml").write_text("eagerdiff_recording: 7")
    command = [sys.executable, "-m", "eagerdiff.harness.cli", "check", "--like", "bad.yaml"]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 2
    assert ended.stderr == "eagerdiff: bad.yaml is malformed: eagerdiff_recording: Input should be 1\n"


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


@pytest.mark.parametrize("function", [own.stepped, own.stepped_or_begun])
def test_a_program_is_exported_from_sizes_that_tracing_does_not_hold_apart(function: Any) -> None:
    with record("shapes.yaml", functions=[f"{own.__name__}:{function.__name__}"]):
        for new, past in ((3, 0), (1, 3), (1, 4), (5, 0), (1, 5)):
            getattr(own, function.__name__)(torch.randn(new, 4), torch.randn(past, 4))
    found = check(function, like="shapes.yaml", seconds=1.0, workloads=2, ways=["dynamic"])
    assert not found.findings
    interface = pages_like(function, "shapes.yaml")[0][0][0].interface
    assert (min(interface.example().sizes.values()) >= 2) == (function is own.stepped)


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
