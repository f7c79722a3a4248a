"""Provenance: where this distribution's own source stands, and what is part of it."""

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from eagerdiff.harness.model.implementation import Implementation
from eagerdiff.harness.model.operator import Operator

_FOLDERS = ("harness", "strategies", "reference", "compiled", "suites")


def home() -> Path:
    """Return the folder that `harness`, `strategies`, `reference`, `compiled` and `suites` stand in.

    The repository in a checkout, the package `eagerdiff` where it is installed.
    """
    return Path(__file__).resolve().parents[2]


def checkout() -> Path | None:
    """Return the repository that this process imports from; None where it is installed."""
    return home() if (home() / "pyproject.toml").exists() else None


def imported_from(place: Path | None = None) -> dict[str, str]:
    """Return what a Python's environment needs to import what lies in a folder: by default in this checkout, if any."""
    first = place or checkout()
    path = os.pathsep.join(map(str, filter(None, (first, os.environ.get("PYTHONPATH")))))
    return {"PYTHONPATH": path} if path else {}


def is_shipped(operator: Operator, implementation: Implementation, specs: Sequence[str]) -> bool:
    """Return whether an implementation is one of ours: it stands in an operator of ours, or every spec leads to us.

    `specs` name what was plugged in. Whose functions an implementation was made with does not show in itself.
    """
    if any(one is implementation for one in operator.implementations):
        return is_ours(operator) and _is_within(implementation.build)
    return bool(specs) and all(_is_ours(spec.rpartition(":")[0]) for spec in specs)


def is_ours(operator: Operator) -> bool:
    """Return whether an operator's own code is ours."""
    return all(map(_is_within, (operator.reference, operator.inputs)))


def _is_within(function: Callable[..., Any]) -> bool:
    return _is_ours(getattr(function, "__module__", "") or "")


def _is_ours(module: str) -> bool:
    """Whether a module, or a file, is in one of our folders; also where a copy of one stands in for it."""
    if module.partition(".")[0] == "eagerdiff" and not module.endswith(".py"):
        return True
    file = module if module.endswith(".py") else getattr(sys.modules.get(module), "__file__", None) or "/"
    found = Path(file).resolve()
    return any(home() / folder in found.parents for folder in _FOLDERS)
