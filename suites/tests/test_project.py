"""In a repository of one's own: settings, a corpus that is not the package's, files beside a plug-in."""

import os
from pathlib import Path

import pytest
import yaml

from eagerdiff.harness.catalog.catalog import unknown
from eagerdiff.harness.catalog.plugin import Spec, resolve
from eagerdiff.harness.cli.application import invoke
from eagerdiff.harness.cli.failure import BadInput
from eagerdiff.harness.cli.keeping import is_installed, own_corpus
from eagerdiff.harness.cli.project import BUDGET, Project, check_settings


def project(folder: Path, text: str) -> Path:
    (folder / "pyproject.toml").write_text(text)
    return folder


def test_a_folder_below_has_its_projects_settings(tmp_path: Path) -> None:
    project(tmp_path, '[tool.eagerdiff]\nbudget = "1m"\nseed = 7\ndevices = ["cpu"]\nways = ["dynamic"]\n')
    (below := tmp_path / "tests" / "deep").mkdir(parents=True)
    found, root = Project.read(below)
    assert root == tmp_path
    assert found.defaults()["run"] == {"budget": "1m", "seed": 7, "device": ["cpu"]}
    assert found.defaults()["check"] == {"way": ["dynamic"], "seed": 7}


def test_a_project_that_says_nothing_of_it_has_the_defaults(tmp_path: Path) -> None:
    project(tmp_path, "[tool.other]\nseed = 7\n")
    assert Project.read(tmp_path)[0].defaults() == {"run": {}, "nightly": {}, "check": {}, "bench": {}}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("[tool.eagerdiff]\nbudgets = 3\n", "tool.eagerdiff has no 'budgets' (did you mean budget?)"),
        ("[tool.eagerdiff]\nseed = 'x'\n", "tool.eagerdiff.seed: input should be a valid integer"),
        ("[tool.eagerdiff\n", "cannot be read"),
        ("[tool]\neagerdiff = 3\n", "tool.eagerdiff is no table"),
    ],
)
def test_a_setting_that_does_not_fit_is_one_line(tmp_path: Path, text: str, line: str) -> None:
    with pytest.raises(BadInput) as caught:
        Project.read(project(tmp_path, text))
    assert line in str(caught.value)
    assert "\n" not in str(caught.value)


def test_settings_hold_where_the_command_line_says_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(project(tmp_path, '[tool.eagerdiff]\nbudget = "soon"\n'))
    assert invoke(["run", "symbolic"]) == 2
    assert "budget" in capsys.readouterr().err


def test_findings_are_kept_in_the_project_and_never_in_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project(tmp_path, '[tool.eagerdiff]\ncorpus = "found"\n'))
    assert own_corpus() == tmp_path / "found"
    assert is_installed(Path("/venv/lib/python3.12/site-packages/eagerdiff/suites/corpus/moe.yaml"))
    assert not is_installed(tmp_path / "suites" / "corpus" / "moe.yaml")


def test_a_file_beside_a_plug_in_can_be_imported(tmp_path: Path) -> None:
    (tmp_path / "beside_it_7f3.py").write_text("VALUE = 5\n")
    (tmp_path / "plug_in_7f3.py").write_text("from beside_it_7f3 import VALUE\n")
    assert resolve(Spec(f"{tmp_path / 'plug_in_7f3.py'}:VALUE")) == 5


def test_an_unknown_name_lists_a_few_of_many() -> None:
    line = unknown("implementation", "zzz", [f"name_{number}" for number in range(180)])
    assert "and 160 more" in line
    assert len(line) < 400
    assert os.linesep not in line


def test_init_writes_settings_a_test_and_a_workflow_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project(tmp_path, '[project]\nname = "mine"\n')
    assert invoke(["init", str(tmp_path), "--runner", "gpu"]) == 0
    assert Project.read(tmp_path)[0].budget == "10s"
    assert '[project]\nname = "mine"' in (tmp_path / "pyproject.toml").read_text()
    workflow = yaml.safe_load((tmp_path / ".github" / "workflows" / "eagerdiff.yml").read_text())
    assert workflow["jobs"]["night"]["runs-on"] == "gpu"
    compile((tmp_path / "tests" / "test_eagerdiff.py").read_text(), "test_eagerdiff.py", "exec")
    before = {path: path.read_text() for path in tmp_path.rglob("*") if path.is_file()}
    capsys.readouterr()
    assert invoke(["init", str(tmp_path)]) == 0
    assert capsys.readouterr().out.count("there already") == 3
    assert before == {path: path.read_text() for path in tmp_path.rglob("*") if path.is_file()}


def test_init_in_no_folder_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke(["init", str(tmp_path / "nowhere")]) == 2
    assert "no such folder" in capsys.readouterr().err


def test_a_check_is_made_as_pytest_says_else_as_the_project_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project(tmp_path, '[tool.eagerdiff]\nbudget = "2m"\nseed = 3\nways = ["export"]\n'))
    assert (check_settings().effort.seconds, check_settings().effort.seed) == (120, 3)
    assert check_settings().ways == ("export",)
    monkeypatch.setenv(BUDGET, "30s")
    assert check_settings().effort.seconds == 30
    assert check_settings(5.0, 1).effort.seconds == 5
