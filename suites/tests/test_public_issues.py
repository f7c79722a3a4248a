"""Public issues: a list by a rule, each that counts with a script, none left out in silence."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch
import yaml

CORPUS = Path(__file__).parents[1] / "corpus"
ISSUES: dict[str, list[dict[str, Any]]] = yaml.safe_load((CORPUS / "public_issues.yaml").read_text())
SCRIPTS = {script.stem: script for script in (CORPUS / "scripts" / "public").glob("*.py")}
PAGE = Path(__file__).parents[2] / "docs" / "public-issues.md"
RULES = ("subject", "sizes", "reproduction", "reach", "present", "distinct")
VERDICTS = ("found", "near", "missed", "not searched yet")
HERE = [one for one in ISSUES["counted"] if torch.__version__.startswith(one["present"])]


def test_each_that_counts_has_its_script_and_each_script_its_issue() -> None:
    assert {one["script"] for one in ISSUES["counted"]} == set(SCRIPTS)
    for one in ISSUES["counted"]:
        assert f"issues/{one['issue']}," in SCRIPTS[one["script"]].read_text().replace("\n# ", " ")
        assert one["url"].endswith(f"/{one['issue']}")
        assert one["fails"] in {"exception", "wrong value", "recompilation", "specialisation in silence"}


def test_thirty_count() -> None:
    assert len(ISSUES["counted"]) == 30


def test_no_candidate_is_named_twice_and_each_that_was_dropped_says_by_which_rule() -> None:
    numbers = [one["issue"] for one in (*ISSUES["counted"], *ISSUES["dropped"])]
    assert len(numbers) == len(set(numbers))
    assert all(one["rule"] in RULES and one["why"] for one in ISSUES["dropped"])


@pytest.mark.parametrize("stem", sorted(SCRIPTS))
def test_a_script_is_short_and_stands_alone(stem: str) -> None:
    text = SCRIPTS[stem].read_text()
    assert stem.isidentifier()
    assert len(text.splitlines()) <= 40
    assert "eagerdiff" not in text


@pytest.mark.skipif(not PAGE.is_file(), reason="the page lies in the repository, not in the wheel")
def test_each_issue_came_from_a_query_of_the_page() -> None:
    queries = {int(number) for number in re.findall(r"^(\d+)\. ", PAGE.read_text(), re.MULTILINE)}
    assert {one["query"] for one in (*ISSUES["counted"], *ISSUES["dropped"])} <= queries


@pytest.mark.slow
@pytest.mark.parametrize("one", HERE, ids=lambda one: one["script"])
def test_the_defect_is_there(one: dict[str, Any]) -> None:
    ended = subprocess.run([sys.executable, str(SCRIPTS[one["script"]])], capture_output=True, timeout=300)
    assert ended.returncode == 1


@pytest.mark.skipif(not PAGE.is_file(), reason="the page lies in the repository, not in the wheel")
def test_the_page_holds_each_that_counts_against_the_findings_once_and_adds_them_up() -> None:
    page = PAGE.read_text()
    rows = re.findall(rf"^\| \[(\d+)\].*?\| `(\w+)` \|.*?\| ({'|'.join(VERDICTS)}) \|", page, re.MULTILINE)
    assert sorted((int(number), stem) for number, stem, _ in rows) == sorted(
        (one["issue"], one["script"]) for one in ISSUES["counted"]
    )
    for release in ("2.13.0", "2.11.0"):
        there = {str(one["issue"]) for one in ISSUES["counted"] if one["present"] == release}
        held = [verdict for number, _, verdict in rows if number in there]
        told = ", ".join(f"{held.count(verdict)} {verdict}" for verdict in VERDICTS if verdict in held)
        assert re.search(rf"on {re.escape(release)}[^*]*\*\*{told}\*\*", page)
