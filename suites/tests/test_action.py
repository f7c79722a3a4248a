"""The action that strangers use: its steps, run as a runner would, keep nights on a branch and one issue."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from eagerdiff.harness.results.past import Past
from eagerdiff.harness.results.results import Results
from eagerdiff.suites.tests.forge import Forge, answering
from eagerdiff.suites.tests.nights import HALVING

ROOT = Path(__file__).resolve().parents[2]
ACTION = ROOT / "action.yml"
BRANCH = "eagerdiff-history"

pytestmark = pytest.mark.skipif(not ACTION.exists(), reason="the action lies in the repository, not in the wheel")


@pytest.fixture
def forge(monkeypatch: pytest.MonkeyPatch) -> Iterator[Forge]:
    with answering(monkeypatch) as made:
        yield made


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Return a clone, as a workflow has it, of a bare repository with one commit."""
    origin, clone = tmp_path / "origin.git", tmp_path / "clone"
    git(tmp_path, "init", "--quiet", "--bare", "--initial-branch=main", str(origin))
    git(tmp_path, "clone", "--quiet", str(origin), str(clone))
    (clone / "kernels.py").write_text("")
    git(clone, "add", ".")
    who = ("-c", "user.name=a", "-c", "user.email=a@example.com")
    git(clone, *who, "commit", "--quiet", "--message", "begun")
    git(clone, "push", "--quiet", "origin", "HEAD:main")
    return clone


def git(folder: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True, check=True).stdout.strip()


def history(what: str, folder: Path, clone: Path) -> "subprocess.CompletedProcess[str]":
    command = ["bash", str(ROOT / ".ci" / "history"), what, BRANCH, str(folder)]
    return subprocess.run(command, cwd=clone, capture_output=True, text=True, check=False)


def test_what_is_saved_is_restored_and_nothing_of_the_repository_is_with_it(checkout: Path, tmp_path: Path) -> None:
    for night in range(3):
        folder = tmp_path / f"night{night}"
        assert history("restore", folder, checkout).returncode == 0
        assert sorted(path.name for path in folder.iterdir() if path.name != ".git") == [
            str(before) for before in range(night)
        ]
        (folder / str(night)).write_text("seen")
        (folder / ".lock").touch()
        done = history("save", folder, checkout)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert history("save", tmp_path / "night2", checkout).stdout == "history: nothing new\n"
    assert git(checkout, "status", "--porcelain") == ""
    tip = f"refs/heads/{BRANCH}"
    git(checkout, "fetch", "--quiet", "origin", f"{tip}:{tip}")
    assert git(checkout, "ls-tree", "--name-only", BRANCH).split() == ["0", "1", "2"]


def test_a_folder_that_is_there_a_remote_that_is_not_and_a_push_that_is_refused_are_said(
    checkout: Path, tmp_path: Path
) -> None:
    done = history("restore", checkout, checkout)
    assert (done.returncode, "is there already" in done.stderr) == (2, True)
    early, late = tmp_path / "early", tmp_path / "late"
    assert [history("restore", folder, checkout).returncode for folder in (early, late)] == [0, 0]
    for folder in (early, late):
        (folder / folder.name).write_text("seen")
    assert history("save", early, checkout).returncode == 0
    done = history("save", late, checkout)
    assert (done.returncode, "was not pushed: one night at a time" in done.stderr) == (1, True)
    git(checkout, "remote", "set-url", "origin", str(tmp_path / "nowhere"))
    assert history("restore", tmp_path / "new", checkout).returncode not in (0, 2)
    assert not (tmp_path / "new").exists()


def steps() -> list[dict[str, Any]]:
    return yaml.safe_load(ACTION.read_text())["runs"]["steps"]


def said_by(text: str, known: dict[str, str]) -> str:
    return re.sub(r"\$\{\{ (.*?) \}\}", lambda found: known[found[1]], text)


