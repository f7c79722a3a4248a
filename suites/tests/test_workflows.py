"""What the repository's workflows may do: actions pinned by hash, and rights that are given job by job."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
WORKFLOWS = ROOT / ".github" / "workflows"
FILES = sorted(WORKFLOWS.glob("*.yml"))
PINNED = re.compile(r"[\w./-]+@[0-9a-f]{40}  # v\d+\.\d+\.\d+")

pytestmark = pytest.mark.skipif(not FILES, reason="the workflows lie in the repository, not in the wheel")


def jobs(file: Path) -> dict[str, dict[str, Any]]:
    return yaml.safe_load(file.read_text())["jobs"]


@pytest.mark.parametrize("file", [*FILES, ROOT / "action.yml"], ids=lambda file: file.stem)
def test_every_action_is_pinned_by_its_full_hash(file: Path) -> None:
    lines = [line for line in file.read_text().splitlines() if not line.startswith("#")]
    used = [line.split("uses:")[1].strip() for line in lines if "uses:" in line]
    assert [text for text in used if not PINNED.fullmatch(text)] == []


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_workflow_may_read_and_a_job_that_may_write_has_an_environment(file: Path) -> None:
    assert yaml.safe_load(file.read_text())["permissions"] in ({}, {"contents": "read"})
    writing = {
        name
        for name, job in jobs(file).items()
        if any(right != "read" for right in job.get("permissions", {}).values())
    }
    assert {name for name in writing if "environment" not in jobs(file)[name]} == set()


def test_what_publishes_is_what_was_checked_and_runs_nothing_of_the_repository() -> None:
    found = jobs(WORKFLOWS / "release.yml")
    assert {"run": "make check"} in found["build"]["steps"]
    assert found["publish"]["needs"] == "build"
    assert [step["uses"].split("@")[0] for step in found["publish"]["steps"]] == [
        "actions/download-artifact",
        "actions/attest-build-provenance",
        "pypa/gh-action-pypi-publish",
    ]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_what_others_wrote_reaches_a_command_by_the_environment_alone(file: Path) -> None:
    """An expression in a script is pasted into it: a branch's name would run as a command."""
    commands = [step["run"] for job in jobs(file).values() for step in job["steps"] if "run" in step]
    allowed = re.compile(r"\$\{\{ (?!matrix\.|github\.run_number )")
    assert [command for command in commands if allowed.search(command)] == []


@pytest.mark.parametrize("name", ["nightly", "compare"])
def test_a_job_that_runs_kernels_may_read_alone(name: str) -> None:
    found = jobs(WORKFLOWS / f"{name}.yml")
    running = {
        one
        for one, job in found.items()
        if any(re.search(r"make (nightly|benchmark)|eagerdiff compare", step.get("run", "")) for step in job["steps"])
    }
    assert running == set(found) - {"remember"}
    for one in running:
        (checkout,) = [step for step in found[one]["steps"] if step.get("uses", "").startswith("actions/checkout")]
        assert "permissions" not in found[one]
        assert checkout["with"]["persist-credentials"] is False


def test_what_comments_runs_nothing_that_the_pull_request_brought() -> None:
    steps = jobs(WORKFLOWS / "comment.yml")["comment"]["steps"]
    assert not any("checkout" in step.get("uses", "") for step in steps)
    assert all("compare/" not in step["run"] for step in steps if "run" in step)


def test_the_names_by_which_workflows_and_artifacts_find_each_other_are_there() -> None:
    names = {yaml.safe_load(file.read_text())["name"] for file in FILES}
    followed = {
        name for file in FILES for name in re.findall(r"workflow_run: \{workflows: \[(\w+)\]", file.read_text())
    }
    assert followed == {"nightly", "compare"} <= names
    text = (WORKFLOWS / "nightly.yml").read_text()
    laid = set(re.findall(r"^ +lay ([\w-]+) ", text, re.MULTILINE))
    assert laid == set(re.findall(r"with: \{name: ([\w-]+), path:", text)) - {"hunt"}
