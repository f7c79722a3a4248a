"""The catalog: what loads, and what is refused in one line while the rest loads."""

import sys
from pathlib import Path

import pytest

from eagerdiff.harness.catalog import catalog
from eagerdiff.harness.catalog.conformance import misfit_of_build
from eagerdiff.harness.catalog.plugin import PluginError, Spec, resolve
from eagerdiff.suites.tests.alone import printed

TOY = """
import torch
from hypothesis import strategies as st
from eagerdiff import Case, Extras, Implementation, Inputs, Operator, Workload, dynamic

class Doubling(Case):
    rows: int = dynamic(1, ge=0)

def double(x):
    return x + x

def inputs(case, device):
    return Inputs((torch.ones(case.rows, device=device),))

GOOD = Implementation(operator="doubling", name="good", build=lambda case: lambda x: 2 * x, devices=("cpu",))
OPERATOR = Operator(name="doubling", case=Doubling, inputs=inputs, reference=double, cases=lambda: st.builds(Doubling),
                    workloads={"one": Workload.of(Doubling())}, implementations=[GOOD])
"""

BROKEN = {
    "import error": ("raise OSError('no such library')", "IMPLEMENTATION", "no such library"),
    "exit at import": ("raise SystemExit(3)", "IMPLEMENTATION", "SystemExit"),
    "syntax error": ("def broken(:", "IMPLEMENTATION", "SyntaxError"),
    "missing attribute": ("", "IMPLEMENTATION", "no attribute 'IMPLEMENTATION'"),
    "wrong type": ("IMPLEMENTATION = 3", "IMPLEMENTATION", "a int, not an Implementation"),
    "wrong operator name": ('I("dubbling", "x", lambda case: None)', "IMPLEMENTATION", "did you mean doubling?"),
    "build is no function": ('I("doubling", "x", 3)', "IMPLEMENTATION", "cannot be called"),
    "build takes no case": ('I("doubling", "x", lambda: None)', "IMPLEMENTATION", "does not take (case)"),
    "wrong signature": ('I("doubling", "x", lambda case: lambda: 3)', "IMPLEMENTATION", "the reference takes (x)"),
    "not a function": ('I("doubling", "x", lambda case: 3)', "IMPLEMENTATION", "returned a int"),
    "duplicate name": ('I("doubling", "good", lambda case: None)', "IMPLEMENTATION", "duplicate name"),
    "unknown device": ('I("doubling", "x", lambda case: None, devices=("gpu",))', "IMPLEMENTATION", "'gpu'"),
    "devices as text": ('I("doubling", "x", lambda case: None, devices="cpu")', "IMPLEMENTATION", "not a sequence"),
    "a stage that is none": (
        'I("doubling", "x", lambda case: None, stage="middle")',
        "IMPLEMENTATION",
        "its `stage` is 'middle'",
    ),
    "name with a space": ('I("doubling", "x y", lambda case: None)', "IMPLEMENTATION", "'x y' is not a word"),
}


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / f"{name}.py"
    path.write_text(text)
    return path


@pytest.fixture
def toy(tmp_path: Path) -> str:
    return f"{write(tmp_path, 'toy', TOY)}:OPERATOR"


def plugin(text: str) -> str:
    made = text.replace("I(", "IMPLEMENTATION = make(", 1)
    return f"""
from eagerdiff import Implementation
def make(operator, name, build, **more):
    return Implementation(operator=operator, name=name, build=build, **more)
{made}
"""


def test_an_operator_and_its_implementations_load_from_a_file(toy: str) -> None:
    found = catalog.load_typed([toy])
    assert found.problems == []
    assert found.specs[toy] == ["doubling"]
    assert sorted(found.implementations["doubling"]) == ["good"]


def test_a_module_in_the_current_directory_loads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.chdir(tmp_path)
    write(tmp_path, "toy_of_the_current_directory", TOY)
    found = catalog.load_typed(["toy_of_the_current_directory:OPERATOR"])
    assert list(found.operators) == ["doubling"]


def test_a_sequence_of_implementations_loads(toy: str, tmp_path: Path) -> None:
    text = (
        plugin('I("doubling", "a", lambda case: lambda x: x)') + "\nBOTH = [make('doubling', 'b', str), IMPLEMENTATION]"
    )
    found = catalog.load_typed([toy], [f"{write(tmp_path, 'both', text)}:BOTH"])
    assert found.problems == []
    assert sorted(found.implementations["doubling"]) == ["a", "b", "good"]


