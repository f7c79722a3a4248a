"""What was recorded is replayed, and searched around."""

import subprocess
import sys
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
    Recording,
    Workload,
    check,
    execute,
    record,
)
from eagerdiff.harness.search.hunt import Report
from eagerdiff.strategies.own_code.argument import TensorOf
from eagerdiff.strategies.own_code.recorded_layouts import MetLayout
from eagerdiff.suites.own.like import Unlike, likes
from eagerdiff.suites.own.met_sizes import name_sizes
from eagerdiff.suites.own.nearby import Elsewhere, spec_of
from eagerdiff.suites.own.pages import pages_like
from eagerdiff.suites.tests import recorded_functions as own
from eagerdiff.suites.tests.recordings import CPU, like, only
from eagerdiff.suites.tests.recordings import activated as activated
from eagerdiff.suites.tests.recordings import elsewhere as elsewhere
from eagerdiff.suites.tests.unscripted import unscripted

QUICK: dict[str, Any] = {"seconds": 1.0, "workloads": 6, "ways": ["dynamo.dynamic"]}


def test_a_kernel_is_replayed_and_what_is_wrong_beside_the_recorded_sizes_is_found() -> None:
    with record("shapes.yaml", functions=[f"{own.__name__}:doubled"]):
        for rows in (36, 36, 38):
            own.doubled(torch.randn(rows, 4))
    assert only().order == ((0, 2), (1, 1))
    with unscripted(), pytest.raises(CheckFailed) as caught:
        check(kernel=own.doubled, reference=own.twice, like="shapes.yaml", seed=3, seconds=20.0, layouts=False)
    (finding,) = caught.value.checked.findings
    assert [case["sizes"] for case in finding.workload] == [{"x_0": 37}]
    with pytest.raises(ValueError, match=r"^like says the arguments"):
        check(kernel=own.doubled, reference=own.twice, like="shapes.yaml", x=(3, 4))


@pytest.mark.parametrize("option", [{"ways": ["dynamic"]}, {"max_compiles": 1}, {"dynamic": {}}, {"fullgraph": True}])
def test_what_is_of_compiled_code_is_refused_beside_a_kernel(option: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=rf"^{next(iter(option))}= is of code that is compiled"):
        check(kernel=own.doubled, reference=own.twice, x=("rows", 4), **option)


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
    (tmp_path / "of_this_folder.py").write_text("def f(x): ...")
    assert spec_of(hostile("of_this_folder:f", "of_this_folder.py").functions[0], tmp_path) == "of_this_folder:f"
    assert (
        spec_of(hostile("of_this_folder.py:f", "of_this_folder.py").functions[0], tmp_path)
        == f"{tmp_path / 'of_this_folder.py'}:f"
    )


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


@pytest.mark.parametrize("function", [own.stepped, own.stepped_or_begun])
def test_a_program_is_exported_from_sizes_that_tracing_does_not_hold_apart(function: Any) -> None:
    with record("shapes.yaml", functions=[f"{own.__name__}:{function.__name__}"]):
        for new, past in ((3, 0), (1, 3), (1, 4), (5, 0), (1, 5)):
            getattr(own, function.__name__)(torch.randn(new, 4), torch.randn(past, 4))
    found = check(function, like="shapes.yaml", seconds=1.0, workloads=2, ways=["dynamic"])
    assert not found.findings
    interface = pages_like(function, "shapes.yaml")[0][0][0].interface
    assert (min(interface.example().sizes.values()) >= 2) == (function is own.stepped)
