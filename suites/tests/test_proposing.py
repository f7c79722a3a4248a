"""New findings as a patch: `git apply` adds one of each new cause, with its script, to the corpora, no more."""

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from eagerdiff.harness.catalog.catalog import Catalog
from eagerdiff.harness.cli.folder import PATCH
from eagerdiff.harness.cli.proposing import propose
from eagerdiff.harness.corpus.evals import keep, read_corpus
from eagerdiff.harness.model.operator import Extras
from eagerdiff.harness.model.verdict import Oracle, Status, Verdict
from eagerdiff.harness.results.results import Results
from eagerdiff.harness.triage.finding import Finding
from eagerdiff.suites.tests import misbehaving


def finding(reason: str, *, script: str = "findings/shown.py", new: bool = True, size: int = 3) -> Finding:
    verdict = Verdict(status=Status.WRONG_VALUE, oracle=Oracle.EXACT, reason=reason)
    made = Finding(
        operator="doubling", implementation="wrong", device="cpu", verdict=verdict, workload=[{"size": size}]
    )
    return made.model_copy(update={"new": new, "script": script})


def git(folder: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True, check=True).stdout


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Return a repository with a corpus of one finding, and a report beside it with a script."""
    top = tmp_path / "repository"
    keep([finding("kept before")], top / "corpora" / "doubling.yaml")
    git(top, "init", "--quiet")
    shown = tmp_path / "report" / "findings" / "shown.py"
    shown.parent.mkdir(parents=True)
    shown.write_text("raise SystemExit(1)  # ½\n")
    return top


def proposed(repository: Path, *findings: Finding) -> tuple[Results, Path]:
    """Propose findings; return the results and the patch's place."""
    doubling = replace(misbehaving.OPERATOR, extras=Extras(corpus=repository / "corpora" / "doubling.yaml"))
    catalog = Catalog(operators={"doubling": doubling}, implementations={"doubling": {}})
    results, report = Results(findings=list(findings)), repository.parent / "report"
    propose(results, catalog, report)
    return results, report / PATCH


def test_a_patch_adds_one_finding_of_each_new_cause_with_its_script(repository: Path) -> None:
    results, patch = proposed(
        repository,
        finding("off by one"),
        finding("off by one", size=7),
        finding("known", new=False),
        finding("nothing shows it", script=""),
        finding("flaky").model_copy(update={"flaky": True}),
    )
    assert (results.patch, results.broken) == (PATCH, [])
    assert [one.name for one in read_corpus(repository / "corpora" / "doubling.yaml").cases] == [
        "doubling-wrong-cpu-wrong_value-1"
    ]  # as before: nothing is kept yet
    git(repository, "apply", str(patch))
    entries = read_corpus(repository / "corpora" / "doubling.yaml").cases
    assert [entry.inputs.workload for entry in entries] == [[{"size": 3}], [{"size": 3}]]
    scripts = repository / "corpora" / "scripts" / "doubling"
    (script,) = scripts.iterdir()
    assert (script.stem, script.read_text()) == ("doubling_wrong_cpu_wrong_value_2", "raise SystemExit(1)  # ½\n")
    assert git(repository, "status", "--porcelain", "--untracked-files=all").splitlines() == [
        "?? corpora/doubling.yaml",
        "?? corpora/scripts/doubling/doubling_wrong_cpu_wrong_value_2.py",
    ]


def test_a_first_finding_begins_its_corpus(repository: Path) -> None:
    (repository / "corpora" / "doubling.yaml").unlink()
    _, patch = proposed(repository, finding("off by one"))
    git(repository, "apply", str(patch))
    assert len(read_corpus(repository / "corpora" / "doubling.yaml").cases) == 1


@pytest.mark.parametrize("corpus", ["ignored", "in no repository"])
def test_a_corpus_that_git_does_not_keep_has_no_patch(repository: Path, corpus: str) -> None:
    if corpus == "ignored":
        (repository / ".gitignore").write_text("corpora\n")
    else:
        (repository / ".git").rename(repository.parent / "moved")
    results, patch = proposed(repository, finding("off by one"))
    assert (results.patch, results.broken, patch.exists()) == ("", [], False)


def test_a_night_that_finds_nothing_new_proposes_nothing(repository: Path) -> None:
    results, patch = proposed(repository, finding("known", new=False))
    assert (results.patch, patch.exists()) == ("", False)