@pytest.mark.parametrize("defect", BROKEN)
def test_a_broken_implementation_is_one_line_and_the_rest_loads(defect: str, toy: str, tmp_path: Path) -> None:
    text, attribute, says = BROKEN[defect]
    spec = f"{write(tmp_path, 'plugin', plugin(text))}:{attribute}"
    found = catalog.load_typed([toy], [spec], misfit=misfit_of_build)
    assert [spec in line and says in line for line in found.problems] == [True]
    assert "\n" not in found.problems[0]
    assert found.refused == {spec: found.problems[0]}
    assert sorted(found.implementations["doubling"]) == ["good"]


def test_a_build_that_raises_is_left_to_the_judge(toy: str, tmp_path: Path) -> None:
    text = plugin('I("doubling", "raising", lambda case: 1 / 0)')
    found = catalog.load_typed([toy], [f"{write(tmp_path, 'plugin', text)}:IMPLEMENTATION"], misfit=misfit_of_build)
    assert found.problems == []
    assert "raising" in found.implementations["doubling"]


def test_one_broken_item_of_a_sequence_does_not_take_the_others_along(toy: str, tmp_path: Path) -> None:
    text = plugin('I("dubbling", "a", str)') + "\nBOTH = [IMPLEMENTATION, make('doubling', 'b', str)]"
    found = catalog.load_typed([toy], [f"{write(tmp_path, 'both', text)}:BOTH"])
    assert len(found.problems) == 1
    assert "b" in found.implementations["doubling"]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (('name="doubling", case', 'name="", case'), "its name ''"),
        (("case=Doubling", "case=int"), "not a subclass of harness.Case"),
        (("reference=double", "reference=None"), "`reference` cannot be called"),
        (("reference=double", "reference=double, extras=Extras(metrics=3)"), "`metrics` cannot be called"),
        (("reference=double", "reference=double, drawing=Extras()"), "`drawing` is a Extras, not Drawing(...)"),
        (("inputs=inputs", "inputs=lambda case: None"), "does not take (case, device)"),
    ],
)
def test_a_broken_operator_is_one_line(change: tuple[str, str], says: str, tmp_path: Path) -> None:
    assert change[0] in TOY
    found = catalog.load_typed([f"{write(tmp_path, 'broken', TOY.replace(*change))}:OPERATOR"])
    assert [says in line for line in found.problems] == [True]
    assert found.operators == {}


def test_an_unknown_operator_gets_near_names() -> None:
    found = catalog.load(["paged_atention"])
    assert found.refused == {"paged_atention": "unknown operator 'paged_atention' (did you mean paged_attention?)"}


def test_names_imports_no_operator() -> None:
    assert {"moe", "paged_attention", "symbolic"} <= set(catalog.names())


@pytest.mark.parametrize("spec", [":A", "module:", "no_such_module_at_all:A", "no/such/file.py:A"])
def test_a_malformed_or_missing_spec_is_one_line(spec: str) -> None:
    with pytest.raises(PluginError, match=r"^[^\n]+$"):
        resolve(Spec(spec))


def test_a_file_that_failed_can_be_loaded_after_it_was_mended(tmp_path: Path) -> None:
    path = write(tmp_path, "mended", "raise ValueError")
    with pytest.raises(PluginError):
        resolve(Spec(f"{path}:A"))
    path.write_text("A = 1")
    assert resolve(Spec(f"{path}:A")) == 1


def test_folders_with_the_names_of_ours_are_nobodys_business(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("harness", "strategies", "reference", "compiled", "suites"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise AssertionError('a third party was imported')")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    found = catalog.load(["moe"])
    assert found.problems == []
    assert list(found.operators) == ["moe"]


def test_the_whole_catalog_is_there_before_a_compiler_is() -> None:
    script = (
        "import sys\n"
        "from eagerdiff.harness.catalog.catalog import load\n"
        "assert load().operators\n"
        "print(sorted({'torch._dynamo', 'torch._inductor', 'sympy'} & set(sys.modules)))\n"
    )
    assert printed(script) == "[]"
