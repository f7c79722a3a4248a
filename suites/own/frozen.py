"""A page on disk, for processes that did not make it: a file to import, and a pickle beside it."""

import hashlib
import importlib.util
import json
import pickle
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import cloudpickle

from eagerdiff import cache_folder
from eagerdiff.suites.own.page import Page

_FILE = '''"""What `eagerdiff.check` made of {name}: `eagerdiff run THIS_FILE:OPERATOR` searches it again."""

from eagerdiff.suites.own.frozen import thaw

OPERATOR = thaw(__file__).operator()
'''


def freeze(page: Page, *called: Any) -> str:
    """Write a page and return its spec, `file.py:OPERATOR`; the same page, the same file.

    What was `called` is pickled by name where its module can be imported elsewhere, else whole. Raises ValueError, in
    one line, for what cannot be pickled.
    """
    by_value = [module for module in map(_home, called) if module is not None and not _importable(module)]
    for module in by_value:
        cloudpickle.register_pickle_by_value(module)
    try:
        data = cloudpickle.dumps(page, protocol=pickle.HIGHEST_PROTOCOL)
    except Exception as error:
        raise ValueError(f"{page.name} cannot be handed to another process: {error}") from error
    finally:
        for module in by_value:
            cloudpickle.unregister_pickle_by_value(module)
    head = json.dumps(sys.path).encode()
    folder = cache_folder() / "checked"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{page.name}_{hashlib.sha256(head + data).hexdigest()[:12]}.py"
    path.with_suffix(".pickle").write_bytes(head + b"\n" + data)
    path.write_text(_FILE.format(name=page.name), encoding="utf-8")
    return f"{path}:OPERATOR"


def thaw(file: str) -> Page:
    """Return the page beside a file that `freeze` wrote."""
    head, _, data = Path(file).with_suffix(".pickle").read_bytes().partition(b"\n")
    sys.path += [place for place in json.loads(head) if place not in sys.path]
    page = pickle.loads(data)
    assert isinstance(page, Page)
    return page


def module_of(called: Any) -> str:
    """Return the name of the module that some code is of."""
    return getattr(called, "__module__", None) or type(called).__module__


def _home(called: Any) -> ModuleType | None:
    return sys.modules.get(module_of(called))


def _importable(module: ModuleType) -> bool:
    """Whether another process that has the same search path imports the same file by the module's name."""
    if module.__name__ == "__main__":
        return True  # pickled whole by itself
    try:
        found = importlib.util.find_spec(module.__name__)
    except (ImportError, ValueError):
        return False
    return found is not None and found.origin == getattr(module, "__file__", None)
