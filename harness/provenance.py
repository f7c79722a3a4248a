"""Provenance: were the five packages loaded from this distribution, or from a stranger's folder of the same name?"""

import importlib.machinery
import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path

PACKAGES = ("harness", "strategies", "reference", "compiled", "suites")
"""The import packages of the distribution `eagerdiff`: common words, which other folders bear too."""


def home() -> Path:
    """Return the folder that this distribution's packages stand in."""
    return Path(__file__).resolve().parent.parent


def intruders(source_root: Path | None = None) -> list[str]:
    """Return one line for each of the five names that Python resolves to a folder which is not ours.

    `source_root` is a folder whose packages may stand in for ours: a copy with a planted fault.
    """
    allowed = {home()} | ({source_root.resolve()} if source_root else set())
    return [
        f"package {name!r} would come from {found}, not from {home() / name}, eagerdiff's own: take it off sys.path"
        for name in PACKAGES
        if (found := _location(name)) is not None and found.parent not in allowed
    ]


def namesakes(source_root: Path | None = None) -> list[str]:
    """Return one line for each package on sys.path that bears one of the five names, is not ours and is not used."""
    allowed = {home()} | ({source_root.resolve()} if source_root else set())
    used = {_location(name) for name in PACKAGES}
    return [
        f"{found} has the name of eagerdiff's package {name!r} and is not used: `import {name}` gives eagerdiff's"
        for name, found in _on_path()
        if found.parent not in allowed and found not in used
    ]


def pin() -> None:
    """Import the five packages now, so that folders which join sys.path later cannot stand in for them.

    They are empty (no torch comes with them); a name that resolves to a stranger's folder is left to `intruders`.
    """
    for name in PACKAGES:
        if name not in sys.modules and (found := _location(name)) is not None and found.parent == home():
            importlib.import_module(name)


def _location(name: str) -> Path | None:
    """Return the folder that `import name` uses or would use; None where there is none."""
    module = sys.modules.get(name)
    spec = module.__spec__ if module is not None else _find(name)
    if spec is None:
        return None
    if spec.submodule_search_locations:
        return Path(next(iter(spec.submodule_search_locations))).resolve()
    return Path(spec.origin).resolve() if spec.origin else None


def _find(name: str) -> importlib.machinery.ModuleSpec | None:
    try:
        return importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return None


def _on_path() -> Iterator[tuple[str, Path]]:
    for entry in dict.fromkeys(Path(entry or ".").resolve() for entry in sys.path):
        for name in PACKAGES:
            if (entry / name / "__init__.py").is_file():
                yield name, entry / name
            elif (entry / f"{name}.py").is_file():
                yield name, entry / f"{name}.py"
