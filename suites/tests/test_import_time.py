"""What a user pays before anything runs: the CPU time of an import against torch's, and what is installed."""

import json
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

LEFT_OUT = ("pydantic_evals", "asv", "rich", "typer", "jinja2", "sqlalchemy")
"""What `check` does not need: imported by the commands that do."""
MOST = 1.8
"""Times the CPU time of importing torch."""
MOST_MEGABYTES = 160
"""Of all that `pip install eagerdiff` brings beside torch, triton and what torch brings."""


def cpu_seconds(*imports: str) -> float:
    """Return the least CPU seconds of two processes that import some modules."""
    code = f"import time; {'; '.join(imports)}; print(time.process_time())"
    return min(
        float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)
        for _ in range(2)
    )


def test_importing_the_package_costs_nothing_until_something_is_asked_for() -> None:
    code = "import sys, json, eagerdiff, eagerdiff.harness.pytest_plugin; print(json.dumps(sorted(sys.modules)))"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert not {"torch", "numpy", "hypothesis", "pydantic", "yaml"} & {*json.loads(told)}


def test_check_imports_no_more_than_it_needs() -> None:
    code = "import sys, json; from eagerdiff import check; print(json.dumps(sorted(sys.modules)))"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert {*LEFT_OUT} & {*json.loads(told)} == set()


@pytest.mark.timeout(0)  # it is CPU time that counts
def test_check_is_imported_in_little_more_time_than_torch() -> None:
    assert cpu_seconds("from eagerdiff import check") < MOST * cpu_seconds("import torch")


def test_what_is_installed_beside_torch_is_small() -> None:
    ours, theirs = closure("eagerdiff", set()), closure("torch", {"torch", "triton"})
    sizes = {name: megabytes(name) for name in ours - theirs - {"eagerdiff"}}
    assert sum(sizes.values()) < MOST_MEGABYTES, sorted(sizes.items(), key=lambda item: -item[1])[:8]
    assert not {"asv", "mkdocs-material", "s3fs", "playwright"} & ours


def closure(name: str, found: set[str]) -> set[str]:
    """Return the distributions that one requires, itself among them, as they are installed; extras are none."""
    found.add(name)
    for text in distribution(name).requires or ():
        one = Requirement(text)
        called = one.name.lower().replace("_", "-")
        if called in found or (one.marker and not one.marker.evaluate({"extra": ""})):
            continue
        try:
            distribution(called)
        except PackageNotFoundError:  # torch of another kind is told of other systems' packages
            continue
        closure(called, found)
    return found


def megabytes(name: str) -> float:
    """Return what the files of a distribution take."""
    one = distribution(name)
    paths = (Path(str(one.locate_file(path))) for path in one.files or ())
    return sum(path.stat().st_size for path in paths if path.is_file() and path.suffix != ".pyc") / 1e6