def run_action(given: dict[str, str], clone: Path, temporary: Path) -> int:
    """Run the action's own steps in turn, as a runner does; return the exit code of the first that fails.

    The package is installed already, and no artifact is uploaded.
    """
    temporary.mkdir()
    said, output = temporary / "summary", temporary / "output"
    output.touch()
    defaults = {name: str(one["default"]) for name, one in yaml.safe_load(ACTION.read_text())["inputs"].items()}
    known = {f"inputs.{name}": text for name, text in (defaults | given).items()}
    base = os.environ | {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "GITHUB_ACTION_PATH": str(ROOT),
        "GITHUB_OUTPUT": str(output),
        "GITHUB_STEP_SUMMARY": str(said),
        "RUNNER_TEMP": str(temporary),
    }
    for step in steps():
        if "run" not in step or "pip install" in step["run"]:
            continue
        told = dict(line.split("=", 1) for line in output.read_text().splitlines())
        known |= {f"steps.search.outputs.{name}": text for name, text in told.items()}
        environment = {name: said_by(text, known) for name, text in step.get("env", {}).items()}
        command = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step["run"]]
        code = subprocess.run(command, cwd=clone, env=base | environment, check=False).returncode
        if code:
            return code
    assert said.exists()
    return 0


NIGHTS = [
    (1, 1, "new", False, "open"),
    (1, 0, "still", False, "open"),
    (0, 0, "fixed", True, "closed"),
    (1, 1, "returned", True, "open"),
]
"""By how much the kernel is off; exit code, how its finding stands, whether the kernel did it, the issue's state."""


def _past(checkout: Path) -> Past:
    past = Results.model_validate_json((checkout / "report" / "report.json").read_text()).past
    assert past is not None
    return past


@pytest.mark.parametrize("nights", [NIGHTS[::2], pytest.param(NIGHTS, marks=pytest.mark.slow)], ids=["two", "four"])
def test_nights_are_kept_on_a_branch_and_one_issue_follows_them(
    nights: list[tuple[int, int, str, bool, str]], forge: Forge, checkout: Path, tmp_path: Path
) -> None:
    plugin = tmp_path / "halving.py"
    given = {"arguments": f"--operator {plugin}:OPERATOR", "budget": "6s", "token": "secret"}
    for number, (wrong, *told) in enumerate(nights):
        plugin.write_text(HALVING.replace("WRONG", str(wrong)))
        code = run_action(given, checkout, tmp_path / str(number))
        (standing,) = _past(checkout).standings
        because = standing.turned and "kernel" in {change.what for change in standing.changed}
        assert [code, standing.state.value, because, forge.issues[0]["state"]] == told
        assert len(forge.issues) == 1
        assert (checkout / "report" / "findings.patch").exists() == (number == 0)  # what is known is not proposed
        if number == 0:
            git(checkout, "apply", "--check", "report/findings.patch")
    git(checkout, "fetch", "--quiet", "origin", BRANCH)
    assert git(checkout, "show", "FETCH_HEAD:nights.jsonl").count("\n") == len(nights) - 1
    assert git(checkout, "ls-tree", "--name-only", "FETCH_HEAD:corpus/scripts/halving") == (
        "halving_acme_cpu_wrong_value_1.py"
    )
    assert nights[-1][2] in (checkout / "report" / "index.html").read_text()
    assert "kernel" in (checkout / "report" / "summary.md").read_text()
    results = Results.model_validate_json((checkout / "report" / "report.json").read_text())
    assert {"torch", "triton", "g++"} <= {one.name for one in results.installed}
    assert sum(sum(row.closeness.eager.values()) for row in results.rows) == sum(
        row.closeness.cases for row in results.rows
    )
    held = git(checkout, "ls-tree", "--name-only", "FETCH_HEAD").split()
    assert {"corpus", "index.html", "nights.jsonl"} <= set(held)
    assert ".lock" not in held


def test_a_night_that_cannot_run_fails_and_saves_nothing(forge: Forge, checkout: Path, tmp_path: Path) -> None:
    given = {"arguments": "--operator nowhere.py:OPERATOR", "token": "secret"}
    assert run_action(given, checkout, tmp_path / "0") == 2
    assert forge.asked == []
    assert git(checkout, "ls-remote", "--heads", "origin", BRANCH) == ""


def test_the_guides_workflow_is_short_and_gives_what_the_action_takes() -> None:
    (guide,) = (file.read_text() for file in (ROOT / "docs" / "guides").glob("nightly*"))
    (text,) = [text for text in re.findall(r"```yaml\n(.*?)```", guide, re.DOTALL) if "eagerdiff@v1" in text]
    assert len(text.splitlines()) <= 12
    (used,) = yaml.safe_load(text)
    assert set(used["with"]) <= set(yaml.safe_load(ACTION.read_text())["inputs"])
    assert "permissions: {contents: write, issues: write}" in guide
