"""The table of what torch's own tests call: read in a process of its own, kept, and drawn from."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from eagerdiff.reference.programs import function_of
from eagerdiff.strategies.torch_api import table
from eagerdiff.strategies.torch_api.cases import TorchApiCase, cases, check_inputs, inputs, source, workload_cases
from eagerdiff.strategies.torch_api.rendering import render
from eagerdiff.strategies.torch_api.table import Entry
from eagerdiff.suites.tests.examples import CHOOSY, FEW

SOME = (
    "add",
    "gather",
    "matmul",
    "nn.functional.pixel_unshuffle",
    "index_select",
    "uniform",
    "unsqueeze",
    "linalg.cholesky",
    "new_empty",
)
MODULES = ("Linear", "LazyConv1d", "TransformerEncoder")
FUNCTIONS = ("lp_pool2d", "gumbel_softmax")
"""Of `torch.nn.functional`, in no other table."""
NATIVE = ("sigmoid_backward", "upsample_bilinear2d", "_thnn_differentiable_gru_cell_backward", "_foobar")
"""Of these, eager's process ends on what is tried of the third, and the last is there for torch's own tests."""


@pytest.fixture(scope="module")
def entries(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Entry]:
    """Some entries of the table, read as a machine reads them: in a process of their own."""
    path = tmp_path_factory.mktemp("table") / "some.jsonl"
    command = [
        sys.executable,
        "-W",
        "ignore",
        "-m",
        "eagerdiff.strategies.torch_api.extraction",
        str(path),
        *SOME,
        *MODULES,
        *NATIVE,
        *FUNCTIONS,
    ]
    subprocess.run(command, check=True, timeout=280)
    found = [Entry.model_validate_json(line) for line in path.read_text().splitlines()]
    return {f"{entry.table}:{entry.name}": entry for entry in found}


def test_entries_of_torch_s_tables_are_read_with_sizes_that_change(entries: dict[str, Entry]) -> None:
    assert {entry.table for entry in entries.values()} == {"op_db", "module_db", "functional", "schemas"}
    assert len(entries) >= len((*SOME, *MODULES, *NATIVE, *FUNCTIONS))
    for name, entry in entries.items():
        wanted = entry.name not in NATIVE[2:]
        assert any(template.sizes for template in entry.templates) == wanted, (name, entry.why, entry.left_out)
    assert entries["op_db:uniform"].templates[0].random
    assert entries["op_db:add"].inplace == "torch.Tensor.add_"
    assert entries["op_db:add"].out


def test_of_what_memory_happened_to_hold_only_the_form_is_looked_at(entries: dict[str, Entry]) -> None:
    for template in entries["op_db:new_empty"].templates:
        case = TorchApiCase(entry="op_db:new_empty", call=template.call, sizes=template.sizes)
        (result,) = function_of(source(template.call))(*inputs(case, "cpu").args)
        assert not result.any()


def test_what_is_not_drawn_says_why(entries: dict[str, Entry]) -> None:
    assert "ends the process" in entries[f"schemas:{NATIVE[2]}"].why
    assert "torch's own tests" in entries[f"schemas:{NATIVE[3]}"].why


def test_a_native_operator_has_gradients_where_eager_gives_some(entries: dict[str, Entry]) -> None:
    assert entries["schemas:upsample_bilinear2d"].differentiable
    ranks = {len(template.call.tensors[0].shape) for template in entries["schemas:sigmoid_backward"].templates}
    assert len(ranks) > 1


@pytest.mark.parametrize("name", MODULES[1:])
def test_a_module_that_is_lazy_or_made_of_another_is_called_as_a_user_would(
    name: str, entries: dict[str, Entry]
) -> None:
    template = entries[f"module_db:{name}"].templates[0]
    text = render(template.call)
    case = TorchApiCase(entry=f"module_db:{name}", call=template.call, sizes=template.sizes)
    results = function_of(text)(*inputs(case, "cpu").args)
    assert isinstance(results[0], torch.Tensor)
    assert ("module(torch.zeros(" in text) == name.startswith("Lazy")
    assert ("torch.nn.TransformerEncoder(torch.nn.TransformerEncoderLayer(" in text) == name.startswith("Trans")


@pytest.fixture
def drawn_from(entries: dict[str, Entry], monkeypatch: pytest.MonkeyPatch) -> tuple[str, ...]:
    from eagerdiff.strategies.torch_api import drawing

    monkeypatch.setattr(drawing, "entries", lambda: entries)
    return tuple(name for name, entry in entries.items() if entry.templates)


def test_a_call_draws_numbers_where_any_sample_of_its_entry_does(
    entries: dict[str, Entry], monkeypatch: pytest.MonkeyPatch
) -> None:
    """rrelu does of negative values alone: by one sample of positive ones it seemed not to."""
    from eagerdiff.strategies.torch_api import drawing

    found = entries["op_db:add"]
    one, *_ = found.templates
    mixed = tuple(one.model_copy(update={"random": random}) for random in (False, True))
    monkeypatch.setattr(drawing, "entries", lambda: {"op_db:add": found.model_copy(update={"templates": mixed})})
    seen: list[bool] = []

    @settings(FEW, max_examples=20)
    @given(drawing.drawn(("op_db:add",)))
    def look(one: drawing.Drawn) -> None:
        seen.append(one.random)

    look()
    assert all(seen)


def test_what_is_drawn_is_data_that_eager_mostly_takes(drawn_from: tuple[str, ...]) -> None:
    taken: list[bool] = []

    @settings(CHOOSY, max_examples=150)
    @given(st.data())
    def draw(data: st.DataObject) -> None:
        first = data.draw(cases(drawn_from))
        further = data.draw(workload_cases(first))
        for case in (first, further):
            assert TorchApiCase.model_validate_json(case.model_dump_json()) == case
            assert check_inputs(case) is None
            assert hash(case.static_key) is not None
            given_inputs = inputs(case, "cpu")
            try:
                function_of(source(case.call))(*given_inputs.args)
            except (RuntimeError, ValueError, IndexError, TypeError):
                taken.append(False)
            else:
                taken.append(True)

    draw()
    assert sum(taken) > 0.7 * len(taken)


def test_a_table_is_read_once_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EAGERDIFF_CACHE", str(tmp_path))
    path = table._place()
    path.parent.mkdir(parents=True)
    line = Entry(table="op_db", name="add", why="for this test").model_dump_json(exclude_defaults=True)
    path.write_text(line + "\n")
    table.entries.cache_clear()
    try:
        assert table.entries()["op_db:add"].why == "for this test"
    finally:
        table.entries.cache_clear()


def test_tables_are_read_by_what_imports_as_this_process_does_and_sees_no_gpu(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "known_to_this_process"
    package.mkdir()
    (package / "reading.py").write_text("import os, sys; sys.exit(repr(os.environ['CUDA_VISIBLE_DEVICES']))")
    monkeypatch.setattr(table, "_EXTRACTION", "reading")
    monkeypatch.syspath_prepend(str(package))
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "0")
    with pytest.raises(RuntimeError, match="cannot be read: ''"):
        table._read(tmp_path / "tables" / "x.jsonl")


def test_a_table_that_cannot_be_read_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def ended(*args: Any, **kwargs: Any) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess(
            [], 1, "", "Traceback …\nModuleNotFoundError: No module named 'expecttest'\n"
        )

    monkeypatch.setattr(table.subprocess, "run", ended)
    with pytest.raises(RuntimeError, match=r"^torch's tables cannot be read: ModuleNotFoundError: .*expecttest'$"):
        table._read(tmp_path / "tables" / "x.jsonl")
