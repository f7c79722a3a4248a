"""What the repository's workflows may do: actions pinned by hash, and rights that are given job by job."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

WORKFLOWS = Path(__file__).resolve().parents[2] / ".github" / "workflows"
FILES = sorted(WORKFLOWS.glob("*.yml"))
PINNED = re.compile(r"[\w./-]+@[0-9a-f]{40}  # v\d+\.\d+\.\d+")

pytestmark = pytest.mark.skipif(not FILES, reason="the workflows lie in the repository, not in the wheel")


def jobs(file: Path) -> dict[str, dict[str, Any]]:
    return yaml.safe_load(file.read_text())["jobs"]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_action_is_pinned_by_its_full_hash(file: Path) -> None:
    used = [line.split("uses:")[1].strip() for line in file.read_text().splitlines() if "uses:" in line]
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
