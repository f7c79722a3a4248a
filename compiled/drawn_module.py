"""A module of drawn code: a file, for what torch keeps names functions by module, file and line."""

import linecache
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any


class Made:
    """Call what `made` of a module returns, from the first call on."""

    def __init__(self, path: Path) -> None:
        """Take the module's file."""
        self.path = path
        self.made: Callable[..., Any] | None = None

    def __call__(self, *args: Any, **options: Any) -> Any:
        """Call it."""
        if self.made is None:
            self.made = module_at(self.path).made()
        assert self.made is not None
        return self.made(*args, **options)


def module_at(path: Path) -> Any:
    """Return the module that a file is, run anew, in the place of one that was there by its name."""
    module = types.ModuleType(path.stem)
    module.__file__ = str(path)
    sys.modules[path.stem] = module
    text = path.read_text()
    # Torch asks for the source of equal code that it met before, whose file may be gone.
    linecache.cache[str(path)] = (len(text), None, text.splitlines(keepends=True), str(path))
    exec(compile(text, path, "exec"), vars(module))  # no bytecode on disk, which may be of an older text
    return module
