"""The wheel, built and installed as asv does it, once a session: fixtures for every test."""

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("harness", "strategies", "reference", "compiled", "suites")


@pytest.fixture(scope="session")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy what wheel and sdist are made of: a build leaves folders behind."""
    folder = tmp_path_factory.mktemp("tree")
    for name in ("eagerdiff", *FOLDERS, "docs", "examples", ".github"):
        shutil.copytree(ROOT / name, folder / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
    for path in ROOT.iterdir():
        if path.is_file() and path.name != ".git":
            shutil.copy(path, folder)
    return folder


@pytest.fixture(scope="session")
def commands() -> dict[str, list[str]]:
    """Return asv's settings; where there is no asv, nothing is built."""
    return pytest.importorskip("asv.util").load_json(str(ROOT / "asv.conf.json"), js_comments=True)


@pytest.fixture(scope="session")
def wheel(tree: Path, commands: dict[str, list[str]], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    (command,) = commands["build_command"]
    run(Path(sys.executable), command.format(build_cache_dir=folder, build_dir=tree), folder)
    (found,) = folder.glob("*.whl")
    return found


@pytest.fixture(scope="session")
def installed(wheel: Path, commands: dict[str, list[str]], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the interpreter of a fresh environment that has the wheel, and all else from the one that runs.

    A line of a .pth file adds a folder without running the .pth files in it: no editable install's finder comes along.
    """
    folder = tmp_path_factory.mktemp("environment")
    run(Path(sys.executable), f"python -m venv --without-pip {folder}", folder)
    (packages,) = folder.glob("lib/python*/site-packages")
    shared = [entry for entry in sys.path if Path(entry).name in ("site-packages", "dist-packages")]
    (packages / "shared.pth").write_text("\n".join(shared))
    python = folder / "bin" / "python"
    (command,) = commands["install_command"]
    run(python, command.format(env_dir=folder, wheel_file=wheel).removeprefix(f"in-dir={folder} "), folder)
    return python


def run(python: Path, command: str, folder: Path) -> str:
    """Run a command line that begins with `python` in `folder`, as from a fresh shell; return what it printed."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PYTEST"))}
    environment["PIP_NO_COMPILE"] = "1"  # few of the files are ever imported
    given = [str(python), *shlex.split(command)[1:]]
    done = subprocess.run(given, cwd=folder, env=environment, capture_output=True, text=True, timeout=280)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
