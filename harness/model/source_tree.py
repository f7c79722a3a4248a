"""A third party's package: installed, or a source tree whose few files are loaded without the rest of it."""

import importlib
import importlib.machinery
import importlib.util
import os
import sys
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

from eagerdiff.harness.model.declined import Declined


@dataclass(frozen=True)
class SourceTree:
    """Say where a package may come from, and what of it is needed.

    A source tree is preferred to what is installed. Of it no `__init__.py` is run: those of large packages import
    everything.
    """

    package: str
    """Import name."""
    variable: str
    """Environment variable that names the folder which holds the package's."""
    modules: Sequence[str]
    """Dotted names, the newest first; the first that is there is loaded."""
    stand_ins: Mapping[str, Mapping[str, Any]] = field(default_factory=dict[str, Mapping[str, Any]])
    """Modules put in place of the tree's own, with their attributes: loggers, platforms, settings."""
    inits: Sequence[str] = ()
    """Packages of it whose `__init__` is run all the same: what others import of them, it makes."""

    def unmet(self) -> str | None:
        """Return why the package cannot be used, in one line, or None; imports nothing of it."""
        root = os.environ.get(self.variable)
        if not root:
            return None if is_installed(self.package) else f"needs {self.package}: install it, or {self._advice()}"
        if not Path(root).is_dir():
            return f"{self.variable}={root} is no folder: {self._advice()}"
        if self._module(Path(root)) is None:
            wanted = " or ".join(str(_file(Path(), name)) for name in self.modules)
            return f"{self.variable}={root} holds no {wanted}: {self._advice()}"
        return None

    def load(self) -> ModuleType:
        """Import the first of the modules that is there; raise Declined, in one line, where the package is not."""
        if (reason := self.unmet()) is not None:
            raise Declined(reason)
        root = os.environ.get(self.variable)
        if root:
            name = self._module(Path(root))
            assert name is not None
            with _without_inits(self, Path(root)):
                return importlib.import_module(name)
        present = [name for name in self.modules if is_installed(name)]
        if not present:
            raise Declined(f"the {self.package} that is installed has no {' or '.join(self.modules)}")
        return importlib.import_module(present[0])

    def _module(self, root: Path) -> str | None:
        return next((name for name in self.modules if _file(root, name).is_file()), None)

    def _advice(self) -> str:
        return f"set {self.variable} to the folder that holds {self.package}/"


def is_installed(name: str) -> bool:
    """Return whether a module can be found; its parent packages are imported."""
    try:
        return importlib.util.find_spec(name) is not None
    except (ImportError, ValueError):
        return False


def _file(root: Path, name: str) -> Path:
    return root.joinpath(*name.split(".")).with_suffix(".py")


@contextmanager
def _without_inits(tree: SourceTree, root: Path) -> Generator[None]:
    """Import a package's modules from a folder, its packages as namespaces, some modules replaced by stand-ins.

    What was imported stays: Triton and Dynamo look a function's module up by name. What several trees of a package
    stand in for one module adds up.
    """
    for name, attributes in tree.stand_ins.items():
        module = sys.modules.setdefault(name, ModuleType(name))
        module.__dict__.update({key: value for key, value in attributes.items() if key not in module.__dict__})
    finder = _Namespaces(tree, root)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


class _Namespaces:
    """Find a package's folders as namespace packages, and its files as modules."""

    def __init__(self, tree: SourceTree, root: Path) -> None:
        self._tree, self._root = tree, root

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> importlib.machinery.ModuleSpec | None:
        if name.split(".")[0] != self._tree.package:
            return None
        folder = self._root.joinpath(*name.split("."))
        if folder.is_dir() and name in self._tree.inits:
            return importlib.util.spec_from_file_location(name, folder / "__init__.py")
        if folder.is_dir():
            spec = importlib.machinery.ModuleSpec(name, None, is_package=True)
            spec.submodule_search_locations = [str(folder)]
            return spec
        file = folder.with_suffix(".py")
        return importlib.util.spec_from_file_location(name, file) if file.is_file() else None
