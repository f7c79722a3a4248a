"""The installation: packages and compilers, with no torch imported."""

import os
import platform
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from eagerdiff.harness.internals.releases import installed, supported
from eagerdiff.harness.results.installed import Installed

COMPILERS = ("$CXX", "g++", "clang++", "c++")


@dataclass(frozen=True)
class Version:
    """Say which version of a package is installed."""

    name: str
    version: str | None
    """None: not installed."""
    range: str
    """What this project claims to run with; '' for what it needs only for some of its work."""
    inside: bool
    """Whether what is installed is in that range."""


@dataclass(frozen=True)
class Place:
    """Say whether something is there."""

    name: str
    path: str
    """'' where it is not found."""


def versions() -> Iterator[Version]:
    """Return Python and every requirement of this project, and asv where it is installed."""
    yield Version("python", platform.python_version(), ">=3.11", sys.version_info >= (3, 11))
    for name, specifier in supported().items():
        version = installed(name)
        inside = version is not None and specifier.contains(version, prereleases=True)
        yield Version(name, version, str(specifier), inside)
    yield Version("asv", installed("asv"), "", True)


def compilers() -> Iterator[Place]:
    """Return the C++ compilers that Inductor would look for, in its order."""
    for name in COMPILERS:
        command = os.environ.get(name[1:], "") if name.startswith("$") else name
        if command or not name.startswith("$"):
            yield Place(name, shutil.which(command) or "")


def installation() -> list[Installed]:
    """Return the packages and compilers that a night runs with."""
    packages = [
        Installed(
            part="package", name=one.name, found=one.version or "not installed", said=one.range, wrong=not one.inside
        )
        for one in versions()
    ]
    found = [Installed(part="C++ compiler", name=one.name, found=one.path or "not found") for one in compilers()]
    return packages + found
