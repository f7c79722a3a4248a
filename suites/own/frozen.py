"""A page on disk, for processes that did not make it: a file to import, and a pickle beside it."""

import hashlib
import importlib.util
import json
import pickle
import sys
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol

import cloudpickle

from eagerdiff import Operator, cache_folder

_FILE = '''"""What `eagerdiff.check` made of {name}: `eagerdiff run THIS_FILE:OPERATOR` searches it again."""

from eagerdiff.suites.own.frozen import thaw

OPERATOR = thaw(__file__).operator()
'''


class Page(Protocol):
    """Make an operator, in any process."""

    @property
    def name(self) -> str:
        """Of the operator."""
        ...

    def operator(self) -> Operator[Any]:
        """Return the operator."""
        ...


def freeze(page: Page, code: Any) -> str:
    """Write the page of some code and return its spec, `file.py:OPERATOR`; the same page, the same file.

    What stands in a module is pickled by name, the rest (a function in a function) whole. Raises ValueError, in one
    line, for what cannot be pickled.
    """
    module = sys.modules.get(module_of(code))
    files = {} if module is None or _importable(module) else {module.__name__: str(module.__file__)}
    try:
        data = cloudpickle.dumps(page, protocol=pickle.HIGHEST_PROTOCOL)
    except Exception as error:
        raise ValueError(f"{page.name} cannot be handed to another process: {' '.join(str(error).split())}") from error
    head = json.dumps({"path": sys.path, "files": files}).encode()
    folder = cache_folder() / "checked"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{page.name}_{hashlib.sha256(head + data).hexdigest()[:12]}.py"
    path.with_suffix(".pickle").write_bytes(head + b"\n" + data)
    path.write_text(_FILE.format(name=page.name), encoding="utf-8")
    return f"{path}:OPERATOR"


def thaw(file: str) -> Page:
    """Return the page beside a file that `freeze` wrote."""
    head, _, data = Path(file).with_suffix(".pickle").read_bytes().partition(b"\n")
    told = json.loads(head)
    sys.path += [place for place in told["path"] if place not in sys.path]
    for name, place in told["files"].items():
        _load(name, place)
    return pickle.loads(data)


def module_of(called: Any) -> str:
    """Return the name of the module that some code is of."""
    return getattr(called, "__module__", None) or type(called).__module__


def _load(name: str, place: str) -> None:
    """Run a file as the module of a name, which no search path leads to."""
    if name in sys.modules:
        return
    spec = importlib.util.spec_from_file_location(name, place)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)


def _importable(module: ModuleType) -> bool:
    """Whether another process that has the same search path imports the same file by the module's name."""
    name, file = module.__name__, getattr(module, "__file__", None)
    if name == "__main__" or file is None:
        return True  # pickled whole by itself, or a part of Python
    package = name.partition(".")[0]
    found = _searched(package)
    if found is None:
        return False
    if package == name:
        return found.origin == file
    return file.startswith(_places(found)) or str(Path(file).resolve()).startswith(_places(found))


def _searched(name: str) -> ModuleSpec | None:
    """Look a module up as if it were not loaded yet."""
    specs = (finder.find_spec(name, None) for finder in sys.meta_path if hasattr(finder, "find_spec"))
    return next((spec for spec in specs if spec is not None), None)


def _places(package: ModuleSpec) -> tuple[str, ...]:
    given = tuple(package.submodule_search_locations or ())
    return (*given, *(str(Path(place).resolve()) for place in given))
