"""The packages of others: a virtual environment in the cache folder that has them beside all that is here."""

import hashlib
import site
import subprocess
import sys
import venv
from pathlib import Path

from eagerdiff import cache_folder

REQUIREMENTS = Path(__file__).with_name("requirements.txt")


class InstallationError(Exception):
    """Say in one line why packages cannot be installed."""


def python() -> Path:
    """Return a Python that imports the packages of others, which are installed once; raise InstallationError."""
    digest = hashlib.sha256(REQUIREMENTS.read_bytes() + sys.prefix.encode()).hexdigest()[:12]
    folder = cache_folder() / "others" / digest
    found, ready = folder / "bin" / "python", folder / "ready"
    if not ready.is_file():
        venv.create(folder, clear=True, with_pip=False)
        _see_ours(found)
        options = ["--quiet", "--disable-pip-version-check", "--no-deps", "--requirement", str(REQUIREMENTS)]
        command = [sys.executable, "-m", "pip", "--python", str(found), "install", *options]
        ended = subprocess.run(command, capture_output=True, text=True, check=False)
        if ended.returncode:
            raise InstallationError(f"pip cannot install {REQUIREMENTS.name}: {ended.stderr.strip().splitlines()[-1:]}")
        ready.touch()
    return found


def _see_ours(python: Path) -> None:
    """Have an environment import what is installed here too, editable installations among it."""
    asked = [str(python), "-c", "import site; print(site.getsitepackages()[0])"]
    place = Path(subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip())
    lines = (f"import site; site.addsitedir({ours!r})\n" for ours in site.getsitepackages())
    (place / "ours.pth").write_text("".join(lines), encoding="utf-8")
