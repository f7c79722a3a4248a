"""Revisions: of which source an implementation is that is not this project's own."""

import functools
import hashlib
import os
import sys
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from pathlib import Path

from eagerdiff.harness.catalog.catalog import Catalog
from eagerdiff.harness.catalog.provenance import is_shipped
from eagerdiff.harness.model.implementation import Implementation
from eagerdiff.harness.model.operator import Operator
from eagerdiff.harness.model.source_tree import SourceTree

UNCHANGING = ("torch", "triton", "numpy")
"""Packages whose versions are those of the environment."""


def revisions(catalog: Catalog) -> dict[str, str]:
    """Return `operator/implementation` → its revision, of those that have one. Call it where they were imported."""
    found = {
        f"{operator.name}/{name}": revision(operator, implementation, catalog)
        for operator in catalog.operators.values()
        for name, implementation in catalog.implementations[operator.name].items()
    }
    return {name: text for name, text in found.items() if text}


def revision(operator: Operator, implementation: Implementation, catalog: Catalog) -> str:
    """Return the versions of the packages that an implementation needs, and digests of the files that say what it is.

    Of what is this project's, the commit says it: its text is empty, but for packages.
    """
    parts = [_version(package) for package in implementation.requires.packages]
    if (tree := implementation.requires.source_tree) is not None:
        parts.append(_of_tree(tree))
    if (environment := implementation.requires.environment) is not None:
        parts.append(f"{environment.name} {_digest(environment.requirements)}")
    home = catalog.homes.get(f"{operator.name}/{implementation.name}")
    if not is_shipped(operator, implementation, [home] if home else []):
        parts.append(_of_module(getattr(implementation.build, "__module__", "") or ""))
    return ", ".join(dict.fromkeys(part for part in parts if part))


def _version(package: str) -> str:
    name = package.partition(".")[0]
    if name in UNCHANGING:
        return ""
    for distribution in _distributions().get(name, ()):
        try:
            return f"{distribution} {version(distribution)}"
        except PackageNotFoundError:
            continue
    return ""


@functools.cache
def _distributions() -> Mapping[str, list[str]]:
    return packages_distributions()  # it reads every distribution that is installed


def _of_tree(tree: SourceTree) -> str:
    root = os.environ.get(tree.variable)
    if not root:
        return _version(tree.package)
    files = (Path(root).joinpath(*name.split(".")).with_suffix(".py") for name in tree.modules)
    return next((f"{tree.package} {digest}" for file in files if (digest := _digest(file))), "")


def _of_module(name: str) -> str:
    file = getattr(sys.modules.get(name), "__file__", None)
    digest = _digest(Path(file)) if file else ""
    return f"{Path(file).name} {digest}" if file and digest else ""


def _digest(file: Path) -> str:
    try:
        return hashlib.sha256(file.read_bytes()).hexdigest()[:10]
    except OSError:
        return ""
