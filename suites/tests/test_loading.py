"""Loading apart: a catalog of any size is described, and each module of a stranger's is imported once for it."""

import subprocess
import sys
from pathlib import Path

import pytest

from eagerdiff.harness.catalog.catalog import load
from eagerdiff.harness.catalog.plugin import typed
from eagerdiff.harness.loading import load_apart
from eagerdiff.harness.processes import Limits
from eagerdiff.suites.tests.ending import alive, end_soon, soon

MODULE = """
import pathlib
from eagerdiff.harness.model.implementation import Implementation

with pathlib.Path({marker!r}).open("a") as file:
    file.write("imported\\n")
{first}
def called(*arguments, **options): ...

ONE, TWO = (
    Implementation(operator="moe", name=name, build=lambda case: called, devices=("cpu",))
    for name in ("acme.one", "acme.two")
)
"""
OPERATOR = "moe"


def module(folder: Path, first: str = "") -> tuple[Path, Path]:
    """Write a module of two implementations; return its path, and that of the file with a line for each import."""
    path, marker = folder / "acme.py", folder / "imports"
    path.write_text(MODULE.format(marker=str(marker), first=first))
    return path, marker


def test_a_strangers_module_is_imported_once_for_all_that_it_holds(tmp_path: Path) -> None:
    path, marker = module(tmp_path)
    found = load_apart([OPERATOR], typed([f"{path}:ONE", f"{path}:TWO"]))
    assert found.problems == []
    assert {"acme.one", "acme.two"} <= found.implementations[OPERATOR].keys()
    assert found.homes == {f"{OPERATOR}/acme.one": f"{path}:ONE", f"{OPERATOR}/acme.two": f"{path}:TWO"}
    assert marker.read_text().splitlines() == ["imported"]


def test_an_import_that_ends_its_process_refuses_each_spec_of_the_module_in_a_line(tmp_path: Path) -> None:
    path, _ = module(tmp_path, first="import os; os._exit(0)")
    specs = [f"{path}:ONE", f"{path}:TWO"]
    found = load_apart([OPERATOR], typed(specs))
    assert found.refused.keys() == {*specs}
    assert [line.split(": ")[0] for line in found.problems] == [f"implementation {spec}" for spec in specs]
    assert all("cannot be imported" in line for line in found.problems)


def test_more_specs_are_loaded_than_an_argument_of_a_process_can_hold(tmp_path: Path) -> None:
    path, _ = module(tmp_path)
    missing = [f"{path}:{'MISSING_' * 20}{number}" for number in range(1000)]  # an argument has 128 KiB at most
    found = load_apart([OPERATOR], typed([f"{path}:ONE", *missing]))
    assert "acme.one" in found.implementations[OPERATOR]
    assert found.refused.keys() == {*missing}


def test_an_import_that_kills_its_parent_refuses_its_module_alone(tmp_path: Path) -> None:
    path, _ = module(tmp_path, first="import os, time; os.kill(os.getppid(), 9); time.sleep(5)")
    (tmp_path / "good").mkdir()
    good, _ = module(tmp_path / "good")
    found = load_apart([OPERATOR], typed([f"{path}:ONE", f"{good}:TWO"]))
    assert found.refused.keys() == {f"{path}:ONE"}
    assert "acme.two" in found.implementations[OPERATOR]


@pytest.mark.slow
def test_imports_that_hang_one_after_the_other_are_refused_each_and_the_catalog_loads(tmp_path: Path) -> None:
    paths: list[Path] = []
    for name in ("one", "two", "three"):
        (tmp_path / name).mkdir()
        paths.append(module(tmp_path / name, first="import time; time.sleep(1000)")[0])
    (tmp_path / "good").mkdir()
    good, _ = module(tmp_path / "good")
    specs = [f"{path}:ONE" for path in paths]
    found = load_apart([OPERATOR], typed([*specs, f"{good}:TWO"]), Limits(drawing_seconds=2.0))
    assert found.refused.keys() == {*specs}
    assert all("hangs" in line for line in found.problems)
    assert "acme.two" in found.implementations[OPERATOR]


@pytest.mark.slow
def test_builds_that_hang_one_after_the_other_refuse_nobody(tmp_path: Path) -> None:
    path, _ = module(tmp_path)
    hanging = (
        "HANGING = [dataclasses.replace(ONE, name=f'h{i}', build=lambda case: time.sleep(1000)) for i in range(4)]\n"
    )
    path.write_text(f"import dataclasses, time\n{path.read_text()}\n{hanging}")
    found = load_apart([OPERATOR], typed([f"{path}:ONE", f"{path}:HANGING"]), Limits(drawing_seconds=2.0))
    assert found.problems == []
    assert {"acme.one", "h0", "h3"} <= found.implementations[OPERATOR].keys()


LOADING = """
import sys
from eagerdiff.harness.catalog.catalog import load
from eagerdiff.harness.catalog.plugin import typed
from eagerdiff.harness.loading import load_apart
load_apart(["moe"], typed(sys.argv[1:]))
"""
LEAVING = """
import os, subprocess, sys, time
sleeping = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"], start_new_session=True)
pathlib.Path({file!r}).write_text(f"{{sleeping.pid}} {{os.getpid()}}\\n")
time.sleep(1000)
"""


def test_nothing_of_an_import_outlives_whoever_asked_for_it(tmp_path: Path) -> None:
    file = tmp_path / "left"
    path, _ = module(tmp_path, first=LEAVING.format(file=str(file)))
    parent = subprocess.Popen([sys.executable, "-c", LOADING, f"{path}:ONE"])
    assert soon(lambda: file.is_file() and file.read_text().endswith("\n"))
    left = [int(pid) for pid in file.read_text().split()]
    assert all(map(alive, left))
    parent.kill()
    parent.wait()
    assert end_soon(left, 60.0)


def test_what_a_search_asks_of_an_operator_is_described() -> None:
    """The tables were left out once: then a finding passed the entries over that came after it in its batch."""
    described, loaded = load_apart(()).operators, load().operators
    assert described.keys() == loaded.keys()
    for name, operator in loaded.items():
        told = described[name].drawing
        assert told.exploratory == operator.drawing.exploratory
        assert (told.table is None) == (operator.drawing.table is None), name
        assert (told.covering is None) == (operator.drawing.covering is None)
    assert any(operator.drawing.table is not None for operator in loaded.values())
