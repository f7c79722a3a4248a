"""CONTRIBUTING.md: each example, edited into a copy of the repository, does what the page says."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from eagerdiff.suites.tests.usual import others_slow

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "CONTRIBUTING.md"
FOLDERS = ("eagerdiff", "harness", "strategies", "reference", "compiled", "suites")
BLOCK = re.compile(r"^```(diff|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LEFT_OUT = shutil.ignore_patterns("tests", "scripts", "faults", "benchmarks", "__pycache__")
PRELUDE = """
import torch
from eagerdiff.harness import devices
from eagerdiff.harness.catalog.catalog import load
from eagerdiff.harness.execution.execution import execute

def passes(operator, implementation, device="cpu"):
    catalog, where = load([operator]), devices.parse(device)
    where.activate()
    assert not catalog.problems, catalog.problems
    found = catalog.operator(operator)
    workload = next(iter(found.workloads.values()))
    outcome = execute(found, catalog.implementation(operator, implementation), workload, where)
    assert outcome.first_failure is None, outcome.first_failure
    return all(verdict.status == "PASSED" for verdict in outcome.verdicts)

"""

pytestmark = pytest.mark.skipif(not PAGE.is_file(), reason="the page lies in the repository, not in the wheel")


def sections() -> dict[str, list[tuple[str, str]]]:
    """Return the blocks of code of each example, by heading."""
    if not PAGE.is_file():
        return {}
    parts = PAGE.read_text().partition("## What do I touch")[2].split("\n### ")[1:]
    return {part.partition("\n")[0]: BLOCK.findall(part) for part in parts}


def edit(root: Path, block: str) -> None:
    """Make one edit of the page: what stands in the file once is replaced, or the file is new."""
    head, _, body = block.partition("\n")
    path = root / head.removeprefix("--- ")
    lines = body.splitlines(keepends=True)
    old = "".join(line[1:] for line in lines if line[0] != "+")
    new = "".join(line[1:] for line in lines if line[0] != "-")
    if not old:
        assert not path.exists(), f"{path.name} is there already"
        path.write_text(new)
        return
    if lines[-1][0] != " " and not old.endswith("\n\n"):  # half a line may be replaced
        old, new = old.rstrip("\n"), new.rstrip("\n")
    text = path.read_text()
    assert text.count(old) == 1, f"{path.name}: stands {text.count(old)} times: {old!r}"
    path.write_text(text.replace(old, new))


def copy(root: Path) -> None:
    """Copy what the examples need, as a checkout is laid out: the links of the package stay links."""
    for folder in FOLDERS:
        shutil.copytree(ROOT / folder, root / folder, symlinks=True, ignore=LEFT_OUT)
    for name in ("pyproject.toml", "setup.py"):
        shutil.copy(ROOT / name, root)


def install(root: Path) -> None:
    """Write the metadata that `pip install -e .` would: where entry points are read from."""
    groups = tomllib.loads((root / "pyproject.toml").read_text())["project"]["entry-points"]
    info = root / "eagerdiff-0.0.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: eagerdiff\nVersion: 0.0.0\n")
    lines = [
        line for group, points in groups.items() for line in (f"[{group}]", *(f"{k} = {v}" for k, v in points.items()))
    ]
    (info / "entry_points.txt").write_text("\n".join(lines))


def run(root: Path, program: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": str(root), "OMP_NUM_THREADS": "1"}
    return subprocess.run(
        [sys.executable, "-c", PRELUDE + program],
        cwd=root,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("name", others_slow(sections(), ("An operator", "A back end")))
def test_an_example_of_the_page_works_on_a_copy(name: str, tmp_path: Path) -> None:
    copy(tmp_path)
    blocks = sections()[name]
    for kind, block in blocks:
        if kind == "diff":
            edit(tmp_path, block)
    install(tmp_path)
    programs = [block for kind, block in blocks if kind == "python"]
    assert len(programs) == 1
    ended = run(tmp_path, programs[0])
    assert ended.returncode == 0, ended.stderr[-2000:]


def test_the_table_names_every_example_and_no_other() -> None:
    table = re.findall(r"^\| \[[^\]]+\]\(#([\w-]+)\) \|", PAGE.read_text(), re.MULTILINE)
    assert table == [name.lower().replace(" ", "-") for name in sections()]


def test_without_the_edits_an_example_fails(tmp_path: Path) -> None:
    copy(tmp_path)
    install(tmp_path)
    ended = run(tmp_path, 'assert passes("swiglu", "dynamo.unbacked")')
    assert ended.returncode == 1
    assert "swiglu" in ended.stderr
