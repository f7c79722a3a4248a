"""Installing: a virtual environment that has packages of its own, and imports what is installed here too."""

import hashlib
import site
import subprocess
import sys
import venv
from collections.abc import Sequence
from pathlib import Path

from eagerdiff.harness.devices import cache_folder
from eagerdiff.harness.model.environment import Environment

DIGITS = 12
"""Of the digest that tells an environment from one of other packages, or beside another Python."""

SAID = 200
"""Characters that are told of why a module cannot be imported."""


class InstallationError(Exception):
    """Say in one line why packages cannot be installed."""


def python_of(environment: Environment) -> Path | None:
    """Return the Python of an environment that is there and whole, or None."""
    folder = _folder(environment)
    return folder / "bin" / "python" if (folder / "ready").is_file() else None


def unmet(environment: Environment) -> str | None:
    """Return in one line what makes an environment that is not there, or None."""
    return None if python_of(environment) else f"needs {environment.name}: {environment.made_by}"


def install(environment: Environment) -> Path:
    """Return the Python of an environment, which is made where it is not there, or cannot import what it is for.

    Raises InstallationError.
    """
    if (found := python_of(environment)) is not None:
        return found
    folder = _folder(environment)
    python = folder / "bin" / "python"
    venv.create(folder, clear=True, with_pip=False)
    _see_ours(python)
    options = ["--quiet", "--disable-pip-version-check", "--no-deps", "--requirement", str(environment.requirements)]
    command = [sys.executable, "-m", "pip", "--python", str(python), "install", *options]
    if said := _failure(command):
        raise InstallationError(f"pip cannot install {environment.requirements.name} for {environment.name}: {said}")
    for module in environment.modules:
        if said := _failure([str(python), "-c", f"import {module}"]):
            raise InstallationError(f"{environment.name} is installed, but cannot import {module}: {said[:SAID]}")
    (folder / "ready").touch()
    return python


def _failure(command: Sequence[str]) -> str:
    """Return the last line of what a command says that fails; empty where it does not."""
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    return (ended.stderr.strip() or "it does not say why").splitlines()[-1] if ended.returncode else ""


def _folder(environment: Environment) -> Path:
    digest = hashlib.sha256(environment.requirements.read_bytes() + sys.prefix.encode()).hexdigest()[:DIGITS]
    return cache_folder() / "environments" / environment.name / digest


def _see_ours(python: Path) -> None:
    """Have an environment import what is installed here too, editable installations among it."""
    asked = [str(python), "-c", "import site; print(site.getsitepackages()[0])"]
    place = Path(subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip())
    lines = (f"import site; site.addsitedir({ours!r})\n" for ours in site.getsitepackages())
    (place / "ours.pth").write_text("".join(lines), encoding="utf-8")
