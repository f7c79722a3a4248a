"""Where a package's source comes from: a variable, else the cache folder, into which a release of PyPI is unpacked."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from eagerdiff import cache_folder
from eagerdiff.suites.third_party.package import Package


class NotThereError(Exception):
    """Say in one line why a package's source is not there, and what to do."""


def fetch(package: Package) -> Path:
    """Return the folder that holds a package, and set its variable; raise NotThereError where there is none.

    Nothing of it is installed: a release is downloaded without what it needs, and unpacked.
    """
    given = os.environ.get(package.variable)
    if given and Path(given).is_dir():
        return Path(given)
    folder = cache_folder() / "third_party" / package.source.replace("/", "_")
    if not folder.is_dir():
        if "==" not in package.source:
            raise NotThereError(
                f"check out {package.source} and set {package.variable} to what holds {package.module}/"
            )
        _unpack(package, folder)
    holds = next((path.parent for path in sorted(folder.rglob(package.module)) if path.is_dir()), None)
    if holds is None:
        raise NotThereError(f"{package.source} holds no folder {package.module}: set {package.variable}")
    os.environ[package.variable] = str(holds)
    return holds


def _unpack(package: Package, folder: Path) -> None:
    with tempfile.TemporaryDirectory() as place:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", place, package.source]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        found = sorted(Path(place).iterdir())
        if done.returncode or not found:
            said = (done.stderr.strip() or "pip found nothing").splitlines()[-1]
            raise NotThereError(f"{package.source} cannot be had ({said}): set {package.variable} to its folder")
        archive = found[0]
        if archive.suffix == ".whl":
            archive = archive.rename(archive.with_suffix(".zip"))
        unpacked = Path(place, "unpacked")
        if archive.suffix == ".zip":
            shutil.unpack_archive(archive, unpacked)
        else:
            shutil.unpack_archive(archive, unpacked, filter="data")
        folder.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(unpacked, folder)
