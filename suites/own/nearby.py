"""What of a recording is imported where nobody named it: code of the folder that is worked in, and nothing else.

A recording is data, and may be a stranger's: the names in it must not choose what runs (`os:system`, with a word as its
argument). What lies elsewhere is checked when a person types its name.
"""

import importlib.machinery
import re
import sys
from pathlib import Path

from eagerdiff import RecordedFunction

_INSTALLED = ("site-packages", "dist-packages")


class Elsewhere(ValueError):
    """Say in one line why a recorded function is not imported."""


def spec_of(function: RecordedFunction, folder: Path) -> str:
    """Return by what a function of a recording is imported; raise Elsewhere for one that is not to be, or cannot."""
    home, _, qualname = function.name.rpartition(":")
    if function.kind == "kernel":
        raise Elsewhere("a Triton kernel has no reference of its own")
    if not re.fullmatch(r"[^\W\d]\w*(\.[^\W\d]\w*)*", qualname):
        raise Elsewhere("it stands inside a function, where nothing imports it")
    if function.kind == "function" and "." in qualname:
        raise Elsewhere("it is a method, and needs its object")
    file = _file(home, folder) or _file(function.file, folder)
    if file is None:
        raise Elsewhere(f"it is not of this folder: eagerdiff check {function.name} --like FILE checks it all the same")
    module = home if not home.endswith(".py") and _leads_to(home, file, folder) else str(file)
    return f"{module}:{qualname}"


def _file(name: str, folder: Path) -> Path | None:
    """Return the Python file below a folder that a module or a path names; None where there is none."""
    path = folder / (name if name.endswith(".py") else f"{name.replace('.', '/')}.py")
    places = [path, path.with_suffix("") / "__init__.py"]
    found = next((one.resolve() for one in places if one.is_file()), None)
    if found is None or not found.is_relative_to(folder.resolve()) or set(_INSTALLED) & set(found.parts):
        return None
    return found


def _leads_to(module: str, file: Path, folder: Path) -> bool:
    """Whether importing a module runs code of a folder: its package is looked for, and not imported."""
    package = module.partition(".")[0]
    if package in sys.builtin_module_names or package in sys.stdlib_module_names:
        return False
    found = importlib.machinery.PathFinder.find_spec(package, [str(folder)])
    other = importlib.machinery.PathFinder.find_spec(package, sys.path)
    if found is None or found.origin is None or (other is not None and other.origin != found.origin):
        return False
    origin = Path(found.origin).resolve()
    return origin == file if package == module else origin.parent in file.parents
