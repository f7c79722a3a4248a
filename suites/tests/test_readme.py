"""The README: its figures are counted, its finding is a kept one, its picture is small enough to load."""

import re
from pathlib import Path

import pytest

from eagerdiff.harness.catalog.catalog import load
from eagerdiff.harness.mutation.faults import load_faults
from eagerdiff.strategies.programs.table import OPERATIONS

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
SCRIPTS = ROOT / "suites" / "corpus" / "scripts"
FINDING = SCRIPTS / "inductor_multiplication_by_zero_loses_nan.py"
TRUSTED = {"0", "1", "2", "3.11"}
"""Exit codes, and the least Python, which pyproject.toml says."""
MOST_BYTES = 300_000

pytestmark = pytest.mark.skipif(not README.is_file(), reason="the README lies in the repository, not in the wheel")


def prose() -> str:
    """Return the README without code and without where its links lead."""
    text = re.sub(r"```.*?```", "", README.read_text(), flags=re.DOTALL)
    return re.sub(r"`[^`]*`|\]\([^)]*\)", "", text)


def counted() -> dict[str, int]:
    """Return every phrase of the README that counts something, with what there is."""
    catalog = load()
    return {
        "**{} operators**": len(catalog.operators),
        "typed programs of {} operations": len(OPERATIONS),
        "under {} ways of compiling": len(catalog.implementations["programs"]),
        "**{} planted faults**": len(load_faults(catalog.operators.values())),
        "So far {} are kept": sum(script.parent.name != "public" for script in SCRIPTS.rglob("*.py")),
        "a whole operator in {} lines": len((ROOT / "examples" / "rms_norm.py").read_text().splitlines()),
    }


def test_every_figure_is_counted() -> None:
    text = prose()
    for phrase, count in counted().items():
        assert phrase.format(count) in text, f"there are {count}: {phrase}"
        text = text.replace(phrase.format(count), "")
    versions = set(re.findall(r"\d+\.\d+\.\d+", text))
    assert set(re.findall(r"(?<![\w.])\d+(?:\.\d+)*", text)) <= TRUSTED | versions, "a figure that nobody counts"


def test_the_finding_is_a_kept_script_word_for_word_and_its_versions_are_those_of_the_table() -> None:
    text = README.read_text()
    assert f"```python\n{FINDING.read_text()}```" in text
    row = re.search(rf"`{FINDING.stem}` .*first good ([\d.]+), last bad", (ROOT / "docs" / "findings.md").read_text())
    assert row is not None
    pinned = re.search(r"^torch==(.*)$", (ROOT / "constraints.txt").read_text(), re.MULTILINE)
    assert pinned is not None
    assert f"met in torch {pinned[1]} and gone in {row[1]}" in text


def test_the_picture_is_there_and_small() -> None:
    picture = ROOT / "docs" / "images" / "report.png"
    assert picture.stat().st_size < MOST_BYTES
    assert "](docs/images/report.png)" in README.read_text()


def test_the_commands_and_examples_it_names_are_there() -> None:
    text = README.read_text()
    targets = set(re.findall(r"^([a-z]+):.*##", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert set(re.findall(r"^make (\w+)", text, re.MULTILINE)) <= targets
    assert all((ROOT / path).is_file() for path in re.findall(r"examples/\w+\.py", text))
    line = next(line for line in text.splitlines() if line.startswith("IMPLEMENTATION = "))
    assert line.removesuffix(")") in (ROOT / "examples" / "one_query.py").read_text()
