"""Releases: what is installed, and what this project claims to run with."""

import importlib
import re
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, requires, version

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

Release = tuple[int, int]
"""The first two numbers of a version: (2, 13)."""


def installed(distribution: str) -> str | None:
    """Return the version of what is installed (`2.13.0+cpu`), or None where it is not."""
    try:
        return version(distribution)
    except PackageNotFoundError:
        pass
    try:  # a checkout on the path has no metadata
        return str(importlib.import_module(distribution).__version__)
    except (ImportError, AttributeError):
        return None


def release(distribution: str) -> Release:
    """Return the release of what is installed, local and development parts left out; (0, 0) where it is not."""
    return read_release(installed(distribution) or "0.0")


def read_release(text: str) -> Release:
    """Return the first two numbers of a version; raise ValueError for a text that begins with none."""
    found = re.match(r"(\d+)(?:\.(\d+))?", text)
    if found is None:
        raise ValueError(f"no release: {text!r} (two numbers, as in 2.13)")
    return int(found[1]), int(found[2] or 0)


def supported() -> Mapping[str, SpecifierSet]:
    """Return the range of each requirement of this project, as its own metadata says."""
    found = [Requirement(line) for line in requires("eagerdiff") or ()]
    return {one.name: one.specifier for one in found if one.marker is None}


if __name__ == "__main__":
    print(", ".join(f"{name} {installed(name)}" for name in ("torch", "triton", "hypothesis", "pydantic", "numpy")))
