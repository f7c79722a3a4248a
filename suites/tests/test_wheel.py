"""The wheel, built and installed as asv does it, beside a project that has folders of the same names as ours."""

import re
import shlex
import shutil
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from eagerdiff.suites.tests.installation import FOLDERS, ROOT, run

READ_BY_TESTS = {"asv.conf.json", "constraints.txt", "examples/one_query.py", ".github/workflows/release.yml"}
OWN_TEST = """
import sys

import harness
import reference
import suites


def test_the_folders_are_the_projects_own(pytestconfig):
    assert harness.OWNER == reference.OWNER == suites.OWNER == "the project"
    assert pytestconfig.pluginmanager.hasplugin("eagerdiff")
    assert "torch" not in sys.modules
"""
KERNEL = """
import sys

import eagerdiff
import harness
from eagerdiff.reference.block_copy import block_copy


def build(case):
    \"\"\"Return the reference; the worker that asks must have all from where it is installed.\"\"\"
    assert harness.OWNER == "the project"
    assert eagerdiff.harness.__file__.startswith(sys.prefix), eagerdiff.harness.__file__
    return block_copy


IMPLEMENTATION = eagerdiff.Implementation(operator="block_copy", name="project.copy", build=build, devices=("cpu",))
"""
PROJECT = {
    **{f"{name}/__init__.py": 'OWNER = "the project"\n' for name in FOLDERS},
    "conftest.py": "import harness  # as early as a project may\n",
    "kernel.py": KERNEL,
    "suites/tests/__init__.py": "",
    "suites/tests/test_own.py": OWN_TEST,
}

pytestmark = pytest.mark.skipif(not (ROOT / "setup.py").is_file(), reason="the wheel is built from the repository")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    for name, text in PROJECT.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def test_one_name_is_installed(wheel: Path, installed: Path) -> None:
    info = {f"eagerdiff-{wheel.name.split('-')[1]}.dist-info"}
    assert {name.split("/")[0] for name in zipfile.ZipFile(wheel).namelist()} == {"eagerdiff"} | info
    (packages,) = installed.parents[1].glob("lib/python*/site-packages")
    assert {path.name for path in packages.iterdir()} == {"eagerdiff", "shared.pth"} | info


@pytest.mark.parametrize("flags", ["", "--device cpu --budget 1s --eagerdiff-seed 3"], ids=["plain", "flags"])
def test_a_project_with_folders_of_these_names_runs_its_tests(flags: str, installed: Path, project: Path) -> None:
    assert "1 passed" in run(installed, f"python -m pytest -p no:cacheprovider {flags}", project)


def test_workers_import_what_is_installed(installed: Path, project: Path) -> None:
    chosen = "--implementation kernel.py:IMPLEMENTATION --device cpu --budget 1s"
    command = f"python -m pytest --pyargs eagerdiff.suites.tests.test_differential --rootdir . {chosen}"
    assert "1 passed" in run(installed, command, project)


def test_an_sdist_holds_what_readme_links_to_and_the_tests_read(tree: Path, tmp_path: Path) -> None:
    build = f"import setuptools.build_meta as backend; backend.build_sdist({str(tmp_path)!r})"
    run(Path(sys.executable), f"python -c {shlex.quote(build)}", tree)
    (archive,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        held = {name.partition("/")[2] for name in opened.getnames()}
    linked = set(re.findall(r"]\(([^):#]+)[^):]*\)", (ROOT / "README.md").read_text()))
    assert linked
    assert (linked | READ_BY_TESTS) - held == set()


def test_a_source_tree_without_links_is_the_package(tree: Path, tmp_path: Path) -> None:
    """An unpacked sdist, and a checkout where the file system has no links."""
    shutil.copytree(tree, tmp_path, symlinks=True, dirs_exist_ok=True)
    for name in FOLDERS:
        (tmp_path / "eagerdiff" / name).unlink(missing_ok=True)
    code = "from eagerdiff.suites.tests import examples; import eagerdiff.harness as h; print(h.__file__)"
    printed = run(Path(sys.executable), f"python -c '{code}'", tmp_path)
    assert printed.strip() == str(tmp_path / "harness" / "__init__.py")
